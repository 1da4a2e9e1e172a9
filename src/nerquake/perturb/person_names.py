"""Names of people put together from given and family names (paper R: first, middle and last names)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from nerquake.core.edits import Source
from nerquake.perturb.tokens import retokenise

FAMILY_FIRST = frozenset({"hu", "ja", "ko", "vi", "zh"})
"""Languages in which the family name stands in front."""
_TRIES = 16


class PersonName(NamedTuple):
    """A name's tokens, and the names that it is made of."""

    tokens: tuple[str, ...]
    source: Source

    @property
    def text(self) -> str:
        """What it is compared by."""
        return "".join(self.tokens).casefold()


@dataclass(frozen=True, slots=True)
class PersonPool:
    """Given and family names, sorted, to be put together.

    middle   the share of people who get a second given name, from 0 to 1
    """

    given: Sequence[str]
    family: Sequence[str]
    language: str
    middle: float

    def __bool__(self) -> bool:
        return bool(self.given and self.family)

    def draw(self, rng: Random, other_than: str) -> PersonName | None:
        """A name whose text is another than `other_than`; None where none is found."""
        for _ in range(_TRIES):
            made = self._draw(rng)
            if made.tokens and made.text != other_than:
                return made
        return None

    def _draw(self, rng: Random) -> PersonName:
        first, family = _one(self.given, rng), _one(self.family, rng)
        named = [("given", first), ("family", family)]
        second = _one(self.given, rng) if rng.random() < self.middle else ""
        if second and second != first:
            named.insert(1, ("middle", second))
        if self.language in FAMILY_FIRST:
            named = [named[-1], *named[1:-1], named[0]]
        return PersonName(tuple(token for _, name in named for token in retokenise(name)), tuple(named))


def _one(names: Sequence[str], rng: Random) -> str:
    return names[int(rng.random() * len(names))]
