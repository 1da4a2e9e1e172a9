"""Words of the same meaning, where they fit."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.alternation import Alternation

SAID = {
    "He said that [Lima|LOC] is large .": "He stated that Lima is large .",
    "They began to sing .": "They started to sing .",
    "[Siemens|ORG] bought the mill .": "Siemens purchased the mill .",
    "About 300 people left .": "around 300 people left .",
    "She saw a film .": "She saw a movie .",
    "They work in a huge park .": "They work in an enormous park .",
    "Prices rose by 3 % .": "Prices increased by 3 % .",
    "He lives in [Lima|LOC] .": "He resides in Lima .",
    "They left because of the rain .": "They left due to the rain .",
    "They are tired although they slept .": "They are tired though they slept .",
    "She tries to swim .": "She attempts to swim .",
}
LEFT = (
    "He said nothing .",
    "They talk about [Lima|LOC] .",
    "They began the day .",
    "[Everyone Else|WORK] left .",
    "He lives well .",
    "They work over three nights .",
    "A film festival began .",
    "She tries .",
    "He is a huge fan of it .",
    "He bought time .",
    "A Film About Rain",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, Alternation(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, Alternation(), text) == []
