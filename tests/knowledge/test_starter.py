"""The starter dictionary: its tables are as they must be, and the dictionary made of them holds all of them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from nerquake.core.errors import FormatError, InputError
from nerquake.core.labels import LABEL_SETS
from nerquake.knowledge.build import build_in_memory
from nerquake.knowledge.builders import builders_of
from nerquake.knowledge.dictionary import starter
from nerquake.knowledge.ids import is_wikidata
from nerquake.knowledge.starter_check import check
from nerquake.knowledge.starter_tables import LANGUAGES, item_id, read_tables, tables

TYPES = LABEL_SETS["ontonotes-names"]


def test_the_shipped_tables_are_as_they_must_be() -> None:
    """At least 60 classes over the eleven types, 40 English names each, no surface twice, scripts, normal form."""
    problems = check(tables())
    assert not problems, "\n".join(map(str, problems[:50]))


def test_everything_in_the_tables_can_be_drawn() -> None:
    dictionary = starter()
    for at, language in enumerate(LANGUAGES):
        wanted: dict[str, set[str]] = {}
        for entity in tables().entities:
            if entity.names[at]:
                wanted.setdefault(f"local:{entity.class_id}", set()).add(entity.names[at])
        for one, (type_, _) in tables().classes.items():
            names = wanted.get(f"local:{one}", set())
            size = dictionary.sizes([f"local:{one}"], language, type_)[f"local:{one}"]
            found = dictionary.instances([(f"local:{one}", place) for place in range(size)], language, type_)
            assert {instance.name for instance in found} == names
        people = dictionary.person_names(language)
        assert {*people.given} == {name for kind, code, name in tables().people if (kind, code) == ("given", language)}
        assert people.family


def test_no_id_is_one_of_wikidatas() -> None:
    texts = [text for (text,) in starter().ask("SELECT text FROM local_ids")]
    assert texts
    assert not any(map(is_wikidata, texts))
    assert starter().ask("SELECT count(*) FROM items WHERE id > 0") == [(0,)]
    assert starter().ask("SELECT count(*) FROM item_class WHERE class > 0") == [(0,)]


def test_every_class_has_its_type_by_the_tables_and_every_type_has_classes() -> None:
    assert starter().ask("SELECT DISTINCT source FROM class_type") == [("starter",)]
    for type_ in TYPES:
        assert starter().classes_of_type(type_, "en")


def test_it_takes_no_time_worth_speaking_of() -> None:
    started = time.process_time()
    build_in_memory(builders_of(["starter"]))[0].close()
    assert time.process_time() - started < 2


def put(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name.replace('_', '-')}.tsv").write_text(text, "utf-8")
    return folder


CLASSES = "class\ttype\ttitle\ncity\tGPE\tcity\nstate\tGPE\tstate\nhero\tPERSON\thero\nriver\tLOC\triver\n"
HEAD = "class\ten\tde\thi\n"


def codes(folder: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for problem in check(read_tables(folder)):
        found.setdefault(problem.code, []).append(str(problem))
    return found


def test_the_check_finds_what_it_is_for(tmp_path: Path) -> None:
    put(
        tmp_path, classes_GPE=CLASSES + "Q515\tNAME\t\n",
        GPE=HEAD + "city\tLeeds\tLeeds\tलीड्स\ncity\tleeds\t\tB\nstate\tLeeds\tЛ\t12\nhero\tLeeds \tA  b\t\n"
        "river\te\u0301\tA (b)\t\nnone\tX\t\t\ncity\t\t\t\n",
        names="kind\tlanguage\tname\ngiven\ten\tAnna\ngiven\ten\tAnna\nmiddle\ten\tB\n",
    )  # fmt: skip
    found = codes(tmp_path)
    expected = {"few-classes", "types", "wikidata-id", "no-title", "few-names", "unknown-class", "no-name", "cell",
                "repeated", "shared", "bad-person-name", "no-person-names"}  # fmt: skip
    assert set(found) == expected
    cells = "\n".join(found["cell"])
    for said in ("hi: a letter of another script: B", "de: a letter of another script: Л", "no letter of the script",
                 "normal form C", "brackets", "en: blanks", "de: blanks"):  # fmt: skip
        assert said in cells
    assert any("en: twice in city (GPE.tsv:2, GPE.tsv:3)" in line for line in found["repeated"])
    assert any("given name, en: 2 times" in line for line in found["repeated"])
    assert "en: in 3 classes (city, state, hero)" in found["shared"][0]
    assert len(found["types"]) == len(TYPES) - 3 + 1


@pytest.mark.parametrize(
    ("text", "said"), [("class\ten\n", "bad-head"), (HEAD + "city\tLeeds\n", "line 2: 2 columns, expected 4")]
)
def test_tables_that_are_none(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read_tables(put(tmp_path, GPE=text))


def test_a_folder_without_tables(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no tables of entities"):
        read_tables(put(tmp_path, classes=CLASSES))


def test_equal_names_in_two_classes_are_two_items(tmp_path: Path) -> None:
    put(tmp_path, classes=CLASSES, GPE=HEAD + "city\tNew York\t\t\nstate\tNew York\t\t\nriver\t\tWeser\t\n")
    found = [item_id(entity) for entity in read_tables(tmp_path).entities]
    assert found == ["local:city/new_york", "local:state/new_york", "local:river/weser"]
    assert len({item_id(entity) for entity in tables().entities}) == len(tables().entities)
