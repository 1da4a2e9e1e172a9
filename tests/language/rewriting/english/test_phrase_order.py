"""Times and places change places."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.phrase_order import PhraseOrder

SAID = {
    "Ministers met in [Lima|LOC] on Thursday .": "Ministers met on Thursday in Lima .",
    "The tower was built by [Eiffel|PER] in 1889 .": "The tower was built in 1889 by Eiffel .",
    "The firm was moved in June to [Lima|LOC] .": "The firm was moved to Lima in June .",
}
LEFT = (
    "He sailed to [Lima|LOC] in May .",
    "They met in [Lima|LOC] in the rain .",
    "They met a man in [Lima|LOC] .",
    "They met on Thursday .",
    "They met in [Lima|LOC] in a year that nobody forgot .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, PhraseOrder(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, PhraseOrder(), text) == []
