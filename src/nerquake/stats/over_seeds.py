"""Comparing two ways of training over seeds: paired differences, a t-test and a permutation test.

Paper M, 4.2: ten runs with different seeds, compared by a paired t-test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, lgamma, log, sqrt
from statistics import fmean, stdev

import numpy as np

from nerquake.core.seeds import hashed

EXACT = 16
"""Pairs up to which all sign patterns are counted: 65,536 of them."""
DRAWS = 100_000
_TINY = 1e-12
_STEPS = 500
_SMALL = 1e-300


@dataclass(frozen=True, slots=True)
class Summary:
    """Mean and standard deviation (n - 1 below) over n runs; the latter is None for one run."""

    mean: float
    sd: float | None
    n: int


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A minus b, pair by pair.

    t, p           of the paired t-test, two-sided; None where the differences do not vary, or there is one pair
    df             degrees of freedom: pairs - 1
    p_permutation  two-sided: the share of sign patterns with a mean at least as far from 0; None for no pairs
    """

    mean_difference: float
    t: float | None
    df: int
    p: float | None
    p_permutation: float


def summary(values: Sequence[float]) -> Summary:
    """Mean and standard deviation of one or more values."""
    return Summary(fmean(values), stdev(values) if len(values) > 1 else None, len(values))


def paired_test(a: Sequence[float], b: Sequence[float], seed: int = 0) -> PairedTest:
    """Compare two ways of training whose runs share their seeds, in the same order.

    Raises:
        ValueError: there are no pairs, or not as many of one as of the other.
    """
    if len(a) != len(b) or not a:
        raise ValueError(f"pairs are needed, got {len(a)} and {len(b)} values")
    differences = [x - y for x, y in zip(a, b, strict=True)]
    mean, df = fmean(differences), len(differences) - 1
    spread = stdev(differences) if df else 0.0
    t = mean / (spread / sqrt(len(differences))) if spread > _TINY else None
    return PairedTest(mean, t, df, None if t is None else t_tail(t, df), _permutation(differences, seed))


def t_tail(t: float, df: int) -> float:
    """The share of Student's t distribution that is at least as far from 0 as t, on both sides."""
    if t * t < df:  # near 0 the share is all but 1: its complement is the figure that does not round away
        return 1 - regularised_beta(t * t / (df + t * t), 0.5, df / 2)
    return regularised_beta(df / (df + t * t), df / 2, 0.5)


def regularised_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by its continued fraction (Abramowitz and Stegun, 26.5.8)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # the fraction converges quickly on the other side only
        return 1 - regularised_beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    return front / _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """1 + d1/(1 + d2/(1 + ...)), by Lentz's method."""
    value = upper = 1.0
    lower = 0.0
    for step in range(1, _STEPS):
        half = step // 2
        if step % 2:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        lower = 1 / (_away(1 + term * lower))
        upper = _away(1 + term / upper)
        change = upper * lower
        value *= change
        if abs(change - 1) < _TINY:
            break
    return value


def _away(number: float) -> float:
    return number if abs(number) > _SMALL else _SMALL


def _permutation(differences: Sequence[float], seed: int) -> float:
    """All sign patterns where they are few, else seeded draws with the observed one among them."""
    values = np.array(differences)
    observed = abs(values.sum())
    if len(values) <= EXACT:
        patterns = np.arange(2 ** len(values))[:, None] >> np.arange(len(values)) & 1
        sums = np.abs((1 - 2 * patterns) @ values)
        return float((sums >= observed - _TINY).mean())
    generator = np.random.default_rng(hashed(seed, "signs"))
    signs = generator.choice([-1.0, 1.0], size=(DRAWS, len(values)))
    return float((1 + (np.abs(signs @ values) >= observed - _TINY).sum()) / (1 + DRAWS))
