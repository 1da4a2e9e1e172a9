"""Offsets of a text in the units that tools count in: code points, UTF-16 units (browsers, Java), UTF-8 bytes."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import Literal

from nerquake.core.sentence import Sentence

Unit = Literal["codepoint", "utf16", "byte"]
UNIT_NAMES: dict[Unit, str] = {"codepoint": "code points", "utf16": "UTF-16 units", "byte": "UTF-8 bytes"}


class OffsetError(ValueError):
    """An offset that no place in the text has. `outside`: it lies behind the end, or is negative."""

    def __init__(self, message: str, outside: bool) -> None:
        self.outside = outside
        super().__init__(message)


class Offsets:
    """Both ways between code points of a text and offsets in another unit. Built in one pass, then logarithmic.

    crlf_as_one   the tool counted a line end of CR and LF as one unit
    """

    def __init__(self, text: str, unit: Unit = "codepoint", crlf_as_one: bool = False) -> None:
        self.text, self.unit = text, unit
        joined = crlf_as_one and "\r\n" in text
        self._starts = None if _same(text, unit) and not joined else [0, *accumulate(_widths(text, unit, joined))]

    @property
    def size(self) -> int:
        """Length of the text in the unit."""
        return len(self.text) if self._starts is None else self._starts[-1]

    def to_codepoint(self, offset: int) -> int:
        """The code point that begins at an offset; the text's length for the offset behind its end.

        Raises:
            OffsetError: the offset lies outside the text, or inside a character.
        """
        if not 0 <= offset <= self.size:
            what = f"offset {offset} lies outside the text, which has {self.size} {UNIT_NAMES[self.unit]}"
            raise OffsetError(what, outside=True)
        if self._starts is None:
            return offset
        index = bisect_left(self._starts, offset)
        if self._starts[index] != offset:
            character = self.text[index - 1]
            width = self._starts[index] - self._starts[index - 1]
            what = f"offset {offset} lies inside the character {character!r}, which has {width} {UNIT_NAMES[self.unit]}"
            raise OffsetError(what, outside=False)
        return index

    def character_at(self, offset: int) -> int:
        """The code point that an offset lies on: its first unit, or any other of its units.

        Raises:
            OffsetError: the offset lies outside the text.
        """
        if not 0 <= offset < self.size:
            what = f"offset {offset} lies outside the text, which has {self.size} {UNIT_NAMES[self.unit]}"
            raise OffsetError(what, outside=True)
        return offset if self._starts is None else bisect_right(self._starts, offset) - 1

    def from_codepoint(self, index: int) -> int:
        """The offset of a code point, or of the text's end.

        Raises:
            OffsetError: there is no such code point.
        """
        if not 0 <= index <= len(self.text):
            raise OffsetError(f"the text has {len(self.text)} code points, not {index}", outside=True)
        return index if self._starts is None else self._starts[index]


def _same(text: str, unit: Unit) -> bool:
    """Whether each character is one unit wide."""
    return unit == "codepoint" or text.isascii() or (unit == "utf16" and max(text) <= "\uffff")


def _widths(text: str, unit: Unit, crlf_as_one: bool) -> list[int]:
    if unit == "codepoint":
        widths = [1] * len(text)
    elif unit == "utf16":
        widths = [1 + (character > "\uffff") for character in text]
    else:
        widths = [1 + (character > "\x7f") + (character > "\u07ff") + (character > "\uffff") for character in text]
    if crlf_as_one:
        for found in re.finditer("\r\n", text):
            widths[found.start()] = 0
    return widths


def token_offsets(sentence: Sentence) -> tuple[tuple[int, int], ...]:
    """For each token its half-open range of code points in `sentence.text`."""
    spaces = (True,) * len(sentence.tokens) if sentence.spaces is None else sentence.spaces
    found: list[tuple[int, int]] = []
    at = 0
    for token, space in zip(sentence.tokens, spaces, strict=True):
        found.append((at, at + len(token)))
        at += len(token) + space
    return tuple(found)
