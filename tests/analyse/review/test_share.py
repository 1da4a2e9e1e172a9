"""The share of invalid variants: weights and intervals worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analyse.review.planted import cases

from nerquake.analyse.review import Drawing, draw, item_id
from nerquake.analyse.review.items import Stratum, strata
from nerquake.analyse.review.share import share, weights, wilson


def population(**sizes: int) -> dict[str, Stratum]:
    """Strata named `side_label`, so many sentences in each."""
    return {
        f"{name}{n}": Stratum("swap", *name.split("_")) for name, count in sizes.items() for n in range(count)  # type: ignore[arg-type]
    }  # fmt: skip


def test_each_sentence_stands_for_as_many_as_its_stratum_has_for_each_reviewed() -> None:
    known = population(fell_PER=10, held_PER=90)
    made = weights(known, ["fell_PER0", "fell_PER1", "held_PER0", "held_PER1", "held_PER2"])
    assert made == {"fell_PER0": 5, "fell_PER1": 5, "held_PER0": 30, "held_PER1": 30, "held_PER2": 30}


def test_a_label_nobody_reviewed_is_stood_for_by_its_side_and_a_side_by_the_other() -> None:
    made = weights(population(fell_PER=8, fell_LOC=4, held_PER=6), ["fell_PER0", "fell_PER1", "held_PER0"])
    assert made == {"fell_PER0": 6, "fell_PER1": 6, "held_PER0": 6}
    made = weights(population(fell_PER=8, held_PER=12), ["fell_PER0", "fell_PER1"])
    assert made == {"fell_PER0": 10, "fell_PER1": 10}
    assert weights(population(fell_PER=3), []) == {}


def test_the_share_is_that_of_the_whole_and_not_of_the_sample() -> None:
    # Both fallen ones invalid, no held one: 10 of 100, though 2 of 5 were rejected.
    value, interval = share([(5, True), (5, True), (30, False), (30, False), (30, False)], 100)
    assert value == pytest.approx(0.1)
    assert interval.low is not None and interval.high is not None and interval.low < 0.1 < interval.high


def test_wilson_by_hand() -> None:
    # Wilson's interval of 1 in 10 at z = 1.959964: (0.1 + 0.192073 -+ 0.271998) / 1.384146 (Newcombe 1998 has its like)
    found = wilson(0.1, 10)
    assert (found.low, found.high) == (pytest.approx(0.01788, abs=1e-4), pytest.approx(0.40415, abs=1e-4))
    assert wilson(0, 10).low == 0 and wilson(0, 10).high == pytest.approx(0.27753, abs=1e-4)
    assert wilson(1, 10).high == 1


def test_nothing_reviewed_is_undefined_and_everything_reviewed_is_certain() -> None:
    assert share([], 10) == (None, (None, None))
    assert share([(1, True), (1, False), (1, False), (1, False)], 4) == (0.25, (0.25, 0.25))


@given(st.lists(st.tuples(st.floats(0.5, 50), st.booleans()), min_size=1, max_size=40), st.integers(0, 500))
def test_the_interval_holds_the_share_and_stays_inside(chosen: list[tuple[float, bool]], more: int) -> None:
    value, interval = share(chosen, len(chosen) + more)
    assert value is not None and interval.low is not None and interval.high is not None
    assert 0 <= interval.low <= value + 1e-9 and value - 1e-9 <= interval.high <= 1


def test_the_estimate_finds_a_planted_share() -> None:
    """Of 1,000 sentences 10 % fell, and fallen ones are invalid half of the time, held ones a tenth: 14 % in all."""
    known = strata(cases("swap", {"PER": 60, "LOC": 40}, {"PER": 600, "LOC": 300}))

    def invalid(key: str) -> bool:
        return int("".join(filter(str.isdigit, key.partition("~")[0]))) % 10 < (5 if key.startswith("f") else 1)

    found, inside = [], 0
    for seed in range(40):
        (page,) = draw(cases("swap", {"PER": 60, "LOC": 40}, {"PER": 600, "LOC": 300}), Drawing(120, seed=seed))
        keys = [item_id(one) for one in page]
        made = weights(known, keys)
        value, interval = share([(made[key], invalid(key)) for key in keys], len(known))
        assert value is not None and interval.low is not None and interval.high is not None
        found.append(value)
        inside += interval.low <= 0.14 <= interval.high
    assert sum(found) / len(found) == pytest.approx(0.14, abs=0.015)
    assert inside >= 34
