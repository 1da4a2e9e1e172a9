"""Pronouns of objects come and go."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.object_pronoun import ObjectPronoun

SAID = {
    "The parcel I ordered from [Amazon|ORG] is on the roof .": "The parcel that I ordered from Amazon is on the roof .",
    "She sold the house that her father built .": "She sold the house her father built .",
    "They saw the country it came from .": "They saw the country that it came from .",
}
LEFT = (
    "She liked the way he spoke .",
    "The man who sold the house left .",
    "It was so cold that the lake froze .",
    "The man that sold the house left .",
    "He knew the day she died .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, ObjectPronoun(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, ObjectPronoun(), text) == []
