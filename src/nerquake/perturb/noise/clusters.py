"""Grapheme clusters: what a reader sees as one character, which noise must never cut.

`regex` knows Unicode's rules for them (conjuncts of Indic scripts, joined emoji, flags), which the standard library
does not.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import regex

_CLUSTER = regex.compile(r"\X(?:(?=\p{M})\X)*")
"""A cluster with the signs behind it: Unicode parts some vowels of Burmese and its neighbours from their letter."""


@lru_cache(maxsize=65536)
def clusters(token: str) -> tuple[str, ...]:
    """The token's grapheme clusters, in order; joined they are the token."""
    return tuple(_CLUSTER.findall(token))


def is_word(token: str) -> bool:
    """Whether there is a letter in it."""
    return any(map(str.isalpha, token))


def is_mark(token: str) -> bool:
    """Whether it is punctuation alone: commas, brackets, quotation marks, dashes; not `$`, `%`, `#NER` or emoji."""
    return bool(token) and all(_punctuates(character) for character in token)


def _punctuates(character: str) -> bool:
    """Unicode counts among punctuation also what is read as a word: per cent, and, at."""
    return character == "`" or (unicodedata.category(character)[0] == "P" and character not in "%‰&@#*§¶†‡/\\_")
