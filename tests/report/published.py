"""The published tables of both papers: values files and the tables as they are printed (tests/data/published)."""

from __future__ import annotations

import re
from pathlib import Path

from nerquake.report.values import Values
from nerquake.report.values_file import read_values

FOLDER = Path(__file__).parents[1] / "data" / "published"
FILES = {
    "R1": "rockner-table-1.tsv", "R6": "rockner-tables-6-7.tsv", "R7": "rockner-tables-6-7.tsv",
    "M3": "multilingual-tables-3-5.csv", "M4": "multilingual-tables-3-5.csv", "M5": "multilingual-tables-3-5.csv",
    "M7": "multilingual-table-7.jsonl",
}  # fmt: skip
NAMES = {
    "R1": "paper-r1-OntoNotes-test", "R6": "paper-r6-OntoNotes-test", "R7": "paper-r6-OntoNotes-dev",
    "M3": "paper-m3-en", "M4": "paper-m3-de", "M5": "paper-m3-hi", "M7": "paper-m7",
}  # fmt: skip
"""What the table writer calls them."""
_CITATION = re.compile(r"\s\w+\set\sal\.\s\(\w+\)$")


def values(table: str) -> Values:
    """The values that a published table is to be printed from."""
    return read_values(str(FOLDER / FILES[table]))


def printed(table: str) -> list[list[str]]:
    """A published table's lines and cells, signs as text and without citations."""
    lines = (FOLDER / f"{table}.txt").read_text("utf-8").splitlines()
    return [[_plain(cell) for cell in line.split("\t")] for line in lines]


def _plain(cell: str) -> str:
    text = _CITATION.sub("", cell).replace(r"$\downarrow$ ", "↓").replace("%)", " %)")
    return text.replace("( %)", "(%)").replace("\u2217", "*").strip()
