"""Stacked bars of mentions by outcome and label, original and attacked (paper M, figures 1-3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nerquake.core.results import SchemeName
from nerquake.core.spec import safe_name
from nerquake.report.charts.chart import Chart
from nerquake.report.charts.layout import NARROW, WIDE, Layout, fitted, key, scale_words, top_of
from nerquake.report.charts.marks import (
    BLUE,
    FELL_HEX,
    HOLLOW,
    INK_HEX,
    MUTED_HEX,
    ORANGE,
    PAPER_HEX,
    Bar,
    Drawing,
    Look,
    Mark,
    Words,
    ceiling,
    steps,
)
from nerquake.report.charts.rows import Sign, chosen_words, room, side_marks, worst_set
from nerquake.report.fine_tables import CHARGES, NO_GOLD, SECTION, SIDES, bars
from nerquake.report.found import record_of, records_of
from nerquake.report.numbers import count, plural
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.tables import SCHEME_WORDS, mark
from nerquake.report.view import View

SHOWN = 20
"""Labels that have bars of their own, most frequent first."""
SIGNS = {
    "correct": Sign(BLUE, "correct", glyph="✓"),
    "incorrect": Sign(ORANGE, "incorrect", glyph="◆"),
    "partial": Sign(Look(FELL_HEX, 0.45), "partial", glyph="◧"),
    "missed": Sign(HOLLOW, "missed", glyph="○"),
    "spurious": Sign(Look(PAPER_HEX, 1.0, FELL_HEX, (3, 2)), "spurious", glyph="+"),
}
ROW, BAR, NAME = 38, 13, 22
"""Heights of a label and of each of its two bars, and characters of its name that are shown."""


class Stack(NamedTuple):
    """The mentions of a label by outcome, in one of both texts."""

    label: str
    side: str
    mentions: dict[str, int]

    @property
    def gold(self) -> int:
        """Gold mentions: all but the spurious ones."""
        return sum(self.mentions.values()) - self.mentions["spurious"]


def outcome_chart(view: View, tagger: str, scheme: SchemeName = "strict") -> Chart | None:
    """The bars of one model under the set where it loses most; None where nothing was found of it."""
    names = list(dict.fromkeys(record["set"] for record in records_of(view, SECTION, tagger)))
    if not names:
        return None
    name = worst_set(view, tagger, names)
    stacks, rest = _stacks(view, tagger, name, scheme)
    used = [outcome for outcome in CHARGES if any(outcome in stack.mentions for stack in stacks)]
    if not any(sum(stack.mentions.values()) for stack in stacks):
        return None
    caption = (
        f"{chosen_words(names)}Bars: mentions of each label, {scheme} ({SCHEME_WORDS[scheme]}); above, with a ring, "
        "the original text, below, with a square, the attacked one. "
        f"Colours: {'; '.join(_meaning(outcome) for outcome in used)}. What has no mention has no bar. All but "
        f"spurious together are the gold mentions, whose number stands at the left.{_rest_words(rest)}"
    )
    return Chart(
        f"outcomes-{scheme}-{safe_name(tagger)}",
        _title(view, tagger, name, scheme),
        caption,
        _table(stacks, used, scheme),
        *(_drawing(stacks, used, layout) for layout in (WIDE, NARROW)),
    )


def _title(view: View, tagger: str, name: str, scheme: SchemeName) -> str:
    whole = record_of(view, SECTION, tagger, name)
    assert whole is not None, "a set without a record was chosen"
    moved = (
        f"{outcome} {count(whole['original'][scheme][outcome])} → {count(whole['attacked'][scheme][outcome])}"
        for outcome in ("correct", "missed", "spurious")
    )
    return f"{tagger} under {mark(view, tagger, name, name)}, {scheme}: {', '.join(moved)}"


def _meaning(outcome: str) -> str:
    words = {
        "correct": "blue ✓ correct",
        "incorrect": "orange ◆ incorrect: another label or other tokens",
        "partial": "half-tone ◧ partial: other tokens that overlap, whatever the label",
        "missed": "hollow ○ missed: no prediction",
        "spurious": "dashed + spurious: predicted where no gold mention is",
    }
    return words[outcome]


def _rest_words(rest: Sequence[str]) -> str:
    return f" All others: {plural(len(rest), 'label')} with fewer mentions, added up." if rest else ""


def _stacks(view: View, tagger: str, name: str, scheme: SchemeName) -> tuple[list[Stack], list[str]]:
    """Both stacks of each label, most frequent first; the rest is added up, and named."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    for one in bars(view, tagger, name, scheme):
        found.setdefault((one["label"], one["text"]), {})[one["outcome"]] = one["mentions"]
    labels = list(dict.fromkeys(label for label, _ in found))
    shown, rest = labels[:SHOWN], labels[SHOWN:]
    stacks = [Stack(label, side, found[label, side]) for label in shown for side in SIDES]
    for side in SIDES if rest else ():
        outcomes = found[rest[0], side]
        stacks.append(Stack("", side, {key: sum(found[label, side][key] for label in rest) for key in outcomes}))
    return stacks, rest


