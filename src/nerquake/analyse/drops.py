"""What each model loses under each set: precision, recall and F1, and whether the span or the type is at fault."""

from __future__ import annotations

from typing import Any

import numpy as np

from nerquake.analyse.kind_counts import F1_WEIGHTS, KindCounts, defined
from nerquake.analyse.material import Material
from nerquake.core.results import Counts, Interval
from nerquake.core.variant import AttackedSet
from nerquake.stats.bootstrap import Floats, intervals, ratio

MEASURES = ("precision", "recall", "f1", "exact", "type")
_TINY = 1e-12
"""What rounding leaves of a difference that is 0."""
_PARTS: Counts = np.array([[1, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 1, 0], [0, 0, 0, 1]], dtype=np.int64)
"""[5, 4]: kinds of outcome to right ones, ones of the wrong type, gold and predicted mentions."""


def drops(material: Material, counts: KindCounts | None = None) -> list[dict[str, Any]]:
    """`findings.drops` of `result.json`: a record for every model under every set, models first.

    counts   where other analyses have counted already

    ```
    {"tagger", "set", "level": of the set, "pairs": sentences compared,
     "precision": change, "recall": change, "f1": change, "exact": change, "type": change, "type_share"}
    change = {"original", "attacked", "drop", "relative_drop", "low", "high"}
    ```
    All figures but `exact` are strict, and all are over the same sentences before and after. Rates are fractions; a
    drop is the original less the attacked rate, below zero for a gain, `low` and `high` are its interval, and None is
    undefined. `exact` is F1 by span alone: its drop is the part of the strict loss that is lost by span. `type` is how
    much F1 the mentions with the right span and another label cost: exact less strict F1. It grows where labels are
    lost, so its `drop` is the part of the strict loss that is lost by type, and both parts add up to the strict drop.
    `type_share` is that part of the strict loss; None unless both parts are losses, since a gain on one side makes
    shares meaningless.
    """
    counts = counts or KindCounts(material)
    return [_record(material, counts, tagger, attacked) for tagger, attacked in material.pairs()]


def _record(material: Material, counts: KindCounts, tagger: str, attacked: AttackedSet) -> dict[str, Any]:
    before, after = counts.sides(tagger, attacked)
    both: Counts = np.hstack([before @ _PARTS, after @ _PARTS])
    found = _values(both.sum(axis=0, keepdims=True))[0]
    spread = dict(zip(MEASURES, _intervals(material, both), strict=True))
    # F1 is drawn as the comparisons of result.json draw it, so that a loss has one interval everywhere.
    spread["f1"] = _f1_interval(material, before, after)
    changes = {
        name: _change(name, tuple(found[3 * place : 3 * place + 3]), spread[name])
        for place, name in enumerate(MEASURES)
    }
    return {
        "tagger": tagger,
        "set": attacked.name,
        "level": attacked.level,
        "pairs": len(before),
        **changes,
        "type_share": _share(changes["type"]["drop"], changes["f1"]["drop"]),
    }


def _values(sums: Counts) -> Floats:
    """[b, 8], the parts of both sides, -> [b, 15]: for each measure original, attacked and drop."""
    before, after = _rates(sums[:, :4]), _rates(sums[:, 4:])
    columns = []
    for name, was, now in zip(MEASURES, before, after, strict=True):
        columns += [was, now, now - was if name == "type" else was - now]
    return np.stack(columns, axis=1)


def _rates(parts: Counts) -> tuple[Floats, ...]:
    """[b, 4] -> the measures, [b] each."""
    right, wrong_type, gold, predicted = parts.T
    return (
        ratio(right, predicted),
        ratio(right, gold),
        ratio(2 * right, gold + predicted),
        ratio(2 * (right + wrong_type), gold + predicted),
        ratio(2 * wrong_type, gold + predicted),
    )


def _intervals(material: Material, both: Counts) -> list[Interval]:
    """The interval of each measure's drop."""
    return intervals(both, lambda sums: _values(sums)[:, 2::3], **sampling(material))


def _f1_interval(material: Material, before: Counts, after: Counts) -> Interval:
    sides: Counts = np.hstack([before @ F1_WEIGHTS, after @ F1_WEIGHTS])
    return intervals(sides, f1_drop, **sampling(material))[0]


def f1_drop(sums: Counts) -> Floats:
    """[b, 4] numerators and denominators of both sides -> [b, 1] the loss."""
    return (ratio(sums[:, 0], sums[:, 1]) - ratio(sums[:, 2], sums[:, 3]))[:, None]


def sampling(material: Material) -> dict[str, Any]:
    """How the audit draws its intervals."""
    return {"resamples": material.resamples, "level": material.level, "seed": material.seed}


def _change(name: str, found: tuple[float, ...], spread: Interval) -> dict[str, float | None]:
    original, attacked, drop = map(defined, found)
    relative = None if drop is None or not original or name == "type" else drop / original
    return {
        "original": original,
        "attacked": attacked,
        "drop": drop,
        "relative_drop": relative,
        "low": spread.low,
        "high": spread.high,
    }


def _share(part: float | None, whole: float | None) -> float | None:
    if part is None or whole is None or whole <= _TINY or not -_TINY <= part <= whole + _TINY:
        return None
    return min(1.0, max(0.0, part / whole))
