"""Whether different attacks break the same mentions (paper R, section 3: "succeed in different parts of examples").

Mentions are those of the original text, followed through each set's mention map.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, NamedTuple

from nerquake.analyse.material import Material
from nerquake.core.variant import AttackedSet

Reading = Literal["wrong", "fell"]
READINGS: tuple[Reading, ...] = ("wrong", "fell")
SHOWN = 12
"""Combinations that are listed; the others are summed."""


class _History(NamedTuple):
    """What became of a mention under all sets, as bits in their order.

    present   the mention stands in the set's text
    wrong     it is wrong there
    right     it was right before any attack
    """

    present: int
    wrong: int
    right: bool


@dataclass(slots=True)
class _Seen:
    """A history while it is gathered."""

    present: int = 0
    wrong: int = 0
    right: bool = False


def overlap(material: Material) -> list[dict[str, Any]]:
    """One record for every model that answered two attacked sets or more.

    ```
    {"tagger", "sets": [names], "wrong": reading, "fell": reading}
    reading = {"pairs": [{"a", "b", "mentions", "only_a", "only_b", "both", "jaccard": fraction | null}],
               "mentions", "combinations": [{"sets": [names], "mentions"}],
               "others": {"combinations", "mentions"}, "never", "never_share"}
    ```
    In the reading "wrong" a mention fails under a set if it is wrong there, whatever it was before; in "fell" if it
    was right before and is wrong there, and only mentions that were right before are looked at.

    A pair is over the `mentions` that stand in both texts; its Jaccard similarity is both / (only_a + only_b + both),
    null where none fails. Combinations are over the `mentions` that stand in every set: how many fail under exactly
    these sets, the 12 most frequent and the sum of the others, most frequent first, then fewer sets, then their order.
    `never` of the mentions fail under no set; the share is null where there are no mentions.
    """
    found = []
    for tagger in material.taggers:
        sets = [attacked for name, attacked in material.pairs() if name == tagger]
        if len(sets) > 1:
            histories = _histories(material, tagger, sets)
            names = [attacked.name for attacked in sets]
            record: dict[str, Any] = {"tagger": tagger, "sets": names}
            found.append(record | {reading: _reading(histories, names, reading) for reading in READINGS})
    return found


def _histories(material: Material, tagger: str, sets: Sequence[AttackedSet]) -> Counter[_History]:
    """How many mentions have each history: there are few different ones, however many mentions."""
    seen: defaultdict[tuple[str, int], _Seen] = defaultdict(_Seen)
    for number, attacked in enumerate(sets):
        bit = 1 << number
        for fate in material.fates(tagger, attacked):
            mention = seen[fate.parent, fate.mention]
            mention.present |= bit
            mention.right = fate.before.kind == "right"
            if fate.after.kind != "right":
                mention.wrong |= bit
    return Counter(_History(one.present, one.wrong, one.right) for one in seen.values())


def _reading(histories: Counter[_History], names: Sequence[str], reading: Reading) -> dict[str, Any]:
    taken = {one: times for one, times in histories.items() if reading == "wrong" or one.right}

    def number(wanted: Callable[[_History], bool]) -> int:
        return sum(times for one, times in taken.items() if wanted(one))

    everywhere = (1 << len(names)) - 1
    failing: Counter[int] = Counter()
    for one, times in taken.items():
        if one.present == everywhere:
            failing[one.wrong] += times
    mentions, never = failing.total(), failing.pop(0, 0)
    ordered = sorted(failing.items(), key=lambda item: (-item[1], item[0].bit_count(), _members(item[0], names)))
    return {
        "pairs": list(_pairs(names, number)),
        "mentions": mentions,
        "combinations": [
            {"sets": [names[place] for place in _members(bits, names)], "mentions": times}
            for bits, times in ordered[:SHOWN]
        ],
        "others": {
            "combinations": len(ordered[SHOWN:]),
            "mentions": sum(times for _, times in ordered[SHOWN:]),
        },
        "never": never,
        "never_share": never / mentions if mentions else None,
    }


def _members(bits: int, names: Sequence[str]) -> tuple[int, ...]:
    """The places of the sets in a combination."""
    return tuple(place for place in range(len(names)) if bits >> place & 1)


def _pairs(names: Sequence[str], number: Callable[[Callable[[_History], bool]], int]) -> Iterator[dict[str, Any]]:
    for a, b in combinations(range(len(names)), 2):
        left, right = 1 << a, 1 << b
        both = left | right

        def failing(wrong: int, both: int = both) -> int:
            return number(lambda one: one.present & both == both and one.wrong & both == wrong)

        counts = {"only_a": failing(left), "only_b": failing(right), "both": failing(both)}
        union = sum(counts.values())
        yield {
            "a": names[a],
            "b": names[b],
            "mentions": union + failing(0),
            **counts,
            "jaccard": counts["both"] / union if union else None,
        }
