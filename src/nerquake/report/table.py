"""A table as values: what HTML, Markdown, LaTeX and CSV all show, each in its own way."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from nerquake.report.visible import visible


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    sub    a second, smaller line
    title  the reason or the long form, shown on pointing
    heat   share of the deepest colour, above zero for a loss, below for a gain; None: no colour
    data   the text comes from the user's files or options, not from us
    faint  grey, for what is not evaluated or too small
    link   opens the sentences behind a number, in the page alone (links.py)
    """

    text: str
    sub: str = ""
    title: str = ""
    heat: float | None = None
    data: bool = False
    faint: bool = False
    link: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column's head; `number` columns are right-aligned.

    over   the beginning of `head` that stands once over this column and its neighbours with the same one, where a form
           can print it so: `Recall` of `Recall E+C`
    """

    head: str
    number: bool = True
    title: str = ""
    data: bool = False
    over: str = ""

    def __post_init__(self) -> None:
        assert self.head.startswith(self.over), f"{self.head!r} does not begin with {self.over!r}"

    @property
    def under(self) -> str:
        """What is left of the head where `over` stands above it."""
        return self.head.removeprefix(self.over).strip()


@dataclass(frozen=True, slots=True)
class Row:
    """A row; the first cell is its head. `group` stands above it as a line of its own, where it is not empty."""

    cells: tuple[Cell, ...]
    group: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its title; `name` is what files and anchors are called, `notes` stand below it."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    def of(self, whom: str) -> Table:
        """The same with a model's name in front of its title, for where no heading says whose it is."""
        return replace(self, title=f"{whom}: {self.title}") if whom else self


def data_cell(text: object) -> Cell:
    """A cell with the user's own text."""
    return Cell(str(text), data=True)


def to_csv(table: Table) -> str:
    """The table as CSV; second lines of cells have a column of their own behind it, groups one in front.

    The user's own text gets an apostrophe in front where a spreadsheet would run it as a formula. Minus signs of
    figures are those that programs read.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    grouped = any(row.group for row in table.rows)
    double = [any(row.cells[at].sub for row in table.rows) for at in range(len(table.columns))]
    head: list[str] = ["Group"] if grouped else []
    for column, two in zip(table.columns, double, strict=True):
        name = _plain(column.head, column.data)
        head += [name, f"{name} (below)"] if two else [name]
    writer.writerow(head)
    group = ""
    for row in table.rows:
        group = row.group or group
        line = [_plain(group, data=True)] if grouped else []
        for cell, two in zip(row.cells, double, strict=True):
            line += [_figure(cell.text, cell.data), _figure(cell.sub)] if two else [_figure(cell.text, cell.data)]
        writer.writerow(line)
    return out.getvalue()


def _figure(text: str, data: bool = False) -> str:
    return _plain(text, data) if data else _plain(text, data).replace("\N{MINUS SIGN}", "-")


def all_to_csv(tables: Iterable[Table]) -> str:
    """Several tables in one CSV file: the title of each in a line above it, a blank line between two."""
    return "\n".join(f"{_title_line(table)}{to_csv(table)}" for table in tables)


def _title_line(table: Table) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow([_plain(table.title, data=True)])
    return out.getvalue()


def used_marks(table: Table, marks: Sequence[str]) -> tuple[str, ...]:
    """Which of these texts stand in a cell."""
    texts = {text for row in table.rows for cell in row.cells for text in (cell.text, cell.sub)}
    return tuple(mark for mark in marks if mark in texts)


def _plain(text: str, data: bool) -> str:
    shown = visible(text)
    return f"'{shown}" if data and shown[:1] in ("=", "+", "-", "@") else shown
