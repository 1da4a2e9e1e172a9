"""Sentences: what is refused at birth, ids, text."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import sentences, tokens

from nerquake.core.sentence import Layout, Sentence, TokenIds, token_hash
from nerquake.core.span import Span


def test_a_sentence_has_tokens() -> None:
    with pytest.raises(ValueError, match="'s1' has no tokens"):
        Sentence("s1", ())


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ((Span(0, 2, "A"), Span(1, 3, "B")), "overlaps"),
        ((Span(1, 2, "A"), Span(0, 1, "B")), "out of order"),
        ((Span(0, 2, "A"), Span(0, 2, "B")), "overlaps"),
        ((Span(2, 4, "A"),), "past its 3 tokens"),
    ],
)
def test_spans_are_flat_sorted_and_inside(spans: tuple[Span, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Sentence("s1", ("a", "b", "c"), spans)


@pytest.mark.parametrize("spaces", [(), (True,), (True, False, True)])
def test_spaces_are_one_a_token(spaces: tuple[bool, ...]) -> None:
    with pytest.raises(ValueError, match="spaces"):
        Sentence("s1", ("a", "b"), spaces=spaces)


def test_columns_are_one_row_a_token() -> None:
    with pytest.raises(ValueError, match="columns"):
        Sentence("s1", ("a", "b"), columns=(("NN",),))


def test_adjacent_mentions_of_one_label_are_two() -> None:
    both = Sentence("s1", ("a", "b"), (Span(0, 1, "PER"), Span(1, 2, "PER")))
    assert len(both.spans) == 2


def test_surface_and_mention() -> None:
    one = Sentence("s1", ("in", "New York", "City", "."), (Span(1, 3, "LOC"),))
    assert one.mention(one.spans[0]) == ("New York", "City")
    assert one.surface(one.spans[0]) == "New York City"


def test_text_follows_the_spaces_where_they_are_known() -> None:
    assert Sentence("s1", ("Bonn", ".")).text == "Bonn ."
    assert Sentence("s1", ("Bonn", "."), spaces=(False, False)).text == "Bonn."


def test_with_spans_sorts() -> None:
    one = Sentence("s1", ("a", "b")).with_spans([Span(1, 2, "B"), Span(0, 1, "A")])
    assert one.spans == (Span(0, 1, "A"), Span(1, 2, "B"))


@given(sentences())
def test_a_stripped_sentence_tells_nothing_of_its_labels(one: Sentence) -> None:
    told = Sentence(
        one.id, one.tokens, one.spans, one.spaces, "d1", (("B-PER",),) * len(one), (("domain", "news"),), "s0",
        layout=Layout(("# anna",), raw="{}"),
    )  # fmt: skip
    bare = told.stripped()
    assert (bare.id, bare.tokens, bare.spaces, bare.doc_id) == (told.id, told.tokens, told.spaces, "d1")
    assert (bare.spans, bare.columns, bare.meta, bare.layout) == ((), (), (), None)


def test_the_token_hash_is_the_documented_one() -> None:
    assert token_hash(("Anna", "met")) == sha256("Anna\u001fmet".encode()).hexdigest()[:12]
    assert token_hash(("New York",)) != token_hash(("New", "York"))


def test_a_lone_surrogate_can_be_hashed() -> None:
    assert len(token_hash(("\ud83d",))) == 12


def test_repeats_get_numbers_in_order() -> None:
    ids = TokenIds()
    first, other, second, third = (ids.next(x) for x in (("a",), ("b",), ("a",), ("a",)))
    assert (second, third) == (f"{first}.2", f"{first}.3")
    assert other == token_hash(("b",))


@given(st.lists(st.lists(tokens(), min_size=1, max_size=2), max_size=12))
def test_given_out_ids_are_unique(bodies: list[list[str]]) -> None:
    ids = TokenIds()
    given_out = [ids.next(body) for body in bodies]
    assert len(set(given_out)) == len(given_out)


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=2), max_size=6))
def test_a_new_sentence_in_front_changes_no_other_id(bodies: list[list[str]]) -> None:
    before, after = TokenIds(), TokenIds()
    after.next(["a sentence that nobody else has"])
    assert [before.next(body) for body in bodies] == [after.next(body) for body in bodies]
