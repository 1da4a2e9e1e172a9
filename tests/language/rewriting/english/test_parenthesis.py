"""Phrases between commas behind the verb."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.parenthesis import ParenthesisFronted

pytestmark = pytest.mark.spacy

SAID = {
    "[Ana Ruiz|PERSON] asked , in [French|LANGUAGE] , when the dividend would be paid .": (
        "in French , Ana Ruiz asked when the dividend would be paid ."
    ),
}
LEFT = (
    "[Ana Ruiz|PERSON] asked , in her own way , when the dividend would be paid .",
    "[Ana Ruiz|PERSON] sang , in [French|LANGUAGE] , and left the hall .",
    "Then [Ana Ruiz|PERSON] asked , in [French|LANGUAGE] , when the dividend would be paid .",
    "[Ana Ruiz|PERSON] asked when the dividend would be paid .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, ParenthesisFronted(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, ParenthesisFronted(), text) == []
