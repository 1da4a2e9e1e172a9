"""Phrases of place before their verb."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.inversion import Inversion

pytestmark = pytest.mark.spacy

SAID = {
    "Power for the cranes comes from [the Itaipu Dam|FAC] .": ("from the Itaipu Dam comes Power for the cranes ."),
    "A lamp hung over the door .": ("over the door hung A lamp ."),
}
LEFT = (
    "She comes from [Lima|GPE] .",
    "No power comes from [the Itaipu Dam|FAC] .",
    "Power comes from its dam .",
    "Power has come from [the Itaipu Dam|FAC] .",
    "Power comes from [the Itaipu Dam|FAC] in May .",
    "Guests came from [Lima|GPE] to watch .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, Inversion(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, Inversion(), text) == []
