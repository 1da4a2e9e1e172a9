from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nerquake.core.errors import UsageError
from nerquake.core.results import Counts, Interval
from nerquake.stats import bootstrap
from nerquake.stats.bootstrap import Floats, check_sampling, group_rows, intervals, ratio, resampled_sums


def share(sums: Counts) -> Floats:
    """First column over second: the rate that these tests follow."""
    return ratio(sums[:, 0], sums[:, 1])[:, None]


def some_counts(sentences: int, seed: int = 1) -> Counts:
    generator = np.random.default_rng(seed)
    total = generator.integers(0, 4, sentences)
    return np.stack([generator.binomial(total, 0.8), total], axis=1).astype(np.int64)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 2**40)), min_size=1, max_size=20))
def test_rows_are_grouped_as_numpy_groups_them(rows: list[tuple[int, int]]) -> None:
    counts = np.array(rows, dtype=np.int64)
    expected = np.unique(counts, axis=0, return_counts=True)
    for found, wanted in zip(group_rows(counts), expected, strict=True):
        assert np.array_equal(found, wanted)


def test_rows_too_wide_for_one_number_are_grouped_all_the_same() -> None:
    counts = np.array([[2**40, 0, 5], [0, 2**40, 5], [2**40, 0, 5]], dtype=np.int64)
    rows, times = group_rows(counts)
    assert rows.tolist() == [[0, 2**40, 5], [2**40, 0, 5]]
    assert times.tolist() == [1, 2]


def test_grouped_draws_have_the_law_of_drawing_sentences() -> None:
    counts = some_counts(300)
    drawn = np.concatenate(list(resampled_sums(counts, 4000, seed=3)))
    generator = np.random.default_rng(5)
    plain = counts[generator.integers(0, len(counts), (4000, len(counts)))].sum(axis=1)
    spread = plain.std(axis=0)
    # Four standard errors of the difference of two means of 4,000 draws.
    assert (np.abs(drawn.mean(axis=0) - plain.mean(axis=0)) < 4 * spread * np.sqrt(2 / 4000)).all()
    assert np.allclose(np.cov(drawn.T), np.cov(plain.T), rtol=0.12)


def test_the_interval_is_that_of_resampling_sentences_one_by_one() -> None:
    counts = some_counts(400)
    found = intervals(counts, share, resamples=4000)[0]
    generator = np.random.default_rng(7)
    plain = share(counts[generator.integers(0, 400, (4000, 400))].sum(axis=1))[:, 0]
    low, high = np.quantile(plain, [0.025, 0.975])
    assert found.low == pytest.approx(low, abs=0.004)
    assert found.high == pytest.approx(high, abs=0.004)


def test_about_95_of_100_intervals_hold_the_true_rate() -> None:
    held = 0
    for seed in range(200):
        low, high = intervals(some_counts(300, seed), share, resamples=400, seed=seed)[0]
        assert low is not None
        assert high is not None
        held += low <= 0.8 <= high
    assert 178 <= held <= 200


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(40)), st.integers(0, 5))
def test_the_order_of_sentences_changes_no_interval(order: list[int], seed: int) -> None:
    counts = some_counts(40)
    assert intervals(counts, share, seed=seed) == intervals(counts[order], share, seed=seed)


def test_another_seed_gives_another_interval_and_the_same_seed_the_same() -> None:
    counts = some_counts(200)
    assert intervals(counts, share, seed=1) == intervals(counts, share, seed=1)
    assert intervals(counts, share, seed=1) != intervals(counts, share, seed=2)


def test_a_higher_level_gives_a_wider_interval() -> None:
    counts = some_counts(200)
    wide, narrow = (intervals(counts, share, level=level)[0] for level in (0.99, 0.5))
    assert wide.low < narrow.low < narrow.high < wide.high  # type: ignore[operator]


def test_the_draws_do_not_depend_on_the_size_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = some_counts(50)
    whole = np.concatenate(list(resampled_sums(counts, 100, seed=0)))
    monkeypatch.setattr(bootstrap, "_BLOCK", 7)
    assert np.array_equal(np.concatenate(list(resampled_sums(counts, 100, seed=0))), whole)


def test_an_undefined_value_has_no_interval() -> None:
    assert intervals(np.zeros((5, 2), dtype=np.int64), share) == [Interval(None, None)]


def test_resamples_without_the_rare_sentence_are_left_out() -> None:
    # One sentence in ten holds all there is; about a third of the resamples miss it.
    counts = np.zeros((10, 2), dtype=np.int64)
    counts[0] = 1
    assert intervals(counts, share) == [Interval(1.0, 1.0)]


def test_a_value_that_most_resamples_leave_undefined_has_no_interval() -> None:
    def rarely(sums: Counts) -> Floats:
        # Defined in the sample, where the sentence stands once, and wherever it was drawn three times or more.
        return np.where((sums[:, :1] == 1) & (len(sums) == 1) | (sums[:, :1] >= 3), 0.5, np.nan)

    counts = np.zeros((10, 2), dtype=np.int64)
    counts[0] = 1
    assert intervals(counts, rarely) == [Interval(None, None)]


def test_no_sentences_and_no_resamples_give_no_interval() -> None:
    assert intervals(np.zeros((0, 2), dtype=np.int64), share) == [Interval(None, None)]
    assert intervals(some_counts(10), share, resamples=0) == [Interval(None, None)]


@pytest.mark.parametrize(("resamples", "level"), [(-1, 0.95), (1000, 0.0), (1000, 1.0), (1000, 95.0)])
def test_a_sampling_that_cannot_be_done_is_refused(resamples: int, level: float) -> None:
    with pytest.raises(UsageError, match="expected"):
        check_sampling(resamples, level)
