"""One pairing of gold and predicted mentions, for all four schemes (docs/scoring.md).

Both sides are flat, so two mentions that cover the same tokens overlap nothing else and are always a pair. All other
overlaps, sorted by (gold, predicted), form a chain: each shares its gold or its predicted mention with the next one,
or neither. On a chain the best choice of pairs is found from its end, in time linear in the number of mentions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nerquake.core.span import Span


class Pair(NamedTuple):
    """Indices of a gold mention and of the predicted mention that it is compared with."""

    gold: int
    predicted: int


class _Value(NamedTuple):
    """What a choice of pairs is worth; compared from left to right."""

    equal_labels: int
    overlaps: int
    tokens: int


_NOTHING = _Value(0, 0, 0)


def pair(gold: Sequence[Span], predicted: Sequence[Span]) -> list[Pair]:
    """Pair each gold mention with at most one predicted mention that overlaps it, and the other way round.

    Maximises, in this order: pairs with equal span and label; equal span; overlap with equal label; overlap;
    overlapping tokens. Of equally good pairings the one with the leftmost gold, then the leftmost predicted mentions.
    The sides may stand in any order; indices refer to the order given. Pairs come sorted by position.

    Raises:
        ValueError: the mentions of one side overlap each other.
    """
    if not gold or not predicted:
        return []
    if _in_order(gold) and _in_order(predicted):
        return _pair_ordered(gold, predicted)
    gold_order = sorted(range(len(gold)), key=gold.__getitem__)
    predicted_order = sorted(range(len(predicted)), key=predicted.__getitem__)
    left, right = [gold[i] for i in gold_order], [predicted[i] for i in predicted_order]
    for side, what in ((left, "gold"), (right, "predicted")):
        if not _in_order(side):
            raise ValueError(f"{what} mentions overlap each other: {', '.join(map(str, side))}")
    return [Pair(gold_order[g], predicted_order[p]) for g, p in _pair_ordered(left, right)]


def _in_order(spans: Sequence[Span]) -> bool:
    """Whether each mention ends before the next one begins."""
    end = 0
    for span in spans:
        if span.start < end:
            return False
        end = span.end
    return True


def _pair_ordered(gold: Sequence[Span], predicted: Sequence[Span]) -> list[Pair]:
    pairs: list[Pair] = []
    chain: list[Pair] = []
    for edge in _overlaps(gold, predicted):
        if chain and edge.gold != chain[-1].gold and edge.predicted != chain[-1].predicted:
            pairs += _best(chain, gold, predicted)
            chain = []
        chain.append(edge)
    pairs += _best(chain, gold, predicted)
    return pairs


def _overlaps(gold: Sequence[Span], predicted: Sequence[Span]) -> list[Pair]:
    """All pairs that share a token, sorted."""
    found: list[Pair] = []
    g, p = 0, 0
    while g < len(gold) and p < len(predicted):
        left, right = gold[g], predicted[p]
        if left.start < right.end and right.start < left.end:
            found.append(Pair(g, p))
        # What ends first cannot overlap anything further right on the other side.
        g, p = g + (left.end <= right.end), p + (right.end <= left.end)
    return found


def _best(chain: Sequence[Pair], gold: Sequence[Span], predicted: Sequence[Span]) -> Sequence[Pair]:
    """The best pairs of a chain in which each edge shares a mention with the next one."""
    if len(chain) < 2:
        return chain
    size = len(chain)
    after = _next_free(chain)
    values = [_NOTHING] * (size + 1)
    taken = [False] * size
    for index in range(size - 1, -1, -1):
        g, p = chain[index]
        with_it = _add(values[after[index]], gold[g], predicted[p])
        without = values[index + 1]
        # At a tie the edge further left wins: it is the smaller one in (gold, predicted) order.
        taken[index] = with_it >= without
        values[index] = with_it if taken[index] else without
    best: list[Pair] = []
    index = 0
    while index < size:
        if taken[index]:
            best.append(chain[index])
        index = after[index] if taken[index] else index + 1
    return best


def _add(value: _Value, gold: Span, predicted: Span) -> _Value:
    shared = min(gold.end, predicted.end) - max(gold.start, predicted.start)
    return _Value(value.equal_labels + (gold.label == predicted.label), value.overlaps + 1, value.tokens + shared)


def _next_free(chain: Sequence[Pair]) -> list[int]:
    """For each edge the index of the first later one that shares neither mention with it.

    Edges that share a gold (or a predicted) mention stand side by side, and an edge shares only one of the two with
    those behind it.
    """
    size = len(chain)
    after = [size] * size
    same_gold = same_predicted = size
    for index in range(size - 2, -1, -1):
        here, following = chain[index], chain[index + 1]
        same_gold = same_gold if here.gold == following.gold else index + 1
        same_predicted = same_predicted if here.predicted == following.predicted else index + 1
        after[index] = max(same_gold, same_predicted)
    return after
