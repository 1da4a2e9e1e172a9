"""What every set costs each model: points of F1, and the share of the original score, level by level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nerquake.report.charts.chart import Chart
from nerquake.report.charts.layout import (
    NARROW,
    WIDE,
    Figure,
    Layout,
    fitted,
    head_height,
    head_lines,
    head_words,
    key,
    row_words,
    scale_words,
    top_of,
)
from nerquake.report.charts.marks import (
    BLUE,
    HELD_HEX,
    HOLLOW,
    INK_HEX,
    ORANGE,
    WIDTH,
    Bar,
    Drawing,
    Line,
    Look,
    Mark,
    steps,
)
from nerquake.report.charts.rows import Sign, rest_words, room
from nerquake.report.drop_tables import drop_records
from nerquake.report.numbers import change, interval, level, percent, plural, relative
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.tables import mark
from nerquake.report.view import Block, View

SHOWN = 30
"""Rows that are drawn; of more those with the largest change."""
LEVELS = ("entity", "context", "both", "surface")
ROW, HEAD, NAME = 24, 30, 24
GAIN = Look("", 1.0, HELD_HEX)
"""A gain as a share of the original score."""
SPREAD = Look(stroke=INK_HEX, width=1.5)
SIGNS = (
    Sign(ORANGE, "loss, points"),
    Sign(BLUE, "gain, points"),
    Sign(HOLLOW, "loss, share of the original score"),
)


def loss_chart(view: View) -> Chart | None:
    """All models and sets; None where no comparison could be evaluated."""
    records = [record for record in drop_records(view) if record["f1"]["drop"] is not None]
    if not records:
        return None
    largest = sorted(records, key=lambda record: -abs(float(record["f1"]["drop"])))[:SHOWN]
    taggers = dict.fromkeys(record["tagger"] for record in records)
    shown = [record for tagger in taggers for record in _of(largest, tagger)]
    undefined = len(drop_records(view)) - len(records)
    without = sum(record["f1"]["relative_drop"] is None for record in shown)
    caption = (
        "For each model its sets by level of attack, the largest loss of a level first. Solid bar: the change of "
        "strict F1 in points, orange to the right for a loss, blue to the left for a gain; thin line: the "
        f"{level(view.level)} interval of the loss. Hollow bar: the same change as a share of the original score, in "
        f"percent.{f' {_left_out(undefined)}' if undefined else ''}"
        f"{f' No share where the original score is 0: {without}.' if without else ''}"
        f"{rest_words((len(records) - len(shown), 'comparison'))}"
    )
    return Chart(
        "losses",
        _title(largest[0], records),
        caption,
        _table(view, shown),
        *(_drawing(view, shown, layout) for layout in (WIDE, NARROW)),
    )


def _left_out(undefined: int) -> str:
    return f"Left out: {plural(undefined, 'comparison')} that could not be evaluated."


def _of(records: Sequence[Block], tagger: str) -> list[Block]:
    """A model's records, by level, the largest loss of each first."""
    found = [record for record in records if record["tagger"] == tagger]
    return sorted(found, key=lambda record: (_place(record["level"]), -float(record["f1"]["drop"])))


def _place(name: str) -> int:
    return LEVELS.index(name) if name in LEVELS else len(LEVELS)


def _title(largest: Block, records: Sequence[Block]) -> str:
    worst = max(records, key=lambda record: float(record["f1"]["drop"]))
    drop, share = worst["f1"]["drop"], worst["f1"]["relative_drop"]
    if percent(drop) == percent(0) or drop < 0:
        return f"No set costs a model F1; the largest change is {change(largest['f1']['drop'])} points"
    part = f", {percent(share)} % of its score" if share is not None else ""
    return f"At most a set costs {percent(drop)} points of F1{part}: {worst['set']}, for {worst['tagger']}"


def _table(view: View, records: Sequence[Block]) -> Table:
    columns = (Column("Set", number=False), Column("Level", number=False), Column("Change"), Column("Relative"))
    rows, before = [], None
    for record in records:
        f1 = record["f1"]
        cells = (data_cell(record["set"]), Cell(record["level"]), Cell(change(f1["drop"]), _spread(view, record)),
                 Cell(relative(f1["relative_drop"])))  # fmt: skip
        rows.append(Row(cells, "" if record["tagger"] == before else record["tagger"]))
        before = record["tagger"]
    return Table("chart-losses", "The change of strict F1, in points and as a share", columns, tuple(rows))


def _spread(view: View, record: Block) -> str:
    low, high = record["f1"]["low"], record["f1"]["high"]
    return mark(view, record["tagger"], record["set"], "" if low is None or high is None else interval(low, high))


def _ends(record: Block) -> Iterator[float]:
    yield from (
        100 * record["f1"][end] for end in ("drop", "relative_drop", "low", "high") if record["f1"][end] is not None
    )


def _drawing(view: View, records: Sequence[Block], layout: Layout) -> Drawing:
    low, high = _limits(records)
    heads = {record["tagger"]: head_lines(layout, record["tagger"]) for record in records}
    height = (ROW + layout.above) * len(records) + sum(head_height(HEAD, lines) for lines in heads.values())
    left = 5 if layout.narrow else room((record["set"] for record in records), 90, NAME)
    right = layout.width - (14 if layout.narrow else 260)
    drawing = fitted(
        layout, Drawing((), low, high, height, steps(low, high), left=left, right=right), top_of(layout, SIGNS, left)
    )
    marks = [*key(layout, SIGNS, left), scale_words(layout, "points, percent", height, left)]
    y, before = 0, None
    for record in records:
        if record["tagger"] != before:
            before = record["tagger"]
            marks += head_words(heads[before], y + 20, 100)
            y += head_height(HEAD, heads[before])
        marks += [*_words(view, drawing, layout, record, y), *_row(drawing, record, y + layout.above)]
        y += ROW + layout.above
    return drawing._replace(marks=tuple(marks))


def _limits(records: Sequence[Block]) -> tuple[float, float]:
    """The ends of the scale: a little more than the figures, and zero."""
    ends = [0.0, *(end for record in records for end in _ends(record))]
    low, high = min(ends), max(ends)
    edge = max(0.02 * (high - low), 0.5)
    return low - edge if low < 0 else 0.0, high + edge


def _words(view: View, drawing: Drawing, layout: Layout, record: Block, y: float) -> Iterator[Mark]:
    f1 = record["f1"]
    figures = (
        Figure(record["level"], drawing.left - 14, 205, muted=True),
        Figure(change(f1["drop"]), WIDTH - 185, 252, bold=True),
        Figure(_spread(view, record), WIDTH - 70, muted=True),
        Figure(relative(f1["relative_drop"]), WIDTH, NARROW.width),
    )
    yield from row_words(layout, y, record["set"], figures, NAME)


def _row(drawing: Drawing, record: Block, y: float) -> Iterator[Mark]:
    f1 = record["f1"]
    drop, share = 100 * f1["drop"], f1["relative_drop"]
    said = f"{record['tagger']} under {record['set']}: {change(f1['drop'])} points, {relative(share)}"
    if share:
        yield Bar(min(0, 100 * share), max(0, 100 * share), y + 4, ROW - 8, HOLLOW if share > 0 else GAIN, said)
    if drop:
        yield Bar(min(0, drop), max(0, drop), y + 7, ROW - 14, ORANGE if drop > 0 else BLUE, said)
    if f1["low"] is not None and f1["high"] is not None:
        yield Line(100 * f1["low"], 100 * f1["high"], y + ROW / 2, SPREAD)
