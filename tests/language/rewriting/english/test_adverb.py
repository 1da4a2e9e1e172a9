"""Adverbs of manner before the verb and at the end."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.adverb import AdverbMoved

SAID = {
    "She slowly opened the door .": "She opened the door slowly .",
    "She opened the door slowly .": "She slowly opened the door .",
    "[Siemens|ORG] recently bought the mill .": "Siemens bought the mill recently .",
}
LEFT = (
    "She only opened the door .",
    "She did not slowly open the door .",
    "She slowly walked home and slept .",
    "She slowly opened the door for her son .",
    "She opened the door very slowly .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, AdverbMoved(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, AdverbMoved(), text) == []
