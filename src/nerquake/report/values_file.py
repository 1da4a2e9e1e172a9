"""A values file: scores from anywhere (a paper, another tool), as TSV, CSV or JSON Lines, for the papers' tables.

A head row (in JSON Lines: keys) names the columns, in any order:

dataset, split, language   what was scored; may be left out
model, set                 who, on which set; the set before any attack is called original, Orig or None
precision, recall, f1      fractions, or per cent: where any figure is above 1, or the head says so (`f1 %`)
p                          of the comparison with the other way of training (paper M, Table 7), such as 0.03 or <0.001;
                           beside a column R, P is precision

An empty cell is not known; `n/e`, in JSON null, is undefined. Every fault is named with its line, all in one go.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from typing import Any, NamedTuple

from nerquake.core.errors import FormatError, Problem
from nerquake.io.csv_rows import choose_dialect, read_rows
from nerquake.io.files import UNREADABLE, base_name, decode, read_bytes, utf16
from nerquake.io.records import load_record
from nerquake.report.numbers import UNDEFINED
from nerquake.report.tables import Measure
from nerquake.report.values import Place, Value, Values
from nerquake.report.values_units import Figure, decimals, remarks, scale

TEXTS = ("dataset", "split", "language", "model", "set")
RATES: tuple[Measure, ...] = ("precision", "recall", "f1")
NEEDED = ("model", "set", "f1")
COLUMNS = (*TEXTS, *RATES, "p")
_ALSO = {
    "data": "dataset", "corpus": "dataset", "lang": "language", "tagger": "model", "system": "model",
    "attack": "set", "testset": "set", "prec": "precision", "rec": "recall", "r": "recall", "f": "f1",
    "f1score": "f1", "fscore": "f1", "pvalue": "p",
}  # fmt: skip
EITHER = "write precision, or p for the p value"
_SAVE = "save the file as UTF-8"
_MOST = 19
"""Problems that a message lists one by one."""
ADVICE = f"Columns: {', '.join(COLUMNS)}; {', '.join(NEEDED)} are needed. One file holds fractions, or per cent."


class Line(NamedTuple):
    """One row: its line's number and its cells by column."""

    number: int
    cells: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Read:
    """Rows, whether the head says per cent, and what is wrong."""

    lines: list[Line]
    percent: bool
    problems: list[Problem]


class _Entry(NamedTuple):
    """A row that is sound by itself; figures as they are written."""

    line: int
    texts: Mapping[str, str]
    figures: Mapping[Measure, Figure]
    p: float | None


def read_values(path: str) -> Values:
    """Read a values file; `-` is standard input.

    Raises:
        InputError: it cannot be read.
        FormatError: something in it is wrong; all faults with their lines.
    """
    name = base_name(path)
    data = read_bytes(path)
    if utf16(data):
        raise FormatError(name, [Problem("not-utf-8", 0, "this is UTF-16 text", hint=_SAVE)])
    decoded = decode(name, data, "utf-8", "values")
    read = _objects(decoded.text) if decoded.text.lstrip().startswith("{") else _table(decoded.text)
    problems = [*(dataclasses.replace(problem, hint=_SAVE) for problem in decoded.problems), *read.problems]
    entries = [entry for line in read.lines if (entry := _entry(line, problems)) is not None]
    figures = [figure for entry in entries for figure in entry.figures.values()]
    by = scale(figures, read.percent, problems)
    problems += _repeated(entries)
    if not entries and not problems:
        problems.append(Problem("no-values", 0, "there is no row of values"))
    if problems:
        raise FormatError(name, _few(sorted(problems, key=lambda problem: problem.line)), ADVICE)
    notes = tuple(note for entry in entries for note in remarks(entry.line, entry.figures, by))
    return Values(tuple(_value(entry, by) for entry in entries), notes, name, decimals(figures, by))


def _few(problems: Sequence[Problem]) -> list[Problem]:
    rest = len(problems) - _MOST
    if rest <= 1:
        return list(problems)
    return [*problems[:_MOST], Problem("more", 0, f"and {rest} more problems")]


def column_of(head: str) -> str:
    """The column that a head names, empty for none: `Data set`, `F1 (%)` and `F1-score` are known too."""
    plain = re.sub(r"[\s_()%-]", "", head.casefold())
    return plain if plain in COLUMNS else _ALSO.get(plain, "")


def columns_of(heads: Sequence[str]) -> list[str]:
    """The columns that heads name, empty for none.

    A lone letter `P` is precision beside an `R` (`P, R, F1`), in small letters too; of `P, R, F1, p` the small one is
    the p value. Where no `R` says which of the two a capital one is, it names nothing.
    """
    columns, plain = [column_of(head) for head in heads], [head.strip(" %()") for head in heads]
    capital = "P" in plain
    if "precision" in columns or not (capital or "p" in plain):
        return columns
    if {"R", "r"} & set(plain):
        columns[plain.index("P" if capital else "p")] = "precision"
    elif capital:
        columns[plain.index("P")] = ""
    return columns


def _unknown(head: str, line: int) -> Problem:
    near = get_close_matches(head.casefold(), COLUMNS, 1)
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(COLUMNS)}"
    return Problem("unknown-column", line, "there is no such column", head, EITHER if near == ["p"] else hint)


