"""Relative clauses in their short and their long form."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.relative import RelativeExpanded, RelativeReduced

RELATIVE_REDUCED_SAID = {
    "The firm , which is led by [Ana Silva|PER] , sold the mill .": "The firm , led by Ana Silva , sold the mill .",
    "Police helped the drivers who were trapped in the tunnel .": "Police helped the drivers trapped in the tunnel .",
    "They kept the trophy that was presented to them .": "They kept the trophy presented to them .",
}
RELATIVE_REDUCED_LEFT = (
    "The man who was killed had a dog .",
    "The road that is going to be built is long .",
    "He who is born in [Lima|LOC] knows the sea .",
    "The bridge which was not repaired in time fell .",
    "The firm that has been sold to [Siemens|ORG] grew .",
)


@pytest.mark.parametrize("text", RELATIVE_REDUCED_SAID)
def test_relative_reduced_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, RelativeReduced(), text) == [RELATIVE_REDUCED_SAID[text]]


@pytest.mark.parametrize("text", RELATIVE_REDUCED_LEFT)
def test_relative_reduced_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, RelativeReduced(), text) == []


RELATIVE_EXPANDED_SAID = {
    "[Coca-Cola|ORG] tested a bottle made of paper .": "Coca-Cola tested a bottle that was made of paper .",
    "They met a pianist born in [Lima|LOC] .": "They met a pianist who was born in Lima .",
    "[Watson|PRODUCT] , built by [IBM|ORG] , won the game .": "Watson , which was built by IBM , won the game .",
    "The firms owned by the state pay no tax .": "The firms that are owned by the state pay no tax .",
}
RELATIVE_EXPANDED_LEFT = (
    "[Chile|GPE] wants limits written in tonnes .",
    "The students said nothing about books given to them .",
    "They will visit a house covered with ivy .",
    "A man named [Paul|PER] sat there .",
    "The tower , built in 1889 , is high .",
    "The man arrested had a dog .",
)


@pytest.mark.parametrize("text", RELATIVE_EXPANDED_SAID)
def test_relative_expanded_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, RelativeExpanded(), text) == [RELATIVE_EXPANDED_SAID[text]]


@pytest.mark.parametrize("text", RELATIVE_EXPANDED_LEFT)
def test_relative_expanded_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, RelativeExpanded(), text) == []
