"""Bars of right and wrong predictions by kind (paper R, figure 3): before and after, left alone and replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nerquake.core.spec import safe_name
from nerquake.report.charts.chart import Chart
from nerquake.report.charts.layout import (
    NARROW,
    WIDE,
    Layout,
    fitted,
    head_height,
    head_lines,
    head_words,
    key,
    key_room,
    scale_words,
)
from nerquake.report.charts.marks import (
    BLUE,
    MUTED_HEX,
    ORANGE,
    Bar,
    Drawing,
    Mark,
    Words,
    ceiling,
    steps,
)
from nerquake.report.charts.rows import ATTACKED_SIGN, ORIGINAL_SIGN, Sign, chosen_words, room, worst_set
from nerquake.report.error_tables import READING_WORDS, READINGS, SECTION, Reading, error_sentences, row_words
from nerquake.report.found import Record, record_of, records_of
from nerquake.report.numbers import percent, plural
from nerquake.report.table import Cell, Column, Row, Table
from nerquake.report.view import View

SIDES: dict[Reading, tuple[tuple[str, str], tuple[str, str]]] = {
    "before_after": (("before", "Before"), ("after", "After")),
    "left_replaced": (("left", "Left alone"), ("replaced", "Replaced")),
}
"""Both sides of a reading, and what they are called."""
ROW, BAR, HEAD = 29, 11, 50
"""Heights of a kind, of each of its two bars, and of the head above a panel."""


class Panel(NamedTuple):
    """One of both readings; it is drawn where both of its sides have mentions."""

    reading: Reading
    record: Record

    @property
    def sides(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Both sides, and what they are called."""
        return SIDES[self.reading]

    @property
    def absent(self) -> tuple[str, ...]:
        """Sides without mentions, which have no shares."""
        return tuple(head.lower() for side, head in self.sides if not self.record["mentions"][side])


def kinds_chart(view: View, tagger: str) -> Chart | None:
    """The bars of one model under the set where it loses most; None where nothing was found of it."""
    names = list(dict.fromkeys(record["set"] for record in records_of(view, SECTION, tagger)))
    if not names:
        return None
    name = worst_set(view, tagger, names)
    record = record_of(view, SECTION, tagger, name)
    assert record is not None, "a set without a record was chosen"
    every = [Panel(reading, record) for reading in READINGS]
    panels = [panel for panel in every if not panel.absent]
    left_out = "".join(f" Left out: {READING_WORDS[one.reading]}, since there is no mention “{one.absent[0]}”."
                       for one in every if one.absent)  # fmt: skip
    if not panels:
        return None
    caption = (
        f"{chosen_words(names)}Bars: percent of the mentions of each kind; d: tokens that are in the mention or in the "
        "prediction but not in both. Blue, with a ring: before the attack, or left alone by it; orange, with a square: "
        "after the attack, or replaced by it. A kind without mentions has no bar, and 0.0 beside it."
        f"{left_out}"
    )
    title = error_sentences(view, tagger, name)[0].removesuffix(".")
    return Chart(
        f"kinds-{safe_name(tagger)}",
        title,
        caption,
        _table(panels),
        *(_drawing(panels, layout) for layout in (WIDE, NARROW)),
    )


def _table(panels: Sequence[Panel]) -> Table:
    columns = [Column("Prediction", number=False)]
    columns += [Column(head, title=READING_WORDS[panel.reading]) for panel in panels for _, head in panel.sides]
    rows = tuple(
        Row((
            Cell(row_words(row)),
            *(Cell(percent(row["shares"][side])) for panel in panels for side, _ in panel.sides),
        ))
        for row in panels[0].record["rows"]
    )  # fmt: skip
    return Table("chart-kinds", "Right and wrong predictions by kind (percent)", tuple(columns), rows)


def _drawing(panels: Sequence[Panel], layout: Layout) -> Drawing:
    rows = panels[0].record["rows"]
    shares = (100 * row["shares"][side] for panel in panels for row in rows for side, _ in panel.sides)
    most = ceiling(1.06 * max(shares))
    left = 5 if layout.narrow else room(map(row_words, rows), 12)
    heads = [_head(panel, layout, left) for panel in panels]
    height = sum(head.height for head in heads) + len(panels) * (ROW + layout.above) * len(rows)
    right = 262 if layout.narrow else 1020
    drawing = fitted(layout, Drawing((), 0, most, height, steps(0, most), left=left, right=right), 4)
    marks: list[Mark] = [scale_words(layout, "percent", height, left)]
    y = 0
    for panel, head in zip(panels, heads, strict=True):
        marks += head_words(head.lines, y + 16, 90)
        marks += key(layout, head.signs, left, y + head_height(38, head.lines))
        y += head.height
        for row in rows:
            marks += _row(drawing, layout, panel, row, y)
            y += ROW + layout.above
    return drawing._replace(marks=tuple(marks))


class Head(NamedTuple):
    """What stands above a panel: its words, its key, and how high both are."""

    lines: list[str]
    signs: list[Sign]
    height: int


def _head(panel: Panel, layout: Layout, left: float) -> Head:
    words = READING_WORDS[panel.reading]
    lines = head_lines(layout, f"{words[0].upper()}{words[1:]}")
    signs = [
        sign._replace(words=f"{head.lower()}: {plural(panel.record['mentions'][side], 'mention')}")
        for sign, (side, head) in zip((ORIGINAL_SIGN, ATTACKED_SIGN), panel.sides, strict=True)
    ]
    return Head(lines, signs, head_height(HEAD, lines) + key_room(layout, signs, left))


def _row(drawing: Drawing, layout: Layout, panel: Panel, row: Record, y: float) -> Iterator[Mark]:
    foot = y + (9 if layout.narrow else 17)
    yield Words(row_words(row), foot, at=0, size=layout.size)
    for below, (side, head) in enumerate(panel.sides):
        yield from _bar(drawing, row, side, head, y + layout.above + 2 + (BAR + 1) * below, below)


def _bar(drawing: Drawing, row: Record, side: str, head: str, y: float, below: int) -> Iterator[Mark]:
    share = 100 * row["shares"][side]
    if share:
        said = f"{row_words(row)}, {head.lower()}: {percent(row['shares'][side])} %"
        yield Bar(0, share, y, BAR, ORANGE if below else BLUE, said)
    yield Words(percent(row["shares"][side]), y + 9.5, x=drawing.behind(share), fill=MUTED_HEX, size=11)
