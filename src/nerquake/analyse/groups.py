"""Where it breaks: recall of gold mentions group by group, and the gap between the best group and the worst."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nerquake.analyse.by_sentence import Sampling, measured, per_sentence
from nerquake.analyse.groupings import Grouping, Known, known_surfaces, mention_groupings, replacement_groupings
from nerquake.analyse.material import Fate, Material
from nerquake.core.results import Counts
from nerquake.core.variant import AttackedSet
from nerquake.stats.bootstrap import Floats, ratio

MINIMUM = 20
"""Groups with fewer mentions are marked, and no gap is measured against them."""
SHOWN = 30
"""Groups that are listed, of a grouping by the user's own data."""
Side = Literal["before", "after", "drop"]
SIDES: tuple[Side, ...] = ("before", "after", "drop")
_SIGN: Mapping[Side, int] = {"before": 1, "after": 1, "drop": -1}
"""Whether more is better."""
Bools = NDArray[np.bool_]


class Crowd(NamedTuple):
    """The mentions that are followed under one attack, the same for every model.

    rows       for each mention the place of its sentence among the `sentences` that have one
    groupings  the ways of sorting them
    """

    rows: NDArray[np.intp]
    sentences: int
    groupings: tuple[Grouping, ...]


class Sorted(NamedTuple):
    """The mentions of one crowd under one grouping, as one model meets them.

    right   whether each was right before, and after
    sizes   mentions of each group
    values  by side the recall of each group before and after, and the loss; NaN for empty groups
    enough  places of the groups that hold the minimum
    """

    crowd: Crowd
    grouping: Grouping
    right: tuple[Bools, Bools]
    sizes: NDArray[np.int64]
    values: Mapping[Side, Floats]
    enough: tuple[int, ...]

    def counts(self, places: Sequence[int]) -> Counts:
        """For each of these groups its mentions, those right before and those right after, by sentence."""
        columns = []
        for place in places:
            inside = self.grouping.codes == place
            columns += [inside, *(inside & right for right in self.right)]
        return per_sentence(self.crowd.rows, columns, self.crowd.sentences)


def groups(material: Material, minimum: int = MINIMUM) -> list[dict[str, Any]]:
    """One record for every (tagger, set, grouping), groupings in the order of docs/formats.md.

    ```
    {"tagger", "set", "grouping", "data": whether the user's data name it, "of": "all" or "replaced",
     "mentions": n, "minimum": n,
     "groups": [{"group", "mentions", "small", "before": {"value", "low", "high"}, "after": {..}, "drop": {..}}],
     "not_shown": {"groups": n, "mentions": n},
     "gap": {"before": {"worst", "best", "value", "low", "high"} or null, "after": {..}, "drop": {..}}}
    ```
    `before` and `after` are recall of the same mentions, as fractions: those that stand in both texts of the compared
    sentences; `drop` is the loss. The group with the lowest recall after the attack comes first, small ones (fewer
    than `minimum` mentions) behind all others. A gap is that between the best and the worst group that is not small,
    null where there are not two; in `drop` the worst group is the one that lost most. Intervals are drawn over
    sentences; the interval of a gap is about the two groups that are named, it does not choose them anew.

    Groupings that need training data are there where these are known, and groupings by the user's data (document,
    other columns, `meta`, the source of replacements) where two groups hold the minimum. Of many groups those with
    the lowest recall are listed, with the best one.
    """
    training = None if material.training is None else known_surfaces(material.training)
    fixed = mention_groupings(material.original, training)
    sampling = Sampling(material.resamples, material.level, material.seed)
    crowds: dict[str, Crowd] = {}
    records = []
    for tagger, attacked in material.pairs():
        fates = material.fates(tagger, attacked)
        if not fates:
            continue
        if attacked.name not in crowds:
            crowds[attacked.name] = crowd_of(material, attacked, fates, fixed, training)
        right = _right(fates)
        for record in _records(crowds[attacked.name], right, minimum, sampling):
            records.append({"tagger": tagger, "set": attacked.name, **record})
    return records


def crowd_of(
    material: Material,
    attacked: AttackedSet,
    fates: Sequence[Fate],
    fixed: Sequence[Grouping],
    training: Known | None,
) -> Crowd:
    """The mentions that are followed under a set, sorted; `fixed` are the groupings before any attack."""
    sizes = [0, *accumulate(len(sentence.spans) for sentence in material.original)]
    starts = dict(zip(material.sentences, sizes, strict=False))
    places = np.array([starts[fate.parent] + fate.mention for fate in fates], dtype=np.intp)
    row: dict[str, int] = {}
    rows = np.array([row.setdefault(fate.variant, len(row)) for fate in fates], dtype=np.intp)
    variants = {variant.id: variant for variant in attacked.kept}
    found = (*(one.taken(places) for one in fixed), *replacement_groupings(fates, variants, training))
    return Crowd(rows, len(row), found)


