"""The agent becomes the subject: tenses, agreement, pronouns; and phrases with `by` that are no agents."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.active import Active

pytestmark = pytest.mark.spacy

SAID = {
    "The bridge was closed by engineers before dawn .": ["engineers closed The bridge before dawn ."],
    "The bridge has been repaired by the firm .": ["the firm has repaired The bridge ."],
    "The station will not be closed by the council .": ["the council will not close The station ."],
    "The station was not closed by the council .": ["the council did not close The station ."],
    "The letters might have been written by [Ana Ruiz|PERSON] .": ["Ana Ruiz might have written The letters ."],
    "He was seen by them in [Paris|GPE] .": ["they saw him in Paris ."],
    "The horses are fed by a boy every day .": ["a boy feeds The horses every day ."],
}
LEFT = (
    "The bridge was closed by night .",
    "The bridge was closed .",
    "The bridge will be closed by 2030 .",
    "The prize was won by cheating .",
    "She was moved by their letters .",
    "No house was spared by the storm .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, Active(), text) == SAID[text]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, Active(), text) == []
