"""Predictions for other tokens are refused, and the message says what was done to them."""

from __future__ import annotations

import pytest

from nerquake.core.errors import TokensDiffer
from nerquake.core.protocols import Tagging
from nerquake.core.sentence import Sentence, token_hash
from nerquake.core.span import Span
from nerquake.taggers.join import Answer, join_answers

RESPELT = [
    ("caf\u00e9 in Bonn", "cafe\u0301 in Bonn", "another Unicode normal form (NFC in the set, NFD in the predictions)"),
    ("New\u00a0York", "New York", "with other blanks, or split into other tokens"),
    ("er ist im Haus", "er ist in dem Haus", "expanded or shortened, as when im is read as in dem"),
    ("An\u200bna lebt", "Anna lebt", "but for characters that cannot be seen"),
    ("Anna lebt", "anna lebt", "the same but for case"),
]


def sentence(key: str, text: str, hashed: bool = False) -> Sentence:
    tokens = tuple(text.split(" "))
    return Sentence(token_hash(tokens) if hashed else key, tokens, hashed=hashed)


def answer(key: str, text: str, hashed: bool = False) -> Answer:
    tokens = tuple(text.split(" "))
    return Answer(token_hash(tokens) if hashed else key, hashed, tokens, Tagging((Span(0, 1, "PER"),)))


@pytest.mark.parametrize(("ours", "theirs", "hint"), RESPELT)
def test_what_was_done_to_the_tokens_is_said(ours: str, theirs: str, hint: str) -> None:
    with pytest.raises(TokensDiffer) as caught:
        join_answers([sentence("s1", ours)], [answer("s1", theirs)])
    message = str(caught.value)
    assert hint in message
    assert "s1" in message
    assert repr(ours)[1:-1] in message
    assert message.endswith("Tag the tokens as the set has them, one answer for each")


@pytest.mark.parametrize(("ours", "theirs", "hint"), [row for row in RESPELT if "expanded" not in row[2]])
def test_it_is_said_without_ids_too(ours: str, theirs: str, hint: str) -> None:
    set_of = [sentence("", "Bo left", hashed=True), sentence("", ours, hashed=True)]
    with pytest.raises(TokensDiffer) as caught:
        join_answers(set_of, [answer("", "Bo left", hashed=True), answer("", theirs, hashed=True)])
    assert f"{set_of[1].id} and {token_hash(theirs.split(' '))} seem to be one sentence" in str(caught.value)
    assert hint in str(caught.value)


def test_of_another_sentence_nothing_is_claimed() -> None:
    with pytest.raises(TokensDiffer) as caught:
        join_answers([sentence("s1", "Anna lebt")], [answer("s1", "Wer ist das denn")])
    assert str(caught.value).endswith("(2 and 4 tokens)")
    with pytest.raises(TokensDiffer) as caught:
        join_answers([sentence("", "Anna lebt", hashed=True)], [answer("", "Wer ist das", hashed=True)])
    assert "seem to be" not in str(caught.value)


def test_answers_come_in_the_order_of_the_set() -> None:
    set_of = [sentence("a", "Anna lebt"), sentence("b", "Bo lebt")]
    found = join_answers(set_of, [answer("b", "Bo lebt"), Answer("a", False, ("Anna", "lebt"), Tagging(()))])
    assert [one.spans for one in found] == [(), (Span(0, 1, "PER"),)]
