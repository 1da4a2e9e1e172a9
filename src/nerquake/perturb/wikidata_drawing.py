"""Drawing entities: a class of the mention's, each as likely as the next, then an entity of it.

Every draw is a hash of what it is for, and a position in the fixed random order of a class's entities, so that neither
other mentions nor the way a dictionary is stored matter. Mentions are drawn for together, a query a round: what a
mention may not get (its own entity, its own text) is drawn again, and a class that has nothing else is left aside.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nerquake.core.seeds import Draws
from nerquake.knowledge.dictionary import Dictionary, Instance
from nerquake.perturb.tokens import retokenise

_TRIES = 16
"""Draws from a class before all of its entities are looked at."""
_PART = 10_000
"""Entities that are looked at in one query."""
_DIRECTION = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""Marks of direction that names in databases carry and texts do not."""
Unit = tuple[str | int, ...]


class ClassPool(NamedTuple):
    """The entities of a class that can be drawn for a name type, and how many they are."""

    id: str
    type: str
    size: int


class Wanted(NamedTuple):
    """A mention, or several that are to get the same, and what may replace it.

    unit   what its draws are keyed by
    text   its tokens as `plain` has them
    item   the entity that it stands for, empty where that is not known
    """

    unit: Unit
    text: str
    item: str
    pools: tuple[ClassPool, ...]


class Drawn(NamedTuple):
    """What replaces a mention."""

    tokens: tuple[str, ...]
    item: str
    pool: ClassPool


def name_tokens(name: str) -> tuple[str, ...]:
    """A name's tokens, as data sets have them."""
    return retokenise(_DIRECTION.sub("", name))


def plain(tokens: Sequence[str]) -> str:
    """What names are compared by: neither case, nor how they are split, nor an article in front counts."""
    rest = tokens[1:] if len(tokens) > 1 and tokens[0].casefold() == "the" else tokens
    return "".join(rest).casefold()


def draw_entities(
    dictionary: Dictionary, language: str, wanted: Sequence[Wanted], draws: Draws, purpose: str
) -> Mapping[Unit, Drawn]:
    """An entity for every mention that has one to get; the others are left out.

    draws     the attack's
    purpose   tells draws for the same mention apart
    """
    found: dict[Unit, Drawn] = {}
    searches = [_Search(one, list(one.pools), draws.of(""), purpose) for one in wanted if one.pools]
    while searches:
        answers = _instances(dictionary, language, [(one.pool, one.place()) for one in searches])
        going_on: list[_Search] = []
        for search, instance in zip(searches, answers, strict=True):
            drawn = search.fits(instance)
            if drawn is None and search.tries >= _TRIES:
                drawn = search.among_all(dictionary, language)
                if drawn is None and search.next_class():
                    going_on.append(search)
            elif drawn is None:
                going_on.append(search)
            if drawn is not None:
                found[search.wanted.unit] = drawn
        searches = going_on
    return found


@dataclass(slots=True)
class _Search:
    """A mention that has nothing yet, and the classes that are left to draw from."""

    wanted: Wanted
    left: list[ClassPool]
    draws: Draws
    purpose: str
    chosen: int = -1
    tries: int = 0

    @property
    def pool(self) -> ClassPool:
        """The class that it draws from; chosen among those that are left."""
        if self.chosen < 0:
            self.chosen = int(self._share("class", len(self.left)) * len(self.left))
        return self.left[self.chosen]

    def place(self) -> int:
        """The place of the next entity to look at."""
        self.tries += 1
        return int(self._share(self.pool.id, self.tries) * self.pool.size)

    def _share(self, *what: object) -> float:
        return self.draws.share(self.purpose, *self.wanted.unit, *what)

    def fits(self, instance: Instance) -> Drawn | None:
        """The entity as a replacement, unless it is the mention's own or has its text."""
        tokens = name_tokens(instance.name)
        if not tokens or instance.item == self.wanted.item or plain(tokens) == self.wanted.text:
            return None
        return Drawn(tokens, instance.item, self.pool)

    def among_all(self, dictionary: Dictionary, language: str) -> Drawn | None:
        """One of all the class's entities that fit; None where there is none."""
        pool = self.pool
        fitting: list[Drawn] = []
        for start in range(0, pool.size, _PART):
            places = [(pool, place) for place in range(start, min(start + _PART, pool.size))]
            fitting += filter(None, map(self.fits, _instances(dictionary, language, places)))
        return fitting[int(self._share(pool.id, "all") * len(fitting))] if fitting else None

    def next_class(self) -> bool:
        """Leave the class aside; False where none is left."""
        del self.left[self.chosen]
        self.chosen, self.tries = -1, 0
        return bool(self.left)


def _instances(dictionary: Dictionary, language: str, places: Sequence[tuple[ClassPool, int]]) -> list[Instance]:
    """The entities at places of classes, asked for by name type."""
    by_type: dict[str, list[int]] = {}
    for number, (pool, _) in enumerate(places):
        by_type.setdefault(pool.type, []).append(number)
    found: dict[int, Instance] = {}
    for type_, numbers in by_type.items():
        asked = [(places[number][0].id, places[number][1]) for number in numbers]
        found.update(zip(numbers, dictionary.instances(asked, language, type_), strict=True))
    return [found[number] for number in range(len(places))]
