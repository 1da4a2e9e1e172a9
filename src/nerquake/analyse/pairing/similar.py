"""How alike two sentences are, and which sentences of another file could be the partner of one."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

from nerquake.analyse.pairing.model import Kind, Side

_MARK = "\x00"
"""Stands for a mention among the words of a frame: no text file holds this character."""
_COMMON = 30
"""A word in more sentences than this says nothing about where its sentence is."""
_TRIED = 6


class Bags:
    """Weighted word counts of sentences: all their words, and their words outside mentions with a mark for mentions.

    A word weighs the more the fewer sentences have it, so that punctuation and small words hardly count.
    """

    def __init__(self, sides: Sequence[Side], weights: Mapping[str, float], unknown: float) -> None:
        self.words = [Counter(side.tokens) for side in sides]
        self.frames = [Counter(_MARK if word is None else word for word in side.frame()) for side in sides]
        self.weights, self.unknown = weights, unknown
        self._word_sums = [self._sum(bag) for bag in self.words]
        self._frame_sums = [self._sum(bag) for bag in self.frames]

    def weight(self, word: str) -> float:
        """How much a word counts."""
        return self.weights.get(word, self.unknown)

    def _sum(self, bag: Counter[str]) -> float:
        return sum(self.weight(word) * count for word, count in bag.items())

    def alike(self, mine: int, other: Bags, theirs: int, frames: float) -> float:
        """0 for nothing in common, 1 for the same words; a share of 1 in `frames` counts as much as one in words."""
        by_words = self._dice(self.words[mine], self._word_sums[mine], other.words[theirs], other._word_sums[theirs])
        by_frame = self._dice(
            self.frames[mine], self._frame_sums[mine], other.frames[theirs], other._frame_sums[theirs]
        )
        return max(by_words, frames * by_frame) + 0.01 * by_words

    def _dice(self, a: Counter[str], sum_a: float, b: Counter[str], sum_b: float) -> float:
        if not sum_a + sum_b:
            return 0.0
        if len(b) < len(a):
            a, b = b, a
        shared = sum(self.weight(word) * min(count, b[word]) for word, count in a.items() if word in b)
        return 2 * shared / (sum_a + sum_b)


class Likeness:
    """Similarity of original to attacked sentences, by index."""

    def __init__(self, original: Sequence[Side], attacked: Sequence[Side], kind: Kind) -> None:
        spread = Counter(word for side in original for word in set(side.tokens))
        size = len(original) + 1
        weights = {word: log(1 + size / count) for word, count in spread.items()}
        weights[_MARK] = 1.0
        self.original = Bags(original, weights, log(1 + size))
        self.attacked = Bags(attacked, weights, log(1 + size))
        self.frames = 0.9 if kind == "context" else 1.0
        self._labels = tuple(
            [tuple(span.label for span in side.spans) for side in sides] for sides in (original, attacked)
        )

    def __call__(self, i: int, j: int) -> float:
        """How alike original sentence `i` and attacked sentence `j` are."""
        labels = 0.03 if self._labels[0][i] == self._labels[1][j] else 0.0
        return self.original.alike(i, self.attacked, j, self.frames) + labels

    def best(self, left: Iterable[int], right: Iterable[int], least: float) -> list[tuple[int, int, float]]:
        """Pairs of which each is the other's best partner, by a clear margin, among those that share a rare word."""
        holders: dict[str, list[int]] = {}
        for i in left:
            for word in self.original.words[i]:
                holders.setdefault(word, []).append(i)
        chosen: dict[int, tuple[float, int]] = {}
        for j in right:
            votes: Counter[int] = Counter()
            for word in self.attacked.words[j]:
                found = holders.get(word, ())
                if len(found) <= _COMMON:
                    for i in found:
                        votes[i] += self.original.weight(word)  # type: ignore[assignment]
            ranked = sorted(((self(i, j), -i) for i, _ in votes.most_common(_TRIED)), reverse=True)
            if ranked and ranked[0][0] >= least and (len(ranked) < 2 or ranked[1][0] < ranked[0][0] - 0.05):
                i = -ranked[0][1]
                if i not in chosen or ranked[0][0] > chosen[i][0]:
                    chosen[i] = (ranked[0][0], j)
        return [(i, j, score) for i, (score, j) in chosen.items()]


def rising(values: Sequence[int]) -> list[int]:
    """Positions of a longest strictly rising subsequence."""
    tails: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for position, value in enumerate(values):
        place = bisect_left(tails, value)
        if place == len(tails):
            tails.append(value)
            at.append(position)
        else:
            tails[place], at[place] = value, position
        before.append(at[place - 1] if place else -1)
    chain: list[int] = []
    here = at[-1] if at else -1
    while here >= 0:
        chain.append(here)
        here = before[here]
    return chain[::-1]
