"""Comparisons over seeds, against scipy and by hand."""

from __future__ import annotations

from itertools import product
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.stats.over_seeds import Summary, paired_test, regularised_beta, summary, t_tail

scipy_stats = pytest.importorskip("scipy.stats")
scipy_special = pytest.importorskip("scipy.special")

figures = st.lists(st.floats(0, 1).map(lambda x: round(x, 4)), min_size=2, max_size=9)


def test_one_run_has_no_standard_deviation() -> None:
    assert summary([0.5]) == Summary(0.5, None, 1)


def test_mean_and_sd() -> None:
    made = summary([0.1, 0.2, 0.6])
    assert made.mean == pytest.approx(0.3)
    assert made.sd == pytest.approx(0.2645751311)


@given(st.floats(0.001, 0.999), st.floats(0.5, 60), st.floats(0.5, 60))
def test_incomplete_beta_is_scipys(x: float, a: float, b: float) -> None:
    assert regularised_beta(x, a, b) == pytest.approx(float(scipy_special.betainc(a, b, x)), abs=1e-9)


@given(st.floats(-50, 50), st.integers(1, 200))
def test_tail_is_scipys(t: float, df: int) -> None:
    assert t_tail(t, df) == pytest.approx(2 * float(scipy_stats.t.sf(abs(t), df)), abs=1e-9)


@given(st.integers(2, 9).flatmap(lambda n: st.tuples(*[st.lists(st.floats(0, 1), min_size=n, max_size=n)] * 2)))
def test_paired_t_test_is_scipys(pair: tuple[list[float], list[float]]) -> None:
    a, b = pair
    made = paired_test(a, b)
    if made.t is None:
        assert max(x - y for x, y in zip(a, b, strict=True)) == pytest.approx(
            min(x - y for x, y in zip(a, b, strict=True))
        )
        return
    theirs = scipy_stats.ttest_rel(a, b)
    assert (made.t, made.p) == (
        pytest.approx(float(theirs.statistic), rel=1e-6), pytest.approx(float(theirs.pvalue), abs=1e-9)
    )  # fmt: skip


@given(figures)
def test_permutation_p_counts_sign_patterns(differences: list[float]) -> None:
    made = paired_test(differences, [0.0] * len(differences))
    observed = abs(fmean(differences))
    all_signs = list(product((1, -1), repeat=len(differences)))
    extreme = [
        signs for signs in all_signs
        if abs(fmean(s * d for s, d in zip(signs, differences, strict=True))) >= observed - 1e-12
    ]  # fmt: skip
    assert made.p_permutation == pytest.approx(len(extreme) / len(all_signs))


def test_ten_equal_signs() -> None:
    made = paired_test([0.5] * 5 + [0.6] * 5, [0.4] * 5 + [0.45] * 5)
    assert made.p_permutation == pytest.approx(2 / 1024)
    assert made.df == 9


def test_differences_that_do_not_vary_have_no_t() -> None:
    made = paired_test([0.5, 0.6], [0.4, 0.5])
    assert made.t is None
    assert made.p is None
    assert made.mean_difference == pytest.approx(0.1)


def test_many_pairs_are_drawn_and_seeded() -> None:
    a, b = [0.5 + 0.01 * (i % 7) for i in range(20)], [0.5 + 0.01 * (i % 5) for i in range(20)]
    assert paired_test(a, b, seed=3) == paired_test(a, b, seed=3)
    theirs = scipy_stats.ttest_rel(a, b)
    assert paired_test(a, b).p_permutation == pytest.approx(float(theirs.pvalue), abs=0.03)


def test_pairs_must_match() -> None:
    with pytest.raises(ValueError, match="got 1 and 2"):
        paired_test([1.0], [1.0, 2.0])
