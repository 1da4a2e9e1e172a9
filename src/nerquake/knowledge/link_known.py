"""What mentions with known items teach: which items a surface stands for, and among which words.

An item of a surface is judged by how often the surface meant it, and by the words of the sentence: naive Bayes over
words that are there, with probabilities drawn towards those in all known sentences.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from nerquake.core.linking import Known, Mentioned
from nerquake.knowledge.ids import order_of
from nerquake.knowledge.link_context import bare, context_words

PULL = 2.0
"""How many mentions the probabilities in all known sentences weigh."""
Kind = tuple[str, ...]
KindOf = Callable[[str], Kind]
"""What labels are compared by: `PER` and `person` may be of one kind."""


class Remembered(NamedTuple):
    """An item that a surface is known to stand for, or none ("").

    same_kind  it was so for a mention with such a label
    share      its probability among the known items of the surface and kind
    """

    item: str
    same_kind: bool
    share: float


@dataclass(frozen=True, slots=True)
class Profile:
    """Mentions of an item, and how many of their sentences have each word."""

    mentions: int
    words: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Memory:
    """Mentions whose items are known.

    surfaces  bare text -> kind -> item -> mentions
    profiles  of items, and of surfaces that mean none
    all       the sentences of all mentions
    """

    surfaces: Mapping[str, Mapping[Kind, Mapping[str, int]]]
    profiles: Mapping[str, Profile]
    all: Profile
    digest: str

    @property
    def mentions(self) -> int:
        """How many mentions are known."""
        return self.all.mentions

    def items(self, mention: Mentioned, kind_of: KindOf) -> tuple[Remembered, ...]:
        """The items that a mention's surface is known to stand for, best first; those of its own kind in front."""
        surface = bare(mention.text)
        by_kind = self.surfaces.get(surface)
        if not by_kind:
            return ()
        own = by_kind.get(kind_of(mention.type), {})
        others: Counter[str] = Counter()
        for counts in by_kind.values():
            others.update({item: n for item, n in counts.items() if item not in own})
        words = context_words(mention) if len(own) > 1 or len(others) > 1 else frozenset()
        return (*self._ranked(surface, own, words, True), *self._ranked(surface, others, words, False))

    def _ranked(self, surface: str, counts: Mapping[str, int], words: Iterable[str], same: bool) -> list[Remembered]:
        if not counts:
            return []
        profiles = {item: self.profiles[item or _nil(surface)] for item in counts}
        telling = [word for word in words if any(word in profile.words for profile in profiles.values())]
        logs = {
            item: math.log(n) + math.fsum(math.log(self._probability(profiles[item], word)) for word in telling)
            for item, n in counts.items()
        }
        best = max(logs.values())
        total = math.fsum(math.exp(one - best) for one in logs.values())
        shares = [Remembered(item, same, math.exp(one - best) / total) for item, one in logs.items()]
        return sorted(shares, key=lambda one: (-round(one.share, 9), order_of(one.item)))

    def _probability(self, profile: Profile, word: str) -> float:
        """That a sentence of an item has a word."""
        everywhere = self.all.words[word] / self.all.mentions
        return (profile.words.get(word, 0) + PULL * everywhere) / (profile.mentions + PULL)


def remember(known: Sequence[Known], kind_of: KindOf) -> Memory:
    """Count mentions whose items are known."""
    surfaces: dict[str, dict[Kind, Counter[str]]] = {}
    counts: Counter[str] = Counter()
    words: dict[str, Counter[str]] = {}
    everywhere: Counter[str] = Counter()
    digest = sha256()
    for mention, item in known:
        surface, kind, context = bare(mention.text), kind_of(mention.type), context_words(mention)
        surfaces.setdefault(surface, {}).setdefault(kind, Counter())[item or ""] += 1
        key = item or _nil(surface)
        counts[key] += 1
        words.setdefault(key, Counter()).update(context)
        everywhere.update(context)
        digest.update(repr((surface, kind, item, sorted(context))).encode("utf-8", "surrogatepass"))
    profiles = {key: Profile(n, words[key]) for key, n in counts.items()}
    return Memory(surfaces, profiles, Profile(len(known), everywhere), digest.hexdigest())


def _nil(surface: str) -> str:
    """The profile of a surface's mentions that have no item."""
    return f"\0{surface}"
