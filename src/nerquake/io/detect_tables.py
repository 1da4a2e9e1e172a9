"""Which format a table is of, by its first lines; only what no other format can begin with."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nerquake.io.conll2012_lines import BEGIN
from nerquake.io.conllu_lines import MISC, WIDTH
from nerquake.io.csv_columns import Columns, find_columns
from nerquake.io.detect import beginning
from nerquake.io.hipe_write import TOKEN

_CUT = 20_000
"""Bytes that are looked at."""
_ID = re.compile(r"[0-9]+(?:[-.][0-9]+)?")
_FIRST = re.compile(r"1(?:-[0-9]+)?|0\.1")


def table_format(data: bytes) -> str:
    """The format's name, with an option that it needs; "" where the first lines do not tell."""
    if data.startswith((b"PAR1", b"ARROW1")):
        return "hf"
    text = beginning(data, _CUT).replace("\r\n", "\n")
    whole = text.split("\n")[: 50 if len(data) <= _CUT else -1][:50] or [text]
    lines = [line for line in whole if line.strip(" \t\r")]
    if not lines:
        return ""
    if lines[0].startswith(BEGIN):
        return "conll2012"
    cells = lines[0].split("\t")
    if cells[0] == TOKEN and any(cell.startswith("NE-") for cell in cells):
        return "hipe"
    if _is_germeval(lines):
        return "germeval"
    if _is_conllu(lines):
        return "conllu"
    for format_, delimiter in (("csv", ","), ("csv:sep=semicolon", ";")):
        names = [cell.strip().strip('"') for cell in lines[0].split(delimiter)]
        if any(isinstance(find_columns(names, ("", "", ""), rows, 1), Columns) for rows in (False, True)):
            return format_
    columns = find_columns(cells, ("", "", ""), False, 1)
    return "tsv" if isinstance(columns, Columns) and columns.sentence is not None else ""


def _is_germeval(lines: Sequence[str]) -> bool:
    """Whether a line that names a source stands in front of tokens that are numbered from 1."""
    if not lines[0].startswith("#\t") or len(lines) < 2:
        return False
    first = lines[1].split("\t")
    return len(first) == 4 and first[0] == "1"


def _is_conllu(lines: Sequence[str]) -> bool:
    """Whether all rows have ten cells, numbers first and MISC (not tags) last, the first of them being the word 1."""
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    if not rows or not _FIRST.fullmatch(rows[0][0]):
        return False
    return all(
        len(row) == WIDTH and _ID.fullmatch(row[0]) and (row[MISC].strip() == "_" or "=" in row[MISC]) for row in rows
    )
