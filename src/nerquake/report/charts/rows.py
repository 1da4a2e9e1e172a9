"""What charts in rows share: signs of a key, names of rows, rings and squares, the set that is shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from nerquake.report.charts.marks import (
    BAND,
    JOIN,
    LEFT,
    RING,
    ROW_LINE,
    SQUARE,
    Bar,
    Drawing,
    Line,
    Look,
    Mark,
    Point,
)
from nerquake.report.numbers import plural
from nerquake.report.svg import Axis, around
from nerquake.report.view import View
from nerquake.report.visible import visible

RING_SIZE, SQUARE_SIZE = 110.0, 64.0
"""Areas of the marks of both texts; the square is smaller, so that both are seen where they meet."""
LETTER = 6.6
"""About how wide a letter of the key is, in units of the drawing."""


class Sign(NamedTuple):
    """An entry of a key: a mark and what it means; `glyph` stands on bars beside their colour."""

    look: Look
    words: str
    shape: str = "square"
    size: float = 120.0
    glyph: str = ""

    @property
    def text(self) -> str:
        """What stands beside the mark."""
        return f"{self.glyph} {self.words}" if self.glyph else self.words


ORIGINAL_SIGN = Sign(RING, "original", "circle", RING_SIZE)
ATTACKED_SIGN = Sign(SQUARE, "attacked", "square", SQUARE_SIZE)


def side_marks(y: float, at: float, signs: Sequence[Sign] = (ORIGINAL_SIGN, ATTACKED_SIGN), apart: float = 14
               ) -> Iterator[Mark]:  # fmt: skip
    """A small sign in front of each of two bars, one below the other."""
    for place, sign in enumerate(signs):
        yield Point(None, y + apart * place, sign.shape, 0.6 * sign.size, sign.look, at=at)


def room(names: Iterable[str], beside: int, length: int = 30) -> int:
    """Where the scale begins so that these names have room, cut to `length`, and `beside` them so many units more.

    The less the names take, the more of the scale a phone shows at once.
    """
    widest = max((min(length, letters(visible(name))) for name in names), default=0)
    return round(min(LEFT, max(110, beside + 7.4 * widest)))


def letters(text: str) -> int:
    """How many Latin letters a text is as wide as."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def percent_scale(shares: Sequence[float], height: float, left: int, right: int) -> Drawing:
    """A drawing without marks over whole tens of percent around these shares, as the figure of the scores has it."""
    low, high = around(shares)
    ticks = Axis(low, high, left, right).ticks
    return Drawing((), low, high, height, tuple(map(float, ticks)), left=left, right=right)


def pair_marks(
    drawing: Drawing,
    y: float,
    before: float,
    after: float,
    band: tuple[float, float] | None = None,
    said: tuple[str, str] = ("", ""),
) -> Iterator[Mark]:
    """A row of the scale: a dotted line, the interval as a band, a ring and a square, and what joins them."""
    yield Line(drawing.low, drawing.high, y, ROW_LINE)
    if band is not None:
        yield Bar(*band, y - 6, 12, BAND)
    yield Line(min(before, after), max(before, after), y, JOIN)
    yield Point(before, y, "circle", RING_SIZE, RING, said[0])
    yield Point(after, y, "square", SQUARE_SIZE, SQUARE, said[1])


def worst_set(view: View, tagger: str, names: Sequence[str]) -> str:
    """The set under which a model loses most, the first of several alike."""
    return max(names, key=lambda name: float((view.paired(tagger, name) or {}).get("drop") or 0.0))


def chosen_words(names: Sequence[str]) -> str:
    """Why the set of a chart is this one, where there are several."""
    return "The set under which this model loses most; all others are in the tables. " if len(names) > 1 else ""


def listed(names: Sequence[str]) -> str:
    """Names one behind the other, “and” before the last."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def rest_words(*left_out: tuple[int, str]) -> str:
    """What is not drawn, each with its number, empty where everything is."""
    words = [plural(number, f"other {what}") for number, what in left_out if number]
    return f" In the tables alone: {', '.join(words)}." if words else ""
