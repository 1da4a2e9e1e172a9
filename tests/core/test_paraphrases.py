"""The distance of two orders, with figures worked out by hand."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.paraphrases import inverted


@pytest.mark.parametrize(("places", "share"), [
    ([], 0), ([3], 0), ([0, 1, 2], 0), ([2, 1, 0], 1), ([2, 0, 1], 2 / 3), ([1, 2, 3, 0], 3 / 6), ([1, 0, 3, 2], 2 / 6),
])  # fmt: skip
def test_pairs_that_stand_the_other_way_round(places: list[int], share: float) -> None:
    assert inverted(places) == pytest.approx(share)


@given(st.permutations(range(12)))
def test_inversions_are_those_that_one_finds_by_looking(places: list[int]) -> None:
    pairs = list(combinations(places, 2))
    assert inverted(places) == pytest.approx(sum(a > b for a, b in pairs) / len(pairs))
    assert inverted(places[::-1]) == pytest.approx(1 - inverted(places))
