"""Things that worry and slow, behind `what`."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.what import WhatCleft

pytestmark = pytest.mark.spacy

SAID = {
    "Warm water in [the Gulf|LOC] worries [NASA|ORG] more than any cloud .": (
        "what worries NASA more than any cloud is Warm water in the Gulf ."
    ),
    "A long strike stopped the trains .": ("what stopped the trains was A long strike ."),
}
LEFT = (
    "The king stopped the trains .",
    "[Ana|PERSON] stopped the trains .",
    "No strike stopped the trains .",
    "A long strike stopped the trains , and the king left .",
    "A long strike hit the trains .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, WhatCleft(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, WhatCleft(), text) == []
