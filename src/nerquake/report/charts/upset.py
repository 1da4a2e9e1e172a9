"""Which sets break a mention together, as an UpSet chart: dots for the sets, bars for the mentions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from nerquake.core.spec import safe_name
from nerquake.report.charts.chart import Chart
from nerquake.report.charts.marks import (
    HOLLOW,
    INK_HEX,
    LINE_HEX,
    MUTED_HEX,
    ORANGE,
    Bar,
    Drawing,
    Line,
    Look,
    Mark,
    Point,
    Words,
    ceiling,
    steps,
)
from nerquake.report.charts.rows import listed, scale_words
from nerquake.report.found import Record
from nerquake.report.numbers import count, percent, plural
from nerquake.report.overlap_tables import DOT, overlap_of
from nerquake.report.table import Cell, Column, Row, Table
from nerquake.report.view import View

MOST_SETS = 20
"""With more sets the dots would take the bars' place; the table has them."""
ROW, COLUMN, NAME = 24, 26, 20
"""Height of a row, from one set's dots to the next, and characters of a set's name that are shown."""
OTHERS = 190
"""Room for words in the rows without dots."""
LINK = Look(stroke=INK_HEX, width=2)


def upset_chart(view: View, tagger: str) -> Chart | None:
    """The combinations of one model; None where it fell under no set, or answered fewer than two or too many."""
    record = overlap_of(view, tagger)
    if record is None or len(record["sets"]) > MOST_SETS or not record["fell"]["combinations"]:
        return None
    found = record["fell"]
    caption = (
        "Each row is a combination of sets: filled dots, joined by a line, are exactly the sets under which a mention "
        "falls; rings the other sets. Bars: mentions that were right before any attack, with their number and their "
        f"share of {plural(found['mentions'], 'mention')}. Hollow bar: all other combinations, added up. Mentions that "
        "no set breaks have no bar, only their number."
    )
    return Chart(f"combinations-{safe_name(tagger)}", _title(tagger, record), caption, _table(record), _drawing(record))


def _title(tagger: str, record: Record) -> str:
    found, most = record["fell"], record["fell"]["combinations"][0]
    if len(most["sets"]) == len(record["sets"]):
        under = f"all of {len(record['sets'])} sets"
    else:
        under = f"{listed(most['sets'])}, and under no other set"
    fall = "falls" if most["mentions"] == 1 else "fall"
    return f"{tagger}: {count(most['mentions'])} of {plural(found['mentions'], 'mention')} {fall} under {under}"


def _table(record: Record) -> Table:
    names, found = record["sets"], record["fell"]
    columns = (*(Column(name, number=False, data=True) for name in names), Column("Mentions"), Column("Share"))
    rows = [
        Row((*(Cell(DOT if name in one["sets"] else "") for name in names), *_numbers(one["mentions"], found)))
        for one in found["combinations"]
    ]
    blank = [Cell("")] * (len(names) - 1)
    if found["others"]["combinations"]:
        rows.append(Row((Cell("all others"), *blank, *_numbers(found["others"]["mentions"], found))))
    rows.append(Row((Cell("none: never broken"), *blank, *_numbers(found["never"], found))))
    return Table("chart-combinations", "Sets that break a mention together", columns, tuple(rows))


def _numbers(mentions: int, found: Record) -> tuple[Cell, Cell]:
    return Cell(count(mentions)), Cell(percent(mentions / found["mentions"]))


def _drawing(record: Record) -> Drawing:
    found, others = record["fell"], record["fell"]["others"]
    rows = len(found["combinations"]) + 1 + bool(others["combinations"])
    most = ceiling(max([one["mentions"] for one in found["combinations"]] + [others["mentions"]]))
    left = max(OTHERS, COLUMN * len(record["sets"])) + 30
    top = 28 + 5 * min(NAME, max(map(len, record["sets"])))
    drawing = Drawing((), 0, most, ROW * rows, steps(0, most), left=left, right=930, top=top)
    marks: list[Mark] = [scale_words("mentions", drawing.height, left)]
    marks += [
        Words(name, -10, at=_across(place) + 4, angle=-45, size=12, length=NAME)
        for place, name in enumerate(record["sets"])
    ]
    for place, one in enumerate(found["combinations"]):
        y = ROW * place
        said = f"{listed(one['sets'])}: {plural(one['mentions'], 'mention')}"
        marks += _dots(drawing, record["sets"], one, y, said)
        marks += _bar(drawing, found, one["mentions"], y, ORANGE, said)
    y = ROW * len(found["combinations"])
    if others["combinations"]:
        words = f"all others ({plural(others['combinations'], 'combination')})"
        marks += [Words(words, y + 16, at=0), *_bar(drawing, found, others["mentions"], y, HOLLOW, words)]
        y += ROW
    marks += [Words("none: never broken", y + 16, at=0), *_bar(drawing, found, found["never"], y)]
    return drawing._replace(marks=tuple(marks))


def _across(place: int) -> float:
    return 12 + COLUMN * place


def _dots(drawing: Drawing, names: Sequence[str], one: Any, y: float, said: str) -> Iterator[Mark]:
    middle = y + ROW / 2
    full = [_across(place) for place, name in enumerate(names) if name in one["sets"]]
    begin, end = ((at - drawing.left) / drawing.units(1) for at in (full[0], full[-1]))
    yield Line(begin, end, middle, LINK)
    for place, name in enumerate(names):
        inside = name in one["sets"]
        look = Look(INK_HEX) if inside else Look(stroke=LINE_HEX)
        yield Point(None, middle, "circle", 90 if inside else 60, look, said if inside else "", _across(place))


def _bar(
    drawing: Drawing, found: Record, mentions: int, y: float, look: Look | None = None, said: str = ""
) -> Iterator[Mark]:
    """A bar with its number and share behind it; without a look the number alone."""
    if look is not None and mentions:
        yield Bar(0, mentions, y + 4, ROW - 8, look, said)
    text = f"{count(mentions)} ({percent(mentions / found['mentions'])} %)"
    yield Words(text, y + 16.5, x=drawing.behind(mentions if look is not None else 0), fill=MUTED_HEX, size=12)
