"""Name types of a data set's labels: the shipped table, a user's own, and what is not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerquake.core.errors import FormatError, InputError, UsageError
from nerquake.core.labels import LABEL_SETS
from nerquake.knowledge.label_types import NONE, SHIPPED, label_types, read_label_types, shipped, types_of_label

ONTONOTES = LABEL_SETS["ontonotes-names"]


@pytest.mark.parametrize(
    ("label", "types"),
    [
        ("PER", ("PERSON",)),
        ("person", ("PERSON",)),
        ("LOC", ("GPE", "LOC", "FAC")),
        ("location", ("GPE", "LOC", "FAC")),
        ("corporation", ("ORG",)),
        ("coporation", ("ORG",)),
        ("group", ("ORG",)),
        ("creative-work", ("WORK_OF_ART",)),
        ("Creative_Work", ("WORK_OF_ART",)),
        ("CW", ("WORK_OF_ART",)),
        ("PROD", ("PRODUCT",)),
        ("MISC", ("NORP", "EVENT", "WORK_OF_ART", "LANGUAGE", "PRODUCT")),
        ("DATE", ()),
        ("no such label", ()),
    ],
)
def test_labels_in_the_wild(label: str, types: tuple[str, ...]) -> None:
    assert types_of_label(label) == types


@pytest.mark.parametrize("type_", [type_ for type_ in ONTONOTES if type_ != "LOC"])
def test_a_name_type_is_its_own(type_: str) -> None:
    assert types_of_label(type_) == (type_,)


def test_every_type_of_the_table_is_one_of_the_eleven() -> None:
    assert {type_ for types in read_label_types(SHIPPED).values() for type_ in types} == set(ONTONOTES)
    assert set(map(str.casefold, LABEL_SETS["conll"] + LABEL_SETS["multiconer"])) <= shipped().types.keys()


def test_a_type_with_a_label_of_its_own_is_no_other_labels() -> None:
    assert shipped().of("LOC", ONTONOTES) == ("LOC",)
    assert shipped().of("LOC", ("PER", "GPE")) == ("LOC", "FAC")
    assert shipped().of("loc", ("loc", "pers")) == ("GPE", "LOC", "FAC")
    assert shipped().of("GPE", ONTONOTES) == ("GPE",)


def test_what_is_not_known_is_said_and_dates_are_known() -> None:
    assert shipped().unknown(["PER", "DATE", "widget", "gadget"]) == ("gadget", "widget")


def test_a_users_word_and_a_users_table(tmp_path: Path) -> None:
    table = tmp_path / "own.tsv"
    table.write_text("label\ttypes\n# mine\nwidget\tPRODUCT FAC\nPER\t-\n", "utf-8")
    types = label_types([str(table), "LOC=GPE/LOC", "gadget=PRODUCT", "DATE=EVENT", f"ORG={NONE}"])
    assert types.of("Widget") == ("PRODUCT", "FAC")
    assert types.of("LOC") == ("GPE", "LOC")
    assert types.of("DATE") == ("EVENT",)
    assert types.of("ORG") == types.of("PER") == ()
    assert types.unknown(["widget", "gadget", "PER"]) == ()
    assert shipped().of("PER") == ("PERSON",)


@pytest.mark.parametrize("text", ["LOC=", "=GPE", "LOC=GPE LOC"])
def test_a_word_that_says_no_types(text: str) -> None:
    with pytest.raises(UsageError, match="LABEL=TYPE/TYPE"):
        label_types([text])


def test_a_damaged_table_lists_every_line(tmp_path: Path) -> None:
    table = tmp_path / "own.tsv"
    table.write_text("PER\tPERSON\nLOC GPE\nper\tPERSON\nX\t\n", "utf-8")
    with pytest.raises(FormatError) as caught:
        read_label_types(table)
    assert [(problem.line, problem.code) for problem in caught.value.problems] == [
        (2, "bad-label"), (3, "repeated-label"), (4, "bad-label"),
    ]  # fmt: skip
    with pytest.raises(InputError, match="cannot be read"):
        label_types([str(tmp_path / "absent")])
