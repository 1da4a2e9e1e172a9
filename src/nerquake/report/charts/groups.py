"""Recall by group of mentions: a ring and a square for each group, grouping by grouping, worst group first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nerquake.core.spec import safe_name
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
)
from nerquake.report.charts.marks import MUTED_HEX, WIDTH, Drawing, Mark, Words
from nerquake.report.charts.rows import (
    ATTACKED_SIGN,
    ORIGINAL_SIGN,
    chosen_words,
    listed,
    pair_marks,
    percent_scale,
    rest_words,
    room,
    worst_set,
)
from nerquake.report.found import Record, records_of
from nerquake.report.group_tables import grouping_title
from nerquake.report.numbers import count, interval, level, percent
from nerquake.report.table import Cell, Column, Row, Table
from nerquake.report.tables import mark
from nerquake.report.view import View

GROUPINGS, GROUPS = 6, 6
"""Groupings that are drawn, those with the widest gaps, and groups of each: the worst ones and the best."""
ROW, HEAD = {True: 18, False: 22}, {True: 26, False: 34}
"""Heights of a group and of the head above a grouping, in a narrow drawing and in a wide one."""
SIGNS = (ORIGINAL_SIGN, ATTACKED_SIGN)


class Panel(NamedTuple):
    """A grouping with the groups that are drawn, worst under the attack first."""

    record: Record
    groups: tuple[Record, ...]


def group_chart(view: View, tagger: str) -> Chart | None:
    """One model under the set where it loses most; None where no grouping has two groups that are large enough."""
    names = list(dict.fromkeys(record["set"] for record in records_of(view, "groups", tagger)))
    if not names:
        return None
    name = worst_set(view, tagger, names)
    known = [
        record for record in records_of(view, "groups", tagger) if record["set"] == name and record["gap"]["after"]
    ]
    known.sort(key=lambda record: -float(record["gap"]["after"]["value"]))
    panels = [Panel(record, _shown(record)) for record in known[:GROUPINGS]]
    if not panels:
        return None
    groups = sum(len(one["groups"]) for one in known[:GROUPINGS]) - sum(len(panel.groups) for panel in panels)
    left_out = rest_words((len(known) - len(panels), "grouping"), (groups, "group"))
    caption = (
        f"{chosen_words(names)}Recall of gold mentions, percent. Ring: the original text; square: the same mentions "
        f"attacked; band: the {level(view.level)} interval of the recall under the attack. Groupings with the widest "
        f"gap first, in each the worst group first; groups with fewer than {known[0]['minimum']} mentions are left "
        f"out.{left_out}"
    )
    title = _title(tagger, mark(view, tagger, name, name), panels[0].record)
    return Chart(
        f"groups-{safe_name(tagger)}",
        title,
        caption,
        _table(panels),
        *(_drawing(panels, layout) for layout in (WIDE, NARROW)),
    )


def _shown(record: Record) -> tuple[Record, ...]:
    """Groups that are large enough; of too many the worst ones and the best."""
    large = [
        one
        for one in record["groups"]
        if not one["small"] and None not in (_value(one, "before"), _value(one, "after"))
    ]
    return tuple(large if len(large) <= GROUPS else [*large[: GROUPS - 1], large[-1]])


def _value(one: Record, side: str) -> float | None:
    found: float | None = one[side]["value"]
    return found


def _title(tagger: str, name: str, record: Record) -> str:
    gap = record["gap"]["after"]
    if percent(gap["value"]) == percent(0):
        return f"{tagger} under {name}: no gap between groups of mentions"
    recall = {one["group"]: one["after"]["value"] for one in record["groups"]}
    ends = (f"{percent(recall[gap[end]])} % of “{gap[end]}”" for end in ("worst", "best"))
    return f"{tagger} under {name} finds {listed(list(ends))}: the widest gap, by “{grouping_title(record)}”"


def _table(panels: Sequence[Panel]) -> Table:
    columns = (Column("Group", number=False), *map(Column, ("Mentions", "Original", "Attacked")))
    rows = []
    for panel in panels:
        for place, one in enumerate(panel.groups):
            cells = (Cell(count(one["mentions"])), Cell(percent(one["before"]["value"])),
                     Cell(percent(one["after"]["value"]), _spread(one)))  # fmt: skip
            head = Cell(one["group"], data=panel.record["data"])
            rows.append(Row((head, *cells), "" if place else grouping_title(panel.record)))
    return Table("chart-groups", "Recall by group of mentions, worst first (percent)", columns, tuple(rows))


def _spread(one: Record) -> str:
    after = one["after"]
    return "" if after["low"] is None or after["high"] is None else interval(after["low"], after["high"])


def _drawing(panels: Sequence[Panel], layout: Layout) -> Drawing:
    values = [
        one[side][end]
        for panel in panels
        for one in panel.groups
        for side, end in (("before", "value"), ("after", "value"), ("after", "low"), ("after", "high"))
        if one[side][end] is not None
    ]
    heads = [head_lines(layout, grouping_title(panel.record), 70) for panel in panels]
    rows = sum(len(panel.groups) for panel in panels)
    row, head = ROW[layout.narrow], HEAD[layout.narrow]
    height = sum(head_height(head, lines) for lines in heads) + (row + layout.above) * rows
    left = 10 if layout.narrow else room((str(one["group"]) for panel in panels for one in panel.groups), 80)
    right = layout.width - (14 if layout.narrow else 250)
    drawing = fitted(layout, percent_scale(values, height, left, right))
    marks = [*key(layout, SIGNS, left), scale_words(layout, "recall, percent", height, left)]
    y = 0
    for panel, lines in zip(panels, heads, strict=True):
        gap = panel.record["gap"]["after"]
        foot = y + head - 12
        marks += head_words(lines, foot, 70)
        words = f"gap {percent(gap['value'])}"
        marks.append(Words(words, foot, at=layout.width, anchor="end", fill=MUTED_HEX, size=layout.size))
        y += head_height(head, lines)
        for one in panel.groups:
            marks += [*_words(drawing, layout, one, y), *_group(drawing, one, y + layout.above + row / 2)]
            y += row + layout.above
    return drawing._replace(marks=tuple(marks))


def _words(drawing: Drawing, layout: Layout, one: Record, y: float) -> Iterator[Mark]:
    figures = (
        Figure(count(one["mentions"]), drawing.left - 14, 205, muted=True),
        Figure(f"{percent(one['before']['value'])} → {percent(one['after']['value'])}", WIDTH - 120, NARROW.width),
        Figure(_spread(one), WIDTH, muted=True),
    )
    yield from row_words(layout, y, str(one["group"]), figures, 30)


def _group(drawing: Drawing, one: Record, y: float) -> Iterator[Mark]:
    before, after = (100 * one[side]["value"] for side in ("before", "after"))
    low, high = one["after"]["low"], one["after"]["high"]
    band = None if low is None or high is None else (100 * low, 100 * high)
    said = f"{one['group']}, original: {percent(before / 100)} %", f"{one['group']}, attacked: {percent(after / 100)} %"
    yield from pair_marks(drawing, y, before, after, band, said)
