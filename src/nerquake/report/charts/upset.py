"""Which sets break a mention together, as an UpSet chart: dots for the sets, bars for the mentions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from nerquake.core.spec import safe_name
from nerquake.report.charts.chart import Chart
from nerquake.report.charts.layout import NARROW, WIDE, Layout, fitted, scale_words
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
from nerquake.report.charts.rows import letters, listed
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
LOW, SLOPE = 20, 4.9
"""Height of dots that stand above a bar, and how much lower or wider a letter of a turned name is."""
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
    drawings = (_drawing(record, layout) for layout in (WIDE, NARROW))
    return Chart(f"combinations-{safe_name(tagger)}", _title(tagger, record), caption, _table(record), *drawings)


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


class Dots(NamedTuple):
    """Where the dots of sets stand: the first, how far the next, how high their row, and how their names are turned."""

    first: float
    apart: float
    row: int
    angle: int
    above: int

    def at(self, place: int) -> float:
        """Where the dots of a set stand, from the drawing's left edge."""
        return self.first + self.apart * place


def _dots_of(names: Sequence[str], layout: Layout) -> Dots:
    """In a narrow drawing dots stand above the bar, as near to each other as they must."""
    longest = SLOPE * min(NAME, max(map(letters, names)))
    if not layout.narrow:
        return Dots(12, COLUMN, ROW, -45, round(28 + 5 / SLOPE * longest))
    apart = min(COLUMN, (layout.width - 24) / len(names))
    fits = 12 + apart * (len(names) - 1) + 8 + longest <= layout.width
    return Dots(12, apart, LOW, -45 if fits else -90, round(28 + longest * (1 if fits else 1 / 0.7)))


def _drawing(record: Record, layout: Layout) -> Drawing:
    found, others = record["fell"], record["fell"]["others"]
    dots, row = _dots_of(record["sets"], layout), ROW + layout.above
    rows = len(found["combinations"]) + 1 + bool(others["combinations"])
    most = ceiling(max([one["mentions"] for one in found["combinations"]] + [others["mentions"]]))
    left = 5 if layout.narrow else max(OTHERS, COLUMN * len(record["sets"])) + 30
    right = 190 if layout.narrow else 930
    drawing = Drawing((), 0, most, row * rows, steps(0, most), left=left, right=right)
    drawing = fitted(layout, drawing, dots.above)
    marks: list[Mark] = [scale_words(layout, "mentions", drawing.height, left)]
    marks += [
        Words(name, -10, at=dots.at(place) + 4, angle=dots.angle, size=12, length=NAME)
        for place, name in enumerate(record["sets"])
    ]
    for place, one in enumerate(found["combinations"]):
        y = row * place
        said = f"{listed(one['sets'])}: {plural(one['mentions'], 'mention')}"
        marks += _dots(drawing, dots, record["sets"], one, y, said)
        marks += _bar(drawing, found, one["mentions"], y + layout.above, ORANGE, said)
    y = row * len(found["combinations"])
    foot = 10 if layout.narrow else 16
    if others["combinations"]:
        words = f"all others ({plural(others['combinations'], 'combination')})"
        marks.append(Words(words, y + foot, at=0, size=layout.size))
        marks += _bar(drawing, found, others["mentions"], y + layout.above, HOLLOW, words)
        y += row
    marks.append(Words("none: never broken", y + foot, at=0, size=layout.size))
    marks += _bar(drawing, found, found["never"], y + layout.above)
    return drawing._replace(marks=tuple(marks))


def _dots(drawing: Drawing, dots: Dots, names: Sequence[str], one: Any, y: float, said: str) -> Iterator[Mark]:
    middle = y + dots.row / 2
    full = [dots.at(place) for place, name in enumerate(names) if name in one["sets"]]
    begin, end = ((at - drawing.left) / drawing.units(1) for at in (full[0], full[-1]))
    yield Line(begin, end, middle, LINK)
    for place, name in enumerate(names):
        inside = name in one["sets"]
        look = Look(INK_HEX) if inside else Look(stroke=LINE_HEX)
        yield Point(None, middle, "circle", 90 if inside else 60, look, said if inside else "", dots.at(place))


def _bar(
    drawing: Drawing, found: Record, mentions: int, y: float, look: Look | None = None, said: str = ""
) -> Iterator[Mark]:
    """A bar with its number and share behind it; without a look the number alone."""
    if look is not None and mentions:
        yield Bar(0, mentions, y + 4, ROW - 8, look, said)
    text = f"{count(mentions)} ({percent(mentions / found['mentions'])} %)"
    yield Words(text, y + 16.5, x=drawing.behind(mentions if look is not None else 0), fill=MUTED_HEX, size=12)
