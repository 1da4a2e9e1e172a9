"""The bundled samples are what the README says: varied, labelled, and full of names that only context can tell."""

from __future__ import annotations

import unicodedata

import pytest
from tests.samples.figures import Figures, figures

from nerquake.core.labels import LABEL_SETS
from nerquake.io.load import load


@pytest.fixture(scope="module")
def english() -> Figures:
    return figures(load("sample:en"))


@pytest.fixture(scope="module", params=["de", "hi"])
def other(request: pytest.FixtureRequest) -> Figures:
    return figures(load(f"sample:{request.param}"))


def test_english_is_large_enough(english: Figures) -> None:
    assert english.sentences >= 300
    assert len(english.surfaces) >= 500
    assert set(english.mentions) == set(LABEL_SETS["ontonotes-names"])
    assert min(english.mentions.values()) >= 30


def test_english_has_names_that_only_context_can_tell(english: Figures) -> None:
    assert len(english.ambiguous) >= 40
    assert english.surfaces["Washington"] == {"PERSON", "GPE"}


def test_english_has_what_breaks_readers_and_attacks(english: Figures) -> None:
    assert english.adjacent >= 10
    assert english.adjacent_same >= 3
    assert english.repeated >= 10
    assert english.lowered_posts >= 15


def test_a_seventh_has_no_mention(english: Figures, other: Figures) -> None:
    assert english.free_share >= 1 / 7
    assert other.free_share >= 1 / 7
    assert set(english.free) == {"news", "finance", "sport", "science", "social"}


def test_no_two_sentences_share_a_run_of_six_tokens(english: Figures, other: Figures) -> None:
    assert english.runs == []
    assert other.runs == []


def test_german_and_hindi_are_large_enough(other: Figures) -> None:
    assert other.sentences >= 120
    assert set(other.mentions) == {"PER", "LOC", "ORG"}
    assert len(other.ambiguous) >= 10
    assert other.adjacent >= 5


@pytest.mark.parametrize("language", ["en", "de", "hi"])
def test_samples_are_clean(language: str) -> None:
    dataset = load(f"sample:{language}")
    assert dataset.language == language
    assert dataset.scheme is not None and dataset.scheme.name == "iob2"
    for sentence in dataset:
        assert unicodedata.is_normalized("NFC", sentence.text)
        assert all(token and not any(character.isspace() for character in token) for token in sentence.tokens)
