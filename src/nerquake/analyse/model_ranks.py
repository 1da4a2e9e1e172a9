"""Models together: whether those that are better on the original text stand firmer, and whether their order changes.

Paper R, 3: "performance on the original test set is positively correlated with the robustness against our attacks".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any, NamedTuple

from nerquake.analyse.kind_counts import KindCounts, defined, f1
from nerquake.analyse.material import Material
from nerquake.core.results import Counts
from nerquake.core.variant import ORIGINAL, AttackedSet
from nerquake.stats.ranks import Correlation, rank_correlation

_TINY = 1e-12


class Standing(NamedTuple):
    """A model's strict F1 before and after, and its loss as a share of the score before; None is undefined."""

    tagger: str
    original: float | None
    attacked: float | None
    relative_drop: float | None


def model_ranks(material: Material, counts: KindCounts | None = None) -> list[dict[str, Any]]:
    """`findings.model_ranks` of `result.json`: a record for every set that two or more models answered, and, where
    there are two or more such sets, one with `set` None for all of them.

    ```
    {"set", "sets": [set names], "pairs": sentences compared, None for all sets,
     "models": [{"tagger", "original", "attacked", "relative_drop", "rank_original", "rank_attacked"}],
     "attacked_f1": correlation, "relative_drop": correlation,
     "order_changes": true | false, "overtaken": [{"behind", "ahead", "lead_original", "lead_attacked"}]}
    correlation = {"n": models, "exact", "spearman": {"value", "p", "smallest_p"}, "kendall": ..} or None
    ```
    Correlations are those of original F1 with attacked F1 and with the relative drop, None with fewer than three
    models or where one side does not vary; where better models stand firmer, the second is negative. `p` is two-sided
    over all orders, `smallest_p` the least that as many models can give. F1 is strict, over the same sentences before
    and after. For all sets it is the mean over them of attacked F1 and of the relative drop, against F1 on all
    original sentences, for models that answered every set. Ranks count from 1 for the best; equal scores share the
    better rank and overtake nobody. `behind` was ahead of `ahead` on the original text and is behind it under attack;
    leads are in F1, largest under attack first.
    """
    counts = counts or KindCounts(material)
    found: list[tuple[AttackedSet, list[Standing]]] = []
    for attacked in material.sets:
        taggers = [tagger for tagger in material.taggers if (tagger, attacked.name) in material.predictions]
        if len(taggers) > 1:
            found.append((attacked, [_standing(t, *counts.sides(t, attacked)) for t in taggers]))
    records = [
        {"set": one.name, "sets": [one.name], "pairs": len(material.kept(one)), **_ranked(standings, material.seed)}
        for one, standings in found
    ]
    together = _together(material, counts, [standings for _, standings in found])
    if len(found) > 1 and len(together) > 1:
        names = [attacked.name for attacked, _ in found]
        records.append({"set": None, "sets": names, "pairs": None, **_ranked(together, material.seed)})
    return records


def _standing(tagger: str, before: Counts, after: Counts) -> Standing:
    original, attacked = _score(before), _score(after)
    relative = None if attacked is None or not original else (original - attacked) / original
    return Standing(tagger, original, attacked, relative)


def _score(rows: Counts) -> float | None:
    return defined(float(f1(rows.sum(axis=0))))


def _together(material: Material, counts: KindCounts, found: Sequence[Sequence[Standing]]) -> list[Standing]:
    """Each model that answered every set, by its means over sets."""
    by_tagger: dict[str, list[Standing]] = {}
    for standings in found:
        for one in standings:
            by_tagger.setdefault(one.tagger, []).append(one)
    ids = [sentence.id for sentence in material.original if sentence.spans or material.entity_free == "score"]
    return [
        Standing(
            tagger,
            _score(counts.chosen(tagger, ORIGINAL, ids)),
            _mean([one.attacked for one in standings]),
            _mean([one.relative_drop for one in standings]),
        )
        for tagger, standings in by_tagger.items()
        if len(standings) == len(found)
    ]


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known and len(known) == len(values) else None


def _ranked(standings: Sequence[Standing], seed: int) -> dict[str, Any]:
    ranks = _ranks([one.original for one in standings]), _ranks([one.attacked for one in standings])
    overtaken = _overtaken(standings)
    return {
        "models": [
            {**one._asdict(), "rank_original": before, "rank_attacked": after}
            for one, before, after in zip(standings, *ranks, strict=True)
        ],
        "attacked_f1": _correlation([(one.original, one.attacked) for one in standings], seed),
        "relative_drop": _correlation([(one.original, one.relative_drop) for one in standings], seed),
        "order_changes": bool(overtaken),
        "overtaken": overtaken,
    }


def _ranks(scores: Sequence[float | None]) -> list[int | None]:
    known = [score for score in scores if score is not None]
    return [None if score is None else 1 + sum(other > score for other in known) for score in scores]


def _correlation(pairs: Sequence[tuple[float | None, float | None]], seed: int) -> dict[str, Any] | None:
    known = [(x, y) for x, y in pairs if x is not None and y is not None]
    found = rank_correlation([x for x, _ in known], [y for _, y in known], seed)
    if found is None:
        return None
    return {"n": found.n, "exact": found.exact, "spearman": _json(found.spearman), "kendall": _json(found.kendall)}


def _json(found: Correlation) -> dict[str, float]:
    return {"value": found.value, "p": found.p, "smallest_p": found.smallest}


def _overtaken(standings: Sequence[Standing]) -> list[Mapping[str, Any]]:
    """Pairs of models whose order is strictly the other way round under attack."""
    found: list[Mapping[str, Any]] = []
    for one, other in combinations(standings, 2):
        before, after = _lead(one.original, other.original), _lead(one.attacked, other.attacked)
        if before * after < 0:
            behind, ahead = (one, other) if before > 0 else (other, one)
            pair = {"behind": behind.tagger, "ahead": ahead.tagger}
            found.append({**pair, "lead_original": abs(before), "lead_attacked": abs(after)})
    return sorted(found, key=lambda pair: -float(pair["lead_attacked"]))


def _lead(one: float | None, other: float | None) -> float:
    """0 where one of the two is undefined, or rounding alone parts them: nobody is ahead."""
    return 0.0 if one is None or other is None or abs(one - other) < _TINY else one - other
