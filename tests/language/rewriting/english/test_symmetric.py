"""Partners of equal standing change places."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.symmetric import Symmetric

SAID = {
    "[Dortmund|ORG] drew with [Wolfsburg|ORG] .": "Wolfsburg drew with Dortmund .",
    "[Ana|PER] met [Paul|PER] in the park .": "Paul met Ana in the park .",
}
LEFT = (
    "[Dortmund|ORG] lost to [Wolfsburg|ORG] .",
    "[Ana|PER] met [Paul|PER] in her park .",
    "[Dortmund|ORG] draws with [Wolfsburg|ORG] .",
    "[Ana|PER] met him .",
    "[Ana|PER] met the conditions of [Siemens|ORG] .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, Symmetric(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, Symmetric(), text) == []
