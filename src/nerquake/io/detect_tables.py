"""Which format a table is of, by its first lines; only what no other format can begin with."""

from __future__ import annotations

from collections.abc import Sequence

from nerquake.io.conll2012_lines import BEGIN
from nerquake.io.csv_columns import Columns, find_columns
from nerquake.io.hipe_write import TOKEN

_CUT = 20_000
"""Bytes that are looked at."""


def table_format(data: bytes) -> str:
    """The format's name; "" where the first lines do not tell."""
    if data.startswith((b"PAR1", b"ARROW1")):
        return "hf"
    text = data[:_CUT].decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    lines = [line for line in text.split("\n")[:50] if line.strip(" \t\r")]
    if not lines:
        return ""
    if lines[0].startswith(BEGIN):
        return "conll2012"
    cells = lines[0].split("\t")
    if cells[0] == TOKEN and any(cell.startswith("NE-") for cell in cells):
        return "hipe"
    if _is_germeval(lines):
        return "germeval"
    columns = find_columns(cells, ("", "", ""), False, 1)
    return "tsv" if isinstance(columns, Columns) and columns.sentence is not None else ""


def _is_germeval(lines: Sequence[str]) -> bool:
    """Whether a line that names a source stands in front of tokens that are numbered from 1."""
    if not lines[0].startswith("#\t") or len(lines) < 2:
        return False
    first = lines[1].split("\t")
    return len(first) == 4 and first[0] == "1"
