"""Particles change sides with their object."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.particle import ParticleShift

SAID = {
    "She picked up the phone .": "She picked the phone up .",
    "She picked the phone up .": "She picked up the phone .",
    "They put up posters .": "They put posters up .",
}
LEFT = (
    "She picked it up .",
    "They took off .",
    "She gave up the fight .",
    "He picked up [Malay|LANGUAGE] from his cook .",
    "He looked up the long and dirty road .",
    "She picked up the phone of her mother .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, ParticleShift(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, ParticleShift(), text) == []
