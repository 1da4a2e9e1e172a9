"""What a chart is made of: bars, lines, points and words in rows, over one scale of figures."""

from __future__ import annotations

from math import floor, log10
from typing import NamedTuple

from nerquake.report.svg import FELL, HELD, INK, LINE, MUTED, PAPER

COLOURS = {text[text.index("#") : -1]: text for text in (INK, MUTED, LINE, HELD, FELL, PAPER)}
"""Colours as specifications have them, and what stands for them in the page: its own, with this one to fall back on."""
INK_HEX, MUTED_HEX, LINE_HEX, HELD_HEX, FELL_HEX, PAPER_HEX = COLOURS
WIDTH = 1080
LEFT = 270
"""Where scales begin, unless a chart says otherwise: left of it stand the names of rows."""
TOP = 34
"""Height above the first row, for the words on the scale."""
FOOT = 26
"""Height below the last row, for the scale's figures."""


class Look(NamedTuple):
    """How a mark is painted; an empty colour paints nothing."""

    fill: str = ""
    opacity: float = 1.0
    stroke: str = ""
    dash: tuple[int, ...] = ()
    width: float = 1.5


BLUE, ORANGE = Look(HELD_HEX), Look(FELL_HEX)
RING = Look(PAPER_HEX, 0.6, HELD_HEX, width=2.5)
"""The original text, as in the figure of the scores."""
SQUARE = ORANGE
"""The attacked text."""
BAND = Look(FELL_HEX, 0.25)
JOIN = Look(stroke=MUTED_HEX)
ROW_LINE = Look(stroke=LINE_HEX, dash=(1, 4))
HOLLOW = Look(PAPER_HEX, 1.0, FELL_HEX)


class Bar(NamedTuple):
    """A bar from `x` to `x2`, figures of the scale; `y` is its upper edge. `said` is what pointing at it says."""

    x: float
    x2: float
    y: float
    height: float
    look: Look
    said: str = ""


class Line(NamedTuple):
    """A level line from `x` to `x2`, figures of the scale."""

    x: float
    x2: float
    y: float
    look: Look


class Point(NamedTuple):
    """A point on the scale, or `at` so many units from the drawing's left edge."""

    x: float | None
    y: float
    shape: str
    size: float
    look: Look
    said: str = ""
    at: float | None = None


class Words(NamedTuple):
    """A line of text whose foot is at `y`, on the scale or `at` so many units from the drawing's left edge.

    length   characters that are shown; what is longer is cut in the middle and said in full on pointing
    angle    by which it is turned, in degrees
    """

    text: str
    y: float
    x: float | None = None
    at: float | None = None
    anchor: str = "start"
    fill: str = INK_HEX
    bold: bool = False
    size: int = 13
    length: int = 60
    angle: int = 0
    said: str = ""


Mark = Bar | Line | Point | Words


class Drawing(NamedTuple):
    """Marks over a scale from `low` to `high`; heights and places are units of the drawing.

    left, right   ends of the scale, from the drawing's left edge
    height        of the rows, from the lower edge of `top`
    width         of the whole
    foot          height below the rows, for the scale's figures
    """

    marks: tuple[Mark, ...]
    low: float
    high: float
    height: float
    ticks: tuple[float, ...]
    left: int = LEFT
    right: int = WIDTH - 20
    top: int = TOP
    width: int = WIDTH
    foot: int = FOOT

    def units(self, figures: float) -> float:
        """How wide this many figures of the scale are drawn."""
        return (self.right - self.left) * figures / (self.high - self.low)

    def behind(self, figures: float) -> float:
        """A little to the right of a figure of the scale, where its words begin."""
        return figures + 6 / self.units(1)


def steps(low: float, high: float, most: int = 6) -> tuple[float, ...]:
    """Round figures between two others, zero among them where it is between: steps of 1, 2 or 5 times a power of ten.

    Steps are whole numbers, since scales are mentions, percent or points.
    """
    size = 10.0 ** floor(log10(max(high - low, 1.0)))
    sizes = (share * size for share in (0.1, 0.2, 0.5, 1, 2, 5))
    step = next(step for step in sizes if _fits(step, low, high, most))
    first, last = -floor(-low / step), floor(high / step)
    return tuple(float(step * number) for number in range(first, last + 1))


def _fits(step: float, low: float, high: float, most: int) -> bool:
    return step >= 1 and (high - low) / step <= most


def ceiling(value: float) -> float:
    """The end of a scale that shows this value: a little more, at least 1."""
    return max(1.0, 1.02 * value)


def cut(text: str, length: int) -> str:
    """A text of at most `length` characters, its middle left out where it is longer."""
    return text if len(text) <= length else f"{text[: length - 9]}…{text[-8:]}"
