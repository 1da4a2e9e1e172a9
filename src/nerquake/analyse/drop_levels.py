"""Which level of attack hurts more: mentions (entity), the words around them (context), both, or spelling (surface)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from nerquake.analyse.drops import sampling
from nerquake.analyse.kind_counts import F1_WEIGHTS, KindCounts, defined
from nerquake.analyse.material import Material
from nerquake.core.results import Counts, Interval
from nerquake.core.variant import ORIGINAL, AttackedSet, Variant
from nerquake.stats.bootstrap import Floats, intervals, ratio


class _Field(NamedTuple):
    """What is compared: every model on every set, over sentences that all sets share."""

    material: Material
    taggers: tuple[str, ...]
    sets: tuple[AttackedSet, ...]
    levels: tuple[str, ...]


class _Measured(NamedTuple):
    """Mean strict F1 losses, [models, levels], with intervals over the models' mean: of levels, then of their pairs."""

    original: Floats
    drops: Floats
    spread: Sequence[Interval]


def levels(material: Material, counts: KindCounts | None = None) -> list[dict[str, Any]]:
    """`findings.drop_levels` of `result.json`: the loss of strict F1 by level of attack, fair over sets and models.

    ```
    [{"scope": "all" | "changed", "pairs": sentences compared, "left_out": sentences, "taggers": [..],
      "levels": [{"level", "sets": [..], "original", "attacked", "drop", "relative_drop", "low", "high",
                  "by_tagger": {tagger: drop}}],
      "differences": [{"more", "less", "difference", "low", "high", "taggers": models that lose more under "more"}]}]
    ```
    Only sentences count that every set keeps ("all"), or that every set changed ("changed"), so that no level has the
    easier sentences; only models that answered every set. A level's loss is the mean over its sets, and each model
    weighs the same, whatever the number of sets at a level. Most harmful level first; `low` and `high` come from the
    same resampled sentences for all of them. `more` is the level that loses more; differences of equal losses are 0.
    A set of level "none" takes no part. Nothing where no set and no model is left.
    """
    counts = counts or KindCounts(material)
    sets = tuple(attacked for attacked in material.sets if attacked.level != "none")
    answered = {(tagger, attacked.name) for tagger, attacked in material.pairs()}
    taggers = tuple(t for t in material.taggers if all((t, attacked.name) in answered for attacked in sets))
    if not sets or not taggers:
        return []
    field = _Field(material, taggers, sets, tuple(dict.fromkeys(attacked.level for attacked in sets)))
    kept = [{variant.parent: variant for variant in material.kept(attacked)} for attacked in sets]
    changed = [{key: variant for key, variant in one.items() if variant.status == "changed"} for one in kept]
    whole = _record(field, counts, kept)
    same = whole["pairs"] == len(set[str].intersection(*map(set, changed)))
    part = whole if same else _record(field, counts, changed)
    most = max(map(len, kept))
    return [
        {"scope": scope, "pairs": found["pairs"], "left_out": most - found["pairs"], **found}
        for scope, found in (("all", whole), ("changed", part))
    ]


def _record(field: _Field, counts: KindCounts, variants: Sequence[Mapping[str, Variant]]) -> dict[str, Any]:
    parents = [key for key in variants[0] if all(key in one for one in variants[1:])]
    found = _measured(field, _columns(field, counts, parents, variants))
    order = sorted(range(len(field.levels)), key=lambda place: (-_of(found.drops.mean(axis=0)[place]), place))
    return {
        "pairs": len(parents),
        "taggers": list(field.taggers),
        "levels": [_level(field, found, place) for place in order],
        "differences": list(_differences(field, found)),
    }


def _columns(
    field: _Field, counts: KindCounts, parents: list[str], variants: Sequence[Mapping[str, Variant]]
) -> Counts:
    """[sentences, models * (1 + sets) * 2]: for each model numerator and denominator before, and under each set."""
    parts = []
    for tagger in field.taggers:
        parts.append(counts.chosen(tagger, ORIGINAL, parents) @ F1_WEIGHTS)
        for attacked, one in zip(field.sets, variants, strict=True):
            parts.append(counts.chosen(tagger, attacked.name, [one[key].id for key in parents]) @ F1_WEIGHTS)
    return np.hstack(parts)


def _measured(field: _Field, columns: Counts) -> _Measured:
    original, drops = _losses(field, columns.sum(axis=0, keepdims=True))
    pairs = list(combinations(range(len(field.levels)), 2))

    def values(sums: Counts) -> Floats:
        mean = _losses(field, sums)[1].mean(axis=1)
        return np.hstack([mean, *(mean[:, [a]] - mean[:, [b]] for a, b in pairs)])

    return _Measured(original[0], drops[0], intervals(columns, values, **sampling(field.material)))


def _losses(field: _Field, sums: Counts) -> tuple[Floats, Floats]:
    """[b, columns] -> original F1 of each model, [b, models], and its loss by level, [b, models, levels]."""
    parts = sums.reshape(len(sums), len(field.taggers), 1 + len(field.sets), 2)
    scores = ratio(parts[..., 0], parts[..., 1])
    drops = scores[..., :1] - scores[..., 1:]
    by_level = [
        drops[..., [place for place, attacked in enumerate(field.sets) if attacked.level == level]].mean(axis=-1)
        for level in field.levels
    ]
    return scores[..., 0], np.stack(by_level, axis=-1)


def _level(field: _Field, found: _Measured, place: int) -> dict[str, Any]:
    original, drop = defined(found.original.mean()), defined(found.drops[:, place].mean())
    return {
        "level": field.levels[place],
        "sets": [attacked.name for attacked in field.sets if attacked.level == field.levels[place]],
        "original": original,
        "attacked": None if original is None or drop is None else original - drop,
        "drop": drop,
        "relative_drop": None if drop is None or not original else drop / original,
        "low": found.spread[place].low,
        "high": found.spread[place].high,
        "by_tagger": {t: defined(value) for t, value in zip(field.taggers, found.drops[:, place], strict=True)},
    }


def _differences(field: _Field, found: _Measured) -> Iterator[dict[str, Any]]:
    mean = found.drops.mean(axis=0)
    pairs = combinations(range(len(field.levels)), 2)
    for (a, b), spread in zip(pairs, found.spread[len(field.levels) :], strict=True):
        difference, low, high = defined(mean[a] - mean[b]), spread.low, spread.high
        more, less = a, b
        if difference is not None and difference < 0:
            more, less, difference = b, a, -difference
            low, high = (None, None) if low is None or high is None else (-high, -low)
        yield {
            "more": field.levels[more],
            "less": field.levels[less],
            "difference": difference,
            "low": low,
            "high": high,
            "taggers": int((found.drops[:, more] > found.drops[:, less]).sum()),
        }


def _of(value: float) -> float:
    return -2.0 if np.isnan(value) else float(value)
