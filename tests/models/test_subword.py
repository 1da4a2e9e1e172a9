"""From sub-tokens to words and back, with stubs in place of models."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import flat_spans

from nerquake.core.errors import InputError
from nerquake.core.results import Predictions
from nerquake.core.scheme import BIOES, IOB2, SCHEMES, Scheme
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.models.subword import (
    Answered,
    Window,
    merge_windows,
    piece_counts,
    plan_windows,
    tagging_of,
    tags_by_word,
)
from nerquake.score.count import count
from nerquake.score.metrics import rates

PER, LOC = Span(0, 1, "PER"), Span(3, 4, "LOC")


@pytest.mark.parametrize("swallowed", ["\u200b", "\ufe0f", "\u00a0", "\u00ad", "\u200d", ""])
def test_words_without_a_piece_get_o_and_are_unseen(swallowed: str) -> None:
    """Case 4 (a): a shift by one would halve the F1."""
    tokens = ("Anna", swallowed, "met", "Bonn")
    counts = piece_counts([0, 2, 3], len(tokens))
    (window,) = plan_windows(counts, room=8, overlap=2)
    answer = tagging_of(tags_by_word(counts, [Answered(window, [0, 2, 3], ["B-PER", "O", "B-LOC"])]), IOB2)
    assert answer.spans == (PER, LOC)
    assert answer.unseen == (1,)
    assert answer.invalid == 0


def test_special_pieces_and_later_pieces_do_not_count() -> None:
    ids = [None, 0, 0, 1, 3, 3, 3, None]
    assert piece_counts(ids, 4) == [2, 1, 0, 3]
    parts = [Answered(Window(0, 2), [0, 1], ["B-PER", "O"]), Answered(Window(1, 4), [1, 3], ["O", "B-LOC"])]
    for order in (parts, parts[::-1]):
        assert tags_by_word(piece_counts(ids, 4), order) == ["B-PER", "O", None, "B-LOC"]
    assert tags_by_word([0, 0], []) == [None, None]


def test_the_cut_off_tail_is_unseen() -> None:
    """Case 4 (b): six tokens, the stub sees the first four."""
    (window,) = plan_windows([1] * 6, room=4, overlap=1, several=False)
    assert window == Window(0, 4)
    seen = Answered(window, range(4), ["B-PER", "O", "O", "B-LOC"])
    answer = tagging_of(tags_by_word([1] * 6, [seen]), IOB2)
    assert answer.spans == (PER, LOC)
    assert answer.unseen == (4, 5)
    gold = Sentence("s", ("Anna", "sang", "in", "Bonn", "and", "Paris"), GOLD)
    table = count([gold], Predictions("stub", ("s",), (answer.spans,), (answer.unseen,)))
    strict = rates(table.overall.sum(axis=0), "strict")
    assert (strict.precision, strict.recall) == (1.0, 2 / 3)


GOLD = (PER, LOC, Span(5, 6, "LOC"))
TAGS = ["B-PER", "O", "O", "B-LOC", "O", "B-LOC"]


def test_with_windows_nothing_is_lost_and_nothing_found_twice() -> None:
    windows = plan_windows([1] * 6, room=4, overlap=1)
    assert windows == [Window(0, 4), Window(3, 6)]
    merged = merge_windows(windows, [TAGS[window.start : window.end] for window in windows])
    assert tagging_of(merged, IOB2).spans == GOLD


def test_a_mention_across_the_border_is_found_once() -> None:
    """Window [0, 5) sees two of its three words; window [3, 8) sees it whole."""
    windows = [Window(0, 5), Window(3, 8)]
    left, right = ["O", "O", "O", "B-LOC", "I-LOC"], ["B-LOC", "I-LOC", "I-LOC", "O", "O"]
    assert tagging_of(merge_windows(windows, [left, right]), IOB2).spans == (Span(3, 6, "LOC"),)


def test_where_windows_disagree_the_one_with_context_decides() -> None:
    windows = [Window(0, 5), Window(3, 8)]
    left, right = ["O", "O", "O", "B-LOC", "B-PER"], ["B-ORG", "B-PER", "O", "O", "O"]
    merged = merge_windows(windows, [left, right])
    assert merged[3] == "B-LOC", "the later window saw nothing in front of it"


def fits(counts: Sequence[int], window: Window, room: int) -> bool:
    return window.end - window.start == 1 or sum(counts[window.start : window.end]) <= room


@given(st.lists(st.integers(0, 7), max_size=40), st.integers(1, 12), st.data())
def test_windows_cover_every_word_that_has_a_piece(counts: list[int], room: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, room - 1))
    windows = plan_windows(counts, room, overlap)
    assert bool(windows) == any(counts)
    covered = {word for window in windows for word in range(window.start, window.end)}
    assert {word for word, count in enumerate(counts) if count} <= covered
    for window in windows:
        assert window.start < window.end
        assert fits(counts, window, room)
    for before, after in pairwise(windows):
        assert before.start < after.start <= before.end < after.end
        assert sum(counts[after.start : before.end]) <= overlap
    if sum(counts) <= room and windows:
        assert windows == [Window(0, len(counts))]
    assert plan_windows(counts, room, overlap, several=False) == windows[:1]


def clipped(spans: Sequence[Span], window: Window, scheme: Scheme) -> list[str]:
    """A model that finds every mention, but cannot know that one goes on beyond its window."""
    inside = [
        Span(max(span.start, window.start) - window.start, min(span.end, window.end) - window.start, span.label)
        for span in spans
        if span.start < window.end and span.end > window.start
    ]
    return scheme.encode(inside, window.end - window.start)


@given(st.integers(1, 40), st.integers(2, 10), st.data())
def test_merged_windows_give_back_every_mention_once(size: int, room: int, data: st.DataObject) -> None:
    """Mentions of any length, touching ones too, wherever the borders are, as long as windows share a word."""
    spans = data.draw(flat_spans(size, st.sampled_from(["PER", "LOC"])))
    overlap = data.draw(st.integers(1, room - 1))
    windows = plan_windows([1] * size, room, overlap)
    merged = merge_windows(windows, [clipped(spans, window, IOB2) for window in windows])
    assert len(merged) == size
    assert IOB2.decode(merged) == spans


@given(st.integers(1, 30), st.sampled_from([scheme for scheme in SCHEMES.values() if scheme.name != "io"]), st.data())
def test_windows_change_nothing_for_a_model_without_context(size: int, scheme: Scheme, data: st.DataObject) -> None:
    tags = scheme.encode(data.draw(flat_spans(size)), size)
    counts = data.draw(st.lists(st.integers(1, 3), min_size=size, max_size=size))
    windows = plan_windows(counts, 6, 2)
    assert merge_windows(windows, [tags[window.start : window.end] for window in windows]) == tags


def test_an_unseen_word_breaks_no_transition() -> None:
    """`New` U+200B `York`: the model gave B I, which is well formed; the swallowed word between them gets O."""
    answer = tagging_of(["B-LOC", None, "I-LOC"], IOB2)
    assert answer.unseen == (1,)
    assert answer.invalid == 0
    assert answer.spans == (Span(0, 1, "LOC"), Span(2, 3, "LOC"))


def test_ill_formed_tags_are_repaired_and_counted() -> None:
    """Case 17."""
    tags = ["I-PER", "I-PER", "O"]
    kept, dropped = tagging_of(tags, IOB2), tagging_of(tags, IOB2, "discard")
    assert (kept.spans, kept.invalid) == ((Span(0, 2, "PER"),), 1)
    assert (dropped.spans, dropped.invalid) == ((), 1)
    with pytest.raises(InputError, match="ill-formed iob2 tags, and repair is none: I-PER I-PER O"):
        tagging_of(tags, IOB2, "none")
    assert tagging_of(["B-PER", "E-PER"], BIOES, "none").spans == (Span(0, 2, "PER"),)


def test_a_sentence_that_the_model_never_saw() -> None:
    answer = tagging_of([None, None], IOB2)
    assert (answer.spans, answer.unseen) == ((), (0, 1))
