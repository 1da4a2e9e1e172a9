"""Name types from root classes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.knowledge.given import Row, made

from nerquake.core.errors import FormatError, InputError
from nerquake.core.labels import LABEL_SETS
from nerquake.knowledge.build import Choices
from nerquake.knowledge.roots import Root, read_roots

ROOTS = (Root("Q1", "ORG"), Root("Q2", "FAC"), Root("Q3", "-"))
ROWS: list[Row] = [
    *(("member", "Q100", one) for one in ("Q1", "Q10", "Q11", "Q12", "Q13", "Q20", "Q30", "Q40")),
    ("subclass", "Q10", "Q1"),
    ("subclass", "Q11", "Q10"),  # two steps below ORG, one below FAC
    ("subclass", "Q11", "Q2"),
    ("subclass", "Q12", "Q1"),  # as near to both: the first in the file
    ("subclass", "Q12", "Q2"),
    ("subclass", "Q13", "Q50"),  # a class between that no item has
    ("subclass", "Q50", "Q2"),
    ("subclass", "Q20", "Q1"),  # a type of its own
    ("class_type", "Q20", "LAW", "file"),
    ("subclass", "Q30", "Q3"),  # below a root of no type
    ("subclass", "Q1", "Q11"),  # a circle
    ("subclass", "Q60", "Q1"),  # nothing's class
]


def test_the_nearest_root_decides() -> None:
    with made(ROWS, Choices(roots=ROOTS)) as dictionary:
        found = dictionary.ask("SELECT 'Q' || class, type, source FROM class_type")
    assert found == [
        ("Q1", "ORG", "root"), ("Q10", "ORG", "root"), ("Q11", "FAC", "root"), ("Q12", "ORG", "root"),
        ("Q13", "FAC", "root"), ("Q20", "LAW", "file"),
    ]  # fmt: skip


def test_without_roots_only_given_types_are_there() -> None:
    with made(ROWS) as dictionary:
        assert dictionary.ask("SELECT type FROM class_type") == [("LAW",)]


def test_the_shipped_table() -> None:
    roots = dict(read_roots())
    assert set(roots.values()) == {*LABEL_SETS["ontonotes-names"], "-"}
    assert roots["Q515"] == roots["Q6256"] == "GPE"
    assert (roots["Q5"], roots["Q34770"], roots["Q13442814"]) == ("PERSON", "LANGUAGE", "-")


def test_all_bad_lines_are_listed(tmp_path: Path) -> None:
    file = tmp_path / "roots.tsv"
    file.write_text("# note\nclass\ttype\ttitle\nQ1\tGPE\tx\n\ncity\tGPE\nQ2\nQ3\t \nQ1\tORG\n", "utf-8")
    with pytest.raises(FormatError) as caught:
        read_roots(file)
    assert [problem.line for problem in caught.value.problems] == [5, 6, 7, 8]
    with pytest.raises(InputError, match="cannot be read"):
        read_roots(tmp_path)
