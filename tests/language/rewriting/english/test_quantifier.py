"""`of` between a quantifier and a definite phrase."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.quantifier import QuantifierOf

SAID = {
    "All of the students left .": "All the students left .",
    "All the students left .": "All of the students left .",
    "They sold half of their ships .": "They sold half their ships .",
}
LEFT = (
    "They walked all the way .",
    "It rained all the time .",
    "All students left .",
    "He saw it in all its glory .",
    "[All the President|WORK] ran .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, QuantifierOf(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, QuantifierOf(), text) == []
