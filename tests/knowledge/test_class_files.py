"""The papers' class JSON Lines, in and out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nerquake.core.errors import InputError
from nerquake.knowledge.build import Choices, build_in_memory
from nerquake.knowledge.builders import builders_of
from nerquake.knowledge.class_files import ClassFiles, class_files_in
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.export import class_files

Classes = dict[str, list[dict[str, Any]]]


def put(folder: Path, classes: Classes) -> None:
    folder.mkdir(exist_ok=True)
    for type_, records in classes.items():
        text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        (folder / f"{type_}.jsonl").write_text(text, "utf-8")


def read_back(folder: Path, language: str = "en", choices: Choices = Choices()) -> Classes:  # noqa: B008
    connection, meta = build_in_memory([ClassFiles(folder=str(folder), language=language)], choices)
    dictionary = Dictionary("test", connection, meta)
    return {
        name.removesuffix(".jsonl"): [json.loads(line) for line in lines]
        for name, lines in class_files(dictionary, language)
    }


def by_id(classes: Classes) -> dict[str, dict[str, Any]]:
    return {type_: {record["class_id"]: record for record in records} for type_, records in classes.items()}


IDS = st.sampled_from(["Q1", "Q2", "Q30", "Q515", "local:a/b", "/m/0x", "ab c", "Q01", "é"])
NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=5)
TITLES = {"Q1": "one", "Q2": "", "Q30": "thirty", "Q515": "city", "local:a/b": "ab", "/m/0x": "x", "ab c": "",
          "Q01": "o", "é": "é"}  # fmt: skip
INSTANCES = st.dictionaries(IDS, NAMES, max_size=4)
FILES = st.dictionaries(
    st.sampled_from(["GPE", "NORP", "WORK_OF_ART"]), st.dictionaries(IDS, INSTANCES, max_size=3), min_size=1
)


@settings(max_examples=25)
@given(files=FILES, language=st.sampled_from(["en", "hi", "xx"]))
def test_all_that_a_line_holds_comes_back(
    files: dict[str, dict[str, dict[str, str]]], language: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Classes of two types with other instances, names that differ by class, empty classes, ids of any kind."""
    classes = {
        type_: [
            {"class_id": one, "class_title": TITLES[one], "instance_num": len(instances), "instances": instances}
            for one, instances in records.items()
        ]
        for type_, records in files.items()
    }
    folder = tmp_path_factory.mktemp("classes")
    put(folder, classes)
    assert by_id(read_back(folder, language)) == by_id(classes)


def test_lines_stand_in_the_order_of_ids(tmp_path: Path) -> None:
    record = {"class_id": "Q2", "class_title": "t", "instances": {"Q10": "b", "local:x": "c", "Q9": "a"}}
    put(tmp_path, {"GPE": [record, {"class_id": "Q1", "instances": {}}]})
    (file,) = read_back(tmp_path).values()
    assert [line["class_id"] for line in file] == ["Q1", "Q2"]
    assert list(file[1]["instances"].items()) == [("Q9", "a"), ("Q10", "b"), ("local:x", "c")]


def test_a_name_in_one_class_is_drawn_from_that_class(tmp_path: Path) -> None:
    put(tmp_path, {
        "GPE": [{"class_id": "Q6256", "class_title": "country",
                 "instances": {"Q30": "United States", "Q142": "France"}},
                {"class_id": "Q7270", "class_title": "republic", "instances": {"Q30": "USA"}}],
        "NORP": [{"class_id": "Q6256", "class_title": "country", "instances": {"Q30": "American"}}],
    })  # fmt: skip
    connection, meta = build_in_memory([ClassFiles(folder=str(tmp_path))])
    dictionary = Dictionary("test", connection, meta)
    assert dictionary.types_of(["Q6256"]) == {"Q6256": ("GPE", "NORP")}
    assert dictionary.sizes(["Q6256"], "en", "GPE") == {"Q6256": 2}
    assert [x.name for x in dictionary.instances([("Q6256", 0)], "en", "NORP")] == ["American"]
    assert [x.name for x in dictionary.instances([("Q7270", 0)], "en", "GPE")] == ["USA"]
    names = {x.name for x in dictionary.instances([("Q6256", 0), ("Q6256", 1)], "en", "GPE")}
    assert names == {"United States", "France"}


BAD = {
    "GPE": [
        ('{"class_id": "Q1", "instances": {"Q2": "b"', "no JSON"),
        ('["Q1"]', "not a JSON object"),
        ('{"class_title": "t", "instances": {}}', "class_id is missing"),
        ('{"class_id": "Q3", "instances": ["Q4"]}', "instances are missing"),
        ('{"class_id": "Q4", "class_title": 5, "instances": {}}', "class_title is no text"),
        ('{"class_id": "Q5", "instances": {"Q6": "x", "Q6": "y"}}', "'Q6' stands twice"),
        ('{"class_id": "Q7", "instances": {"Q8": "", "Q9": 3, "Q10": "ok"}}', "without an id or a name"),
        ('{"class_id": "Q11", "instances": {"Q12": "\\ud800"}}', "without an id or a name"),
        ('{"class_id": "Q13", "class_title": "\\ud800", "instances": {}}', "half of a surrogate pair"),
        ("[" * 100_000, "nested too deeply"),
    ],
    "LAW": [
        ('{"class_id": "Q20", "class_title": "law", "instances": {}}', ""),
        ('{"class_id": "Q20", "instances": {}}', "stands in LAW.jsonl:1 already"),
    ],
    "ORG": [('{"class_id": "Q20", "class_title": "Law", "instances": {}}', "another title above: 'law'")],
}


