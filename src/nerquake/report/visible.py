"""Data text that cannot trick the reader: invisible and direction-changing characters are written as their numbers."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

_JOINERS = "\u200c\u200d"
"""Scripts and emoji need these between two characters; alone or at an end they are only invisible."""


class Piece(NamedTuple):
    """A stretch of text; `hidden` is one invisible character, given as its number such as `U+202E`."""

    text: str
    hidden: bool


def is_hidden(character: str) -> bool:
    """Whether a character cannot be seen, or changes how others are drawn: controls, formats, odd blanks."""
    if " " <= character <= "~":
        return False
    category = unicodedata.category(character)
    return category in ("Cc", "Cf", "Cs", "Zl", "Zp") or (category == "Zs" and character != " ")


def pieces(text: str) -> Iterator[Piece]:
    """The text in stretches, every hidden character by itself."""
    plain: list[str] = []
    for index, character in enumerate(text):
        if is_hidden(character) and not _joins(text, index):
            if plain:
                yield Piece("".join(plain), hidden=False)
                plain = []
            yield Piece(f"U+{ord(character):04X}", hidden=True)
        else:
            plain.append(character)
    if plain:
        yield Piece("".join(plain), hidden=False)


def visible(text: str) -> str:
    """The text in one piece, hidden characters as `‹U+202E›`; safe inside an attribute, still to be escaped."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"‹{piece.text}›" if piece.hidden else piece.text for piece in pieces(text))


def _joins(text: str, index: int) -> bool:
    if text[index] not in _JOINERS or not 0 < index < len(text) - 1:
        return False
    return not (is_hidden(text[index - 1]) or is_hidden(text[index + 1]) or " " in text[index - 1 : index + 2])
