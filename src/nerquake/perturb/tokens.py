"""Names as tokens: split as tokenised data sets have them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SHORT = "bros cie co corp dr ft inc jr kft ltd ltda mr mrs mt no nr nyrt prof pvt san sr sra ss st ste str tic zrt şti"
_ABBREVIATIONS = frozenset(_SHORT.split())
_OPENING = re.compile(r"^[(\[{\"“„«‹‘]")
_CLOSING = re.compile(r"(?:[)\]},;:!?\"”»›،؛؟।॥]|['’][sS])$")
_IDEOGRAPH = re.compile("[々-〇\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def retokenise(text: str) -> tuple[str, ...]:
    """A name's tokens: blanks part them, punctuation at their ends stands alone, hyphens and inner points stay.

    As in the Penn treebank a comma, a bracket and a possessive 's are tokens; a final point is one unless it ends an
    abbreviation (`St.`, `e.V.`, `J.`).
    """
    tokens: list[str] = []
    for piece in text.split():
        tokens += _parted(piece)
    return tuple(tokens)


def by_character(tokens: Sequence[str]) -> bool:
    """Whether each Chinese or Japanese character of a sentence is a token of its own, as in MultiCoNER."""
    written = [token for token in tokens if _IDEOGRAPH.search(token)]
    return len(written) > 1 and all(len(token) == 1 for token in written)


def characters_apart(tokens: Sequence[str]) -> tuple[str, ...]:
    """Tokens with Chinese and Japanese characters on their own, and what stands between them together."""
    parts = (part for token in tokens for part in re.split(f"({_IDEOGRAPH.pattern})", token))
    return tuple(filter(None, parts))


def _parted(piece: str) -> list[str]:
    if piece.isalpha():
        return [piece]
    before: list[str] = []
    after: list[str] = []
    while len(piece) > 1 and (found := _OPENING.search(piece)):
        before.append(found.group())
        piece = piece[found.end() :]
    while len(piece) > 1 and (found := _CLOSING.search(piece)) and found.start():
        after.append(found.group())
        piece = piece[: found.start()]
    if piece.endswith(".") and not _abbreviated(piece):
        after.append(".")
        piece = piece[:-1]
    return [*before, piece, *reversed(after)]


def _abbreviated(piece: str) -> bool:
    stem = piece[:-1]
    return len(stem) < 2 or "." in stem or stem.casefold() in _ABBREVIATIONS


def folded_text(tokens: tuple[str, ...]) -> str:
    """What two mentions are compared by where a difference in case does not count."""
    return " ".join(tokens).casefold()
