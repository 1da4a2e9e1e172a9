from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.analyse import plain_drops as plain

from nerquake.stats.ranks import mean_ranks, rank_correlation

VALUES = st.integers(0, 4).map(lambda number: number / 10)


def test_three_pairs_cannot_show_anything() -> None:
    # of the six orders the best and the worst are as far from 0 as can be: two of six
    found = rank_correlation([0.1, 0.2, 0.3], [1, 2, 3])
    assert found is not None
    assert (found.n, found.exact) == (3, True)
    assert found.spearman == found.kendall == (pytest.approx(1.0), pytest.approx(1 / 3), pytest.approx(1 / 3))


def test_four_pairs_by_hand() -> None:
    # ranks 1 2 3 4 against 1 3 2 4: rho = 1 - 6 * 2 / (4 * 15) = 0.8, five of six pairs in order: tau = 4/6.
    # Orders of four with |rho| of 0.8 or more: the identity, three swaps of neighbours, and their mirrors: 8 of 24.
    found = rank_correlation([1, 2, 3, 4], [10, 30, 20, 40])
    assert found is not None
    assert found.spearman == (pytest.approx(0.8), pytest.approx(8 / 24), pytest.approx(2 / 24))
    assert found.kendall == (pytest.approx(4 / 6), pytest.approx(8 / 24), pytest.approx(2 / 24))


def test_equal_values_share_the_mean_of_their_ranks() -> None:
    assert list(mean_ranks([0.3, 0.1, 0.3, 0.2, 0.1 + 1e-15])) == [4.5, 1.5, 4.5, 3.0, 1.5]


def test_fewer_than_three_pairs_or_a_side_that_does_not_vary_say_nothing() -> None:
    assert rank_correlation([1, 2], [1, 2]) is None
    assert rank_correlation([], []) is None
    assert rank_correlation([1, 1, 1], [1, 2, 3]) is None
    assert rank_correlation([1, 2, 3], [0.1 + 0.2, 0.3, 0.3]) is None
    with pytest.raises(ValueError, match="got 1 and 2 values"):
        rank_correlation([1], [1, 2])


@settings(max_examples=40)
@given(st.lists(st.tuples(VALUES, VALUES), min_size=3, max_size=5))
def test_both_are_those_of_the_plain_computation(pairs: Any) -> None:
    x, y = [a for a, _ in pairs], [b for _, b in pairs]
    found = rank_correlation(x, y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert found is None
        return
    assert found is not None
    for measure, one in ((plain.spearman, found.spearman), (plain.kendall, found.kendall)):
        assert one.value == pytest.approx(measure(x, y), abs=1e-12)
        assert one.p == pytest.approx(plain.permutation_p(measure, x, y))
        assert one.smallest <= one.p
    mirrored = rank_correlation(x, [-b for b in y])
    assert mirrored is not None
    assert mirrored.spearman.value == pytest.approx(-found.spearman.value, abs=1e-12)
    assert mirrored.kendall.p == found.kendall.p


@settings(max_examples=40)
@given(st.lists(st.tuples(VALUES, VALUES), min_size=3, max_size=14))
def test_scipy_agrees(pairs: Any) -> None:
    stats = pytest.importorskip("scipy.stats")
    x, y = [a for a, _ in pairs], [b for _, b in pairs]
    found = rank_correlation(x, y)
    if found is not None:
        assert found.spearman.value == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
        assert found.kendall.value == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
        assert found.exact == (len(x) <= 8)


@pytest.mark.parametrize("size", [5, 8])
def test_scipy_gives_the_same_exact_p_without_ties(size: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    x, y = list(range(size)), [(3 * number + 2) % size for number in range(size)]
    found = rank_correlation(x, y)
    assert found is not None
    assert found.kendall.p == pytest.approx(stats.kendalltau(x, y, method="exact").pvalue)

    def rho(order: Any) -> float:
        return float(stats.spearmanr(order, y).statistic)

    if size == 5:
        tested = stats.permutation_test((x,), rho, permutation_type="pairings", n_resamples=1000)
        assert found.spearman.p == pytest.approx(tested.pvalue)


def test_many_pairs_are_drawn_by_seed() -> None:
    x = list(range(12))
    y = [0, 2, 1, 4, 3, 5, 7, 6, 8, 11, 10, 9]
    one, again, other = (rank_correlation(x, y, seed) for seed in (1, 1, 2))
    assert one is not None
    assert one == again
    assert other is not None
    assert not one.exact
    assert one.spearman.p == pytest.approx(1 / 20001)
    turned = rank_correlation(x, [0, 3, 1, 2] * 3, 1), rank_correlation(x, [0, 3, 1, 2] * 3, 2)
    assert turned[0] is not None
    assert turned[1] is not None
    assert turned[0].kendall.p == pytest.approx(turned[1].kendall.p, abs=0.02)
    assert turned[0].kendall.p != turned[1].kendall.p
