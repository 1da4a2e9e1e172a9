"""Indefinite subjects behind `there`."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.there import ThereInserted

SAID = {
    "A man was standing at the door .": "there was A man standing at the door .",
    "Two guards were in the room .": "there were Two guards in the room .",
}
LEFT = (
    "The man was standing at the door .",
    "A man was reading a book .",
    "A man is a fool .",
    "A man was not in the room .",
    "A man stood at the door .",
    "[A Man|WORK] was in the room .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, ThereInserted(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, ThereInserted(), text) == []
