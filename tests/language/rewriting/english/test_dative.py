"""Receivers beside the verb and behind a preposition."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.dative import DativeToPhrase, PhraseToDative, WithToPhrase

DATIVE_TO_PHRASE_SAID = {
    "She gave [Mary|PER] the book .": "She gave the book to Mary .",
    "The usher offered me napkins .": "The usher offered napkins to me .",
    "He bought his wife a car .": "He bought a car for his wife .",
}
DATIVE_TO_PHRASE_LEFT = (
    "She gave it a push .",
    "They gave him trouble .",
    "She gave [Mary|PER] it .",
    "He gave up the race .",
    "She told [Mary|PER] the truth .",
    "He gave [Mary|PER] a book which his father had read in his youth .",
)


@pytest.mark.parametrize("text", DATIVE_TO_PHRASE_SAID)
def test_dative_to_phrase_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, DativeToPhrase(), text) == [DATIVE_TO_PHRASE_SAID[text]]


@pytest.mark.parametrize("text", DATIVE_TO_PHRASE_LEFT)
def test_dative_to_phrase_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, DativeToPhrase(), text) == []


PHRASE_TO_DATIVE_SAID = {
    "She gave the book to [Mary|PER] .": "She gave Mary the book .",
    "They sold the mill to [Siemens|ORG] .": "They sold Siemens the mill .",
    "He sent a letter to her .": "He sent her a letter .",
}
PHRASE_TO_DATIVE_LEFT = (
    "She gave it to [Mary|PER] .",
    "They sent troops to [Iraq|GPE] .",
    "They sent photographs to a laboratory .",
    "She gave birth to a son .",
    "He went to [Mary|PER] .",
)


@pytest.mark.parametrize("text", PHRASE_TO_DATIVE_SAID)
def test_phrase_to_dative_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, PhraseToDative(), text) == [PHRASE_TO_DATIVE_SAID[text]]


@pytest.mark.parametrize("text", PHRASE_TO_DATIVE_LEFT)
def test_phrase_to_dative_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, PhraseToDative(), text) == []


WITH_TO_PHRASE_SAID = {
    "They supplied the town with water .": "They supplied water to the town .",
}
WITH_TO_PHRASE_LEFT = (
    "They provided water .",
    "She left the town with water .",
    "They supplied it with water .",
)


@pytest.mark.parametrize("text", WITH_TO_PHRASE_SAID)
def test_with_to_phrase_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, WithToPhrase(), text) == [WITH_TO_PHRASE_SAID[text]]


@pytest.mark.parametrize("text", WITH_TO_PHRASE_LEFT)
def test_with_to_phrase_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, WithToPhrase(), text) == []
