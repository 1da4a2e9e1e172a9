"""Shapes of words: what stays and what goes."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.shapes import shape


@pytest.mark.parametrize(("text", "wanted"), [
    ("Anna", "Xxxx"),
    ("1984", "0000"),
    ("mid-1990s,", "xxx-0000x,"),
    ("Zürich", "Xxxxxx"),
    ("Zu\u0308rich", "Xx\u0301xxxx"),
    ("Москва", "Жжжжжж"),
    ("Ωμέγα", "Ωωωωω"),
    ("दिल्ली", "काकाका"),
    ("१२३", "०००"),
    ("東京タワー", "字字アアx"),
    ("القاهرة", "ععععععع"),
    ("🍕", "□"),
    ("€5", "□0"),
    ("$5", "$0"),
    ("a\u200bb", "x\u200bx"),
    ("☎\ufe0f", "□\ufe0f"),
    ("", ""),
    ("\ud800", "□"),
])  # fmt: skip
def test_by_hand(text: str, wanted: str) -> None:
    assert shape(text) == wanted


@given(st.text())
def test_as_long_as_the_text_and_its_own_shape(text: str) -> None:
    found = shape(text)
    assert len(found) == len(text)
    assert shape(found) == found


@given(st.text(alphabet=st.characters(categories=["L", "N", "M", "So", "Sc", "Co"])))
def test_words_leave_few_different_characters(text: str) -> None:
    """What tells letters of one kind and script apart is gone."""
    first = {(unicodedata.category(c), unicodedata.name(c, "").partition(" ")[0]): shape(c) for c in text}
    for character in text:
        if "VARIATION SELECTOR" not in unicodedata.name(character, ""):
            key = unicodedata.category(character), unicodedata.name(character, "").partition(" ")[0]
            assert shape(character) == first[key]
