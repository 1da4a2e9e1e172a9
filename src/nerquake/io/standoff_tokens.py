"""Tokenisers for texts with character offsets: whitespace, regex, and spaCy's rules by language.

A tokeniser gives half-open ranges of code points, in order and disjoint. What lies in no range is spacing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Protocol
from unicodedata import category

from nerquake.core.errors import MissingExtra, UnknownName, UsageError

Range = tuple[int, int]
BLANKS = " \t\n\r\f\v"


class Tokeniser(Protocol):
    """Finds the words of a text."""

    def __call__(self, text: str) -> list[Range]:
        """The range of each token."""
        ...


def tokeniser(name: str, language: str = "") -> Tokeniser:
    """The tokeniser of an option's value.

    name       whitespace, regex, spacy:xx, or spacy with the language of the data
    language   the data's language, for `spacy` alone

    Raises:
        UnknownName: there is no such tokeniser.
        UsageError: spaCy has no rules for the language, or none is named.
        MissingExtra: spaCy is not installed.
    """
    kind, _, code = name.partition(":")
    make = _MAKERS.get(kind)
    if make is None or (code and kind != "spacy"):
        raise UnknownName("tokeniser", name, ("whitespace", "regex", "spacy:xx"))
    return make(code or language)


_WORD = re.compile(f"[^{BLANKS}]+")


def whitespace(text: str) -> list[Range]:
    """Words between blanks, tabs and line ends. Other spaces, such as U+00A0, belong to words."""
    return [found.span() for found in _WORD.finditer(text)]


_ASCII = re.compile(r"\d+(?:[.,:]\d+)+|\w+|[^\w\s\x00-\x1f\x7f]", re.ASCII)
_REGIONAL = ("\U0001f1e6", "\U0001f1ff")
_MODIFIERS = ("\U0001f3fb", "\U0001f3ff")
# Scripts that put no blanks between words: each letter with its marks is a token.
_ALONE = (("\u0e01", "\u0eff"), ("\u1000", "\u109f"), ("\u1780", "\u17ff"), ("\u3041", "\u309f"), ("\u3400", "\u4dbf"),
          ("\u4e00", "\u9fff"), ("\uf900", "\ufaff"), ("\U00020000", "\U000323af"))  # fmt: skip
_JOINED = "\u30fc\u0e33\u0eb3"
"""Letters that belong to the one before: a long vowel's mark, and two vowels that are written behind a consonant."""
_ZWJ = "\u200d"


def regex(text: str) -> list[Range]:
    """Words and numbers; each punctuation mark or symbol apart.

    Combining marks, joiners, variation selectors and skin tones stay with their character, flags and joined emoji are
    one token, so no grapheme cluster is split. Scripts without blanks between words give one token a character.
    """
    if text.isascii():
        return [found.span() for found in _ASCII.finditer(text)]
    found: list[Range] = []
    start, before = 0, " "
    for at, character in enumerate(text):
        kind = _kind(character)
        if before != " " and (kind == "+" or _joins(text, at, start, before, kind)):
            before = before if kind in "+.r" else kind
            continue
        if before != " ":
            found.append((start, at))
        start, before = at, " " if kind == " " else "." if kind == "+" else kind
    if before != " ":
        found.append((start, len(text)))
    return found


@cache
def _kind(character: str) -> str:
    """w: letter, n: digit, 1: letter that stands alone, +: stays with the one before, r: half a flag, .: other."""
    kind = category(character)
    if kind in ("Mn", "Mc", "Me") or character in _JOINED or _MODIFIERS[0] <= character <= _MODIFIERS[1]:
        return "+"
    if kind == "Cf":  # a zero-width space divides words, other marks that one cannot see join them
        return " " if character in "\u200b\ufeff" else "+"
    if kind in ("Zs", "Zl", "Zp", "Cc"):
        return " "
    if any(low <= character <= high for low, high in _ALONE) and kind[0] == "L":
        return "1"
    if kind[0] == "L" or character == "_":
        return "w"
    if kind[0] == "N":
        return "n"
    return "r" if _REGIONAL[0] <= character <= _REGIONAL[1] else "."


def _joins(text: str, at: int, start: int, before: str, kind: str) -> bool:
    """Whether a character belongs to the token in front of it."""
    if kind == " ":
        return False
    if text[at - 1] == _ZWJ:
        return True
    if kind in "wn" and before in "wn":
        return True
    if kind == "r" and before == "r":
        return sum(_kind(character) == "r" for character in text[start:at]) == 1
    inside = kind == "." and text[at] in ".,:" and before == "n" and _is_number(text[start:at])
    if inside and at + 1 < len(text) and _kind(text[at + 1]) == "n":
        return True
    return before == "." and kind == "n" and at - start > 1 and text[at - 1] in ".,:" and _kind(text[start]) == "n"


def _is_number(word: str) -> bool:
    return all(_kind(character) == "n" or character in ".,:" for character in word)


def _spacy(language: str) -> Tokeniser:
    if not language:
        raise UsageError("tokenizer=spacy needs a language: tokenizer=spacy:de, or --language de")
    if find_spec("spacy") is None:
        raise MissingExtra(f"the tokeniser spacy:{language}", "spacy", "spacy")
    return _spacy_rules(language)


@cache
def _spacy_rules(language: str) -> Tokeniser:
    import spacy

    try:
        made = spacy.blank(language)
    except ImportError as error:
        reason = str(error).partition(". ")[0].removeprefix("[E048] ")
        raise UsageError(f"tokenizer=spacy:{language}: {reason} (en, de, hi, xx, ...)") from error

    def rules(text: str) -> list[Range]:
        return [(token.idx, token.idx + len(token)) for token in made.make_doc(text) if token.text.strip(BLANKS)]

    return rules


_MAKERS: dict[str, Callable[[str], Tokeniser]] = {
    "whitespace": lambda language: whitespace,
    "regex": lambda language: regex,
    "spacy": _spacy,
}
