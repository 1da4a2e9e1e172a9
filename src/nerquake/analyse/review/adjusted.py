"""What the loss of a whole set would be without its invalid variants, estimated from those that were reviewed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nerquake.core.results import Counts, Interval
from nerquake.core.seeds import hashed
from nerquake.stats.bootstrap import Floats, percentiles, ratio

METHOD = (
    "reviewed sentences stand for those of their stratum, invalid ones are left out on both sides, unchanged sentences "
    "count as they stand; interval: percentile bootstrap within fallen, held and unchanged sentences"
)


class Layer(NamedTuple):
    """Sentences that are drawn together.

    counts   int array [n, 4]: numerator and denominator of F1 before and after; zeros for an invalid sentence
    weights  float array [n]: for how many sentences each stands
    """

    counts: Counts
    weights: NDArray[np.float64]


def adjusted(layers: Sequence[Layer], resamples: int, level: float, seed: int) -> dict[str, Any]:
    """`{"original", "attacked", "drop", "low", "high"}`: F1 before and after, their difference and its interval."""
    filled = [_grouped(layer) for layer in layers if len(layer.counts)]
    whole = sum((_sums(layer, layer.times[None]) for layer in filled), np.zeros((1, 4)))
    before, after = (_defined(values[0]) for values in _f1(whole))
    found: dict[str, Any] = {"original": before, "attacked": after, "drop": None, "low": None, "high": None}
    if before is None or after is None:
        return found
    found["drop"] = before - after
    if resamples:
        found |= dict(zip(("low", "high"), _interval(filled, resamples, level, seed), strict=True))
    return found


class _Grouped(NamedTuple):
    """A layer's different rows, sorted, so that the draws do not depend on the order of the sentences.

    times  how often each row stands in the layer
    total  for how many sentences the layer stands
    """

    counts: Floats
    weights: Floats
    times: Counts
    total: float


def _grouped(layer: Layer) -> _Grouped:
    rows, times = np.unique(np.column_stack([layer.counts, layer.weights]), axis=0, return_counts=True)
    return _Grouped(rows[:, :4], rows[:, 4], times, float(layer.weights.sum()))


def _sums(layer: _Grouped, times: NDArray[np.int64]) -> Floats:
    """Weighted sums [b, 4] where row i is drawn `times[b, i]` times.

    The weights of one draw add up to what the layer stands for, whichever sentences were drawn.
    """
    drawn = times * layer.weights
    sums: Floats = (drawn * (layer.total / drawn.sum(axis=1, keepdims=True))) @ layer.counts
    return sums


def _f1(sums: Floats) -> tuple[Floats, Floats]:
    return ratio(sums[:, 0], sums[:, 1]), ratio(sums[:, 2], sums[:, 3])


def _interval(layers: Sequence[_Grouped], resamples: int, level: float, seed: int) -> Interval:
    generator = np.random.default_rng(hashed(seed, "curation"))
    sums = np.zeros((resamples, 4))
    for layer in layers:
        size = int(layer.times.sum())
        block = max(1, 2_000_000 // len(layer.times))
        for start in range(0, resamples, block):
            rows = min(block, resamples - start)
            sums[start : start + rows] += _sums(layer, generator.multinomial(size, layer.times / size, size=rows))
    before, after = _f1(sums)
    return percentiles(before - after, level)


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def layers_of(rows: Mapping[str, Counts], weights: Mapping[str, float], sides: Mapping[str, str]) -> list[Layer]:
    """The layers of a set: reviewed sentences by side.

    rows     counts [4] of each reviewed sentence by id, zeros where it is invalid
    weights  for how many sentences each stands
    sides    "fell" or "held" of each
    """
    made = []
    for side in sorted(set(sides.values())):
        keys = [key for key in rows if sides[key] == side]
        made.append(Layer(np.stack([rows[key] for key in keys]), np.array([weights[key] for key in keys])))
    return made
