"""Direct speech before and behind its speaker, in one piece and in two."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.quotes import QuoteMoved

pytestmark = pytest.mark.spacy

SAID = {
    "`` It is old , it is wet , '' [Ana Ruiz|PERSON] reported .": ("Ana Ruiz reported , `` It is old , it is wet . ''"),
    "`` Lower ! '' shouted coach [Ana Ruiz|PERSON] across the court .": (
        "coach Ana Ruiz shouted across the court , `` Lower ! ''"
    ),
    "`` He died poor , '' analyst [Ana Ruiz|PERSON] reminded clients , `` whereas his firm is rich . ''": (
        "analyst Ana Ruiz reminded clients , `` He died poor , whereas his firm is rich . ''"
    ),
}
LEFT = (
    "`` It is old , '' the papers wrote .",
    "`` It is old , '' nobody said .",
    "`` It is old . '' [Ana Ruiz|PERSON] left .",
    "`` It is old , '' [Ana Ruiz|PERSON] said , `` It is wet . ''",
    "[Ana Ruiz|PERSON] said , `` It is old . ''",
    "`` It is old",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, QuoteMoved(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, QuoteMoved(), text) == []
