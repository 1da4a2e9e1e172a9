"""A masked language model and a source of parts of speech whose answers are known by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from nerquake.core.dataset import Dataset
from nerquake.core.fillers import Fill, Masked

SPEC = "tests.analyse.fillers:ByLength"
WORDS = ("river", "garden", "winter", "market", "letter", "engine")
ASKED: list[Masked] = []
"""Every request to score that was made."""
UNSEEN = "☃"


@dataclass(frozen=True)
class ByLength:
    """The logarithm of a word's probability is minus its length times `slope`; `☃` is not seen, `∞` impossible.

    It fills with the same words everywhere.
    """

    slope: float = 1.0
    noise: float = 0.0
    cased: bool = True

    def learn(self, corpus: Dataset) -> ByLength:
        return self

    def fill(self, requests: Sequence[Masked], depth: int) -> list[list[Fill]]:
        ranked = [Fill("[CLS]", 9.0, "special"), Fill("##s", 8.0, "piece")]
        ranked += [Fill(word, 7.0 - at) for at, word in enumerate(WORDS)]
        return [ranked[:depth] for _ in requests]

    def score(self, requests: Sequence[Masked]) -> list[float]:
        ASKED.extend(requests)
        return [self._score(one.tokens[one.position]) for one in requests]

    def _score(self, word: str) -> float:
        if word == UNSEEN:
            return math.nan
        return -math.inf if word == "∞" else -len(word) * self.slope

    def about(self) -> tuple[str, ...]:
        return (f"word lengths, slope {self.slope:g}, fp32",)

    def fingerprint(self) -> str:
        return f"by length {self.slope:g}"


@dataclass(frozen=True)
class ByFirstLetter:
    """A word is a noun up to `m`, a verb behind it; `☃` has no part of speech."""

    tells_classes: bool = True

    def tag(self, batch: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        return [
            tuple("X" if word == UNSEEN else "NOUN" if word[0].lower() <= "m" else "VERB" for word in tokens)
            for tokens in batch
        ]

    def about(self) -> tuple[str, ...]:
        return ("first letters",)

    def fingerprint(self) -> str:
        return "first letters"
