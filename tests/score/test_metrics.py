from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from tests.score.strategies import corpora, mentions, predictions_of, sentences_of

from nerquake.core.results import SCHEME_NAMES, SchemeName
from nerquake.core.span import Span
from nerquake.registry import METRICS
from nerquake.score.count import count
from nerquake.score.metrics import (
    SemEval,
    averages,
    entity_free,
    f1_weights,
    rates,
    totals,
    type_totals,
    with_mentions,
)

Corpus = list[tuple[tuple[Span, ...], tuple[Span, ...]]]
COUNTS = np.array([5, 1, 2, 1, 3, 4, 13])
"""Five same, one clash, two overlaps, one astray, three missed, four spurious: 12 gold and 13 predicted mentions."""


def table_of(corpus: Corpus):
    return count(sentences_of(g for g, _ in corpus), predictions_of(p for _, p in corpus))


@pytest.mark.parametrize(
    ("scheme", "correct", "incorrect", "partial"),
    [("strict", 5, 4, 0), ("exact", 6, 3, 0), ("partial", 6, 0, 3), ("type", 7, 2, 0)],
)
def test_each_scheme_counts_its_own_kinds(scheme: SchemeName, correct: int, incorrect: int, partial: int) -> None:
    found = rates(COUNTS, scheme)
    assert (found.correct, found.incorrect, found.partial) == (correct, incorrect, partial)
    assert (found.missed, found.spurious, found.possible, found.actual) == (3, 4, 12, 13)
    credit = Fraction(2 * correct + partial, 2)
    assert found.precision == pytest.approx(float(credit / 13))
    assert found.recall == pytest.approx(float(credit / 12))
    assert found.f1 == pytest.approx(float(2 * credit / 25))


@pytest.mark.parametrize("scheme", SCHEME_NAMES)
def test_the_weights_give_the_f1_of_the_rates(scheme: SchemeName) -> None:
    numerator, denominator = COUNTS @ f1_weights(scheme)
    assert numerator / denominator == rates(COUNTS, scheme).f1


@settings(max_examples=60, deadline=None)
@given(corpora())
def test_each_rate_is_undefined_exactly_when_its_denominator_is_zero(corpus: Corpus) -> None:
    table = table_of(corpus)
    for counts in (totals(table), *type_totals(table).values()):
        for scheme in SCHEME_NAMES:
            found = rates(counts, scheme)
            assert (found.precision is None) == (found.actual == 0)
            assert (found.recall is None) == (found.possible == 0)
            assert (found.f1 is None) == (found.actual + found.possible == 0)
            for value in (found.precision, found.recall, found.f1):
                assert value is None or 0 <= value <= 1


@settings(max_examples=60, deadline=None)
@given(corpora())
def test_half_credit_lies_between_strict_and_exact_credit(corpus: Corpus) -> None:
    found = SemEval().values(table_of(corpus))
    assert found["strict"].correct <= found["exact"].correct
    assert found["strict"].correct <= found["type"].correct
    assert found["partial"].correct == found["exact"].correct
    assert len({(rate.possible, rate.actual) for rate in found.values()}) == 1


def test_case_16_per_type_figures_of_a_wrong_type() -> None:
    by_type = type_totals(table_of([(mentions("PER 3 4"), mentions("LOC 3 4"))]))
    person, place = (rates(by_type[label], "strict") for label in ("PER", "LOC"))
    assert (person.incorrect, rates(by_type["PER"], "exact").correct) == (1, 1)
    assert (person.possible, person.actual, person.precision, person.recall) == (1, 0, None, 0.0)
    assert (place.possible, place.actual, place.precision, place.recall, place.f1) == (0, 1, 0.0, None, 0.0)
    # Charged to the gold type: in the exact scheme the prediction belongs to PER, and LOC has nothing.
    assert (rates(by_type["PER"], "exact").actual, rates(by_type["LOC"], "exact").actual) == (1, 0)


def test_case_18_all_outside_is_undefined_and_counted() -> None:
    table = table_of([((), ())])
    found = rates(totals(table), "strict")
    assert (found.precision, found.recall, found.f1) == (None, None, None)
    assert tuple(vars_of(entity_free(table))) == (1, 0)


def test_case_18_one_false_alarm() -> None:
    table = table_of([((), mentions("PER 0 1"))])
    found = rates(totals(table), "strict")
    assert (found.spurious, found.precision, found.recall, found.f1) == (1, 0.0, None, 0.0)
    assert tuple(vars_of(entity_free(table))) == (1, 1)


def vars_of(value: object) -> list[int]:
    return [value.sentences, value.with_false_alarms]  # type: ignore[attr-defined]


def test_sentences_with_mentions_are_those_with_gold_ones() -> None:
    table = table_of([((), mentions("A 0 1")), (mentions("A 0 1"), ()), ((), ()), (mentions("A 0 1"),) * 2])
    assert with_mentions(table).tolist() == [1, 3]
    assert tuple(vars_of(entity_free(table))) == (2, 1)


def test_averages_count_undefined_rates_as_zero_and_say_how_many_types_had_one() -> None:
    # A: one of one right. B: only in gold (no precision). C: only predicted (no recall).
    table = table_of([(mentions("A 0 1, B 2 3, B 5 6"), mentions("A 0 1, C 8 9"))])
    found = averages(table)
    assert found["macro"].precision == pytest.approx(1 / 3)
    assert found["macro"].recall == pytest.approx(1 / 3)
    assert found["weighted"].precision == pytest.approx(1 / 3)
    assert found["weighted"].f1 == pytest.approx(1 / 3)
    assert (found["macro"].undefined, found["weighted"].undefined) == (2, 2)


def test_averages_of_nothing_are_undefined() -> None:
    found = averages(table_of([((), ())]))
    assert (found["macro"].f1, found["weighted"].f1, found["macro"].undefined) == (None, None, 0)
    only_alarms = averages(table_of([((), mentions("A 0 1"))]))
    assert (only_alarms["macro"].f1, only_alarms["weighted"].f1) == (0.0, None)


def test_a_type_that_occurs_on_neither_side_takes_no_part_in_averages() -> None:
    gold, predicted = sentences_of([mentions("A 0 1")]), predictions_of([mentions("A 0 1")])
    assert averages(count(gold, predicted, ["A", "Z"]))["macro"].f1 == 1.0


def test_the_registered_metric_counts_and_values() -> None:
    metric = METRICS.load("semeval")("partial")
    table = metric.counts(sentences_of([mentions("A 0 2")]), predictions_of([mentions("B 1 3")]))
    assert metric.value(table) == 0.5
    assert SemEval().value(table) == 0.0
    assert SemEval().value(table_of([((), ())])) is None
