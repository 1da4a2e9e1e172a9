from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nerquake.core.results import Counts
from nerquake.stats.paired import randomisation_p

Row = tuple[int, int]
ROWS = st.sampled_from([(0, 0), (0, 2), (2, 2), (0, 1), (2, 3), (2, 4), (4, 4)])
"""Numerators and denominators of F1 that sentences with up to two mentions have."""


def f1(counts: Counts) -> float:
    return counts[0] / counts[1] if counts[1] else float("nan")


def exact_p(a: Counts, b: Counts) -> float:
    """p over all 2^n ways of swapping."""
    observed = abs(f1(a.sum(axis=0)) - f1(b.sum(axis=0)))
    extreme = 0
    for swaps in product([False, True], repeat=len(a)):
        chosen = np.array(swaps)[:, None]
        left, right = np.where(chosen, b, a).sum(axis=0), np.where(chosen, a, b).sum(axis=0)
        drawn = abs(f1(left) - f1(right))
        extreme += np.isnan(drawn) or drawn >= observed - 1e-12
    return extreme / 2 ** len(a)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(ROWS, ROWS), min_size=1, max_size=7))
def test_p_is_close_to_that_of_all_swaps(pairs: list[tuple[Row, Row]]) -> None:
    a, b = (np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True))
    p = randomisation_p(a, b, resamples=4000)
    if np.isnan(f1(a.sum(axis=0)) - f1(b.sum(axis=0))):
        assert p is None
    else:
        assert p == pytest.approx(exact_p(a, b), abs=0.04)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(ROWS, ROWS), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_the_order_of_sentences_changes_nothing(pairs: list[tuple[Row, Row]], random: object) -> None:
    shuffled = list(pairs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    found = []
    for order in (pairs, shuffled):
        a, b = (np.array(side, dtype=np.int64) for side in zip(*order, strict=True))
        found.append(randomisation_p(a, b, resamples=200))
    assert found[0] == found[1]


def test_equal_sides_have_p_one_exactly() -> None:
    counts = np.array([[2, 2], [0, 2], [2, 4]], dtype=np.int64)
    assert randomisation_p(counts, counts) == 1.0


def test_a_difference_in_every_sentence_has_the_smallest_p_there_is() -> None:
    right, wrong = np.tile([2, 2], (200, 1)), np.tile([0, 2], (200, 1))
    assert randomisation_p(right, wrong) == 1 / 1001
    assert randomisation_p(wrong, right) == 1 / 1001


def test_p_is_uniform_where_the_sides_do_not_differ() -> None:
    generator = np.random.default_rng(0)
    values = []
    for seed in range(200):
        a, b = (np.stack([2 * generator.binomial(1, 0.7, 80), np.full(80, 2)], axis=1) for _ in range(2))
        values.append(randomisation_p(a, b, resamples=200, seed=seed))
    small = sum(value is not None and value <= 0.1 for value in values)
    assert 5 <= small <= 35


def test_an_undefined_side_has_no_p() -> None:
    nothing, something = np.zeros((3, 2), dtype=np.int64), np.full((3, 2), 2)
    assert randomisation_p(nothing, something) is None
    assert randomisation_p(nothing, nothing) is None


def test_a_draw_that_leaves_a_side_without_mentions_counts_as_a_large_difference() -> None:
    # Half of the swaps give one side both sentences that hold anything, and the other none.
    right, wrong = np.array([[2, 2], [0, 0]]), np.array([[0, 0], [0, 2]])
    assert randomisation_p(right, wrong) == 1.0


def test_no_resamples_give_no_p() -> None:
    counts = np.full((3, 2), 2)
    assert randomisation_p(counts, counts, resamples=0) is None


def test_sides_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="3 and 2 sentences"):
        randomisation_p(np.full((3, 2), 2), np.full((2, 2), 2))
