"""What every metric does: counts a sentence at a time, a value from their sum, undefined is None."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.cases import CASES, CORPUS, cases_of
from tests.strategies import datasets, flat_spans

from nerquake.core.dataset import Dataset
from nerquake.core.results import Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.registry import METRICS


@pytest.fixture(params=cases_of(METRICS), scope="module")
def metric(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return METRICS.build(CASES[METRICS.kind][request.param](tmp_path_factory.mktemp("metric")))


def predictions(sentences: Any, spans: Any) -> Predictions:
    spans = tuple(spans)
    return Predictions("x", tuple(s.id for s in sentences), spans, ((),) * len(spans))


def test_a_perfect_answer_has_the_value_one(metric: Any) -> None:
    table = metric.counts(CORPUS.sentences, predictions(CORPUS, (s.spans for s in CORPUS)))
    assert metric.value(table) == 1.0


def test_nothing_to_score_is_undefined(metric: Any) -> None:
    """Case 18."""
    nothing = [Sentence("s1", ("a", "b"))]
    assert metric.value(metric.counts(nothing, predictions(nothing, [()]))) is None
    assert metric.value(metric.counts(nothing, predictions(nothing, [(Span(0, 1, "PER"),)]))) == 0.0


def test_nothing_found_has_the_value_zero(metric: Any) -> None:
    assert metric.value(metric.counts(CORPUS.sentences, predictions(CORPUS, [()] * len(CORPUS)))) == 0.0


@given(st.data())
def test_counts_go_by_sentence_and_their_order_does_not_matter(metric: Any, data: st.DataObject) -> None:
    dataset: Dataset = data.draw(datasets())
    guesses = [data.draw(flat_spans(len(s))) for s in dataset]
    whole = metric.counts(dataset.sentences, predictions(dataset, guesses))
    assert whole.ids == tuple(s.id for s in dataset)
    for index, sentence in enumerate(dataset):
        alone = metric.counts([sentence], predictions([sentence], [guesses[index]]))
        assert metric.value(alone) == metric.value(whole.rows([index]))
    turned = metric.counts(dataset.sentences[::-1], predictions(dataset.sentences[::-1], guesses[::-1]))
    assert metric.value(turned) == metric.value(whole)


def test_predictions_are_joined_by_id(metric: Any) -> None:
    backwards = CORPUS.sentences[::-1]
    table = metric.counts(CORPUS.sentences, predictions(backwards, (s.spans for s in backwards)))
    assert metric.value(table) == 1.0
