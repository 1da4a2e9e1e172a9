"""Randomness as a function of what it is for, never of when it is asked for.

Every draw is keyed by (seed, specification, sentence id, mention index). So a sentence gets the same draws whatever
stands before it, however many workers run and in whatever order they finish (docs/design.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from random import Random

SEPARATOR = "\x1f"


def hashed(*parts: object) -> int:
    """A 64-bit number that depends on the parts alone, equal in every process."""
    return int.from_bytes(blake2b(_bytes(SEPARATOR.join(map(str, parts))), digest_size=8).digest(), "big")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Draws:
    """The draws of one perturbation, or of one sentence under it."""

    seed: int
    key: str
    sentence_id: str = ""

    def of(self, sentence_id: str) -> Draws:
        """The same perturbation's draws for one sentence."""
        return Draws(self.seed, self.key, sentence_id)

    def number(self, *what: object) -> int:
        """A 64-bit number for one purpose, for example a mention index."""
        return hashed(self.seed, self.key, self.sentence_id, *what)

    def numbers(self, *what: object) -> Callable[[str], int]:
        """`number(*what, text)` as a function of the text, for many texts."""
        parts = (self.seed, self.key, self.sentence_id, *what, "")
        start = blake2b(_bytes(SEPARATOR.join(map(str, parts))), digest_size=8)

        def number(text: str) -> int:
            state = start.copy()
            state.update(_bytes(text))
            return int.from_bytes(state.digest(), "big")

        return number

    def share(self, *what: object) -> float:
        """A number in [0, 1) for one purpose."""
        return (self.number(*what) >> 11) / 2**53  # 53 bits: all 64 could round up to 1.0

    def random(self, *what: object) -> Random:
        """A generator for one purpose; what is drawn from it touches no other purpose."""
        return Random(self.number(*what))
