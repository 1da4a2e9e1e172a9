"""Sentences as the rows of numbers that a transformer reads, and where each word's first piece stands in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nerquake.models.frame import Frame, pieces_of, whole
from nerquake.models.subword import Window, piece_counts, plan_windows

Integers = NDArray[np.int64]


class Encoded(NamedTuple):
    """A sentence's pieces, and how many each word has."""

    pieces: list[int]
    counts: list[int]


class Row(NamedTuple):
    """One window as the model sees it, without special pieces.

    words    the words that have a piece here, as positions in the sentence
    firsts   for each of them where its first piece stands in `pieces`
    """

    sentence: int
    window: Window
    pieces: list[int]
    words: list[int]
    firsts: list[int]


class Batch(NamedTuple):
    """Rows padded to one length T: pieces, mask and segment numbers, each [B, T]; where the first real piece stands."""

    rows: Sequence[Row]
    pieces: Integers
    mask: Integers
    types: Integers
    offset: int

    def words(self) -> WordPlaces:
        """Where the words stand."""
        width = max(len(row.words) for row in self.rows)
        places = np.zeros((len(self.rows), width), dtype=np.int64)
        there = np.zeros((len(self.rows), width), dtype=np.bool_)
        for at, row in enumerate(self.rows):
            places[at, : len(row.firsts)] = np.array(row.firsts, dtype=np.int64) + self.offset
            there[at, : len(row.firsts)] = True
        return WordPlaces(places, there)


class WordPlaces(NamedTuple):
    """For the W words of each row of a batch that has most of them: the place of a word's first piece [B, W], and
    whether a word is there [B, W]."""

    firsts: Integers
    there: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Encoder:
    """A tokenizer with what is known of it.

    room     pieces that the model takes at once, special ones not included
    memory   pieces of words that were split before
    """

    tokenizer: Any
    frame: Frame
    room: int
    memory: dict[str, list[int]]

    def encode(self, batch: Sequence[Sequence[str]]) -> list[Encoded]:
        """The pieces of each sentence, not cut and without special ones."""
        filled = [index for index, words in enumerate(batch) if any(words)]
        found = [Encoded([], [0] * len(words)) for words in batch]
        encode = self._fast if getattr(self.tokenizer, "is_fast", False) else self._slow
        for index, encoded in zip(filled, encode([list(batch[index]) for index in filled]), strict=True):
            found[index] = encoded
        return found

    def _fast(self, batch: list[list[str]]) -> Iterator[Encoded]:
        if not batch:
            return
        words = [[whole(word) for word in sentence] for sentence in batch]
        answer = pieces_of(self.tokenizer, words)
        for index, (pieces, sentence) in enumerate(zip(answer["input_ids"], words, strict=True)):
            yield Encoded(pieces, piece_counts(answer.word_ids(index), len(sentence)))

    def _slow(self, batch: list[list[str]]) -> Iterator[Encoded]:
        """Word by word, for tokenizers that cannot say which word a piece belongs to."""
        for sentence in batch:
            parts = [self._word(whole(word)) for word in sentence]
            yield Encoded([piece for part in parts for piece in part], list(map(len, parts)))

    def _word(self, word: str) -> list[int]:
        found = self.memory.get(word)
        if found is None:
            pieces = self.tokenizer.tokenize(word) if word else []
            found = list(self.tokenizer.convert_tokens_to_ids(pieces))
            if len(self.memory) < 100_000:
                self.memory[word] = found
        return found

    def rows(self, sentence: int, encoded: Encoded, *, windows: bool) -> list[Row]:
        """The windows of one sentence; neighbours share a quarter of the room at most."""
        planned = plan_windows(encoded.counts, self.room, self.room // 4, several=windows)
        starts = [0, *accumulate(encoded.counts)]
        made: list[Row] = []
        for window in planned:
            begin, end = starts[window.start], starts[window.end]
            words = [word for word in range(window.start, window.end) if encoded.counts[word]]
            pieces = encoded.pieces[begin : min(end, begin + self.room)]
            made.append(Row(sentence, window, pieces, words, [starts[word] - begin for word in words]))
        return made

    def batches(self, rows: Sequence[Row], size: int, most: int) -> Iterator[Batch]:
        """Rows of like length together, `size` of them at most and `most` pieces with padding, one row at least."""
        ordered = sorted(rows, key=lambda row: len(row.pieces))
        start = 0
        while start < len(ordered):
            end = min(start + size, len(ordered))
            while end > start + 1 and (len(ordered[end - 1].pieces) + self.frame.width) * (end - start) > most:
                end -= 1
            yield self.padded(ordered[start:end])
            start = end

    def padded(self, rows: Sequence[Row]) -> Batch:
        """Rows as one batch, in their order, with the special pieces around each."""
        before, after, before_types, inner, after_types, pad = self.frame
        length = max(len(row.pieces) for row in rows) + self.frame.width
        pieces = np.full((len(rows), length), pad, dtype=np.int64)
        mask = np.zeros((len(rows), length), dtype=np.int64)
        types = np.zeros((len(rows), length), dtype=np.int64)
        for at, row in enumerate(rows):
            size = len(row.pieces) + self.frame.width
            pieces[at, :size] = (*before, *row.pieces, *after)
            mask[at, :size] = 1
            if self.frame.typed:
                types[at, :size] = (*before_types, *[inner] * len(row.pieces), *after_types)
        return Batch(rows, pieces, mask, types, len(before))