def _table(text: str) -> _Read:
    delimiter = _delimiter(next((line for line in text.split("\n") if line.strip()), ""))
    rows = read_rows(text, choose_dialect(text, delimiter, "auto"), skip=UNREADABLE)
    if not rows.rows:
        return _Read([], False, rows.problems)
    head, *body = rows.rows
    columns = columns_of(head.cells)
    problems = [*rows.problems, *_head_faults(head.cells, columns, head.line)]
    lines = []
    for row in body:
        if len(row.cells) != len(columns):
            what = f"the row has {len(row.cells)} cells, the head has {len(columns)}"
            problems.append(Problem("cells", row.line, what))
        else:
            lines.append(Line(row.line, dict(zip(columns, row.cells, strict=True))))
    if any(problem.line == head.line for problem in problems):
        lines = []  # what stands below a wrong head cannot be judged
    return _Read(lines, any("%" in cell for cell in head.cells), problems)


def _delimiter(head: str) -> str:
    return max("\t;,", key=lambda mark: (head.count(mark), mark == "\t"))


def _head_faults(cells: Sequence[str], columns: Sequence[str], line: int) -> Iterator[Problem]:
    yield from (_unknown(cell, line) for cell, column in zip(cells, columns, strict=True) if not column)
    for column in COLUMNS:
        if columns.count(column) > 1:
            yield Problem("column-twice", line, "two columns have one meaning", column)
        elif column in NEEDED and column not in columns:
            yield Problem("column-missing", line, f"the column {column} is missing")


def _objects(text: str) -> _Read:
    found = _Read([], False, [])
    said = False
    for number, raw in enumerate(text.split("\n"), 1):
        if not raw.strip() or raw == UNREADABLE:
            continue
        record = load_record(number, raw)
        if isinstance(record, Problem):
            hint = 'such as {"model": "m", "set": "original", "f1": 0.91}' if record.hint else ""
            found.problems.append(dataclasses.replace(record, hint=hint))
            continue
        columns = columns_of(list(record.data))
        faults = list(_head_faults(list(record.data), columns, number))
        found.problems.extend(faults)
        said = said or any("%" in key for key in record.data)
        if not faults:
            found.lines.append(Line(number, dict(zip(columns, record.data.values(), strict=True))))
    return dataclasses.replace(found, percent=said)


def _entry(line: Line, problems: list[Problem]) -> _Entry | None:
    before = len(problems)
    texts = {column: _text(line, column, problems) for column in TEXTS}
    problems += [
        Problem("empty-cell", line.number, f"the {column} has no name")
        for column in ("model", "set")
        if not texts[column]
    ]
    read = {column: _figure(line, column, problems) for column in RATES}
    figures = {column: figure for column, figure in read.items() if figure is not None}
    if not figures and len(problems) == before:
        problems.append(Problem("no-figure", line.number, "the row has no figure", hint=f"{UNDEFINED} is undefined"))
    p = _p(line, problems)
    return _Entry(line.number, texts, figures, p) if len(problems) == before else None


def _text(line: Line, column: str, problems: list[Problem]) -> str:
    cell = line.cells.get(column)
    if cell is None or isinstance(cell, str):
        return " ".join((cell or "").split())  # text copied from papers holds blanks that do not break
    problems.append(Problem("bad-text", line.number, f"the {column} is to be text", str(cell)))
    return ""


def _figure(line: Line, column: Measure, problems: list[Problem]) -> Figure | None:
    if column not in line.cells:
        return None
    cell = line.cells[column]
    text = cell.strip() if isinstance(cell, str) else cell
    if text == "":
        return None
    if text is None or text == UNDEFINED:
        return Figure(line.number, column, None)
    try:
        number = Decimal("NaN") if isinstance(text, bool) else Decimal(str(text))
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        hint = "such as 84.6 or 0.846, with a decimal point and without %"
        problems.append(Problem("bad-number", line.number, f"{column} is no number", str(cell), hint))
        return None
    if not 0 <= number <= 100:
        problems.append(Problem("out-of-range", line.number, f"{column} is not from 0 to 100", str(cell)))
        return None
    return Figure(line.number, column, number)


def _p(line: Line, problems: list[Problem]) -> float | None:
    cell = line.cells.get("p")
    text = "" if cell is None else str(cell).strip()
    if text in ("", UNDEFINED):
        return None
    below = text.startswith("<")
    try:
        p = math.nan if isinstance(cell, bool) else float(text.removeprefix("<"))
    except ValueError:
        p = math.nan
    if not 0 <= p <= 1 or (below and not p):
        problems.append(Problem("bad-p", line.number, "p is no number from 0 to 1", text, "such as 0.03 or <0.001"))
        return None
    return math.nextafter(p, 0) if below else p


def _repeated(entries: Sequence[_Entry]) -> Iterator[Problem]:
    first: dict[tuple[str, ...], int] = {}
    for entry in entries:
        key = tuple(entry.texts[column] for column in TEXTS)
        if key in first:
            what = f"data set, split, language, model and set are those of line {first[key]}"
            yield Problem("row-twice", entry.line, what, f"{entry.texts['model']}, {entry.texts['set']}")
        first.setdefault(key, entry.line)


def _value(entry: _Entry, by: int) -> Value:
    scores = {
        column: None if figure.number is None else float(figure.number / by) for column, figure in entry.figures.items()
    }
    texts = entry.texts
    place = Place(texts["dataset"], texts["split"], texts["language"])
    return Value(place, texts["model"], texts["set"], scores, p=entry.p)
