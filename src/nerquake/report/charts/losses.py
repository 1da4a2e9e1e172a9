"""What every set costs each model: points of F1, and the share of the original score, level by level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nerquake.report.charts.chart import Chart
from nerquake.report.charts.marks import (
    BLUE,
    HELD_HEX,
    HOLLOW,
    INK_HEX,
    MUTED_HEX,
    ORANGE,
    WIDTH,
    Bar,
    Drawing,
    Line,
    Look,
    Mark,
    Words,
    steps,
)
from nerquake.report.charts.rows import Sign, key, rest_words, room, scale_words
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
    return Chart("losses", _title(largest[0], records), caption, _table(view, shown), _drawing(view, shown))


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


def _drawing(view: View, records: Sequence[Block]) -> Drawing:
    ends = [0.0, *(end for record in records for end in _ends(record))]
    low, high = min(ends), max(ends)
    edge = max(0.02 * (high - low), 0.5)
    low, high = low - edge if low < 0 else 0.0, high + edge
    height = ROW * len(records) + HEAD * len({record["tagger"] for record in records})
    left = room((record["set"] for record in records), 90, NAME)
    drawing = Drawing((), low, high, height, steps(low, high), left=left, right=WIDTH - 260)
    signs = (
        Sign(ORANGE, "loss, points"),
        Sign(BLUE, "gain, points"),
        Sign(HOLLOW, "loss, share of the original score"),
    )
    marks = [*key(signs, left), scale_words("points, percent", height, left)]
    y, before = 0, None
    for record in records:
        if record["tagger"] != before:
            marks.append(Words(record["tagger"], y + 20, at=0, bold=True, length=100))
            y, before = y + HEAD, record["tagger"]
        marks += _row(view, drawing, record, y)
        y += ROW
    return drawing._replace(marks=tuple(marks))


def _row(view: View, drawing: Drawing, record: Block, y: float) -> Iterator[Mark]:
    f1, name = record["f1"], record["set"]
    drop, share = 100 * f1["drop"], f1["relative_drop"]
    said = f"{record['tagger']} under {name}: {change(f1['drop'])} points, {relative(share)}"
    yield Words(name, y + 16, at=14, length=NAME)
    yield Words(record["level"], y + 16, at=drawing.left - 14, anchor="end", fill=MUTED_HEX, size=12)
    if share:
        yield Bar(min(0, 100 * share), max(0, 100 * share), y + 4, ROW - 8, HOLLOW if share > 0 else GAIN, said)
    if drop:
        yield Bar(min(0, drop), max(0, drop), y + 7, ROW - 14, ORANGE if drop > 0 else BLUE, said)
    if f1["low"] is not None and f1["high"] is not None:
        yield Line(100 * f1["low"], 100 * f1["high"], y + ROW / 2, SPREAD)
    yield Words(change(f1["drop"]), y + 16, at=WIDTH - 185, anchor="end", bold=True)
    yield Words(_spread(view, record), y + 16, at=WIDTH - 70, anchor="end", fill=MUTED_HEX)
    yield Words(relative(share), y + 16, at=WIDTH, anchor="end")
