"""Clauses and verb phrases side by side that change places, where the second does not look back."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.acts import ActsSwapped
from nerquake.language.rewriting.english.joined import ClausesSwapped

pytestmark = pytest.mark.spacy

SAID_CLAUSES = {
    "Clicks enrich [Zulu|LANGUAGE] ; tones shape [Yoruba|LANGUAGE] .": ["tones shape Yoruba ; Clicks enrich Zulu ."],
    "Camels wait for the buses , and the drivers sleep in the shade .": [
        "the drivers sleep in the shade , and Camels wait for the buses ."
    ],
}
LEFT_CLAUSES = (
    "The boys sang , and the girls danced .",
    "The mill is old , and it leaks .",
    "The mill is old , but the barn is new .",
)

SAID_ACTS = {
    "The limnologist keeps his notes in Russian but labels his jars in English .": [
        "The limnologist labels his jars in English but keeps his notes in Russian ."
    ],
}
LEFT_ACTS = (
    "She opened the door and closed the window .",
    "The farmer grows wheat and sells it .",
)


@pytest.mark.parametrize("text", SAID_CLAUSES)
def test_it_says_it_differently_clauses(pipeline: str, text: str) -> None:
    assert said(pipeline, ClausesSwapped(), text) == SAID_CLAUSES[text]


@pytest.mark.parametrize("text", LEFT_CLAUSES)
def test_it_leaves_alone_clauses(pipeline: str, text: str) -> None:
    assert said(pipeline, ClausesSwapped(), text) == []


@pytest.mark.parametrize("text", SAID_ACTS)
def test_it_says_it_differently_acts(pipeline: str, text: str) -> None:
    assert said(pipeline, ActsSwapped(), text) == SAID_ACTS[text]


@pytest.mark.parametrize("text", LEFT_ACTS)
def test_it_leaves_alone_acts(pipeline: str, text: str) -> None:
    assert said(pipeline, ActsSwapped(), text) == []
