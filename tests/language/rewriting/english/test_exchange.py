"""What opens a sentence and what ends it change places."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.exchange import PhrasesExchanged

pytestmark = pytest.mark.spacy

SAID = {
    "In [Lima|GPE] , the ministers met on Thursday .": ("on Thursday , the ministers met In Lima ."),
    "Until then the picture rests in a vault , wrapped in paper .": (
        "wrapped in paper , the picture rests in a vault Until then ."
    ),
}
LEFT = (
    "In [Lima|GPE] , the ministers met .",
    "Today she collects beetles in [Lima|GPE] .",
    "In the end the ministers met on Thursday .",
    "In [Lima|GPE] , her sister met him on Thursday .",
    "In [Lima|GPE] , the ministers met on Thursday and the king left .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, PhrasesExchanged(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, PhrasesExchanged(), text) == []
