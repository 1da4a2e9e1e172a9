"""One body over every registered mask filler."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from tests.contracts.cases import CASES, CORPUS, NASTY, cases_of
from tests.strategies import NASTY_TOKENS

from nerquake.core.fillers import Fill, Masked, MaskFiller
from nerquake.registry import FILLERS

NEEDS = {"transformers": "huggingface_library"}
KINDS = {"word", "piece", "special"}


@pytest.fixture(params=cases_of(FILLERS))
def filler(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> MaskFiller:
    if request.param in NEEDS:
        request.getfixturevalue(NEEDS[request.param])
    folder: Path = tmp_path_factory.mktemp(request.param)
    made: MaskFiller = FILLERS.build(CASES[FILLERS.kind][request.param](folder))
    return made.learn(CORPUS)


REQUESTS = [Masked(s.tokens, at, (), s.id) for s in CORPUS for at in range(len(s))]


def close(one: list[Fill], other: list[Fill], noise: float) -> bool:
    scores = {fill.text: fill.score for fill in one}
    return all(abs(scores.get(fill.text, fill.score) - fill.score) <= noise for fill in other)


def test_answers_are_ranked_and_as_deep_as_asked(filler: MaskFiller) -> None:
    answers = filler.fill(REQUESTS, 7)
    assert len(answers) == len(REQUESTS)
    for answer in answers:
        fills = list(answer)
        assert 0 < len(fills) <= 7
        assert [answer[at] for at in range(len(answer))] == fills
        assert all(isinstance(fill, Fill) and fill.kind in KINDS for fill in fills)
        assert [fill.score for fill in fills] == sorted((fill.score for fill in fills), reverse=True)
        assert not any(math.isnan(fill.score) for fill in fills)


def test_a_deeper_answer_begins_as_a_shallow_one(filler: MaskFiller) -> None:
    for request in REQUESTS[:5]:
        (few,), (many,) = filler.fill([request], 3), filler.fill([request], 40)
        assert list(few) == list(many)[: len(few)]


def test_batch_and_order_change_no_more_than_the_noise(filler: MaskFiller) -> None:
    alone = [list(filler.fill([request], 10)[0]) for request in REQUESTS]
    turned = [list(answer) for answer in filler.fill(REQUESTS[::-1], 10)][::-1]
    for one, other in zip(alone, turned, strict=True):
        assert close(one, other, filler.noise)
    assert filler.noise or alone == turned


def test_the_word_that_stands_there_is_not_seen(filler: MaskFiller) -> None:
    tokens = CORPUS.sentences[0].tokens
    for word in ("Bonn", "met", "unheard-of"):
        other = (*tokens[:3], word, *tokens[4:])
        one, two = (filler.fill([Masked(each, 3, (), "elsewhere")], 5)[0] for each in (tokens, other))
        assert list(one) == list(two)
        hidden = [filler.fill([Masked(each, 1, (3,), "elsewhere")], 5)[0] for each in (tokens, other)]
        assert list(hidden[0]) == list(hidden[1])


def test_scores_are_logarithms_of_probabilities(filler: MaskFiller) -> None:
    scores = filler.score(REQUESTS)
    assert len(scores) == len(REQUESTS)
    assert all(math.isnan(score) or score <= 1e-6 for score in scores)
    assert not all(map(math.isnan, scores))
    again = [filler.score([request])[0] for request in REQUESTS[:6]]
    assert all(math.isnan(a) or abs(a - b) <= max(filler.noise * 20, 1e-9) for a, b in zip(scores, again, strict=False))


@pytest.mark.parametrize("token", NASTY_TOKENS)
def test_nasty_tokens_do_no_harm(filler: MaskFiller, token: str) -> None:
    requests = [Masked((token, "met", token), at, (), NASTY.sentences[0].id) for at in range(3)]
    assert len(filler.fill(requests, 5)) == 3
    assert len(filler.score(requests)) == 3


def test_nothing_asked_is_nothing_answered(filler: MaskFiller) -> None:
    assert list(filler.fill([], 5)) == []
    assert list(filler.score([])) == []


def test_it_says_what_it_is_and_the_same_each_time(filler: MaskFiller) -> None:
    assert filler.about() and all(filler.about()) and filler.about() == filler.about()
    assert filler.fingerprint() and filler.fingerprint() == filler.fingerprint()
    assert isinstance(filler.cased, bool) and filler.noise >= 0
