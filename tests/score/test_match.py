from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.score.strategies import both_sides, mentions

from nerquake.core.span import Span
from nerquake.score.match import pair

Side = tuple[Span, ...]


def all_pairings(gold: Side, predicted: Side) -> list[tuple[tuple[int, int], ...]]:
    """Every one-to-one choice among all overlapping mentions."""
    edges = [(g, p) for g in range(len(gold)) for p in range(len(predicted)) if gold[g].overlaps(predicted[p])]
    found = []
    for size in range(min(len(gold), len(predicted)) + 1):
        for chosen in combinations(edges, size):
            if len({g for g, _ in chosen}) == len({p for _, p in chosen}) == size:
                found.append(chosen)
    return found


def worth(gold: Side, predicted: Side, pairing: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The five sums of docs/scoring.md, straight from its text."""
    chosen = [(gold[g], predicted[p]) for g, p in pairing]
    return (
        sum(a == b for a, b in chosen),
        sum(a.same_range(b) for a, b in chosen),
        sum(a.label == b.label for a, b in chosen),
        len(chosen),
        sum(len(set(range(a.start, a.end)) & set(range(b.start, b.end))) for a, b in chosen),
    )


@settings(max_examples=100, deadline=None)
@given(both_sides(11))
@example((mentions("A 0 2, B 2 5"), mentions("B 0 3, A 3 4")))
@example((mentions("A 0 3, A 3 6, A 6 9"), mentions("A 1 4, A 4 7, A 7 10")))
def test_the_pairing_is_the_best_and_of_the_best_the_leftmost(sides: tuple[Side, Side]) -> None:
    gold, predicted = sides
    candidates = all_pairings(gold, predicted)
    best = max(worth(gold, predicted, candidate) for candidate in candidates)
    expected = min(c for c in candidates if worth(gold, predicted, c) == best)
    assert tuple(map(tuple, pair(gold, predicted))) == expected


@settings(max_examples=100, deadline=None)
@given(both_sides(), st.randoms(use_true_random=False))
def test_the_order_of_mentions_changes_no_pair(sides: tuple[Side, Side], random: object) -> None:
    gold, predicted = list(sides[0]), list(sides[1])
    expected = {(gold[g], predicted[p]) for g, p in pair(gold, predicted)}
    random.shuffle(gold)  # type: ignore[attr-defined]
    random.shuffle(predicted)  # type: ignore[attr-defined]
    assert {(gold[g], predicted[p]) for g, p in pair(gold, predicted)} == expected


@settings(max_examples=100, deadline=None)
@given(both_sides())
def test_no_mention_is_paired_twice_and_pairs_overlap(sides: tuple[Side, Side]) -> None:
    gold, predicted = sides
    pairs = pair(gold, predicted)
    assert len({p.gold for p in pairs}) == len({p.predicted for p in pairs}) == len(pairs)
    assert all(gold[p.gold].overlaps(predicted[p.predicted]) for p in pairs)


def test_touching_mentions_do_not_overlap() -> None:
    assert pair(mentions("A 0 2"), mentions("A 2 4")) == []


def test_an_equal_label_counts_more_than_a_second_overlap() -> None:
    # Pairing crosswise would give two overlaps, none with an equal label.
    assert pair(mentions("A 0 2, B 2 5"), mentions("B 0 3, A 3 4")) == [(1, 0)]


def test_two_overlaps_count_more_than_many_shared_tokens() -> None:
    assert pair(mentions("A 0 1, A 1 9"), mentions("B 0 8, B 8 9")) == [(0, 0), (1, 1)]


def test_more_shared_tokens_decide_between_equal_pairings() -> None:
    assert pair(mentions("A 0 9"), mentions("A 0 2, A 2 7, A 7 9")) == [(0, 1)]


def test_full_ties_go_to_the_leftmost() -> None:
    assert pair(mentions("A 0 4"), mentions("A 0 2, A 2 4")) == [(0, 0)]
    assert pair(mentions("A 0 2, A 2 4"), mentions("A 0 4")) == [(0, 0)]


def test_a_long_chain_is_paired_without_recursion() -> None:
    gold = tuple(Span(3 * n, 3 * n + 3, "A") for n in range(20_000))
    predicted = tuple(Span(3 * n + 2, 3 * n + 5, "A") for n in range(20_000))
    pairs = pair(gold, predicted)
    # Each prediction shares one token with its own gold mention and two with the next, except the last one.
    assert len(pairs) == 20_000
    assert all(p.gold == p.predicted for p in pairs)


@pytest.mark.parametrize("side", [0, 1])
def test_mentions_of_one_side_that_overlap_each_other_are_refused(side: int) -> None:
    sides = [mentions("A 0 2"), mentions("A 0 2")]
    sides[side] = mentions("A 0 3, B 2 4")
    with pytest.raises(ValueError, match="overlap each other"):
        pair(*sides)