def bad_folder(folder: Path) -> None:
    for type_, lines in BAD.items():
        (folder / f"{type_}.jsonl").write_text("".join(line + "\n" for line, _ in lines), "utf-8")
    (folder / "PRODUCT.json").write_bytes(b'{"class_id": "Q30", "instances": {"Q31": "\xff"}}\n')


def test_bad_lines_of_all_files_are_listed_in_one_run(tmp_path: Path) -> None:
    bad_folder(tmp_path)
    with pytest.raises(InputError) as caught:
        build_in_memory([ClassFiles(folder=str(tmp_path))])
    text = str(caught.value)
    for type_, lines in BAD.items():
        for number, (_, said) in enumerate(lines, 1):
            if said:
                listed = [line for line in text.splitlines() if f"{type_}.jsonl: line {number}:" in line]
                assert any(said in line for line in listed), (type_, number)
    assert "PRODUCT.json: line 1: no class record: byte 0xff is not UTF-8" in text
    assert "--lenient" in text


def test_lenient_leaves_them_out_and_counts_them(tmp_path: Path) -> None:
    bad_folder(tmp_path)
    connection, meta = build_in_memory([ClassFiles(folder=str(tmp_path), lenient=True)])
    dictionary = Dictionary("test", connection, meta)
    assert meta.rows["faults"] == 14
    assert dictionary.names(["Q10"], "en")["Q10"].label == "ok"
    assert dictionary.ask("SELECT source, line FROM faults WHERE code = 'title-differs'") == [("ORG.jsonl", 1)]


def test_what_is_not_kept_is_said(tmp_path: Path) -> None:
    record = {"class_id": "Q1", "instance_num": 7, "instances": {"Q2": "x"}, "score": 1}
    put(tmp_path, {"GPE": [record, record | {"class_id": "Q3"}]})
    connection, meta = build_in_memory([ClassFiles(folder=str(tmp_path))])
    found = Dictionary("test", connection, meta).ask("SELECT line, code FROM faults")
    assert found == [(1, "instance-num"), (1, "unknown-key"), (2, "instance-num")]


def test_folders_without_classes(tmp_path: Path) -> None:
    for folder, said in ((tmp_path, "there are no classes in it"), (tmp_path / "nowhere", "no such file or folder")):
        with pytest.raises(InputError, match=said):
            build_in_memory(builders_of([f"import:{folder}"]))


def test_one_file_and_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "GPE.jsonl"
    file.write_text('{"class_id": "Q1", "instances": {"Q2": "x"}}\n\n', "utf-8-sig")
    connection, meta = build_in_memory([ClassFiles(folder=str(file))])
    assert (meta.types, meta.rows["item_class"]) == (("GPE",), 1)
    connection.close()


def test_a_limit_holds_for_what_is_exported(tmp_path: Path) -> None:
    put(tmp_path, {"GPE": [{"class_id": "Q1", "instances": {f"Q{n}": f"n{n}" for n in range(2, 30)}}]})
    ((record,),) = read_back(tmp_path, choices=Choices(limit_per_class=4)).values()
    assert record["instance_num"] == len(record["instances"]) == 4


def test_names_that_cannot_stand_in_a_sentence_are_said_and_not_drawn(tmp_path: Path) -> None:
    names = {"Q2": "Bonn", "Q3": "Q3", "Q4": " ", "Q5": "a\0b", "Q6": "a\nb"}
    put(tmp_path, {"GPE": [{"class_id": "Q1", "instances": names}]})
    connection, meta = build_in_memory([ClassFiles(folder=str(tmp_path))])
    dictionary = Dictionary("test", connection, meta)
    assert dictionary.ask("SELECT line, code, count(*) FROM faults GROUP BY ALL") == [(1, "not-drawn", 4)]
    assert dictionary.sizes(["Q1"], "en", "GPE") == {"Q1": 1}
    assert len(dictionary.ask("FROM names")) == 5


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"12345678DUCK\1\0\0\0\n\n", "a dictionary: `nerquake dictionary export"),
        (b"PAR1\x15\x04\n\n", "holds no text"),
        (b"\0" * 40, "holds no text"),
    ],
)
def test_a_file_of_another_kind_is_one_message(data: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "d").write_bytes(data)
    with pytest.raises(InputError, match="no file of classes") as caught:
        class_files_in(str(tmp_path / "d"))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
