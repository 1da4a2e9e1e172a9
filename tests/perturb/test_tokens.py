from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.perturb.tokens import by_character, characters_apart, retokenise


@pytest.mark.parametrize(("text", "tokens"), [
    ("Rosa Lind", "Rosa Lind"),
    ("  Khora ", "Khora"),
    ("Frankfurt\u00a0am Main", "Frankfurt am Main"),
    ("Henderson, Greer and Santiago", "Henderson , Greer and Santiago"),
    ("St. Gallen", "St. Gallen"),
    ("Smith & Co.", "Smith & Co."),
    ("Verein e.V.", "Verein e.V."),
    ("Yahoo!", "Yahoo !"),
    ("Amt.", "Amt ."),
    ("Cocos (Keeling) Islands", "Cocos ( Keeling ) Islands"),
    ("Lao People's Democratic Republic", "Lao People 's Democratic Republic"),
    ("O'Neill-Smith", "O'Neill-Smith"),
    ("John F. Kennedy", "John F. Kennedy"),
    ("Côte d’Ivoire", "Côte d’Ivoire"),
    ("पटना", "पटना"),
    ("نيويورك، الولايات المتحدة", "نيويورك ، الولايات المتحدة"),
    ("لاہور؟", "لاہور ؟"),
    ("राम।", "राम ।"),
    (".", "."),
])  # fmt: skip
def test_names_become_the_tokens_that_data_sets_have(text: str, tokens: str) -> None:
    assert retokenise(text) == tuple(tokens.split(" "))


@given(st.text(max_size=20))
def test_nothing_is_lost_and_no_token_is_empty(text: str) -> None:
    tokens = retokenise(text)
    assert "".join(tokens) == "".join(text.split())
    assert all(tokens)
    assert not any(character.isspace() for token in tokens for character in token)


@pytest.mark.parametrize(("text", "each"), [
    ("他 去 上 海 。", True), ("他 去 上海 。", False), ("東 京 へ 行 っ た iPhone", True),
    ("He left 京", False), ("Er geht", False), ("", False),
])  # fmt: skip
def test_sentences_whose_characters_are_tokens(text: str, each: bool) -> None:
    assert by_character(text.split()) is each


def test_characters_on_their_own() -> None:
    assert characters_apart(("华盛顿D.C.市", "New", "X光")) == ("华", "盛", "顿", "D.C.", "市", "New", "X", "光")
