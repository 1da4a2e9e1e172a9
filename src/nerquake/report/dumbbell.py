"""The figure of the scores: for every model and set a ring (original), a square (attacked) and the interval."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nerquake.report.numbers import UNDEFINED, change, interval, level, percent
from nerquake.report.svg import FELL, HELD, LINE, MUTED, PAPER, Axis, around, drawing, words
from nerquake.report.tables import NOTE_AGAINST, mark
from nerquake.report.view import Block, Pair, View

HEAD, GROUP, FOOT = 30, 28, 30
"""Heights above the first row, of a model's name, and below the last row."""


class Layout(NamedTuple):
    """Where things stand, in the drawing's own units.

    left, right   ends of the axis
    row, plot     height of a row, and where in it the marks stand
    columns       right ends of scores, change and interval, on the line at `words` in the row
    name_length   characters of a name that are shown
    """

    width: int
    left: int
    right: int
    row: int
    plot: int
    words: int
    columns: tuple[int, ...]
    heads: int
    name_length: int


WIDE = Layout(1080, 250, 720, 26, 13, 17, (860, 930, 1078), 3, 32)
NARROW = Layout(300, 10, 286, 48, 34, 16, (255, 300), 0, 22)
"""For phones: the name and the change above the marks, in a width that needs no scrolling."""


def dumbbell(view: View, layout: Layout = WIDE) -> str:
    """The drawing as SVG; every text in it is escaped. Empty where no comparison is there."""
    if not view.pairs:
        return ""
    axis = axis_for(view, layout)
    models = [tagger for tagger in view.taggers if any(pair.tagger == tagger for pair in view.pairs)]
    bottom = HEAD + GROUP * len(models) + layout.row * len(view.pairs)
    label = f"Strict F1 of each model on the original text and under each attack. {figure_title(view)}"
    body = [*_frame(axis, bottom), *_heads(view, layout)]
    y = float(HEAD)
    for tagger in models:
        y += GROUP
        body.append(words(0, y - 8, tagger, weight=600, length=layout.name_length + 8))
        for pair in view.pairs:
            if pair.tagger == tagger:
                body += _row(axis, layout, pair, mark(view, tagger, pair.set, pair.set), y)
                y += layout.row
    return drawing(layout.width, bottom + FOOT, label, body)


def figure_title(view: View) -> str:
    """What the drawing shows, in a sentence."""
    known = [pair.paired for pair in view.pairs if pair.paired["drop"] is not None]
    if not known:
        return "No comparison could be evaluated"
    fallen = [block["drop"] for block in known if block["drop"] > 0]
    if not fallen:
        return f"F1 falls in none of {len(known)} comparisons"
    most = percent(max(fallen))
    if len(known) == 1:
        return f"F1 falls by {most} points"
    sure = sum(block["drop"] > 0 and block["low"] is not None and block["low"] > 0 for block in known)
    shown = "" if sure == len(fallen) else f"; in {sure} of them the interval excludes zero"
    where = "every comparison" if len(fallen) == len(known) else f"{len(fallen)} of {len(known)} comparisons"
    return f"F1 falls in {where}, by up to {most} points{shown}"


def caption(view: View) -> str:
    """What each mark of the drawing means."""
    against = any(view.chosen_against(pair.tagger, pair.set) for pair in view.pairs)
    return (
        "Ring: strict F1 on the original text. Square: on the attacked text. Both over the same sentences. "
        f"Band: where the attacked score lies if the loss is within its {level(view.level)} interval."
        f"{f' {NOTE_AGAINST}' if against else ''}"
    )


def axis_for(view: View, layout: Layout = WIDE) -> Axis:
    """Whole tens around every score and band, at least 20 wide, within 0 and 100."""
    low, high = around(v for pair in view.pairs for v in _positions(pair.paired))
    return Axis(low, high, layout.left, layout.right)


def _positions(block: Block) -> Iterator[float]:
    yield from (block[key] for key in ("original", "attacked") if block[key] is not None)
    if block["original"] is not None and block["low"] is not None and block["high"] is not None:
        yield min(1.0, max(0.0, block["original"] - block["high"]))
        yield min(1.0, max(0.0, block["original"] - block["low"]))


def _frame(axis: Axis, bottom: float) -> Iterator[str]:
    for tick in axis.ticks:
        x = axis.x(tick)
        yield f'<line x1="{x}" y1="{HEAD}" x2="{x}" y2="{bottom}" stroke="{LINE}"/>'
        yield words(x, bottom + 18, str(tick), anchor="middle", fill=MUTED)


def _heads(view: View, layout: Layout) -> Iterator[str]:
    yield words(layout.left, 16, "Strict F1, percent", fill=MUTED, size=12)
    heads = ("original → attacked", "change", f"{level(view.level)} interval of loss")
    for x, head in zip(layout.columns, heads[: layout.heads], strict=False):
        yield words(x, 16, head, anchor="end", fill=MUTED, size=12)


def _row(axis: Axis, layout: Layout, pair: Pair, name: str, top: float) -> Iterator[str]:
    block, y, line = pair.paired, top + layout.plot, top + layout.words
    narrow = not layout.heads
    yield words(0 if narrow else 14, line, name, length=layout.name_length)
    yield f'<line x1="{axis.left}" y1="{y}" x2="{axis.right}" y2="{y}" stroke="{LINE}" stroke-dasharray="1 4"/>'
    if block["original"] is None or block["attacked"] is None:
        yield words(axis.left + 6, y + 4, f"{UNDEFINED}: not evaluated", fill=MUTED)
    else:
        yield from _marks(axis, block, y)
    scores = f"{percent(block['original'])} → {percent(block['attacked'])}"
    if narrow:
        yield words(layout.columns[0], line, scores, anchor="end", fill=MUTED, size=12)
        yield words(layout.columns[1], line, change(block["drop"]), anchor="end", weight=600, size=12)
        return
    yield words(layout.columns[0], line, scores, anchor="end")
    yield words(layout.columns[1], line, change(block["drop"]), anchor="end", weight=600)
    yield words(layout.columns[2], line, interval(block["low"], block["high"]), anchor="end", fill=MUTED)


def _marks(axis: Axis, block: Block, y: float) -> Iterator[str]:
    before, after = axis.x(100 * block["original"]), axis.x(100 * block["attacked"])
    if block["low"] is not None and block["high"] is not None:
        start, end = (axis.x(100 * (block["original"] - block[key])) for key in ("high", "low"))
        yield (
            f'<rect x="{start}" y="{y - 7}" width="{max(round(end - start, 1), 1)}" height="14" rx="2" '
            f'fill="{FELL}" fill-opacity="0.25"/>'
        )
    yield f'<line x1="{before}" y1="{y}" x2="{after}" y2="{y}" stroke="{MUTED}" stroke-width="1.5"/>'
    ring = f'fill="{PAPER}" fill-opacity="0.6" stroke="{HELD}" stroke-width="2.5"'
    yield f'<circle cx="{before}" cy="{y}" r="6.5" {ring}/>'
    # Smaller than the ring and above it, so that both are seen where the scores are equal.
    yield f'<rect x="{round(after - 4, 1)}" y="{y - 4}" width="8" height="8" fill="{FELL}"/>'
