"""The fast n-gram model against the plain one: probabilities, ranks, leaving out."""

from __future__ import annotations

import math
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.language.ngram_reference import probabilities, ranking

from nerquake.core.dataset import Dataset
from nerquake.core.fillers import Masked
from nerquake.core.sentence import Sentence
from nerquake.language import ngram_counts
from nerquake.language.ngram import NgramFiller

WORDS = ("a", "b", "c", "Anna", "Anne", "the", "12", "7", ",", "...", "की", "größe", "größen", "two words", "", "\n")
SENTENCES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(tuple), min_size=1, max_size=9)
LIMITS = st.sampled_from((1, 2, ngram_counts.LIMIT))


def dataset(sentences: list[tuple[str, ...]]) -> Dataset:
    return Dataset("small", tuple(Sentence(f"s{number}", tokens) for number, tokens in enumerate(sentences)))


@st.composite
def requests(draw: st.DrawFn, sentences: list[tuple[str, ...]]) -> Masked:
    """A sentence of the corpus or another one, a position, hidden positions, with and without a key."""
    tokens = draw(
        st.sampled_from(sentences) | st.lists(st.sampled_from((*WORDS, "zz", "Zebra")), min_size=1).map(tuple)
    )
    position = draw(st.integers(0, len(tokens) - 1))
    hidden = draw(st.sets(st.integers(0, len(tokens) - 1), max_size=2))
    key = draw(st.sampled_from(("", "elsewhere", *(f"s{number}" for number in range(len(sentences))))))
    return Masked(tokens, position, tuple(sorted(hidden)), key)


@given(st.data(), SENTENCES, LIMITS)
@settings(max_examples=80)
def test_it_is_the_plain_model(data: st.DataObject, sentences: list[tuple[str, ...]], limit: int) -> None:
    one = data.draw(requests(sentences))
    left_out = [sentences[int(one.key[1:])]] if one.key[1:].isdigit() else []
    depth = data.draw(st.integers(0, 12))
    with patch.object(ngram_counts, "LIMIT", limit):
        filler = NgramFiller().learn(dataset(sentences))
        known, unseen = probabilities(sentences, left_out, one)
    expected = ranking(known)
    # All of them, so that the probabilities are compared; then the best of them, which are found in another way.
    everything = filler.fill([one], 100)[0]
    assert {fill.text for fill in everything} == known.keys()
    for fill in everything:
        assert fill.score == pytest.approx(math.log(known[fill.text]), abs=1e-7)
    assert filler.fill([one], depth)[0] == everything[:depth]
    scores = [score for _, score in expected]
    assert [fill.score for fill in everything] == pytest.approx(scores, abs=1e-7)
    word = one.tokens[one.position]
    assert filler.score([one]) == pytest.approx([math.log(known.get(word, unseen))], abs=1e-7)


@given(st.data(), SENTENCES, LIMITS)
@settings(max_examples=80)
def test_probabilities_add_up_to_one(data: st.DataObject, sentences: list[tuple[str, ...]], limit: int) -> None:
    one = data.draw(requests(sentences))
    with patch.object(ngram_counts, "LIMIT", limit):
        filler = NgramFiller().learn(dataset(sentences))
    words = filler.model.vocabulary.words
    asked = [
        one._replace(tokens=(*one.tokens[: one.position], word, *one.tokens[one.position + 1 :])) for word in words
    ]
    never = one._replace(tokens=(*one.tokens[: one.position], "neverseen", *one.tokens[one.position + 1 :]))
    # As many unseen words are held to exist as the vocabulary has.
    total = sum(map(math.exp, filler.score(asked))) + max(len(words), 1) * math.exp(filler.score([never])[0])
    assert total == pytest.approx(1.0, abs=1e-6)


@given(st.data(), SENTENCES)
@settings(max_examples=40)
def test_neither_the_order_of_sentences_nor_the_batch_matters(
    data: st.DataObject, sentences: list[tuple[str, ...]]
) -> None:
    batch = [data.draw(requests(sentences)) for _ in range(4)]
    one = dataset(sentences)
    filler = NgramFiller().learn(one)
    other = NgramFiller().learn(one.with_sentences(data.draw(st.permutations(one.sentences))))
    assert other.fill(batch, 9) == filler.fill(batch, 9) == [filler.fill([alone], 9)[0] for alone in batch]
    assert other.score(batch) == filler.score(batch) == [filler.score([alone])[0] for alone in batch]


@given(st.data(), SENTENCES)
@settings(max_examples=40)
def test_what_stands_at_hidden_positions_does_not_matter(data: st.DataObject, sentences: list[tuple[str, ...]]) -> None:
    one = data.draw(requests(sentences))
    masked = {one.position, *one.hidden}
    other = tuple("another" if at in masked else token for at, token in enumerate(one.tokens))
    filler = NgramFiller().learn(dataset(sentences))
    assert filler.fill([one._replace(tokens=other)], 50) == filler.fill([one], 50)
