"""Two ways to lay out a chart: names beside its marks, or above them in a width that phones and columns have."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nerquake.report.charts.marks import INK_HEX, MUTED_HEX, TOP, WIDTH, Drawing, Mark, Point, Words, cut
from nerquake.report.charts.rows import LETTER, Sign, letters

LINE = 15
"""Height of a further line of words."""
HEAD_LETTER = 7.9
"""About how wide a letter of a head is, in units of the drawing."""


class Layout(NamedTuple):
    """The width of a drawing, and the height of a line above the marks of each row: 0 where names stand beside them."""

    width: int
    above: int

    @property
    def narrow(self) -> bool:
        """Whether names stand above the marks."""
        return bool(self.above)

    @property
    def size(self) -> int:
        """The size of words in rows."""
        return 12 if self.narrow else 13


WIDE, NARROW = Layout(WIDTH, 0), Layout(300, 12)
NARROW_FOOT = 42
"""Height below the rows of a narrow drawing, where words stand below the scale's figures."""


class Figure(NamedTuple):
    """Words at the right of a row: where they end in a wide drawing, and in a narrow one, 0 for not there."""

    text: str
    wide: int
    narrow: int = 0
    bold: bool = False
    muted: bool = False


def row_words(layout: Layout, y: float, name: str, figures: Sequence[Figure], length: int) -> Iterator[Words]:
    """A row's name and its figures; `y` is the row's upper edge. A narrow drawing has room for 20 letters."""
    foot = y + (9 if layout.narrow else 16)
    yield Words(
        name, foot, at=0 if layout.narrow else 14, size=layout.size, length=min(length, 20) if layout.narrow else length
    )
    for figure in figures:
        at = figure.narrow if layout.narrow else figure.wide
        if at and figure.text:
            fill = MUTED_HEX if figure.muted else INK_HEX
            size = 12 if figure.muted and figure.wide < WIDTH / 2 else layout.size
            yield Words(figure.text, foot, at=at, anchor="end", fill=fill, bold=figure.bold, size=size)


def head_lines(layout: Layout, text: str, beside: int = 0) -> list[str]:
    """A head in as many lines as it takes, two at most; `beside` it so many units are taken by something else."""
    if not layout.narrow:
        return [text]
    room = int((layout.width - beside) / HEAD_LETTER)
    if letters(text) <= room:
        return [text]
    wide = room if letters(text) == len(text) else room // 2
    wrapped = (textwrap.wrap(cut(text, length), wide) for length in range(min(len(text), 2 * wide), 11, -1))
    return next(lines for lines in wrapped if len(lines) <= 2)


def head_height(height: int, lines: Sequence[str]) -> int:
    """The height of a head that has this height in one line."""
    return height + LINE * (len(lines) - 1)


def head_words(lines: Sequence[str], y: float, length: int) -> Iterator[Words]:
    """The lines of a head, the first with its foot at `y`."""
    for place, line in enumerate(lines):
        yield Words(line, y + LINE * place, at=0, bold=True, length=length)


def key_rows(layout: Layout, signs: Sequence[Sign], left: float) -> list[list[tuple[float, Sign]]]:
    """The lines of a key, each with its signs and where they stand."""
    start = 0.0 if layout.narrow else left
    rows: list[list[tuple[float, Sign]]] = [[]]
    at = start
    for sign in signs:
        wide = 34 + LETTER * len(sign.text)
        if rows[-1] and at + wide - 10 > layout.width:
            rows.append([])
            at = start
        rows[-1].append((at + 6, sign))
        at += wide
    return rows


def key(layout: Layout, signs: Sequence[Sign], left: float, y: float | None = None) -> Iterator[Mark]:
    """The signs with their meaning, side by side, in lines that end above the rows, or begin at `y`."""
    rows = key_rows(layout, signs, left)
    first = -16 - (LINE + 2) * (len(rows) - 1) if y is None else y
    for place, row in enumerate(rows):
        for at, sign in row:
            foot = first + (LINE + 2) * place
            yield Point(None, foot - 4, sign.shape, sign.size, sign.look, at=at)
            yield Words(sign.text, foot, at=at + 11, size=12)


def key_room(layout: Layout, signs: Sequence[Sign], left: float = 0) -> int:
    """How much higher a key is than one line."""
    return (LINE + 2) * (len(key_rows(layout, signs, left)) - 1)


def top_of(layout: Layout, signs: Sequence[Sign], left: float, height: int = TOP) -> int:
    """Height above the first row that a key needs there."""
    return height + key_room(layout, signs, left)


def scale_words(layout: Layout, text: str, height: float, left: float) -> Words:
    """What the figures of the scale are: at the left of them, or above their right end where there is no room."""
    if layout.narrow:
        return Words(text, height + 33, at=layout.width, anchor="end", fill=MUTED_HEX, size=12)
    return Words(text, height + 17, at=left - 14, anchor="end", fill=MUTED_HEX, size=12)


def fitted(layout: Layout, drawing: Drawing, top: int = TOP) -> Drawing:
    """A drawing with the width and the room above and below that the layout has."""
    return drawing._replace(width=layout.width, top=top, foot=NARROW_FOOT if layout.narrow else drawing.foot)
