from __future__ import annotations

import pytest
from hypothesis import given, settings
from tests.score.strategies import both_sides, mentions

from nerquake.core.span import Span
from nerquake.score.flips import Flips, flips, right


def test_right_means_equal_span_and_label() -> None:
    gold = mentions("A 0 1, B 2 4, C 5 6")
    assert right(gold, mentions("A 0 1, B 2 3, A 5 6")) == {0}


def test_mentions_are_compared_through_the_map() -> None:
    before = (mentions("A 0 1, B 2 3"), mentions("A 0 1"))
    # The mentions have moved and changed places: A is now the second one.
    after = (mentions("B 0 2, A 5 8"), mentions("B 0 2"))
    assert flips(before, after, (1, 0)) == Flips(fell=(0,), rose=(1,))


def test_a_mention_that_is_gone_is_neither_right_nor_wrong() -> None:
    assert flips((mentions("A 0 1"),) * 2, ((), ()), (None,)) == Flips()


@settings(max_examples=40, deadline=None)
@given(both_sides())
def test_nothing_flips_where_nothing_changes(sides: tuple[tuple[Span, ...], tuple[Span, ...]]) -> None:
    assert flips(sides, sides, tuple(range(len(sides[0])))) == Flips()


@settings(max_examples=40, deadline=None)
@given(both_sides())
def test_swapping_original_and_attacked_swaps_falls_and_rises(sides: tuple[tuple[Span, ...], tuple[Span, ...]]) -> None:
    gold = sides[0]
    same = tuple(range(len(gold)))
    there, back = flips(sides, (gold, gold), same), flips((gold, gold), sides, same)
    assert (there.fell, there.rose) == (back.rose, back.fell)
    assert there.fell == ()


def test_a_map_of_other_mentions_is_refused() -> None:
    with pytest.raises(ValueError, match="covers 2 mentions"):
        flips((mentions("A 0 1"), ()), ((), ()), (0, None))
