"""The figures of one system on one set, and the document of `score --format json` (docs/scoring.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

import numpy as np

from nerquake.core.dataset import Dataset
from nerquake.core.errors import UsageError
from nerquake.core.results import SCHEME_NAMES, Counts, CountTable, Predictions
from nerquake.core.sentence import Sentence
from nerquake.score.count import PREDICTED, align, count
from nerquake.score.metrics import (
    EntityFree,
    averages,
    entity_free,
    f1_weights,
    gold_mentions,
    rates,
    type_totals,
    with_mentions,
)
from nerquake.stats.bootstrap import LEVEL, RESAMPLES, Floats, check_sampling, intervals, ratio
from nerquake.stats.compare import apply_holm, compare_models

FORMAT = "nerquake.score/1"
_WEIGHTS = np.stack([f1_weights(scheme) for scheme in SCHEME_NAMES], axis=1)
"""[7, 4, 2]: numerator and denominator of F1 in every scheme."""


def signature(
    *, scheme: str, repair: str, seed: int, resamples: int, level: float, entity_free: EntityFree = "score"
) -> str:
    """What a table of figures must say for them to be made again: version, scheme, repair, metric, sampling."""
    parts = [
        f"nerquake:{version('nerquake')}",
        f"scheme:{scheme}",
        f"repair:{repair}",
        "metric:strict",
        f"entity-free:{entity_free}",
        f"seed:{seed}",
        f"resamples:{resamples}",
        f"level:{level:g}",
    ]
    return "|".join(parts)


def system_block(
    name: str,
    table: CountTable,
    gold: Sequence[Sentence],
    predictions: Predictions,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = 0,
    *,
    entity_free_rule: EntityFree = "score",
) -> dict[str, Any]:
    """One entry of `systems` (and, without the name, of an audit's `results`).

    table              the counts of these predictions on this gold, all sentences
    entity_free_rule   with "skip" sentences without gold mentions are left out of all rates; `entity_free` counts
                       them all the same
    """
    check_sampling(resamples, level)
    scored = table if entity_free_rule == "score" else table.rows(with_mentions(table))
    sampling = (resamples, level, seed)
    summed = type_totals(scored)
    by_type = {label: scored.by_type[:, scored.types.index(label)] for label in summed}
    return {
        "name": name,
        "invalid_transitions": predictions.invalid,
        "unseen_tokens": predictions.unseen_tokens,
        "unseen_mentions": unseen_mentions(gold, predictions),
        "entity_free": asdict(entity_free(table)),
        "overall": _schemes(scored.overall, *sampling),
        "per_type": {
            label: {
                "gold": int(gold_mentions(summed[label])),
                "predicted": int(summed[label][PREDICTED]),
                **_schemes(rows, *sampling),
            }
            for label, rows in by_type.items()
        },
        "averages": {name: asdict(average) for name, average in averages(scored).items()},
    }


def _schemes(counts: Counts, resamples: int, level: float, seed: int) -> dict[str, dict[str, Any]]:
    """The four scheme blocks of counts [n, 7]; `low` and `high` are the interval of F1."""
    summed = counts.sum(axis=0)
    found = intervals(counts, _f1_values, resamples=resamples, level=level, seed=seed)
    return {
        scheme: {**rates(summed, scheme).as_dict(), "low": interval.low, "high": interval.high}
        for scheme, interval in zip(SCHEME_NAMES, found, strict=True)
    }


def _f1_values(sums: Counts) -> Floats:
    """[b, 7] -> F1 in the four schemes, [b, 4]."""
    parts = np.tensordot(sums, _WEIGHTS, axes=1)
    return ratio(parts[..., 0], parts[..., 1])


def unseen_mentions(gold: Sequence[Sentence], predictions: Predictions) -> int:
    """Gold mentions that hold a token which the model never saw."""
    if not predictions.unseen_tokens:
        return 0
    touched = 0
    for sentence, unseen in zip(gold, align(gold, predictions).unseen, strict=True):
        if unseen:
            touched += sum(any(span.start <= at < span.end for at in unseen) for span in sentence.spans)
    return touched


def gold_block(gold: Dataset) -> dict[str, Any]:
    """`gold` of the document: sizes, and the labels that occur."""
    return {
        "sentences": len(gold),
        "tokens": gold.tokens,
        "mentions": gold.mentions.total(),
        "labels": list(gold.labels),
    }


def score_document(
    gold: Dataset,
    predictions: Sequence[Predictions],
    *,
    repair: str = "conlleval",
    entity_free_rule: EntityFree = "score",
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = 0,
) -> dict[str, Any]:
    """The document of `score --format json`: Python numbers, strings and None only.

    Raises:
        UsageError: two systems have one name, or the sampling cannot be done.
        InputError: no sentences, or gold and predictions are about different ones.
    """
    names = [answer.tagger for answer in predictions]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise UsageError(f"two systems are called {', '.join(repeated)}: give each file a name of its own")
    tables = {answer.tagger: count(gold.sentences, answer) for answer in predictions}
    systems = [
        system_block(
            answer.tagger,
            tables[answer.tagger],
            gold.sentences,
            answer,
            resamples=resamples,
            level=level,
            seed=seed,
            entity_free_rule=entity_free_rule,
        )
        for answer in predictions
    ]
    if entity_free_rule == "skip":
        tables = {name: table.rows(with_mentions(table)) for name, table in tables.items()}
    return {
        "format": FORMAT,
        "signature": signature(
            scheme=gold.scheme.name if gold.scheme else "none",
            repair=repair,
            seed=seed,
            resamples=resamples,
            level=level,
            entity_free=entity_free_rule,
        ),
        "gold": gold_block(gold),
        "systems": systems,
        "comparisons": apply_holm(compare_models(tables, resamples=resamples, level=level, seed=seed)),
    }
