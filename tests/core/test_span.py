"""Mentions: half-open ranges with a label."""

from __future__ import annotations

import pytest

from nerquake.core.span import Span


@pytest.mark.parametrize(("start", "end"), [(1, 1), (2, 1), (-1, 1)])
def test_an_empty_or_backward_range_is_no_span(start: int, end: int) -> None:
    with pytest.raises(ValueError, match=r"0 <= start < end"):
        Span(start, end, "PER")


def test_a_span_without_a_label_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a label"):
        Span(0, 1, "")


def test_touching_spans_do_not_overlap() -> None:
    assert not Span(0, 2, "A").overlaps(Span(2, 3, "A"))
    assert not Span(2, 3, "A").overlaps(Span(0, 2, "A"))
    assert Span(0, 3, "A").overlaps(Span(2, 4, "B"))
    assert Span(0, 4, "A").overlaps(Span(1, 2, "B"))


def test_the_score_is_not_compared() -> None:
    assert Span(0, 1, "A", 0.2) == Span(0, 1, "A", 0.9)
    assert hash(Span(0, 1, "A", 0.2)) == hash(Span(0, 1, "A"))


def test_spans_sort_by_place() -> None:
    assert sorted([Span(2, 3, "A"), Span(0, 2, "B"), Span(0, 1, "Z")]) == [
        Span(0, 1, "Z"),
        Span(0, 2, "B"),
        Span(2, 3, "A"),
    ]


def test_same_range_ignores_the_label() -> None:
    assert Span(0, 2, "A").same_range(Span(0, 2, "B"))
    assert not Span(0, 2, "A").same_range(Span(0, 1, "A"))


def test_width_counts_tokens() -> None:
    assert Span(3, 5, "A").width == 2
