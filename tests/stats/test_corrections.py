from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nerquake.stats.corrections import holm

P_VALUES = st.lists(st.none() | st.floats(0, 1), max_size=12)


def test_a_worked_example() -> None:
    # 0.01 * 4, 0.02 * 3, then 0.03 * 2 = 0.06 again, and 0.04 may not fall below it.
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])


def test_tests_not_made_are_not_counted() -> None:
    assert holm([None, 0.03, None]) == [None, 0.03, None]
    assert holm([]) == []


@settings(max_examples=80, deadline=None)
@given(P_VALUES)
def test_corrected_values_keep_order_and_lie_between_p_and_bonferroni(values: list[float | None]) -> None:
    corrected = holm(values)
    pairs = [(p, q) for p, q in zip(values, corrected, strict=True) if p is not None and q is not None]
    assert [p is None for p in values] == [q is None for q in corrected]
    assert all(p <= q <= min(1.0, p * len(pairs)) + 1e-12 for p, q in pairs)
    by_p = sorted(pairs)
    assert [q for _, q in by_p] == sorted(q for _, q in by_p)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.001, 0.5))
def test_it_rejects_what_the_step_down_procedure_rejects(values: list[float], alpha: float) -> None:
    rejected = set()
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        if values[index] * (len(values) - rank) > alpha:
            break
        rejected.add(index)
    assert {index for index, value in enumerate(holm(values)) if value is not None and value <= alpha} == rejected
