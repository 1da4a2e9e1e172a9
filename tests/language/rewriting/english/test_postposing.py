"""Phrases and clauses at the start that move behind the verb; and pronouns that stand in the way."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.postposing import PostposedClause, PostposedPhrase

pytestmark = pytest.mark.spacy

SAID_PHRASE = {
    "By evening the wind had dropped .": ["the wind had dropped By evening ."],
    "Years after the war , the mill closed .": ["the mill closed Years after the war ."],
}
LEFT_PHRASE = (
    "On Monday , the team played a man who had a broken leg .",
    "In her view , he is wrong .",
    "In [Paris|GPE] lives my aunt .",
)

SAID_CLAUSE = {
    "When the water froze , the pipes burst .": ["the pipes burst When the water froze ."],
    "If it rains , they will stay .": ["they will stay If it rains ."],
    "Because the road was wet , the van slipped .": ["the van slipped Because the road was wet ."],
}
LEFT_CLAUSE = (
    "When [Tom|PERSON] arrived , he was tired .",
    "When a chain closed , its owners met .",
)


@pytest.mark.parametrize("text", SAID_PHRASE)
def test_it_says_it_differently_phrase(pipeline: str, text: str) -> None:
    assert said(pipeline, PostposedPhrase(), text) == SAID_PHRASE[text]


@pytest.mark.parametrize("text", LEFT_PHRASE)
def test_it_leaves_alone_phrase(pipeline: str, text: str) -> None:
    assert said(pipeline, PostposedPhrase(), text) == []


@pytest.mark.parametrize("text", SAID_CLAUSE)
def test_it_says_it_differently_clause(pipeline: str, text: str) -> None:
    assert said(pipeline, PostposedClause(), text) == SAID_CLAUSE[text]


@pytest.mark.parametrize("text", LEFT_CLAUSE)
def test_it_leaves_alone_clause(pipeline: str, text: str) -> None:
    assert said(pipeline, PostposedClause(), text) == []
