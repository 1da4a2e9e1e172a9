"""Counts of words by context, for each kind of context that the n-gram model looks at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nerquake.language.ngram_words import (
    ENDING,
    LEFT,
    LEFT2,
    RIGHT,
    RIGHT2,
    SHAPE,
    SUFFIX,
    UNKNOWN,
    WORD,
    Ints,
    Vocabulary,
)

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Kind = tuple[tuple[int, int], ...]
"""A kind of context: places of the window, each with the form in which it is looked at."""

LIMIT = 500
"""So many words of a context are told apart at most. The rare ones of a frequent context say little but cost time."""

EXPERTS: tuple[tuple[float, tuple[Kind, ...]], ...] = (
    (0.7, (((LEFT, WORD),), ((LEFT2, WORD), (LEFT, WORD)))),
    (0.7, (((RIGHT, WORD),), ((RIGHT, WORD), (RIGHT2, WORD)))),
    (0.4, (((LEFT, SHAPE),), ((LEFT, ENDING),), ((LEFT, SUFFIX),))),
    (0.4, (((RIGHT, SHAPE),), ((RIGHT, ENDING),), ((RIGHT, SUFFIX),))),
    (0.2, (((LEFT2, WORD),),)),
    (0.2, (((RIGHT2, WORD),),)),
    (0.3, (((LEFT2, SHAPE), (LEFT, SHAPE), (RIGHT, SHAPE), (RIGHT2, SHAPE)), ((LEFT, WORD), (RIGHT, WORD)))),
)
"""Weights and kinds of context of each expert, the widest context first.

The weights are set by hand, for hits among the ten best on held-out sentences of wikigold, germeval2014 and Hindi
il_ner. They matter little: those that likelihood would choose, at 400 sentences as at thousands, gave nearly the same.
"""
KINDS: tuple[Kind, ...] = tuple(kind for _, kinds in EXPERTS for kind in kinds)


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each word stands in each context. Contexts and pairs of context and word are numbered throughout.

    keys       for each kind of context what its contexts are, sorted
    first      for each kind the number of its first context
    start      for each context its first pair, and behind the last context the number of pairs
    kept       for each context the end of the pairs whose word is told apart; frequent words come first
    total      for each context how often it stands in the corpus
    shared     for each context the counts of the kept pairs added up
    discount   for each context what is taken from every count and given to less exact knowledge
    words      for each pair its word
    excess     for each pair how often it stands in the corpus, less the discount
    pairs      for each kind and token of the corpus the pair that the token is, UNKNOWN where it is none
    """

    keys: tuple[Longs, ...]
    first: tuple[int, ...]
    start: Ints
    kept: Ints
    total: Ints
    shared: Ints
    discount: Floats
    words: Ints
    excess: Floats
    pairs: Ints

    def contexts(self, windows: Ints, sizes: Sequence[int]) -> Ints:
        """For each window (places by forms) the context of each kind; UNKNOWN where the corpus has none like it."""
        found = np.full((len(windows), len(KINDS)), UNKNOWN, np.int32)
        for at, kind in enumerate(KINDS):
            known, asked = self.keys[at], _keys(kind, [windows[:, place, form] for place, form in kind], sizes)
            if len(known):
                places = np.minimum(np.searchsorted(known, asked), len(known) - 1)
                found[:, at] = np.where(known[places] == asked, places + self.first[at], UNKNOWN)
        return found


def _keys(kind: Kind, columns: Sequence[Ints], sizes: Sequence[int]) -> Longs:
    """One number for what stands at the places of a kind; UNKNOWN where one of them is not known."""
    keys = np.zeros(len(columns[0]), np.int64)
    for (_, form), column in zip(kind, columns, strict=True):
        keys = np.where((keys == UNKNOWN) | (column == UNKNOWN), UNKNOWN, keys * sizes[form] + column)
    return keys


def discount_of(counts: Ints | Longs) -> float:
    """What absolute discounting takes from each count: n1 / (n1 + 2 n2) (Ney, Essen and Kneser 1994)."""
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    return min(max(once / (once + 2 * twice), 0.1), 0.9) if once else 0.5


@dataclass(frozen=True, slots=True)
class _Table:
    """The counts of one kind; contexts and pairs are numbered from 0."""

    keys: Longs
    start: Longs
    kept: Longs
    discount: Floats
    words: Ints
    counts: Longs
    pairs: Ints


def count(vocabulary: Vocabulary, numbers: Ints, around: Ints) -> Counts:
    """Count the words of a corpus, as `Vocabulary.corpus` gives it, in their contexts."""
    tables: list[_Table] = []
    firsts, pairs = [0], [0]
    for kind in KINDS:
        columns = [vocabulary.table[around[:, place], form] for place, form in kind]
        tables.append(_table(numbers, _keys(kind, columns, vocabulary.sizes), len(vocabulary)))
        firsts.append(firsts[-1] + len(tables[-1].keys))
        pairs.append(pairs[-1] + len(tables[-1].words))
    start = np.concatenate([*(one.start[:-1] + base for one, base in zip(tables, pairs, strict=False)), pairs[-1:]])
    kept = np.concatenate([one.kept + base for one, base in zip(tables, pairs, strict=False)])
    counts = np.concatenate([one.counts for one in tables])
    discount = np.concatenate([one.discount for one in tables])
    below = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    return Counts(
        keys=tuple(one.keys for one in tables),
        first=tuple(firsts[:-1]),
        start=start.astype(np.int32),
        kept=kept.astype(np.int32),
        total=(below[start[1:]] - below[start[:-1]]).astype(np.int32),
        shared=(below[kept] - below[start[:-1]]).astype(np.int32),
        discount=discount,
        words=np.concatenate([one.words for one in tables]),
        excess=counts - np.repeat(discount, np.diff(start)),
        pairs=np.stack(
            [
                np.where(one.pairs == UNKNOWN, UNKNOWN, one.pairs + base)
                for one, base in zip(tables, pairs, strict=False)
            ]
        ).astype(np.int32),
    )


def _table(numbers: Ints, keys: Longs, size: int) -> _Table:
    valid = (numbers != UNKNOWN) & (keys != UNKNOWN)
    contexts, context = np.unique(keys[valid], return_inverse=True)
    both, pair, counts = np.unique(context * size + numbers[valid], return_inverse=True, return_counts=True)
    context, word = np.divmod(both, max(size, 1))
    order = np.lexsort((word, -counts, context))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    pairs = np.full(len(numbers), UNKNOWN, np.int32)
    pairs[valid] = rank[pair]
    start, counts = np.searchsorted(context, np.arange(len(contexts) + 1)), counts[order]
    kept, discount = start[1:].copy(), np.full(len(contexts), discount_of(counts))
    for at in np.flatnonzero(np.diff(start) > LIMIT):
        # Taking more from every count, rather than cutting the list off, treats words of the same count alike.
        discount[at] = counts[start[at] + LIMIT]
        kept[at] = start[at] + np.searchsorted(-counts[start[at] : start[at + 1]], -discount[at])
    return _Table(contexts, start, kept, discount, word[order].astype(np.int32), counts, pairs)
