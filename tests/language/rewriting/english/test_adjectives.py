"""Adjectives joined by `and` in the opposite order."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.adjectives import AdjectivesTurned

SAID = {
    "The road was long and dirty .": "The road was dirty and long .",
    "They sold [Saudi|MISC] and [Korean|MISC] crews a boat .": "They sold Korean and Saudi crews a boat .",
    "She has a long and dirty road before her .": "She has a dirty and long road before her .",
}
LEFT = (
    "The photo was black and white .",
    "She has an old and big house .",
    "The second and third verses are short .",
    "It was very cold and wet .",
    "The road was long and full of mud .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, AdjectivesTurned(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, AdjectivesTurned(), text) == []
