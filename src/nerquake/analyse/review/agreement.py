"""How far two reviewers agree on the sentences that both decided: Cohen's kappa (Cohen 1960, A coefficient of
agreement for nominal scales, Educational and Psychological Measurement 20), with a percentile bootstrap interval.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from nerquake.analyse.by_sentence import Sampling, measured
from nerquake.core.decisions import CHOICES, Decision, DecisionsFile
from nerquake.core.results import Counts
from nerquake.stats.bootstrap import Floats

METHOD = "Cohen's kappa over accept, reject, relabel and unsure; interval: percentile bootstrap over sentences"


def agreements(files: Sequence[DecisionsFile], sampling: Sampling) -> list[dict[str, Any]]:
    """Every two files with sentences in common; those of a page of conflicts are left out.

    ```
    {"a", "b", "items", "agreed", "kappa": {"value", "low", "high"}, "table": [[n, ..], ..] (rows a, columns b, in the
     order of CHOICES), "disagreements": [{"id", "a": {"decision", "reason", "spans"}, "b": {..}}], "method"}
    ```
    """
    asked = [file for file in files if not file.settles]
    return [found for a, b in combinations(asked, 2) for found in _agreement(a, b, sampling)]


def _agreement(a: DecisionsFile, b: DecisionsFile, sampling: Sampling) -> Iterator[dict[str, Any]]:
    both = sorted(set(a.decisions) & set(b.decisions))
    if not both:
        return
    pairs = [(a.decisions[key], b.decisions[key]) for key in both]
    size = len(CHOICES)
    counts: Counts = np.zeros((len(pairs), size * size), dtype=np.int64)
    for row, (one, other) in enumerate(pairs):
        counts[row, CHOICES.index(one.choice) * size + CHOICES.index(other.choice)] = 1
    names = _names(a, b)
    yield {
        "a": names[0],
        "b": names[1],
        "items": len(both),
        "agreed": sum(one.choice == other.choice for one, other in pairs),
        "kappa": measured(counts, kappas, sampling)[0],
        "table": counts.sum(axis=0).reshape(size, size).tolist(),
        "disagreements": [
            {"id": one.id, "a": _said(one), "b": _said(other)} for one, other in pairs if not one.agrees(other)
        ],
        "method": METHOD,
    }


def kappas(sums: Counts) -> Floats:
    """Cohen's kappa from tables of counts: `[b, k * k]` to `[b, 1]`; NaN where both said one and the same of all."""
    size = round(sums.shape[1] ** 0.5)
    tables = sums.reshape(-1, size, size).astype(np.float64)
    total = tables.sum(axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = np.trace(tables, axis1=1, axis2=2) / total
        expected = (tables.sum(axis=2) * tables.sum(axis=1)).sum(axis=1) / total**2
        kappa: Floats = np.where(expected < 1, (observed - expected) / (1 - expected), np.nan)
    return kappa[:, None]


def _names(a: DecisionsFile, b: DecisionsFile) -> tuple[str, str]:
    """The reviewers' names; those of the files where the names do not tell them apart."""
    if a.reviewer and b.reviewer and a.reviewer != b.reviewer:
        return a.reviewer, b.reviewer
    return (a.name, b.name) if a.name != b.name else (f"{a.name} (1)", f"{b.name} (2)")


def _said(one: Decision) -> dict[str, Any]:
    spans = [[span.start, span.end, span.label] for span in one.spans] if one.choice == "relabel" else None
    return {"decision": one.choice, "reason": one.reason or None, "spans": spans}
