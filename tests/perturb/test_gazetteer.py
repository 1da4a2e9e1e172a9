from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.perturb.helpers import by_parent, data, names, new_surfaces, run, sentence

from nerquake.core.errors import FormatError, InputError, NerquakeError, SpecError, UsageError
from nerquake.perturb.names import read_names


def write(folder: Path, name: str, text: str | bytes) -> str:
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(file)


def tokens(path: str, label: str = "") -> dict[str, list[str]]:
    return {key: [" ".join(name.tokens) for name in found] for key, found in read_names(path, label).items()}


def test_labels_and_names_parted_by_a_tab(tmp_path: Path) -> None:
    path = write(
        tmp_path, "n.tsv", "\ufeffPER\tRosa Lind\r\n# a comment\r\n\r\nLOC\tSt. Gallen\r\nPER\tRosa Lind\r\n#x\tBo"
    )
    assert tokens(path) == {"PER": ["Rosa Lind"], "LOC": ["St. Gallen"], "#x": ["Bo"]}
    assert read_names(path)["LOC"][0].source == (("from", "n.tsv:4"),)


def test_sections(tmp_path: Path) -> None:
    path = write(tmp_path, "n.txt", "[PER]\nRosa Lind\nBo\n\n[WORK_OF_ART]\nSunrise, Again\n")
    assert tokens(path) == {"PER": ["Rosa Lind", "Bo"], "WORK_OF_ART": ["Sunrise , Again"]}


def test_a_plain_list_for_one_label(tmp_path: Path) -> None:
    path = write(tmp_path, "n.txt", "Rosa Lind\n")
    assert tokens(path, "PER") == {"PER": ["Rosa Lind"]}


def test_classes_a_line(tmp_path: Path) -> None:
    record = {
        "class_id": "Q515",
        "class_title": "city",
        "instance_num": 2,
        "instances": {"Q64": "Berlin", "Q90": "Paris"},
    }
    path = write(tmp_path, "GPE.jsonl", json.dumps(record) + "\n")
    assert tokens(path, "GPE") == {"GPE": ["Berlin", "Paris"]}
    assert read_names(path, "GPE")["GPE"][1].source == (("from", "GPE.jsonl:1"), ("class", "city"), ("item", "Q90"))
    with pytest.raises(UsageError, match="label=GPE"):
        read_names(path)
    assert tokens(str(tmp_path)) == {"GPE": ["Berlin", "Paris"]}, "in a folder the file's name is the label"


def test_a_folder_with_a_file_a_label(tmp_path: Path) -> None:
    write(tmp_path, "PER.txt", "Rosa Lind\n")
    write(tmp_path, "LOC.txt", "Bonn\n")
    write(tmp_path, ".hidden", "no")
    assert tokens(str(tmp_path)) == {"LOC": ["Bonn"], "PER": ["Rosa Lind"]}


def test_all_bad_lines_are_listed_with_their_numbers(tmp_path: Path) -> None:
    path = write(tmp_path, "n.tsv", "PER\tRosa\nRosa Lind\nPER\t \n\tBo\n")
    with pytest.raises(FormatError) as error:
        read_names(path)
    assert [(problem.line, problem.code) for problem in error.value.problems] == [
        (2, "no-label"), (3, "no-name"), (4, "no-label"),
    ]  # fmt: skip


def test_bad_class_records_are_listed(tmp_path: Path) -> None:
    lines = ['{"class_id": "Q1", "instances": {"Q2": "Bo"}}', "{", "[]", '{"class_id": "Q1", "instances": {"Q3": 7}}']
    with pytest.raises(FormatError) as error:
        read_names(write(tmp_path, "n.jsonl", "\n".join(lines)), "PER")
    assert [problem.line for problem in error.value.problems] == [2, 3, 4]


