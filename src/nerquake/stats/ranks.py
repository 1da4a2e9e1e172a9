"""Rank correlation of a few pairs of values, with permutation tests.

Spearman's rho is the correlation of mean ranks; Kendall's is tau-b (M. G. Kendall, The treatment of ties in ranking
problems, Biometrika 1945). Two-sided: p is the share of all orders of one side whose correlation is at least as far
from 0 as the one found. Up to EXACT pairs all orders are counted, beyond that as many as DRAWS.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from nerquake.core.results import Counts
from nerquake.core.seeds import hashed
from nerquake.stats.bootstrap import Floats

FEWEST = 3
"""Pairs below which an order says nothing."""
EXACT = 8
"""Pairs up to which all orders are counted: 40,320 of them."""
DRAWS = 20_000
_TINY = 1e-12


class Correlation(NamedTuple):
    """A rank correlation between -1 and 1.

    p         two-sided
    smallest  the least p that these values can give in any order: with three pairs a third, without ties
    """

    value: float
    p: float
    smallest: float


class RankCorrelation(NamedTuple):
    """Both correlations of n pairs; `exact` says that all orders were counted."""

    n: int
    spearman: Correlation
    kendall: Correlation
    exact: bool


def rank_correlation(x: Sequence[float], y: Sequence[float], seed: int = 0) -> RankCorrelation | None:
    """How alike two sides order the same things; None for fewer than three, or where all of one side are equal.

    Raises:
        ValueError: the sides do not have the same length.
    """
    if len(x) != len(y):
        raise ValueError(f"pairs are needed, got {len(x)} and {len(y)} values")
    left, right = mean_ranks(x), mean_ranks(y)
    if len(x) < FEWEST or len(set(left)) == 1 or len(set(right)) == 1:
        return None
    exact = len(x) <= EXACT
    orders = _orders(len(x), exact, seed)
    rho = _correlations(left, right[orders])
    first, second = np.triu_indices(len(x), 1)
    signs = np.sign(right[orders[:, first]] - right[orders[:, second]])
    tau = _correlations(np.sign(left[first] - left[second]), signs, centred=False)
    return RankCorrelation(len(x), _tested(rho, exact), _tested(tau, exact), exact)


def mean_ranks(values: Sequence[float]) -> Floats:
    """Ranks from 1, smallest first; equal values, up to what rounding leaves, share the mean of their ranks."""
    array = np.round(np.asarray(values, dtype=np.float64), 12)
    below = (array[None, :] < array[:, None]).sum(axis=1)
    equal = (array[None, :] == array[:, None]).sum(axis=1)
    ranks: Floats = below + (equal + 1) / 2
    return ranks


def _orders(size: int, exact: bool, seed: int) -> Counts:
    """[orders, size]; the first one is as it stands."""
    if exact:
        return np.array(list(permutations(range(size))), dtype=np.int64)
    generator = np.random.default_rng(hashed(seed, "orders"))
    drawn = generator.permuted(np.tile(np.arange(size), (DRAWS, 1)), axis=1)
    return np.vstack([np.arange(size)[None], drawn])


def _correlations(left: Floats, right: Floats, centred: bool = True) -> Floats:
    """[n] and [orders, n] -> [orders]"""
    if centred:
        left, right = left - left.mean(), right - right.mean(axis=1, keepdims=True)
    found: Floats = right @ left / np.sqrt((left**2).sum() * (right**2).sum(axis=1))
    return found


def _tested(values: Floats, exact: bool) -> Correlation:
    sizes = np.abs(values)
    smallest = float((sizes >= sizes.max() - _TINY).mean()) if exact else 1 / len(values)
    value = float(np.clip(values[0], -1, 1)) + 0.0
    return Correlation(value, float((sizes >= sizes[0] - _TINY).mean()), smallest)
