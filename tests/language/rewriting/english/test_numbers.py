"""Small numbers as words and figures."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.numbers import NumberWords

SAID = {
    "They saw 3 ships .": "They saw three ships .",
    "They walked three miles in [Lima|LOC] .": "They walked 3 miles in Lima .",
    "It weighs twelve old pounds .": "It weighs 12 old pounds .",
}
LEFT = (
    "They saw three ships in [Lima|LOC] .",
    "She has 12 old cats .",
    "[Cleveland|PERSON] is counted as two presidents .",
    "They lost 4 hours rather than one driver .",
    "They left on 3 May .",
    "It costs 3 million dollars .",
    "It costs $ 3 .",
    "They won 3 - 2 .",
    "They came at 3 .",
    "[3 Doors Down|ORG] played .",
    "One saw 13 ships .",
    "They ran 3 km .",
    "They have one ship .",
    "They saw 3 or 4 ships .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, NumberWords(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, NumberWords(), text) == []
