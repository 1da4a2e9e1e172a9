"""Several draws of one attack (`--draws`): which mentions always fall, which never, and how much chance moves F1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, variance
from typing import Any, NamedTuple

import numpy as np

from nerquake.analyse.drops import sampling
from nerquake.analyse.kind_counts import F1_WEIGHTS, KindCounts, defined, f1
from nerquake.analyse.material import Fate, Material
from nerquake.core.results import Counts
from nerquake.core.variant import ORIGINAL, AttackedSet
from nerquake.stats.bootstrap import Floats, ratio, resampled_sums

ENTITY = "entity"


class _Life(NamedTuple):
    """A mention that every draw compares.

    right     right before the attack
    times     in how many draws it is right
    attacked  reached by the attack in every draw
    """

    label: str
    right: bool
    times: int
    attacked: bool


def survival(
    material: Material, draws: Mapping[str, Sequence[str]], counts: KindCounts | None = None
) -> list[dict[str, Any]]:
    """`findings.draws` of `result.json`: a record for every attack with draws and every model that answered them all.

    draws   the sets that are draws of one attack with different seeds, by the attack's name

    ```
    {"set": the attack, "tagger", "level", "draws": [set names], "pairs": sentences that every draw keeps,
     "f1": {"original", "mean", "worst": {"set", "f1"}, "best": {"set", "f1"}, "by_draw": [{"set", "f1", "drop"}]},
     "variance": {"draws", "sentences", "sentences_drop"},
     "incomplete": mentions that some draw does not compare,
     "all": lives, "attacked": lives, "by_label": {label: lives}}
    lives = {"mentions", "right", "survived": [mentions by number of draws survived, 0 to all], "never_broken",
             "always_broken", "wrong", "recovered": [the same of mentions that were wrong before, by draws where right]}
    ```
    A mention survives a draw if the model had it right before and has it right in that draw. `never_broken` and
    `always_broken` are shares of the mentions that were right before: in every draw right, in every draw wrong.
    "attacked" are the mentions that every draw reached: their own tokens were changed by an attack on mentions, their
    sentence by any other. F1 is strict, over the sentences that every draw keeps. `draws` is the sample variance of
    F1 between draws, over the same sentences; `sentences` is its bootstrap variance between samples of sentences
    within a draw, the mean over draws, and `sentences_drop` the same of the loss. None is undefined: one draw has no
    variance. Labels with most always broken mentions first.

    Raises:
        ValueError: a draw is not a set of the audit.
    """
    counts = counts or KindCounts(material)
    by_name = {attacked.name: attacked for attacked in material.sets}
    unknown = [name for names in draws.values() for name in names if name not in by_name]
    if unknown:
        raise ValueError(f"no set of the audit is called {unknown[0]}")
    answered = {(tagger, attacked.name) for tagger, attacked in material.pairs()}
    return [
        _record(material, counts, attack, tagger, [by_name[name] for name in names])
        for tagger in material.taggers
        for attack, names in draws.items()
        if names and all((tagger, name) in answered for name in names)
    ]


def _record(
    material: Material, counts: KindCounts, attack: str, tagger: str, sets: Sequence[AttackedSet]
) -> dict[str, Any]:
    lives, incomplete = _lives(material, tagger, sets)
    labels = {label: _block(_of_label(lives, label), len(sets)) for label in {life.label for life in lives}}
    order = sorted(labels, key=lambda label: (-labels[label]["survived"][0], label))
    scores, spread, pairs = _scores(material, counts, tagger, sets)
    return {
        "set": attack,
        "tagger": tagger,
        "level": sets[0].level,
        "draws": [attacked.name for attacked in sets],
        "pairs": pairs,
        "f1": scores,
        "variance": spread,
        "incomplete": incomplete,
        "all": _block(lives, len(sets)),
        "attacked": _block([life for life in lives if life.attacked], len(sets)),
        "by_label": {label: labels[label] for label in order},
    }


def _lives(material: Material, tagger: str, sets: Sequence[AttackedSet]) -> tuple[list[_Life], int]:
    """Every mention that stands in the compared texts of all draws, and how many stand in some only."""
    fates: dict[tuple[str, int], list[tuple[Fate, bool]]] = {}
    for attacked in sets:
        changed = {variant.id for variant in attacked.variants if variant.status == "changed"}
        entity = attacked.level == ENTITY
        for fate in material.fates(tagger, attacked):
            reached = fate.replaced if entity else fate.variant in changed
            fates.setdefault((fate.parent, fate.mention), []).append((fate, reached))
    complete = [met for met in fates.values() if len(met) == len(sets)]
    return [_life(met) for met in complete], len(fates) - len(complete)


def _life(met: Sequence[tuple[Fate, bool]]) -> _Life:
    first = met[0][0]
    times = sum(fate.after.kind == "right" for fate, _ in met)
    return _Life(first.label, first.before.kind == "right", times, all(reached for _, reached in met))


def _of_label(lives: Iterable[_Life], label: str) -> list[_Life]:
    return [life for life in lives if life.label == label]


def _block(lives: Sequence[_Life], draws: int) -> dict[str, Any]:
    survived = Counter(life.times for life in lives if life.right)
    recovered = Counter(life.times for life in lives if not life.right)
    right = survived.total()
    return {
        "mentions": len(lives),
        "right": right,
        "survived": [survived[times] for times in range(draws + 1)],
        "never_broken": survived[draws] / right if right else None,
        "always_broken": survived[0] / right if right else None,
        "wrong": recovered.total(),
        "recovered": [recovered[times] for times in range(draws + 1)],
    }


def _scores(
    material: Material, counts: KindCounts, tagger: str, sets: Sequence[AttackedSet]
) -> tuple[dict[str, Any], dict[str, float | None], int]:
    """F1 over draws, its variances, and the number of sentences that every draw keeps."""
    variants = [{variant.parent: variant.id for variant in material.kept(attacked)} for attacked in sets]
    parents = [key for key in variants[0] if all(key in one for one in variants[1:])]
    before = counts.chosen(tagger, ORIGINAL, parents)
    original = _f1(before)
    by_draw: list[dict[str, Any]] = []
    spreads: list[tuple[float | None, float | None]] = []
    for attacked, one in zip(sets, variants, strict=True):
        after = counts.chosen(tagger, attacked.name, [one[key] for key in parents])
        score = _f1(after)
        drop = None if original is None or score is None else original - score
        by_draw.append({"set": attacked.name, "f1": score, "drop": drop})
        spreads.append(_spread(material, before, after))
    known = [row["f1"] for row in by_draw]
    scores = {"original": original, **_extremes(by_draw), "by_draw": by_draw}
    spread = {
        "draws": variance(known) if len(known) > 1 and None not in known else None,
        "sentences": _mean([score for score, _ in spreads]),
        "sentences_drop": _mean([drop for _, drop in spreads]),
    }
    return scores, spread, len(parents)


def _f1(rows: Counts) -> float | None:
    return defined(float(f1(rows.sum(axis=0))))


def _extremes(by_draw: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Mean, worst and best F1; of equal draws the first is named."""
    if any(row["f1"] is None for row in by_draw):
        return {"mean": None, "worst": None, "best": None}
    worst, best = min(by_draw, key=lambda row: row["f1"]), max(by_draw, key=lambda row: row["f1"])
    return {
        "mean": fmean(row["f1"] for row in by_draw),
        **{name: {"set": row["set"], "f1": row["f1"]} for name, row in (("worst", worst), ("best", best))},
    }


def _spread(material: Material, before: Counts, after: Counts) -> tuple[float | None, float | None]:
    """Bootstrap variance over sentences of one draw's F1, and of its loss."""
    both: Counts = np.hstack([before @ F1_WEIGHTS, after @ F1_WEIGHTS])
    draws = sampling(material)
    if not len(both) or draws["resamples"] < 2:
        return None, None
    sums = np.concatenate(list(resampled_sums(both, draws["resamples"], draws["seed"])))
    attacked = ratio(sums[:, 2], sums[:, 3])
    return _variance(attacked), _variance(ratio(sums[:, 0], sums[:, 1]) - attacked)


def _variance(values: Floats) -> float | None:
    """Over the resamples that define the value; None where fewer than half do, as for intervals."""
    known = values[~np.isnan(values)]
    return float(known.var(ddof=1)) if len(known) > 1 and 2 * len(known) >= len(values) else None


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known and len(known) == len(values) else None
