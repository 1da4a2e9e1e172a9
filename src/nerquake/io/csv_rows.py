"""Rows of CSV and TSV files: cells, line numbers, and the text that each row had, so that it can be written back."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from nerquake.core.errors import Problem

Quote = Literal["auto", "yes", "no"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How cells are parted, and whether double quotes around a cell may hold delimiters and line ends."""

    delimiter: str
    quoted: bool

    def cells(self, raw: str) -> tuple[str, ...] | None:
        """The cells of one row's text; None where the text is no row."""
        if not self.quoted:
            return None if "\n" in raw else tuple(raw.split(self.delimiter))
        if '"' not in raw and "\n" not in raw:
            return tuple(raw.split(self.delimiter))
        try:
            rows = list(csv.reader(io.StringIO(raw, newline=""), delimiter=self.delimiter, strict=True))
        except csv.Error:
            return None
        return tuple(rows[0]) if len(rows) == 1 else None

    def text(self, cells: Sequence[str]) -> str:
        """A row's text, with quotes where they are needed and where quotes are allowed."""
        if self.quoted and any(self._needs_quotes(cell) for cell in cells):
            cells = ['"' + cell.replace('"', '""') + '"' if self._needs_quotes(cell) else cell for cell in cells]
        return self.delimiter.join(cells)

    def holds(self, cell: str) -> bool:
        """Whether a cell can be written."""
        if "\x00" in cell or "\r" in cell or (self.delimiter == "\t" and "\n" in cell):
            return False
        return self.quoted or not (self.delimiter in cell or "\n" in cell)

    def _needs_quotes(self, cell: str) -> bool:
        return '"' in cell or "\n" in cell or self.delimiter in cell


class Row(NamedTuple):
    """A row: its cells, the number of its first line, its text, and the blank lines in front of it."""

    cells: tuple[str, ...]
    line: int
    raw: str
    before: tuple[str, ...] = ()


class Rows(NamedTuple):
    """A file's rows, what is wrong with its quotes, and the text behind its last row."""

    rows: list[Row]
    problems: list[Problem]
    after: str


def choose_dialect(text: str, delimiter: str, quote: Quote) -> Dialect:
    """How a file is quoted.

    Tables separated by TABs often hold bare quotes. They count as quoted only where all quotes stand as such and none
    of them holds a line end; those separated by anything else do unless the user says no.
    """
    if quote != "auto":
        return Dialect(delimiter, quote == "yes")
    if delimiter != "\t" or '"' not in text:
        return Dialect(delimiter, delimiter != "\t")
    quoted = Dialect(delimiter, True)
    opens = any(cell.startswith('"') for line in text.split("\n") for cell in line.split(delimiter))
    return Dialect(delimiter, opens and all(quoted.cells(line) is not None for line in text.split("\n") if '"' in line))


def read_rows(text: str, dialect: Dialect, skip: str) -> Rows:
    """All rows of a text; lines that are `skip` are left out."""
    found = Rows([], [], "")
    before: list[str] = []
    for raw, number in _records(text.split("\n"), dialect):
        if raw == skip:
            continue
        if not raw.strip(" \r\t"):
            before.append(raw)
            continue
        cells = dialect.cells(raw)
        if cells is None:
            what = "a quote is not closed, or text stands behind the quote that closes a cell"
            hint = 'double quotes inside a cell are written ""; where quotes are plain text: quote=no'
            found.problems.append(Problem("bad-quote", number, what, raw.split("\n")[0][:60], hint))
            continue
        found.rows.append(Row(cells, number, raw, tuple(before)))
        before = []
    return found._replace(after="".join(f"\n{line}" for line in before))


def _records(lines: Sequence[str], dialect: Dialect) -> Iterator[tuple[str, int]]:
    """The text of each row, and the number of its first line. A quoted cell may go over several lines.

    A quote that never closes takes its own line only, so that one such fault does not hide the rows behind it.
    """
    at = 0
    while at < len(lines):
        end = at + 1
        if dialect.quoted and lines[at].count('"') % 2 and _opens(lines[at], dialect):
            close = next((i for i in range(at + 1, min(len(lines), at + 1000)) if lines[i].count('"') % 2), None)
            if close is not None and dialect.cells("\n".join(lines[at : close + 1])) is not None:
                end = close + 1
        yield "\n".join(lines[at:end]), at + 1
        at = end


def _opens(line: str, dialect: Dialect) -> bool:
    return line.startswith('"') or f'{dialect.delimiter}"' in line
