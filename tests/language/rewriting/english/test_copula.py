"""Two names for one thing change places around `be`."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.copula import CopulaTurned

SAID = {
    "[Lima|LOC] is the capital of [Peru|LOC] .": "the capital of Peru is Lima .",
    "The capital of [Peru|LOC] is [Lima|LOC] .": "Lima is The capital of Peru .",
    "[Ana Silva|PER] was the first mayor .": "the first mayor was Ana Silva .",
}
LEFT = (
    "[Lima|LOC] is a city in [Peru|LOC] .",
    "[Lima|LOC] is not the capital of [Chile|LOC] .",
    "[Lima|LOC] is the capital of [Peru|LOC] and a port .",
    "Is [Lima|LOC] the capital of [Peru|LOC] ?",
    "[Ana Silva|PER] is happy .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, CopulaTurned(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, CopulaTurned(), text) == []
