"""Percentile bootstrap over sentences.

Drawing n sentences with replacement and summing their counts gives sums of equal law as drawing, from a multinomial
law, how often each *different* row of counts occurs. There are few different rows, so this is fast; and because the
rows are sorted, the result does not depend on the order of the sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nerquake.core.errors import UsageError
from nerquake.core.results import Counts, Interval
from nerquake.core.seeds import hashed

Floats = NDArray[np.float64]
RESAMPLES = 1000
LEVEL = 0.95
_BLOCK = 2_000_000
"""Draws held in memory at a time."""
_UNKNOWN = Interval(None, None)


class Rows(NamedTuple):
    """Different rows of counts, sorted, and how often each occurs."""

    rows: Counts
    times: Counts


def check_sampling(resamples: int, level: float) -> None:
    """Raise UsageError unless these can be sampled. 0 resamples mean: no intervals and no tests."""
    if resamples < 0:
        raise UsageError(f"--resamples {resamples}: expected 0 or more")
    if not 0 < level < 1:
        raise UsageError(f"--level {level}: expected a fraction between 0 and 1, such as 0.95")


def group_rows(counts: Counts) -> Rows:
    """The different rows of `counts`, an int array [n, k] with n > 0."""
    lowest = counts.min(axis=0)
    radices = counts.max(axis=0) - lowest + 1
    if float(np.prod(radices.astype(np.float64))) < 2.0**62:
        # One number a row sorts many times faster than rows do.
        keys = np.ravel_multi_index(tuple((counts - lowest).T), tuple(int(radix) for radix in radices))
        _, first, times = np.unique(keys, return_index=True, return_counts=True)
        return Rows(counts[first], times)
    rows, times = np.unique(counts, axis=0, return_counts=True)
    return Rows(rows, times)


def resampled_sums(counts: Counts, resamples: int, seed: int) -> Iterator[Counts]:
    """Summed counts of resampled sentences, in blocks [b, k] with b adding up to `resamples`."""
    rows, times = group_rows(counts)
    generator = np.random.default_rng(hashed(seed, "bootstrap"))
    block = max(1, _BLOCK // len(times))
    as_floats = rows.astype(np.float64)  # products of floats are far quicker, and exact: sums stay far below 2 ** 53
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        drawn = generator.multinomial(len(counts), times / len(counts), size=size)
        yield (drawn.astype(np.float64) @ as_floats).astype(np.int64)


def intervals(
    counts: Counts,
    values: Callable[[Counts], Floats],
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = 0,
) -> list[Interval]:
    """An interval for each of m values of the summed counts.

    counts   int array [n, k], one row a sentence
    values   from sums [b, k] to values [b, m], NaN where one is undefined

    Resamples in which a value is undefined (none of the few sentences with a rare type was drawn) tell nothing about
    it and are left out; where that happens in more than half of them, the interval is unknown.
    """
    check_sampling(resamples, level)
    whole = values(counts.sum(axis=0, keepdims=True))[0]
    if not len(counts) or not resamples:
        return [_UNKNOWN] * len(whole)
    drawn = np.concatenate([values(sums) for sums in resampled_sums(counts, resamples, seed)])
    return [
        _UNKNOWN if np.isnan(whole[column]) else percentiles(drawn[:, column], level) for column in range(len(whole))
    ]


def percentiles(values: Floats, level: float) -> Interval:
    """The interval of a value over its resamples; unknown where it is undefined (NaN) in more than half of them."""
    defined = values[~np.isnan(values)]
    if 2 * len(defined) < len(values):
        return _UNKNOWN
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


def ratio(numerator: Counts | Floats, denominator: Counts | Floats) -> Floats:
    """The quotient, NaN where the denominator is 0."""
    return np.divide(
        numerator, denominator, out=np.full(np.shape(numerator), np.nan, dtype=np.float64), where=denominator != 0
    )
