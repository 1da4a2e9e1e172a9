"""Precision, recall and F1 from counts, in the four schemes of SemEval-2013 task 9.1. Undefined is None."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nerquake.core.results import KINDS, SCHEME_NAMES, Counts, CountTable, Predictions, SchemeName
from nerquake.core.sentence import Sentence
from nerquake.score.count import ASTRAY, CLASH, MISSED, OVERLAP, PREDICTED, SAME, SPURIOUS, count

EntityFree = Literal["score", "skip"]
"""Whether sentences without gold mentions take part (`--entity-free`)."""


class _Columns(NamedTuple):
    """The kinds of pair that a scheme counts as correct, incorrect and partial."""

    correct: tuple[int, ...]
    incorrect: tuple[int, ...]
    partial: tuple[int, ...]


_COLUMNS: dict[SchemeName, _Columns] = {
    "strict": _Columns((SAME,), (CLASH, OVERLAP, ASTRAY), ()),
    "exact": _Columns((SAME, CLASH), (OVERLAP, ASTRAY), ()),
    "partial": _Columns((SAME, CLASH), (), (OVERLAP, ASTRAY)),
    "type": _Columns((SAME, OVERLAP), (CLASH, ASTRAY), ()),
}
_GOLD = (SAME, CLASH, OVERLAP, ASTRAY, MISSED)
_CHARGED = (SAME, CLASH, OVERLAP, ASTRAY, SPURIOUS)


def _actual(scheme: SchemeName) -> tuple[int, ...]:
    """The kinds that make up `actual`: overall both choices are equal, by type strict takes the predicted mentions."""
    return (PREDICTED,) if scheme == "strict" else _CHARGED


@dataclass(frozen=True, slots=True)
class Rates:
    """Counts of one scheme and the rates that follow; rates are fractions, None where the denominator is 0.

    possible   gold mentions
    actual     predicted mentions (by type: see docs/scoring.md)
    """

    correct: int
    incorrect: int
    partial: int
    missed: int
    spurious: int
    possible: int
    actual: int
    precision: float | None
    recall: float | None
    f1: float | None

    def as_dict(self) -> dict[str, int | float | None]:
        """By name, for JSON."""
        return asdict(self)


def rates(counts: Counts, scheme: SchemeName) -> Rates:
    """The rates of summed counts, an int array [7] with columns as KINDS, overall or of one type."""
    values = [int(value) for value in counts]
    columns = _COLUMNS[scheme]
    correct, incorrect, partial = (sum(values[kind] for kind in kinds) for kinds in columns)
    possible = sum(values[kind] for kind in _GOLD)
    actual = sum(values[kind] for kind in _actual(scheme))
    twice = 2 * correct + partial
    return Rates(
        correct,
        incorrect,
        partial,
        values[MISSED],
        values[SPURIOUS],
        possible,
        actual,
        precision=_ratio(twice, 2 * actual),
        recall=_ratio(twice, 2 * possible),
        f1=_ratio(twice, possible + actual),
    )


def _ratio(numerator: int, denominator: int) -> float | None:
    return numerator / denominator if denominator else None


def f1_weights(scheme: SchemeName) -> NDArray[np.int64]:
    """[7, 2]: counts @ weights are numerator and denominator of F1, that is twice the credit and possible + actual."""
    return rate_weights(scheme, "f1")


def rate_weights(scheme: SchemeName, measure: Literal["f1", "precision", "recall"]) -> NDArray[np.int64]:
    """[7, 2]: counts @ weights are numerator and denominator of the measure; credit is counted twice."""
    weights = np.zeros((len(KINDS), 2), dtype=np.int64)
    columns = _COLUMNS[scheme]
    weights[list(columns.correct), 0] = 2
    weights[list(columns.partial), 0] = 1
    times = 1 if measure == "f1" else 2
    if measure != "precision":
        weights[list(_GOLD), 1] += times
    if measure != "recall":
        weights[list(_actual(scheme)), 1] += times
    return weights


def totals(table: CountTable) -> Counts:
    """Counts summed over sentences, [7]."""
    return np.asarray(table.overall.sum(axis=0), dtype=np.int64)


def type_totals(table: CountTable) -> dict[str, Counts]:
    """Counts summed over sentences for each type that has a gold or a predicted mention, [7] each."""
    sums = table.by_type.sum(axis=0)
    return {label: sums[index] for index, label in enumerate(table.types) if sums[index].any()}


def gold_mentions(counts: Counts) -> NDArray[np.int64]:
    """Number of gold mentions in counts [..., 7]."""
    return np.asarray(counts[..., list(_GOLD)].sum(axis=-1), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Average:
    """Strict rates averaged over types; an undefined rate counts as 0, as in seqeval.

    undefined   number of types with a rate that is undefined
    """

    precision: float | None
    recall: float | None
    f1: float | None
    undefined: int


def averages(table: CountTable) -> dict[str, Average]:
    """`macro` (every type counts alike) and `weighted` (by gold mentions); None where there is nothing to average."""
    by_type = [rates(counts, "strict") for counts in type_totals(table).values()]
    undefined = sum(None in (rate.precision, rate.recall, rate.f1) for rate in by_type)
    weightings = {"macro": [1] * len(by_type), "weighted": [rate.possible for rate in by_type]}
    return {
        name: Average(
            _mean([rate.precision for rate in by_type], weights),
            _mean([rate.recall for rate in by_type], weights),
            _mean([rate.f1 for rate in by_type], weights),
            undefined,
        )
        for name, weights in weightings.items()
    }


def _mean(values: Sequence[float | None], weights: Sequence[int]) -> float | None:
    total = sum(weights)
    if not total:
        return None
    return sum((value or 0.0) * weight for value, weight in zip(values, weights, strict=True)) / total


@dataclass(frozen=True, slots=True)
class EntityFreeSentences:
    """Sentences without a gold mention, and how many of them have a predicted one."""

    sentences: int
    with_false_alarms: int


def entity_free(table: CountTable) -> EntityFreeSentences:
    """Sentences without gold mentions, and those of them with false alarms."""
    free = gold_mentions(table.overall) == 0
    return EntityFreeSentences(int(free.sum()), int((table.overall[free, PREDICTED] > 0).sum()))


def with_mentions(table: CountTable) -> NDArray[np.intp]:
    """Positions of the sentences that have a gold mention: what `--entity-free skip` scores."""
    return np.flatnonzero(gold_mentions(table.overall))


@dataclass(frozen=True, slots=True)
class SemEval:
    """The registered metric: micro F1 in one of the four schemes.

    scheme   which of the four
    """

    scheme: SchemeName = "strict"

    def counts(self, gold: Sequence[Sentence], predictions: Predictions) -> CountTable:
        """How the mentions of every sentence pair up; the same table serves all four schemes."""
        return count(gold, predictions)

    def value(self, table: CountTable) -> float | None:
        """Micro F1 as a fraction, None where there is neither a gold nor a predicted mention."""
        return rates(totals(table), self.scheme).f1

    def values(self, table: CountTable) -> dict[SchemeName, Rates]:
        """All four schemes."""
        summed = totals(table)
        return {scheme: rates(summed, scheme) for scheme in SCHEME_NAMES}
