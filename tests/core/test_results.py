"""Predictions and counts as values."""

from __future__ import annotations

import numpy as np
import pytest

from nerquake.core.results import KINDS, CountTable, Predictions


def test_predictions_are_one_a_sentence() -> None:
    with pytest.raises(ValueError, match="x: 2 ids, 1 answers, 2 unseen"):
        Predictions("x", ("s1", "s2"), ((),), ((), ()))


def test_unseen_tokens_add_up() -> None:
    assert Predictions("x", ("s1", "s2"), ((), ()), ((0, 3), (1,))).unseen_tokens == 3


def test_rows_of_a_table_go_together() -> None:
    overall = np.arange(3 * len(KINDS)).reshape(3, -1)
    by_type = np.arange(3 * 2 * len(KINDS)).reshape(3, 2, -1)
    table = CountTable(("s1", "s2", "s3"), overall, ("LOC", "PER"), by_type)
    some = table.rows([2, 0])
    assert some.ids == ("s3", "s1")
    assert (some.overall == overall[[2, 0]]).all()
    assert (some.by_type == by_type[[2, 0]]).all()
    assert some.types == table.types
    assert table.rows([]).overall.shape == (0, len(KINDS))