@pytest.mark.parametrize(("content", "message"), [
    (b"", "empty"), (b"\n \n", "empty"), (b"PER\tBo\0", "binary"), (b"PER\tBo\nPER\tJ\xfcrgen\n", "line 2: byte 0xfc"),
])  # fmt: skip
def test_files_that_hold_no_names(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_names(write(tmp_path, "n.tsv", content))


def test_paths_that_are_not_there(tmp_path: Path) -> None:
    corpus = data(names(["A"], "PER"))
    with pytest.raises(InputError, match="no such file"):
        run(corpus, "gazetteer:nowhere.tsv")
    with pytest.raises(InputError, match="holds no files"):
        run(corpus, f"gazetteer:{tmp_path}")
    with pytest.raises(SpecError, match="gazetteer needs file"):
        run(corpus, "gazetteer")


def test_mentions_get_names_of_their_label(tmp_path: Path) -> None:
    path = write(tmp_path, "n.tsv", "PER\tRosa Lind\nLOC\tBonn\n")
    corpus = data([sentence("a", "Bo saw BONN and Wien near Acme", "B-PER O B-LOC O B-LOC O B-ORG")])
    made = run(corpus, f"gazetteer:{path}")
    assert made.variants[0].sentence.tokens == ("Rosa", "Lind", "saw", "BONN", "and", "Bonn", "near", "Acme")
    assert (made.variants[0].attackable, made.variants[0].replaced) == (4, 2)
    assert "ORG: no names for its 1 mentions" in made.notes
    assert "LOC: warning: 1 names for 2 mentions, so names repeat" in made.notes


def test_every_other_name_is_drawn(tmp_path: Path) -> None:
    path = write(tmp_path, "n.tsv", "".join(f"PER\tName{n}\n" for n in range(5)))
    drawn = new_surfaces(run(data(names(["name0"] * 200, "PER")), f"gazetteer:{path}"))
    assert {name: drawn.count(name) > 20 for name in set(drawn)} == {f"Name{n}": True for n in range(1, 5)}


def test_names_for_other_labels_only(tmp_path: Path) -> None:
    path = write(tmp_path, "n.tsv", "PERSON\tRosa\n")
    with pytest.raises(UsageError, match=r"names are for PERSON, the mentions are labelled PER"):
        run(data(names(["A"], "PER")), f"gazetteer:{path}")


def test_an_added_sentence_changes_no_other(tmp_path: Path) -> None:
    path = write(tmp_path, "n.tsv", "".join(f"ORG\tName {n}\n" for n in range(40)))
    corpus = names([f"Old {n}" for n in range(10)])
    more = [sentence("front", "Old Firm", "B-ORG I-ORG"), *corpus]
    before, after = by_parent(run(data(corpus), f"gazetteer:{path}")), by_parent(run(data(more), f"gazetteer:{path}"))
    assert {key: after[key] for key in before} == before


def test_odd_paths_are_quoted(tmp_path: Path) -> None:
    path = write(tmp_path, "a,b+c|d=e.tsv", "ORG\tNew\n")
    assert new_surfaces(run(data(names(["Old"])), f'gazetteer:"{path}",name=odd')) == ["New"]


@pytest.mark.shared
def test_real_lists_of_names(shared: Path) -> None:
    read = 0
    for file in sorted((shared / "data").glob("gaz_names_*/**/*.txt"))[:5]:
        try:
            found = read_names(str(file), "PER")
        except NerquakeError as error:
            assert str(file) in str(error)
            continue
        read += bool(found)
    assert read


def test_where_the_file_is_kept_changes_nothing(tmp_path: Path) -> None:
    """The same names under another path are drawn alike, on every machine."""
    made = []
    for folder in ("a", "b/c"):
        (tmp_path / folder).mkdir(parents=True)
        file = tmp_path / folder / "names.tsv"
        file.write_text("".join(f"ORG\tName{number}\n" for number in range(50)), "utf-8")
        made.append(new_surfaces(run(data(names(["Acme"] * 20)), f"gazetteer:{file}")))
    assert made[0] == made[1]
    assert len(set(made[0])) > 5