def _right(fates: Sequence[Fate]) -> tuple[Bools, Bools]:
    before = np.fromiter((fate.before.kind == "right" for fate in fates), dtype=np.bool_, count=len(fates))
    after = np.fromiter((fate.after.kind == "right" for fate in fates), dtype=np.bool_, count=len(fates))
    return before, after


def _records(crowd: Crowd, right: tuple[Bools, Bools], minimum: int, sampling: Sampling) -> Iterator[dict[str, Any]]:
    for grouping in crowd.groupings:
        found = _sort(crowd, grouping, right, minimum)
        if not found.sizes.any() or (grouping.data and len(found.enough) < 2):
            continue
        listed, rest = _listed(found)
        yield {
            "grouping": grouping.name,
            "data": grouping.data,
            "of": grouping.of,
            "mentions": int(found.sizes.sum()),
            "minimum": minimum,
            "groups": [_group(found, place, sampling) for place in listed],
            "not_shown": {"groups": len(rest), "mentions": int(found.sizes[rest].sum())},
            "gap": _gaps(found, sampling),
        }


def _sort(crowd: Crowd, grouping: Grouping, right: tuple[Bools, Bools], minimum: int) -> Sorted:
    inside, size = grouping.codes >= 0, len(grouping.groups)
    sizes = np.bincount(grouping.codes[inside], minlength=size)
    before, after = (ratio(np.bincount(grouping.codes[inside & one], minlength=size), sizes) for one in right)
    values: dict[Side, Floats] = {"before": before, "after": after, "drop": before - after}
    enough = tuple(int(place) for place in np.flatnonzero(sizes >= max(1, minimum)))
    return Sorted(crowd, grouping, right, sizes, values, enough)


def _listed(found: Sorted) -> tuple[list[int], list[int]]:
    """The groups to list, worst first, and those left out."""
    enough = set(found.enough)
    present = [int(place) for place in np.flatnonzero(found.sizes)]
    order = sorted(present, key=lambda place: (place not in enough, found.values["after"][place], place))
    if len(order) <= SHOWN:
        return order, []
    best = len(enough) - 1 if len(enough) >= SHOWN else SHOWN - 1
    listed = [*order[: SHOWN - 1], order[best]]
    return listed, sorted(set(order) - set(listed))


def _group(found: Sorted, place: int, sampling: Sampling) -> dict[str, Any]:
    values = measured(found.counts([place]), _recalls, sampling)
    return {
        "group": found.grouping.groups[place],
        "mentions": int(found.sizes[place]),
        "small": place not in found.enough,
        **dict(zip(SIDES, values, strict=True)),
    }


def _gaps(found: Sorted, sampling: Sampling) -> dict[Side, dict[str, Any] | None]:
    """Best less worst of every side; often the same two groups, whose sentences are drawn once for all sides."""
    gaps: dict[Side, dict[str, Any] | None] = dict.fromkeys(SIDES)
    if len(found.enough) < 2:
        return gaps
    ends = {side: _ends(found, side) for side in SIDES}
    for worst, best in dict.fromkeys(ends.values()):
        values = measured(found.counts([worst, best]), _differences, sampling)
        for side, value in zip(SIDES, values, strict=True):
            if ends[side] == (worst, best):
                gaps[side] = {"worst": found.grouping.groups[worst], "best": found.grouping.groups[best], **value}
    return gaps


def _ends(found: Sorted, side: Side) -> tuple[int, int]:
    """The worst and the best group; among equals the first by name is the worst and the last the best."""
    order = sorted(found.enough, key=lambda place: (_SIGN[side] * found.values[side][place], place))
    return order[0], order[-1]


def _differences(sums: Counts) -> Floats:
    """[b, 6], the counts of the worst group and of the best -> [b, 3] how much the best is ahead on every side."""
    return (_recalls(sums[:, 3:]) - _recalls(sums[:, :3])) * [_SIGN[side] for side in SIDES]


def _recalls(sums: Counts) -> Floats:
    """[b, 3] mentions, right before and right after -> [b, 3] recall before, after, and the loss."""
    before, after = ratio(sums[:, 1], sums[:, 0]), ratio(sums[:, 2], sums[:, 0])
    return np.stack([before, after, before - after], axis=1)
