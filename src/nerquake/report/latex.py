"""Tables for a paper: plain `tabular`, no packages needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from nerquake.core.results import AuditResult
from nerquake.report.all_tables import all_tables
from nerquake.report.table import Cell, Column, Row, Table
from nerquake.report.tables import NOTE_AGAINST, has_mark
from nerquake.report.view import View
from nerquake.report.visible import visible

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
    "_": r"\_",
    "&": r"\&",
    "#": r"\#",
    "$": r"\$",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "‹": r"$\langle$",
    "›": r"$\rangle$",
    "\u2212": r"$-$",
    "→": r"$\rightarrow$",
    "↓": r"$\downarrow$",
    "↑": r"$\uparrow$",
    "–": r"\textendash{}",
    "∅": r"$\emptyset$",
    "†": r"$\dagger$",
    "●": r"$\bullet$",
    "✓": r"$\surd$",
    "✗": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "◆": r"$\diamond$",
    "◧": r"$\triangleleft$",
    "○": r"$\circ$",
    "·": r"$\cdot$",
    "…": r"\ldots{}",
}
_TABLE = str.maketrans(_ESCAPES)


@dataclass(frozen=True)
class LatexTables:
    """`tables.tex`: every table of figures, to be read by `\\input`."""

    name: ClassVar[str] = "tables.tex"

    def render(self, result: AuditResult) -> str:
        """The file's text; the same result gives the same bytes."""
        view = View(result)
        signature = escape(view.header["signature"])
        return f"% {signature}\n" + "\n".join(to_latex(table) for table in all_tables(view))


def escape(text: str) -> str:
    """Text as LaTeX prints it; hidden characters as their numbers, so nothing runs and no line ends."""
    return re.sub("-(?=-)", "-{}", visible(text).translate(_TABLE))  # two hyphens would be set as a dash


def to_latex(table: Table) -> str:
    """A table as a `tabular` with its title as a comment; the second line of a cell stands in a row below."""
    return "\n".join(_lines(table)) + "\n"


def _lines(table: Table) -> Iterator[str]:
    yield f"% {escape(table.title)}"
    yield rf"\begin{{tabular}}{{{''.join('r' if column.number else 'l' for column in table.columns)}}}"
    yield r"\hline"
    yield from _heads(table.columns)
    yield r"\hline"
    for row in table.rows:
        yield from _row_lines(row, len(table.columns))
    yield r"\hline"
    if has_mark(table):
        yield rf"\multicolumn{{{len(table.columns)}}}{{l}}{{\footnotesize {escape(NOTE_AGAINST)}}} \\"
    yield r"\end{tabular}"


def _heads(columns: Sequence[Column]) -> Iterator[str]:
    """The heads; what stands over several columns in a line of its own above them."""
    if any(column.over for column in columns):
        above = []
        for over, below in groupby(columns, key=lambda column: column.over):
            width = sum(1 for _ in below)
            above += [rf"\multicolumn{{{width}}}{{c}}{{{escape(over)}}}"] if over else [""] * width
        yield _row(above)
    yield _row([escape(column.under) for column in columns])


def _row_lines(row: Row, width: int) -> Iterator[str]:
    if row.group:
        yield rf"\multicolumn{{{width}}}{{l}}{{\textit{{{escape(row.group)}}}}} \\"
    yield _row([escape(cell.text) for cell in row.cells])
    if any(cell.sub for cell in row.cells):
        yield _row([_small(cell) for cell in row.cells])


def _small(cell: Cell) -> str:
    return rf"{{\footnotesize {escape(cell.sub)}}}" if cell.sub else ""


def _row(cells: list[str]) -> str:
    # An opening bracket right after `\\` would be read as its argument, a leading brace keeps it text.
    return " & ".join(f"{{}}{cell}" if cell.startswith("[") else cell for cell in cells) + r" \\"
