"""What an n-gram model knows of words: their numbers, and three coarser forms that rare words share with common ones.

A position is described by its window, the two tokens on either side of it, each in four forms.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]

WORD, SHAPE, ENDING, SUFFIX = range(4)
"""Forms: the word; capitals, digits or the mark that it is; that with its last two letters; its last three letters."""
FORMS = 4
LEFT2, LEFT, RIGHT, RIGHT2 = range(4)
"""Places in a window."""
_PLACES = (-2, -1, 1, 2)
UNKNOWN = -1

_BEGIN, _END, _BEYOND = "\n<s>", "\n</s>", "\n"
"""Stand around a sentence. No word of a vocabulary holds a line end."""
_BORDERS = (_BEGIN, _END, _BEYOND)


def is_word(token: str) -> bool:
    """Whether a token is one word to an attack: not empty, and no blank inside."""
    return token.split() == [token]


def shape_of(token: str) -> str:
    """Digits, all capitals, a capital in front, other letters; for other tokens the mark that they begin with."""
    if token in _BORDERS:
        return token
    if any(map(str.isdigit, token)):
        return "0"
    if any(map(str.isalpha, token)):
        if token[0].isupper():
            return "AA" if len(token) > 1 and token.isupper() else "Aa"
        return "a"
    kind = unicodedata.category(token[0])
    return token[0] if kind.startswith("P") else kind


def _forms_of(token: str) -> tuple[str, str, str]:
    shape = shape_of(token)
    lower = "0" if shape == "0" else token.lower()
    return shape, f"{shape}\n{lower[-2:]}", lower[-3:]


class Forms(NamedTuple):
    """Numbers of a token's forms; UNKNOWN where the corpus has none like it."""

    word: int
    shape: int
    ending: int
    suffix: int


NOTHING = Forms(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN)
"""A token that is not shown, or that is no word."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a corpus in the order of their text, so that a number never depends on the order of sentences.

    words   by number
    ids     their numbers; borders come behind them
    coarse  numbers of shapes, endings and suffixes
    table   for each word and border its forms, and a last row of UNKNOWN
    """

    words: tuple[str, ...]
    ids: dict[str, int]
    coarse: tuple[dict[str, int], ...]
    table: Ints

    @classmethod
    def of(cls, tokens: Iterable[str]) -> Vocabulary:
        """The vocabulary of a corpus: its tokens that are words."""
        words = tuple(sorted(filter(is_word, set(tokens))))
        forms = [_forms_of(text) for text in (*words, *_BORDERS)]
        coarse = tuple(
            {text: number for number, text in enumerate(sorted(set(texts)))} for texts in zip(*forms, strict=True)
        )
        rows = [
            (number, *(known[text] for known, text in zip(coarse, texts, strict=True)))
            for number, texts in enumerate(forms)
        ]
        ids = {word: number for number, word in enumerate(words)}
        return cls(words, ids, coarse, np.array([*rows, NOTHING], np.int32))

    def __len__(self) -> int:
        return len(self.words)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many numbers each form has."""
        return (len(self.table) - 1, *map(len, self.coarse))

    def forms(self, token: str) -> Forms:
        """The forms of any token."""
        number = self.ids.get(token)
        if number is not None:
            return Forms(*self.table[number].tolist())
        if not is_word(token):
            return NOTHING
        shape, ending, suffix = (
            known.get(text, UNKNOWN) for known, text in zip(self.coarse, _forms_of(token), strict=True)
        )
        return Forms(UNKNOWN, shape, ending, suffix)

    def window(
        self, tokens: Sequence[str], position: int, hidden: Collection[int], known: dict[str, Forms]
    ) -> list[Forms]:
        """The forms of the tokens around a position; NOTHING for those that are not shown.

        known   forms that were looked up before, and will be
        """
        window = []
        for step in _PLACES:
            place = position + step
            if place in hidden:
                window.append(NOTHING)
                continue
            if not 0 <= place < len(tokens):
                window.append(self._border(place, len(tokens)))
                continue
            token = tokens[place]
            if token not in known:
                known[token] = self.forms(token)
            window.append(known[token])
        return window

    def _border(self, place: int, size: int) -> Forms:
        which = _BEGIN if place == -1 else _END if place == size else _BEYOND
        return Forms(*self.table[len(self) + _BORDERS.index(which)].tolist())

    def corpus(self, sentences: Sequence[Sequence[str]]) -> tuple[Ints, Ints]:
        """For each token of a corpus its number, UNKNOWN where it is no word, and those of the tokens around it."""
        begin, end, beyond = range(len(self), len(self) + len(_BORDERS))
        padded: list[int] = []
        inside: list[int] = []
        for tokens in sentences:
            inside += range(len(padded) + 2, len(padded) + 2 + len(tokens))
            padded += (beyond, begin, *(self.ids.get(token, UNKNOWN) for token in tokens), end, beyond)
        numbers, places = np.array(padded, np.int32), np.array(inside, np.int64)
        around = np.stack([numbers[places + step] for step in _PLACES], axis=1)
        return numbers[places], around
