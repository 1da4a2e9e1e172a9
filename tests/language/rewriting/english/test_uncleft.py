"""Clefts turned round."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.uncleft import CleftTurned

pytestmark = pytest.mark.spacy

SAID = {
    "It was [Siemens|PERSON] who laid the line in 1848 .": ("the one who laid the line in 1848 was Siemens ."),
    "It was [Siemens|ORG] that laid the line in 1848 .": ("the organisation that laid the line in 1848 was Siemens ."),
}
LEFT = (
    "It was [Chelsea|ORG] [Everton|ORG] feared .",
    "It was [Ana|PERSON] who came , and she sang .",
    "It was in [Lima|GPE] that they met .",
    "It was late .",
    "It was [Lima|GPE] that fell last year .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, CleftTurned(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, CleftTurned(), text) == []
