"""Edits: the one place where offsets move, held against a slow, obvious model."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import edits, sentences

from nerquake.core.edits import Edit, Rewrite, apply_edits, apply_rewrite, compose_maps
from nerquake.core.errors import EditError
from nerquake.core.scheme import IOB2
from nerquake.core.sentence import Layout, Sentence
from nerquake.core.span import Span

ANNA = Sentence(
    "s1", ("Anna", "Lind", "met", "the", "EU", "Bonn", "."), (Span(0, 2, "PER"), Span(4, 5, "ORG"), Span(5, 6, "LOC"))
)


def mention(start: int, end: int, *new: str) -> Edit:
    return Edit(start, end, new, "mention")


def context(start: int, end: int, *new: str) -> Edit:
    return Edit(start, end, new, "context")


def obvious(sentence: Sentence, changes: list[Edit]) -> tuple[list[str], list[tuple[int, int, str]]]:
    """Tokens with the mention each belongs to, edited one change at a time from the right; nothing moves by sums."""
    owner: list[int | None] = [None] * len(sentence)
    for index, span in enumerate(sentence.spans):
        owner[span.start : span.end] = [index] * span.width
    cells = list(zip(sentence.tokens, owner, strict=True))
    for change in sorted(changes, key=lambda c: (c.start, c.end), reverse=True):
        inside = None
        if change.kind == "mention":
            inside = next(i for i, s in enumerate(sentence.spans) if s.start <= change.start and change.end <= s.end and
                          (change.start < change.end or s.start < change.start < s.end))  # fmt: skip
        cells[change.start : change.end] = [(token, inside) for token in change.new]
    spans = []
    for index, span in enumerate(sentence.spans):
        at = [i for i, (_, mine) in enumerate(cells) if mine == index]
        assert at == list(range(at[0], at[-1] + 1))
        spans.append((at[0], at[-1] + 1, span.label))
    return [token for token, _ in cells], spans


@given(st.data())
def test_edits_do_what_the_obvious_model_does(data: st.DataObject) -> None:
    sentence = data.draw(sentences())
    changes = data.draw(edits(sentence))
    made = apply_edits(sentence, changes)
    tokens, spans = obvious(sentence, changes)
    assert list(made.sentence.tokens) == tokens
    assert [(span.start, span.end, span.label) for span in made.sentence.spans] == spans
    assert made.mentions == tuple(range(len(sentence.spans)))


@given(st.data())
def test_everything_else_of_a_sentence_is_carried(data: st.DataObject) -> None:
    sentence = data.draw(sentences())
    changes = data.draw(edits(sentence))
    made = apply_edits(sentence, changes, "new").sentence
    assert made.id == "new"
    assert (made.doc_id, made.meta, made.source) == (sentence.doc_id, sentence.meta, sentence.source)
    assert (made.spaces is None) == (sentence.spaces is None)
    assert bool(made.columns) == bool(sentence.columns)
    untouched = set(range(len(sentence))) - {i for change in changes for i in range(change.start, change.end)}
    kept = [cells for cells in made.columns if cells != ("_", "_")]
    assert kept == [sentence.columns[i] for i in sorted(untouched) if sentence.columns]


@given(sentences())
def test_no_edits_change_nothing(sentence: Sentence) -> None:
    assert apply_edits(sentence, []).sentence == sentence


def test_replaced_mentions_move_the_others() -> None:
    made = apply_edits(ANNA, [mention(4, 5, "United", "Nations"), mention(0, 2, "Bo")]).sentence
    assert made.tokens == ("Bo", "met", "the", "United", "Nations", "Bonn", ".")
    assert made.spans == (Span(0, 1, "PER"), Span(3, 5, "ORG"), Span(5, 6, "LOC"))


def test_the_same_surface_in_two_roles() -> None:
    """Case 11."""
    may = Sentence(
        "s", ("May", "met", "May", "in", "May", "."), (Span(0, 1, "PER"), Span(2, 3, "PER"), Span(4, 5, "DATE"))
    )
    made = apply_edits(may, [mention(0, 1, "Rosa", "Lind"), mention(2, 3, "Rosa", "Lind")]).sentence
    assert made.text == "Rosa Lind met Rosa Lind in May ."
    assert IOB2.encode(made.spans, len(made)) == ["B-PER", "I-PER", "O", "B-PER", "I-PER", "O", "B-DATE", "O"]


def test_replacing_a_mention_never_touches_a_longer_word() -> None:
    """Case 21."""
    words = ("Iranian", "officials", "met", "the", "Iran", "coach", "in", "Iran", ".")
    iran = Sentence("s", words, (Span(4, 5, "GPE"), Span(7, 8, "GPE")))
    made = apply_edits(iran, [mention(4, 5, "Chad"), mention(7, 8, "Chad")]).sentence
    assert made.text == "Iranian officials met the Chad coach in Chad ."


def test_insertions_at_a_mentions_border_stand_outside_it() -> None:
    made = apply_edits(
        ANNA, [context(4, 4, "old"), context(5, 5, "and"), context(0, 0, "Then"), context(6, 6, "now")]
    ).sentence
    assert made.text == "Then Anna Lind met the old EU and Bonn now ."
    assert [made.surface(span) for span in made.spans] == ["Anna Lind", "EU", "Bonn"]


def test_an_insertion_inside_a_mention_belongs_to_it() -> None:
    made = apply_edits(ANNA, [mention(1, 1, "Maria")]).sentence
    assert made.surface(made.spans[0]) == "Anna Maria Lind"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([mention(1, 3, "x")], "cuts the mention"),
        ([context(1, 3, "x")], "cuts the mention"),
        ([context(3, 5, "x")], "cuts the mention"),
        ([mention(3, 7, "x")], "cuts the mention"),
        ([mention(4, 6, "x")], "cuts the mention"),
        ([mention(0, 2)], "empty the mention 'Anna Lind'"),
        ([mention(0, 1), mention(1, 2)], "empty the mention"),
        ([mention(4, 5), mention(5, 6, "x")], "empty the mention 'EU'"),
        ([context(0, 2, "x", "y")], "the context edit [0, 2) stands inside a mention"),
        ([context(1, 1, "x")], "stands inside a mention"),
        ([mention(2, 3, "x")], "the mention edit [2, 3) stands outside a mention"),
        ([mention(4, 4, "x")], "stands outside a mention"),
        ([mention(2, 2, "x")], "stands outside a mention"),
        ([mention(6, 7, "x")], "stands outside a mention"),
        ([context(6, 8, "x")], "reaches past its 7 tokens"),
        ([context(8, 8, "x")], "reaches past its 7 tokens"),
        ([context(2, 4, "x"), context(3, 4, "y")], "overlaps the one before it"),
        ([context(2, 3, "x"), context(2, 3, "y")], "overlaps the one before it"),
        ([context(3, 3, "x"), context(3, 3, "y")], "overlaps the one before it"),
        ([mention(0, 2, "x"), mention(1, 2, "y")], "overlaps the one before it"),
    ],
)
def test_every_way_to_damage_a_mention_is_refused(changes: list[Edit], message: str) -> None:
    for order in (changes, changes[::-1]):
        with pytest.raises(EditError, match=re.escape(message)) as caught:
            apply_edits(ANNA, order)
        assert "'s1'" in str(caught.value)


@pytest.mark.parametrize(("start", "end", "new"), [(-1, 1, "x"), (2, 1, "x"), (3, 3, "")])
def test_an_edit_that_is_none_is_refused_at_birth(start: int, end: int, new: str) -> None:
    with pytest.raises(EditError):
        Edit(start, end, (new,) if new else (), "context")


def test_a_sentence_is_never_left_without_tokens() -> None:
    with pytest.raises(EditError, match="leave nothing of sentence 's2'"):
        apply_edits(Sentence("s2", ("a", "b")), [context(0, 2)])


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (context(0, 1, "Alle", "beide"), "Alle beide (nach Bonn)."),
        (mention(3, 4, "Bad", "Honnef"), "Er (nach Bad Honnef)."),
        (context(4, 4, "heute"), "Er (nach Bonn heute )."),
        (context(2, 2, "nur"), "Er ( nur nach Bonn)."),
        (context(6, 6, "Ja"), "Er (nach Bonn). Ja"),
        (context(0, 0, "Doch"), "Doch Er (nach Bonn)."),
        (context(2, 3), "Er (Bonn)."),
    ],
)
def test_words_never_run_together(change: Edit, text: str) -> None:
    spaces = (True, False, True, False, False, False)
    bonn = Sentence("s", ("Er", "(", "nach", "Bonn", ")", "."), (Span(3, 4, "LOC"),), spaces)
    assert apply_edits(bonn, [change]).sentence.text == text


def test_columns_and_gaps_of_new_tokens() -> None:
    gaps = tuple((str(i), "\t", "") for i in range(3))
    told = Sentence(
        "s",
        ("in", "Bonn", "."),
        (Span(1, 2, "LOC"),),
        columns=(("IN",), ("NNP",), (".",)),
        layout=Layout(("# x",), gaps),
    )
    made = apply_edits(told, [mention(1, 2, "New", "York")]).sentence
    assert made.columns == (("IN",), ("_",), ("_",), (".",))
    assert made.layout == Layout(("# x",), (gaps[0], gaps[0], gaps[0], gaps[2]))


def test_a_changed_sentence_does_not_keep_the_record_it_stood_in() -> None:
    raw = Sentence("s", ("in", "Bonn"), layout=Layout(raw='{"tokens": ["in", "Bonn"]}'))
    layout = apply_edits(raw, [context(0, 1, "near")]).sentence.layout
    assert layout is not None
    assert layout.raw == ""


def test_a_rewrite_brings_its_own_map() -> None:
    rewrite = Rewrite(("Anna", "saw", "Rome"), (Span(0, 1, "PER"), Span(2, 3, "LOC")), (0, None, 1))
    made = apply_rewrite(ANNA, rewrite, "new")
    assert (made.sentence.id, made.sentence.tokens, made.sentence.spans) == ("new", rewrite.tokens, rewrite.spans)
    assert made.mentions == (0, None, 1)


@pytest.mark.parametrize(
    ("rewrite", "message"),
    [
        (Rewrite(("x",), (), (None, None)), "maps 2 of 3"),
        (Rewrite(("x",), (Span(0, 1, "PER"),), (0, None, 1)), "not one to one"),
        (Rewrite(("x",), (Span(0, 1, "PER"),), (-1, None, None)), "not one to one"),
        (Rewrite(("x", "y"), (Span(0, 1, "PER"), Span(1, 2, "ORG")), (0, 1, 1)), "not one to one"),
        (Rewrite(("x",), (Span(0, 1, "LOC"),), (0, None, None)), "maps Span"),
        (Rewrite((), (), (None, None, None)), "no tokens"),
        (Rewrite(("x",), (Span(0, 2, "PER"),), (0, None, None)), "past its 1 tokens"),
        (Rewrite(("x", "y"), (Span(1, 2, "LOC"), Span(0, 1, "PER")), (1, None, 0)), "out of order"),
    ],
)
def test_a_rewrite_that_is_wrong_is_a_bug_in_its_perturbation(rewrite: Rewrite, message: str) -> None:
    with pytest.raises(EditError, match=message):
        apply_rewrite(ANNA, rewrite)


def test_a_rewrite_keeps_the_number_of_columns() -> None:
    told = Sentence("s", ("a", "b"), columns=(("X", "Y"), ("X", "Y")))
    assert apply_rewrite(told, Rewrite(("c",), (), ())).sentence.columns == (("_", "_"),)


def test_maps_compose() -> None:
    assert compose_maps((0, None, 1), (None, 0)) == (None, None, 0)
    assert compose_maps((), ()) == ()
