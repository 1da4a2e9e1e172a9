"""A bidirectional n-gram model: probabilities of words between their neighbours.

Each expert (`ngram_counts.EXPERTS`) knows one thing about a position, such as the words before it, and gives every word
a probability by interpolated absolute discounting, from its most exact context down to how frequent words are. The
model multiplies, for each word, its frequency u with what each expert makes of it, as a power:

    p(w) = u(w) * product over experts e of (p_e(w) / u(w)) ** weight_e / Z

An expert that has never met its contexts, or must not see them, takes no part. All words that an expert has not met
in its contexts get one and the same factor from it, so only the others need be looked at, and Z, the sum over the whole
vocabulary and the unseen words, is exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from nerquake.language.ngram_counts import EXPERTS, Counts, Floats, Longs, count, discount_of
from nerquake.language.ngram_words import UNKNOWN, Ints, Vocabulary

DIGITS = 9
"""Decimals of a log probability: words that differ by less, as by how a processor rounds, are ordered by their text."""
PLAIN = 0.7
"""Which share of the probability of unseen words comes from how many there are, whatever the context.

The rest is what the experts leave of it, which is less than held-out text has: no expert has ever met an unseen word.
"""


_KINDS_OF = tuple(
    tuple(range(end - len(kinds), end))
    for end, (_, kinds) in zip(accumulate(len(kinds) for _, kinds in EXPERTS), EXPERTS, strict=True)
)
"""For each expert the numbers of its kinds of context."""
_LEVELS = max(map(len, _KINDS_OF))


@dataclass(frozen=True, slots=True)
class Model:
    """What was estimated from a corpus.

    numbers    for each token of the corpus its word
    frequency  how often each word stands
    discount   what is taken from each frequency for words never seen, which are held to be as many again
    order      all words, the most frequent first, then by their text
    """

    vocabulary: Vocabulary
    counts: Counts
    numbers: Ints
    frequency: Ints
    discount: float
    order: Ints

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> Model:
        """Estimate it. The order of the sentences does not matter."""
        vocabulary = Vocabulary.of(token for tokens in sentences for token in tokens)
        numbers, around = vocabulary.corpus(sentences)
        frequency = np.bincount(numbers[numbers != UNKNOWN], minlength=len(vocabulary)).astype(np.int32)
        order = np.argsort(-frequency, kind="stable").astype(np.int32)
        counts = count(vocabulary, numbers, around)
        return cls(vocabulary, counts, numbers, frequency, discount_of(frequency), order)

    def left_out(self, ranges: Sequence[tuple[int, int]]) -> LeftOut:
        """The tokens of the corpus in some ranges, to be left out."""
        places = np.concatenate([np.arange(start, end) for start, end in ranges] or [np.zeros(0, np.int64)])
        numbers = self.numbers[places]
        words, times = np.unique(numbers[numbers != UNKNOWN], return_counts=True)
        found = self.counts.pairs[:, places]
        pairs, pair_times = np.unique(found[found != UNKNOWN], return_counts=True)
        return LeftOut(words, times, pairs, pair_times.tolist())


class LeftOut(NamedTuple):
    """What the model must not know of words, and of pairs of context and word: which, sorted, and how often each."""

    words: Ints
    times: Longs
    pairs: Ints
    pair_times: list[int]


class _Part(NamedTuple):
    """The words of one context, as an expert adds them to its sums.

    factor   what their excess is multiplied by
    """

    start: int
    kept: int
    factor: float
    expert: int


class _Seen(NamedTuple):
    """What the model makes of a position.

    words   known words that contexts speak for, each once
    logs    the logarithms of their probabilities
    rest    what is added to the logarithm of any other known word's frequency
    unseen  log probability of any single word that is not known
    """

    words: Longs
    logs: Floats
    rest: float
    unseen: float


class Scores:
    """Probabilities at one position after another. It has room to calculate in, so it is for one thread."""

    def __init__(self, model: Model) -> None:
        size = len(model.vocabulary)
        self._model = model
        self._slots = max(2 * size, 1)
        self._all_tokens = int(model.frequency.sum())
        self._sums, self._marks = np.zeros(len(EXPERTS) * size), np.zeros(size, np.bool_)
        self._totals, self._last = np.zeros(size), np.zeros(size, np.int64)
        self._full = np.maximum(model.frequency - model.discount, 0.0)
        self._discounted = self._full.copy()
        self._out: LeftOut | None = None
        self._set_totals(self._all_tokens, size)

    def top(self, row: Ints, out: LeftOut | None, depth: int) -> tuple[list[int], list[float]]:
        """The `depth` most probable words in the contexts of a row of `Counts.contexts`, and their log probabilities.

        out   what the model must not know; words that stand nowhere else are not known then
        """
        words, logs, rest, _ = self._look(row, out)
        others = self._others(words, depth)
        if len(words) > depth > 0:
            best = logs >= np.partition(logs, len(logs) - depth)[len(logs) - depth]
            words, logs = words[best], logs[best]
        found = np.concatenate([words, others])
        values = np.concatenate([logs, np.round(np.log(self._frequency(others)) + rest, DIGITS)])
        ranks = np.lexsort((found, -values))[:depth]
        return found[ranks].tolist(), values[ranks].tolist()

    def log_probability(self, row: Ints, out: LeftOut | None, word: int) -> float:
        """That of one word; of a word that is not known, or UNKNOWN, that of a single unseen one."""
        words, logs, rest, unseen = self._look(row, out)
        if word == UNKNOWN or not self._discounted[word]:
            return round(unseen, DIGITS)
        if len(found := logs[words == word]):
            return float(found[0])
        return round(math.log((self._discounted[word] + self._floor) / self._tokens) + rest, DIGITS)

    def _look(self, row: Ints, out: LeftOut | None) -> _Seen:
        self._leave_out(out)
        words, boosts = self._boosts(row)
        frequency = self._frequency(words)
        unseen = (self._slots - self._known) * self._floor / self._tokens
        known = 1.0 - unseen + float((frequency * np.expm1(boosts)).sum())
        plain = PLAIN + (1.0 - PLAIN) / (known + unseen)
        rest = math.log((1.0 - unseen * plain) / known) if self._known else 0.0
        logs = np.round(np.log(frequency) + boosts + rest, DIGITS)
        return _Seen(words, logs, rest, math.log(plain * self._floor / self._tokens))

    def _others(self, words: Longs, depth: int) -> Ints:
        """Known words apart from some, among them all that could be of the `depth` best.

        No further ones can: `depth` words that are more frequent, and speak for themselves at least as well, come
        first. Words that are partly left out do not keep their place in `order`, so they are added in any case.
        """
        own = self._model.order[:0] if self._out is None else self._out.words
        self._marks[words] = self._marks[own] = True
        window = self._model.order[: depth + len(own)]
        others = window[~self._marks[window]]
        self._marks[own] = False
        self._marks[words] = True
        own = own[(self._discounted[own] > 0) & ~self._marks[own]]
        self._marks[words] = False
        return np.concatenate([others, own])

    def _frequency(self, words: Ints | Longs) -> Floats:
        found: Floats = (self._discounted[words] + self._floor) / self._tokens
        return found

    def _leave_out(self, out: LeftOut | None) -> None:
        """Take words out of the frequencies, and put those back that were taken out before."""
        if out is self._out:
            return
        model = self._model
        if self._out is not None:
            self._discounted[self._out.words] = self._full[self._out.words]
        self._out = out
        tokens, known = self._all_tokens, len(model.frequency)
        if out is not None:
            left = model.frequency[out.words] - out.times
            self._discounted[out.words] = np.maximum(left - model.discount, 0.0)
            tokens, known = tokens - int(out.times.sum()), known - int((left == 0).sum())
        self._set_totals(tokens, known)

    def _set_totals(self, tokens: int, known: int) -> None:
        """The share of every word, known or not. Where nothing is known, all words are alike."""
        self._known, self._tokens = known, float(tokens or 1)
        self._floor = self._model.discount * known / self._slots if tokens else 1 / self._slots

    def _boosts(self, row: Ints) -> tuple[Longs, Floats]:
        """Words, and the logarithms of their factors: what the experts make of them, weighted and added up."""
        size = len(self._model.vocabulary)
        levels, patches = self._parts(row) if size else ([], [])
        parts = [part for level in levels for part in level]
        if not parts:
            return np.zeros(0, np.int64), np.zeros(0)
        spans = [slice(part.start, part.kept) for part in parts]
        sizes = np.array([part.kept - part.start for part in parts])
        words = np.concatenate([self._model.counts.words[span] for span in spans], dtype=np.int64)
        shares = np.concatenate([self._model.counts.excess[span] for span in spans])
        ends = np.cumsum(sizes)
        begins = dict(zip((part.start for part in parts), (ends - sizes).tolist(), strict=True))
        for start, pair, excess in patches:
            shares[begins[start] + pair - start] = excess
        of_part = np.repeat(np.arange(len(parts)), sizes)
        shares *= np.array([part.factor for part in parts])[of_part]
        places = words + np.array([part.expert * size for part in parts])[of_part]
        frequency = self._frequency(words)
        last = [0, *(int(ends[end - 1]) if end else 0 for end in accumulate(map(len, levels)))]
        for start, end in pairwise(last):  # within a level an expert names a word once
            self._sums[places[start:end]] += shares[start:end]
        for start, end in pairwise(last):  # a word named twice has its sum at the first place, nothing at the other
            shares[start:end] = self._sums[places[start:end]]
            self._sums[places[start:end]] = 0.0
        weights = np.array([EXPERTS[part.expert][0] for part in parts])[of_part]
        np.add.at(self._totals, words, weights * np.log1p(shares / frequency))
        numbers = np.arange(len(words))
        self._last[words] = numbers
        words = words[self._last[words] == numbers]  # each word once, where it is named last
        boosts = self._totals[words]
        self._totals[words] = 0.0
        spoken_for = boosts > 0.0
        return words[spoken_for], boosts[spoken_for]

    def _parts(self, row: Ints) -> tuple[list[list[_Part]], list[tuple[int, int, float]]]:
        """The contexts of a row, the widest of each expert first, then the next ones.

        And what is left out of them: the start of the context, the pair, its excess without what is left out.
        """
        counts = self._model.counts
        columns = (counts.start[row], counts.kept[row], counts.total[row], counts.shared[row], counts.discount[row])
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
        known, gone = (row != UNKNOWN).tolist(), self._gone(row)
        levels: list[list[_Part]] = [[] for _ in range(_LEVELS)]
        patches: list[tuple[int, int, float]] = []
        for expert, kinds in enumerate(_KINDS_OF):
            left = 1.0
            for level, kind in enumerate(kinds):
                start, kept, total, shared, discount = rows[kind]
                total -= sum(times for _, times in gone[kind])
                if not known[kind] or total <= 0:
                    continue
                size = kept - start
                for pair, times in gone[kind]:
                    if pair < kept:
                        excess = float(counts.excess[pair])
                        stays = excess > times
                        patches.append((start, pair, excess - times if stays else 0.0))
                        shared -= times if stays else round(excess + discount)
                        size -= not stays
                left *= 1.0 - (shared - discount * size) / total
                levels[level].append(_Part(start, kept, 1.0 / (total * left), expert))
        return levels, patches

    def _gone(self, row: Ints) -> list[list[tuple[int, int]]]:
        """For each context of a row the pairs that are left out of it, and how often they stand in it."""
        if self._out is None:
            return [[] for _ in row]
        start, pairs, times = self._model.counts.start, self._out.pairs, self._out.pair_times
        begins = np.searchsorted(pairs, start[row]).tolist()
        ends = np.searchsorted(pairs, start[row + 1]).tolist()
        return [
            list(zip(pairs[begin:end].tolist(), times[begin:end], strict=True)) if begin < end else []
            for begin, end in zip(begins, ends, strict=True)
        ]
