"""Contractions and full forms."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.contraction import Contraction, Expansion

EXPANSION_SAID = {
    "It is n't cold .": "It is not cold .",
    "They wo n't leave [Lima|LOC] .": "They will not leave Lima .",
    "You ca n't see it .": "You can not see it .",
    "They 're in [Lima|LOC] .": "They are in Lima .",
    "She 's reading a book .": "She is reading a book .",
    "They don't know .": "They do not know .",
    "We ’ve left [Lima|LOC] .": "We have left Lima .",
}
EXPANSION_LEFT = (
    "Is n't it cold ?",
    "Do n't they know ?",
    "[Peru|LOC] 's coast is long .",
    "She 's gone .",
    "He 'd left .",
    "Let 's go .",
    "[They 're Back|WORK] ran .",
)


@pytest.mark.parametrize("text", EXPANSION_SAID)
def test_expansion_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, Expansion(), text) == [EXPANSION_SAID[text]]


@pytest.mark.parametrize("text", EXPANSION_LEFT)
def test_expansion_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, Expansion(), text) == []


CONTRACTION_SAID = {
    "It was not cold .": "It was n't cold .",
    "They will not leave .": "They wo n't leave .",
    "They are in [Lima|LOC] .": "They 're in Lima .",
    "She is reading .": "She 's reading .",
    "They have left [Lima|LOC] .": "They 've left Lima .",
}
CONTRACTION_LEFT = (
    "Did they not know ?",
    "Tell me where they are .",
    "They have a dog .",
    "Dogs are taller than they are .",
    "It was not only cold .",
    "NOT now .",
    "The men are here .",
)


@pytest.mark.parametrize("text", CONTRACTION_SAID)
def test_contraction_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, Contraction(), text) == [CONTRACTION_SAID[text]]


@pytest.mark.parametrize("text", CONTRACTION_LEFT)
def test_contraction_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, Contraction(), text) == []
