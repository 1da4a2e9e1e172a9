"""The four schemes against nervaluate, where it is right.

It goes through the predictions in their order and gives each one the first free gold mention that will do. Where a
sentence's overlaps hang together in more than one way, that is not the best pairing, it differs from scheme to scheme,
and it depends on the order in which predictions stand. So the two are compared on sentences in which every group of
overlapping mentions has one gold or one predicted mention (then any order gives the same counts, but for `type`, which
needs one prediction a group), and each fault has a test of its own below.

Per type it scores each label as if the others were not there, so only strict counts can be compared: a wrong label is
missed and spurious there, and incorrect here.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.oracles.sampling import GOLD_LABELS, PREDICTED_LABELS, Pairs, batch
from tests.score.strategies import mentions

from nerquake.core.results import SchemeName
from nerquake.core.span import Span
from nerquake.score.metrics import rates, totals, type_totals

nervaluate = pytest.importorskip("nervaluate", reason="needs the extra oracles")

SEEDS = st.integers(0, 2**32)
LABELS = sorted({*GOLD_LABELS, *PREDICTED_LABELS, "A", "B"})
NAMES: dict[SchemeName, str] = {"strict": "strict", "exact": "exact", "partial": "partial", "type": "ent_type"}
Side = tuple[Span, ...]


def theirs(pairs: Pairs) -> dict[str, Any]:
    """Its whole result; its ends are inclusive."""
    sides = [
        [[{"label": s.label, "start": s.start, "end": s.end - 1} for s in spans] for spans in side]
        for side in (pairs.gold, pairs.predicted)
    ]
    found: dict[str, Any] = nervaluate.Evaluator(*sides, tags=LABELS, loader="dict").evaluate()
    return found


def counts_of(result: Any) -> tuple[int, ...]:
    return result.correct, result.incorrect, result.partial, result.missed, result.spurious


def groups(gold: Side, predicted: Side) -> list[tuple[set[int], set[int]]]:
    """Gold and predicted mentions that hang together by overlaps."""
    found: list[tuple[set[int], set[int]]] = []
    for g, left in enumerate(gold):
        for p, right in enumerate(predicted):
            if left.overlaps(right):
                meeting = [group for group in found if g in group[0] or p in group[1]]
                found = [group for group in found if group not in meeting]
                found.append(({g}.union(*(m[0] for m in meeting)), {p}.union(*(m[1] for m in meeting))))
    return found


def clear(pairs: Pairs, *, one_prediction: bool) -> Pairs:
    """The sentences whose groups have one mention on a side (or one prediction)."""
    kept = [
        n
        for n, sides in enumerate(zip(pairs.gold, pairs.predicted, strict=True))
        if all(len(p) == 1 or (len(g) == 1 and not one_prediction) for g, p in groups(*sides))
    ]
    return Pairs(*([side[n] for n in kept] for side in pairs))  # type: ignore[arg-type]


@pytest.mark.parametrize("scheme", NAMES)
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_counts_and_rates_are_equal_where_it_is_right(scheme: SchemeName, seed: int) -> None:
    pairs = clear(batch(seed, 60), one_prediction=scheme == "type")
    assume(pairs.gold)
    ours, other = rates(totals(pairs.table()), scheme), theirs(pairs)["overall"][NAMES[scheme]]
    assert counts_of(ours) == counts_of(other)
    assert (ours.possible, ours.actual) == (other.possible, other.actual)
    found = (ours.precision or 0.0, ours.recall or 0.0, ours.f1 or 0.0)
    assert found == pytest.approx((other.precision, other.recall, other.f1), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_strict_figures_of_each_type_are_equal_on_all_sentences(seed: int) -> None:
    pairs = batch(seed, 60)
    other = theirs(pairs)["entities"]
    for label, counts in type_totals(pairs.table()).items():
        ours, row = rates(counts, "strict"), other[label]["strict"]
        assert (ours.correct, ours.possible, ours.actual) == (row.correct, row.possible, row.actual)
        found = (ours.precision or 0.0, ours.recall or 0.0, ours.f1 or 0.0)
        assert found == pytest.approx((row.precision, row.recall, row.f1), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_strict_correct_mentions_are_equal_on_all_sentences(seed: int) -> None:
    pairs = batch(seed, 60)
    ours, other = rates(totals(pairs.table()), "strict"), theirs(pairs)["overall"]["strict"]
    assert (ours.correct, ours.possible, ours.actual) == (other.correct, other.possible, other.actual)


def both(gold: str, predicted: str, scheme: SchemeName) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Our counts and its counts of one sentence."""
    pairs = Pairs([200], [mentions(gold)], [mentions(predicted)])
    return counts_of(rates(totals(pairs.table()), scheme)), counts_of(theirs(pairs)["overall"][NAMES[scheme]])


def test_fault_its_counts_depend_on_the_order_of_predictions() -> None:
    gold = "A 0 3, A 3 4"
    ours, other = zip(*(both(gold, order, "partial") for order in ("A 0 1, A 1 4", "A 1 4, A 0 1")), strict=True)
    assert ours == ((0, 0, 2, 0, 0), (0, 0, 2, 0, 0))
    # Turned round, the long prediction takes the first gold mention, and nothing is left for the short one.
    assert other == ((0, 0, 2, 0, 0), (0, 0, 1, 1, 1))


def test_fault_its_type_scheme_takes_the_nearest_mention_and_leaves_one_over() -> None:
    # The first prediction overlaps both gold mentions and is nearer to the second one, the only one that the second
    # prediction overlaps.
    ours, other = both("A 0 5, A 5 8", "A 4 7, A 7 9", "type")
    assert ours == (2, 0, 0, 0, 0)
    assert other == (1, 0, 0, 1, 1)


def test_fault_its_type_scheme_lets_a_wrong_label_take_the_mention_from_a_right_one() -> None:
    ours, other = both("A 0 4", "B 0 2, A 2 4", "type")
    assert ours == (1, 0, 0, 0, 1)
    assert other == (0, 1, 0, 0, 1)


def test_fault_it_overlooks_one_token_of_a_mention_longer_than_a_hundred() -> None:
    # Its threshold is one per cent of the gold mention.
    ours, other = both("A 0 120", "A 119 121", "partial")
    assert ours == (0, 0, 1, 0, 0)
    assert other == (0, 0, 0, 1, 1)


def test_fault_its_schemes_pair_differently() -> None:
    # One pairing for all schemes: the overlap with an equal label wins, so the others cannot count two overlaps.
    gold, predicted = "A 0 2, B 2 5", "B 0 3, A 3 4"
    assert both(gold, predicted, "type") == ((1, 0, 0, 1, 1), (1, 0, 0, 1, 1))
    assert both(gold, predicted, "partial") == ((0, 0, 1, 1, 1), (0, 0, 2, 0, 0))


def test_case_9_is_counted_alike() -> None:
    for scheme in NAMES:
        for gold, predicted in (("A 0 12, B 14 17", "A 0 17"), ("A 1 3, A 3 11", "A 1 3, A 3 6, A 6 11")):
            ours, other = both(gold, predicted, scheme)
            assert ours == other
