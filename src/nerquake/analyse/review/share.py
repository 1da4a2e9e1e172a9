"""How many variants of a set are invalid, estimated from the reviewed ones.

Fallen and held sentences are drawn in equal parts, which they are not in the set. So each reviewed sentence stands for
as many as its stratum has for each that was reviewed (weighting by strata: Cochran, Sampling Techniques, 1977, ch. 5),
and the interval is Wilson's (1927) with the effective size of the weighted sample (Kish, Survey Sampling, 1965), made
larger as the sample nears the whole set, which nothing is left to be unsure of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import NormalDist

from nerquake.analyse.review.items import Stratum
from nerquake.core.results import Interval

METHOD = (
    "weighted by set, side (fell, held) and label; interval: Wilson's score interval with Kish's effective sample size "
    "and the finite population correction"
)


def weights(population: Mapping[str, Stratum], reviewed: Sequence[str]) -> dict[str, float]:
    """For how many sentences of its set each reviewed one stands; together for all of the set.

    population  the strata of all changed sentences of one set, by id
    reviewed    ids of those that were decided

    A label of which none was reviewed is stood for by the others of its side, and a side by the other side.
    """
    sizes, seen = Counter(population.values()), Counter(population[key] for key in reviewed)
    made = {key: sizes[population[key]] / seen[population[key]] for key in reviewed}
    for side in {stratum.side for stratum in seen}:
        members = [key for key in reviewed if population[key].side == side]
        _scale(made, members, sum(number for stratum, number in sizes.items() if stratum.side == side))
    _scale(made, reviewed, len(population))
    return made


def _scale(made: dict[str, float], keys: Sequence[str], total: float) -> None:
    """Let the weights of some add up to `total`."""
    now = sum(made[key] for key in keys)
    for key in keys if now else ():
        made[key] *= total / now


def share(chosen: Sequence[tuple[float, bool]], size: int, level: float = 0.95) -> tuple[float | None, Interval]:
    """The share that is true, and its interval.

    chosen  weight and value of each reviewed sentence
    size    how many sentences the whole has
    """
    whole = sum(weight for weight, _ in chosen)
    if not whole:
        return None, Interval(None, None)
    value = sum(weight for weight, true in chosen if true) / whole
    effective = whole**2 / sum(weight**2 for weight, _ in chosen)
    if len(chosen) >= size:
        return value, Interval(value, value)
    return value, wilson(value, effective * (size - 1) / (size - len(chosen)), level)


def wilson(value: float, size: float, level: float = 0.95) -> Interval:
    """Wilson's score interval of a share that was seen in `size` independent draws."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle = value + z * z / (2 * size)
    half = z * (value * (1 - value) / size + z * z / (4 * size * size)) ** 0.5
    low, high = ((middle + sign * half) / (1 + z * z / size) for sign in (-1, 1))
    return Interval(max(0.0, low) if value > 0 else 0.0, min(1.0, high) if value < 1 else 1.0)
