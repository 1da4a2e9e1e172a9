"""Dealing texts out again: a random permutation in which as many as possible get another text than their own."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random


def deal(groups: Sequence[str], rng: Random) -> list[int]:
    """For each place the place whose text it gets, `i` for `i` where it keeps its own.

    groups   what the text at each place is compared by
    rng      decides; with the same groups and state the result is the same

    Every place's text is given out exactly once. With n places of which m share the commonest text, min(n, 2(n - m))
    get a text of another group; the others keep their own.
    """
    members: dict[str, list[int]] = {}
    for place, group in enumerate(groups):
        members.setdefault(group, []).append(place)
    largest = max(members.values(), key=len, default=[])
    if 2 * len(largest) > len(groups):
        return _exchange(groups, largest, rng)
    given = list(range(len(groups)))
    rng.shuffle(given)
    _repair(groups, members, given, rng)
    return given


def _exchange(groups: Sequence[str], largest: Sequence[int], rng: Random) -> list[int]:
    """One text has the majority: all others change places with as many of its mentions."""
    given = list(range(len(groups)))
    majority = groups[largest[0]]
    others = [place for place, group in enumerate(groups) if group != majority]
    partners = rng.sample(largest, len(others))
    for place, partner in zip(others, partners, strict=True):
        given[place], given[partner] = partner, place
    return given


def _repair(groups: Sequence[str], members: dict[str, list[int]], given: list[int], rng: Random) -> None:
    """Exchange what was dealt until nobody has a text of their own group.

    A place that got its own group's text changes with one that neither is of this group nor got this group's text.
    There is always one: at most n/2 places are of the group and as many got its text, one of them being both.
    """
    size = len(groups)
    for group, places in members.items():
        stuck = [place for place in places if groups[given[place]] == group]
        if not stuck:
            continue
        if 4 * len(places) > size:
            free = [p for p in range(size) if groups[p] != group and groups[given[p]] != group]
            partners = rng.sample(free, len(stuck))
        else:
            partners = []
        for index, place in enumerate(stuck):
            partner = partners[index] if partners else _free_place(groups, given, group, rng)
            given[place], given[partner] = given[partner], given[place]


def _free_place(groups: Sequence[str], given: Sequence[int], group: str, rng: Random) -> int:
    """A place to change with, where at least half of them will do."""
    while True:
        place = int(rng.random() * len(groups))
        if groups[place] != group and groups[given[place]] != group:
            return place
