"""What every source of parts of speech does: a tag a token, whatever the batch and whatever the token."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contracts.cases import CORPUS, NASTY
from tests.language.pos_cases import POS_CASES
from tests.strategies import tokens

from nerquake.core.fillers import CONTENT, CONTENT_WORDS, FUNCTION
from nerquake.language.visible import UNIVERSAL
from nerquake.registry import PARTS_OF_SPEECH

NEEDS = {"spacy": (pytest.mark.spacy, "pipeline"), "stanza": (pytest.mark.stanza, "stanza_library")}
"""What a source's marker is, and the fixture that it asks for."""
NAMES = [pytest.param(name, marks=NEEDS[name][0] if name in NEEDS else ()) for name in sorted(POS_CASES)]
ODD = (
    (),
    ("",),
    ("", " ", "\u00a0", "\u3000", "\t", "\n"),
    ("\u200b", "\u200d", "\ufeff", "\u00ad", "\u2060"),
    ("Anna", "", "met", " ", "Bo"),
    ("a" * 20_000, "met", "🙂" * 300),
    ("e\u0301", "\u0301", "\u0902", "हैदराबाद", "x y", "x\ny"),
    ("The", "house") * 400,
)
"""No token, blank ones, marks that one cannot see, very long ones, a very long sentence."""
SENTENCES = (*(s.tokens for s in CORPUS), *(s.tokens for s in NASTY), *ODD)


@pytest.fixture(params=NAMES)
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Each registered source, built from the specification of its case."""
    if request.param in NEEDS:
        request.getfixturevalue(NEEDS[request.param][1])
    return PARTS_OF_SPEECH.build(POS_CASES[request.param](tmp_path))


def answers(source: Any, sentences: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [tuple(tags) for tags in source.tag(sentences)]


def test_every_source_has_a_case() -> None:
    assert set(POS_CASES) == set(PARTS_OF_SPEECH.builtins)


def test_a_tag_for_each_token_whatever_it_is(source: Any) -> None:
    found = answers(source, SENTENCES)
    assert [len(tags) for tags in found] == [len(tokens) for tokens in SENTENCES]
    known = UNIVERSAL if source.tells_classes else {CONTENT, FUNCTION}
    assert {tag for tags in found for tag in tags} <= known


def test_blank_tokens_are_no_content_words_and_move_no_tag(source: Any) -> None:
    plain, spread = answers(source, [("Anna", "met", "Bo"), ("", "Anna", " ", "met", "\u3000", "Bo", "")])
    assert spread[1::2] == plain
    assert not CONTENT_WORDS & set(spread[::2])


def test_it_tells_content_words_from_others(source: Any) -> None:
    (tags,) = answers(source, [("The", "happy", "man", "met", "Anna", ".")])
    assert tags[1] in CONTENT_WORDS
    assert not CONTENT_WORDS & {tags[0], tags[5]}


def test_a_tag_depends_on_its_sentence_alone(source: Any) -> None:
    whole = answers(source, SENTENCES)
    assert [answers(source, [tokens])[0] for tokens in SENTENCES] == whole
    assert answers(source, SENTENCES[::-1])[::-1] == whole
    assert answers(source, SENTENCES * 2) == whole * 2
    assert answers(source, []) == []


def test_any_tokens(source: Any) -> None:
    @settings(max_examples=25)
    @given(st.lists(st.lists(tokens(), max_size=6).map(tuple), max_size=4))
    def body(batch: list[tuple[str, ...]]) -> None:
        found = answers(source, batch)
        assert [len(tags) for tags in found] == [len(one) for one in batch]
        assert answers(source, batch[::-1])[::-1] == found

    body()


def test_it_says_what_it_is_and_the_same_twice(source: Any, capfd: pytest.CaptureFixture[str]) -> None:
    assert hash(source) == hash(source), "a frozen dataclass"
    assert source.about() == source.about()
    assert all(line and "\n" not in line for line in source.about())
    assert source.about()
    assert source.fingerprint() == source.fingerprint() != ""
    assert capfd.readouterr() == ("", ""), "libraries are silent"
