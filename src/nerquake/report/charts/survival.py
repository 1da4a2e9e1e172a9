"""How many draws of an attack mentions survive, as bars: a panel for each model and attack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    scale_words,
    top_of,
)
from nerquake.report.charts.marks import (
    BLUE,
    MUTED_HEX,
    ORANGE,
    Bar,
    Drawing,
    Look,
    Mark,
    Words,
    ceiling,
    steps,
)
from nerquake.report.charts.rows import Sign, rest_words, room
from nerquake.report.numbers import count, percent, plural
from nerquake.report.survival_tables import draw_records
from nerquake.report.table import Cell, Column, Row, Table
from nerquake.report.tables import mark
from nerquake.report.view import Block, View

PANELS, ROWS = 6, 72
"""Panels that are drawn, those where the fewest mentions survive every draw, and the rows that they may have in all."""
ROW, HEAD = 20, 32
SOME = Look(MUTED_HEX, 0.5)
SIGNS = (Sign(BLUE, "never broken"), Sign(SOME, "in some"), Sign(ORANGE, "always broken"))


def survival_chart(view: View) -> Chart | None:
    """The bars over all models and attacks; None where no mention was right, or there were too many draws to show."""
    records = [record for record in draw_records(view) if record["all"]["right"]]
    worst = sorted(records, key=lambda record: float(record["all"]["never_broken"]))[:PANELS]
    while sum(len(record["all"]["survived"]) for record in worst) > ROWS:
        worst.pop()
    if not worst:
        return None
    absent = len(draw_records(view)) - len(records)
    none_right = f" No mention was right before in {plural(absent, 'other panel')}." if absent else ""
    caption = (
        "Each panel: the mentions that a model had right before an attack, by the number of draws in which they are "
        "right, with their share in percent. Blue: right in every draw, never broken; grey: in some; orange: in none, "
        "always broken. Panels where the fewest survive every draw come first; a number that no mention has is 0 and "
        f"has no bar.{rest_words((len(records) - len(worst), 'panel'))}{none_right}"
    )
    drawings = (_drawing(view, worst, layout) for layout in (WIDE, NARROW))
    return Chart("survival", _title(worst[0]), caption, _table(view, worst), *drawings)


def _title(record: Block) -> str:
    whole, draws = record["all"], len(record["draws"])
    return (
        f"{percent(whole['never_broken'])} % of {plural(whole['right'], 'mention')} that {record['tagger']} had right "
        f"survive {'all ' if draws > 1 else ''}{plural(draws, 'draw')} of {_name(record)}, "
        f"{percent(whole['always_broken'])} % survive none"
    )


def _name(record: Block) -> str:
    return f"{record['audit']}: {record['set']}" if "audit" in record else str(record["set"])


def _table(view: View, records: Sequence[Block]) -> Table:
    columns = (Column("Draws survived", number=False), Column("Mentions"), Column("Share"))
    rows = [
        Row(
            (Cell(_times(record, times)), Cell(count(number)), Cell(percent(number / record["all"]["right"]))),
            "" if times else _head(view, record),
        )
        for record in records
        for times, number in enumerate(record["all"]["survived"])
    ]
    return Table("chart-survival", "How many draws each mention survives", columns, tuple(rows))


def _head(view: View, record: Block) -> str:
    return f"{record['tagger']} · {mark(view, record['tagger'], record['set'], _name(record))}"


def _times(record: Block, times: int) -> str:
    return f"{times} of {plural(len(record['draws']), 'draw')}"


def _drawing(view: View, records: Sequence[Block], layout: Layout) -> Drawing:
    most = ceiling(
        max(100 * number / record["all"]["right"] for record in records for number in record["all"]["survived"])
    )
    heads = [
        head_lines(layout, f"{_head(view, record)} ({plural(record['all']['right'], 'mention')} right before)")
        for record in records
    ]
    height = sum(ROW * len(record["all"]["survived"]) for record in records)
    height += sum(head_height(HEAD, lines) for lines in heads)
    names = [_times(record, len(record["draws"])) for record in records]
    left = 8 + round(6.8 * max(map(len, names))) if layout.narrow else room(names, 36)
    right = 200 if layout.narrow else 960
    drawing = Drawing((), 0, most, height, steps(0, most), left=left, right=right)
    drawing = fitted(layout, drawing, top_of(layout, SIGNS, left))
    marks = [*key(layout, SIGNS, left), scale_words(layout, "percent", height, left)]
    y = 0
    for record, lines in zip(records, heads, strict=True):
        marks += head_words(lines, y + 20, 110)
        y += head_height(HEAD, lines)
        for times, number in enumerate(record["all"]["survived"]):
            marks += _row(drawing, layout, record, times, number, y)
            y += ROW
    return drawing._replace(marks=tuple(marks))


def _row(drawing: Drawing, layout: Layout, record: Block, times: int, number: int, y: float) -> Iterator[Mark]:
    share = 100 * number / record["all"]["right"]
    look = ORANGE if times == 0 else BLUE if times == len(record["draws"]) else SOME
    yield Words(_times(record, times), y + 14, at=0 if layout.narrow else 14, size=layout.size)
    if number:
        yield Bar(0, share, y + 3, ROW - 6, look, f"{_times(record, times)}: {plural(number, 'mention')}")
    text = f"{count(number)} ({percent(share / 100)} %)"
    yield Words(text, y + 14, x=drawing.behind(share), fill=MUTED_HEX, size=12)
