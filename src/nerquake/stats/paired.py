"""A two-sided paired approximate randomisation test of a difference of F1 scores.

Under the hypothesis that the two sides do not differ, swapping them in any sentence changes nothing. So the sides are
swapped in each sentence with probability 1/2, and p is the share of such draws, the observed one included, whose
difference is at least as large (E. W. Noreen, Computer-Intensive Methods for Testing Hypotheses, 1989).
"""

from __future__ import annotations

import numpy as np

from nerquake.core.results import Counts
from nerquake.core.seeds import hashed
from nerquake.stats.bootstrap import RESAMPLES, Floats, check_sampling, group_rows, ratio

_TINY = 1e-12
"""Differences that differ by less than this are equal: what rounding leaves."""
_BLOCK = 2_000_000


def randomisation_p(a: Counts, b: Counts, *, resamples: int = RESAMPLES, seed: int = 0) -> float | None:
    """The p value of F1(a) - F1(b), None where one of the two is undefined or there are no resamples.

    a, b   int arrays [n, 2]: numerator and denominator of F1 for each sentence, in the same order of sentences

    A draw that leaves one side undefined counts as one with a large difference, which errs towards "no difference".
    """
    check_sampling(resamples, 0.5)
    if a.shape != b.shape:
        raise ValueError(f"the two sides have {len(a)} and {len(b)} sentences")
    observed = float(_differences(a.sum(axis=0)[None], b.sum(axis=0)[None])[0])
    if np.isnan(observed) or not resamples:
        return None
    # Only what a swap would change matters, and sentences with equal change are alike: swaps among them are binomial.
    changes, times = group_rows(b - a)
    moving = changes.any(axis=1)
    changes, times = changes[moving], times[moving]
    generator = np.random.default_rng(hashed(seed, "randomisation"))
    block = max(1, _BLOCK // max(1, len(times)))
    extreme = 0
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        moved = generator.binomial(times, 0.5, size=(size, len(times))) @ changes
        drawn = np.abs(_differences(a.sum(axis=0) + moved, b.sum(axis=0) - moved))
        extreme += int((np.isnan(drawn) | (drawn >= abs(observed) - _TINY)).sum())
    return (1 + extreme) / (1 + resamples)


def _differences(a: Counts, b: Counts) -> Floats:
    difference: Floats = ratio(a[:, 0], a[:, 1]) - ratio(b[:, 0], b[:, 1])
    return difference
