"""Shares of mentions with bootstrap intervals over sentences, the mentions of a sentence drawn together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nerquake.core.results import Counts
from nerquake.stats.bootstrap import Floats, intervals


class Sampling(NamedTuple):
    """How intervals are drawn, as in stats/bootstrap.py."""

    resamples: int
    level: float
    seed: int


def per_sentence(rows: NDArray[np.intp], columns: Sequence[NDArray[np.bool_]], sentences: int) -> Counts:
    """Mentions for which each column is true, by sentence: an int array [sentences, columns].

    rows   for each mention the place of its sentence
    """
    counted = [np.bincount(rows[column], minlength=sentences) for column in columns]
    return np.stack(counted, axis=1).astype(np.int64, copy=False)


def measured(counts: Counts, values: Callable[[Counts], Floats], sampling: Sampling) -> list[dict[str, float | None]]:
    """`{"value", "low", "high"}` of each value of the summed counts, None where undefined (stats/bootstrap.py).

    counts   int array [n, k], one row a sentence
    values   from sums [b, k] to values [b, m], NaN where one is undefined
    """
    whole = values(counts.sum(axis=0, keepdims=True))[0]
    found = intervals(counts, values, resamples=sampling.resamples, level=sampling.level, seed=sampling.seed)
    return [
        {"value": None if np.isnan(value) else float(value) + 0.0, "low": interval.low, "high": interval.high}
        for value, interval in zip(whole, found, strict=True)
    ]
