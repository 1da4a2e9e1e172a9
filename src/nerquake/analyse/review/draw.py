"""Which sentences are reviewed: drawn by set and label, fallen and held ones in equal parts, shuffled by the seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from nerquake.analyse.review.items import SIDES, Stratum, item_id, reviewable, strata
from nerquake.core.results import Case
from nerquake.core.seeds import hashed


class Drawing(NamedTuple):
    """How items are drawn.

    sample     how many in all, or with `per_set` of every set
    overlap    the share of them that every one of several reviewers gets, from 0 to 1
    reviewers  1 or more: the rest is dealt out among them
    """

    sample: int
    per_set: bool = False
    overlap: float = 0.2
    seed: int = 0
    reviewers: int = 1


def draw(cases: Iterable[Case], drawing: Drawing) -> tuple[tuple[Case, ...], ...]:
    """The items of each reviewer's page, shuffled; all of the changed sentences where there are fewer than asked for.

    Nothing depends on the order of the cases. Sets get equal parts, so do fallen and held sentences of a set; what one
    of them cannot give the others do. Labels get their share, and each at least one where there is room.
    """
    known = {item_id(case): case for case in reviewable(cases)}
    drawn = _drawn(strata(tuple(known.values())), drawing)
    pages = [[known[key] for key in page] for page in deal(drawn, drawing)]
    return tuple(
        tuple(
            sorted(page, key=lambda case: (hashed(drawing.seed, "review page", number, item_id(case)), item_id(case)))
        )
        for number, page in enumerate(pages)
    )


def _drawn(found: Mapping[str, Stratum], drawing: Drawing) -> list[str]:
    """Ids, stratum by stratum."""
    groups: dict[Stratum, list[str]] = {}
    for key in sorted(found, key=lambda key: (hashed(drawing.seed, "review", key), key)):
        groups.setdefault(found[key], []).append(key)
    names = sorted({stratum.set for stratum in groups})
    sizes = [sum(len(keys) for stratum, keys in groups.items() if stratum.set == name) for name in names]
    quotas = [min(drawing.sample, size) for size in sizes] if drawing.per_set else equal_parts(drawing.sample, sizes)
    drawn: list[str] = []
    for name, quota in zip(names, quotas, strict=True):
        sides = [{s: keys for s, keys in groups.items() if (s.set, s.side) == (name, side)} for side in SIDES]
        parts = equal_parts(quota, [sum(map(len, side.values())) for side in sides])
        for side, part in zip(sides, parts, strict=True):
            labels = sorted(side)
            shares = proportional(part, [len(side[stratum]) for stratum in labels])
            for stratum, share in zip(labels, shares, strict=True):
                drawn += side[stratum][:share]
    return drawn


def deal(drawn: Sequence[str], drawing: Drawing) -> list[list[str]]:
    """The drawn ids by page: every so many-th on all of them, the others in turn, so that every stratum is shared."""
    pages: list[list[str]] = [[] for _ in range(drawing.reviewers)]
    turn = 0
    for place, key in enumerate(drawn):
        if drawing.reviewers == 1 or int((place + 1) * drawing.overlap + 1e-9) > int(place * drawing.overlap + 1e-9):
            for page in pages:
                page.append(key)
        else:
            pages[turn % drawing.reviewers].append(key)
            turn += 1
    return pages


def equal_parts(total: int, sizes: Sequence[int]) -> list[int]:
    """`total` in parts as equal as the sizes allow; what is over goes to the first ones."""
    parts = [0] * len(sizes)
    left = min(total, sum(sizes))
    while left:
        open_ = [place for place, size in enumerate(sizes) if parts[place] < size]
        each = max(1, left // len(open_))
        for place in open_:
            taken = min(each, sizes[place] - parts[place], left)
            parts[place] += taken
            left -= taken
    return parts


def proportional(total: int, sizes: Sequence[int]) -> list[int]:
    """`total` in parts like the sizes, largest remainders first; each at least 1 where there is room for all."""
    whole = sum(sizes)
    total = min(total, whole)
    if not total:
        return [0] * len(sizes)
    least = 1 if total >= len(sizes) else 0
    exact = [total * size / whole for size in sizes]
    parts = [max(least, int(value)) for value in exact]
    order = sorted(range(len(sizes)), key=lambda place: (parts[place] - exact[place], place))
    step = 1 if sum(parts) < total else -1
    while sum(parts) != total:
        for place in order if step > 0 else reversed(order):
            if sum(parts) == total:
                break
            if least <= parts[place] + step <= sizes[place]:
                parts[place] += step
    return parts