def _table(stacks: Sequence[Stack], used: Sequence[str], scheme: SchemeName) -> Table:
    numbers = (Column(name.capitalize()) for name in used)
    columns = (Column("Label", number=False), Column("Text", number=False), *numbers)
    rows = tuple(
        Row((
            data_cell(stack.label) if stack.label else Cell("all others"),
            Cell(stack.side),
            *(Cell(count(stack.mentions[outcome])) for outcome in used),
        ))
        for stack in stacks
    )  # fmt: skip
    return Table(f"chart-outcomes-{scheme}", f"Mentions by outcome and label, {scheme}", columns, rows)


def _drawing(stacks: Sequence[Stack], used: Sequence[str], layout: Layout) -> Drawing:
    most = ceiling(max(sum(stack.mentions.values()) for stack in stacks))
    left = 66 if layout.narrow else room([*(stack.label for stack in stacks), "all others"], 84, NAME)
    right = layout.width - (14 if layout.narrow else 20)
    signs = [SIGNS[outcome] for outcome in used]
    height = (ROW + layout.above) / 2 * len(stacks)
    drawing = Drawing((), 0, most, height, steps(0, most), left=left, right=right)
    drawing = fitted(layout, drawing, top_of(layout, signs, left, 40))
    marks = [*key(layout, signs, left), scale_words(layout, "mentions", height, left)]
    for place in range(0, len(stacks), 2):
        marks += _label_marks(drawing, layout, stacks[place : place + 2], (ROW + layout.above) / 2 * place + 4)
    return drawing._replace(marks=tuple(marks))


def _label_marks(drawing: Drawing, layout: Layout, both: Sequence[Stack], y: float) -> Iterator[Mark]:
    before = both[0]
    foot = y + (7 if layout.narrow else 18)
    yield Words(before.label or "all others", foot, at=0, bold=bool(before.label), length=NAME, size=layout.size)
    y += layout.above
    yield from side_marks(y + BAR / 2, drawing.left - 12, apart=BAR + 2)
    for place, stack in enumerate(both):
        top = y + (BAR + 2) * place
        missing = "" if stack.gold else NO_GOLD
        yield Words(
            count(stack.gold), top + 11, at=drawing.left - 24, anchor="end", fill=MUTED_HEX, size=12, said=missing
        )
        start = 0
        for outcome, mentions in stack.mentions.items():
            if mentions:
                yield from _segment(drawing, stack, outcome, start, top)
                start += mentions


def _segment(drawing: Drawing, stack: Stack, outcome: str, start: int, top: float) -> Iterator[Mark]:
    mentions, sign = stack.mentions[outcome], SIGNS[outcome]
    said = f"{stack.label or 'all others'}, {stack.side}: {count(mentions)} {outcome}"
    yield Bar(start, start + mentions, top, BAR, sign.look, said)
    text = f"{sign.glyph} {count(mentions)}"
    width = drawing.units(mentions)
    text = text if width >= 8 * len(text) else sign.glyph if width >= 16 else ""
    if text:
        fill = PAPER_HEX if sign.look in (BLUE, ORANGE) else INK_HEX
        yield Words(text, top + 10.5, x=start + mentions / 2, anchor="middle", fill=fill, size=11)
