"""Two phrases with a joint between them in the opposite order."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.pairs import PhrasesTurned

pytestmark = pytest.mark.spacy

SAID = {
    "Money comes partly from [UNESCO|ORG] and partly from gifts .": (
        "Money comes partly from gifts and partly from UNESCO ."
    ),
    "The show will borrow dancers from [Las Vegas|GPE] and a choir from [Durban|GPE] .": (
        "The show will borrow a choir from Durban and dancers from Las Vegas ."
    ),
}
LEFT = (
    "She spoke in [Welsh|LANGUAGE] and then in [English|LANGUAGE] .",
    "They leaned on [the Treaty|LAW] and on a pact , [the Santiago Declaration|LAW] .",
    "It went to [Lima|GPE] and to its port .",
    "They met in [Lima|GPE] and on Thursday .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, PhrasesTurned(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, PhrasesTurned(), text) == []
