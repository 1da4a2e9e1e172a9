"""Sentences with masked words as the rows of numbers that a masked language model reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nerquake.core.fillers import Masked
from nerquake.models.frame import Frame, pieces_of, whole

Integers = NDArray[np.int64]
REMEMBERED = 200_000
"""Words whose pieces are kept."""
PIECES = 16_384
"""Pieces in one batch at most, padding included: 32 rows of 512."""


class Row(NamedTuple):
    """What the model is shown, special pieces included.

    request  which request it answers
    at       the masked piece that is asked for
    target   the piece that stood there, where its probability is wanted
    """

    request: int
    pieces: list[int]
    at: int
    target: int = -1


class Batch(NamedTuple):
    """Rows padded to one length T: pieces, mask and segment numbers, each [B, T]; the masked place of each, [B]."""

    rows: Sequence[Row]
    pieces: Integers
    mask: Integers
    types: Integers
    at: Integers


@dataclass(frozen=True, slots=True)
class Encoder:
    """A tokenizer with what is known of it.

    mask    the piece that stands for a masked word
    room    pieces that the model takes at once, special ones not included
    memory  pieces of words that were split before
    """

    tokenizer: Any
    frame: Frame
    mask: int
    room: int
    memory: dict[str, list[int]]

    def split(self, words: Iterable[str]) -> None:
        """Have the pieces of these words in memory. Tokenizers split each word on its own: sentences need none."""
        if len(self.memory) > REMEMBERED:
            self.memory.clear()
        new = list({word for word in words if word not in self.memory})
        shown = [whole(word) for word in new]
        for word, pieces in zip(new, self._split(shown), strict=True):
            self.memory[word] = pieces

    def _split(self, words: list[str]) -> Iterator[list[int]]:
        if not getattr(self.tokenizer, "is_fast", False):
            for word in words:
                pieces = self.tokenizer.tokenize(word) if word else []
                yield list(self.tokenizer.convert_tokens_to_ids(pieces))
            return
        filled = [[word] for word in words if word]
        answer = pieces_of(self.tokenizer, filled)["input_ids"] if filled else []
        found = iter(answer)
        for word in words:
            yield next(found) if word else []

    def to_fill(self, requests: Sequence[Masked]) -> list[Row]:
        """One row a request: a masked word is one mask."""
        self.split(chain.from_iterable(request.tokens for request in requests))
        return [self._row(number, request, [self.mask], 0) for number, request in enumerate(requests)]

    def to_score(self, requests: Sequence[Masked]) -> list[Row]:
        """One row for each piece of the word that stands there; none where it has no piece or no room.

        A piece is asked for with the word's later pieces masked as well, so that the sum over the pieces is the
        probability of the word, given how many it has (Kauf and Ivanova 2023, "PLL-word-l2r"). Where the other pieces
        can all be seen (Salazar et al. 2020) a rare word is given away by its own parts.
        """
        self.split(chain.from_iterable(request.tokens for request in requests))
        rows = []
        for number, request in enumerate(requests):
            word = self.memory[request.tokens[request.position]]
            if len(word) > self.room:
                continue
            for at, piece in enumerate(word):
                shown = [*word[:at], *[self.mask] * (len(word) - at)]
                rows.append(self._row(number, request, shown, at, piece))
        return rows

    def _row(self, number: int, request: Masked, shown: list[int], at: int, target: int = -1) -> Row:
        """The sentence with `shown` at the masked position, or what of it has room around that."""
        memory = self.memory
        parts = [memory[token] for token in request.tokens]
        for position in request.hidden:
            parts[position] = [self.mask]
        parts[request.position] = shown
        start, end = 0, len(parts)
        if sum(map(len, parts)) > self.room:
            start, end = window([len(part) for part in parts], request.position, self.room)
        pieces = [*self.frame.before, *chain.from_iterable(parts[start : request.position])]
        place = len(pieces) + at
        pieces += chain.from_iterable(parts[request.position : end])
        pieces += self.frame.after
        return Row(number, pieces, place, target)

    def batches(self, rows: Sequence[Row], size: int) -> Iterator[Batch]:
        """Rows that are padded to the same length together, `size` of them at most and `PIECES` pieces.

        To what length a row is padded depends on that row alone: in low precision sums change with the length, but
        not with the number of rows.
        """
        limit = self.room + self.frame.width
        ordered = sorted(rows, key=lambda row: len(row.pieces))
        start = 0
        while start < len(ordered):
            length = padded(len(ordered[start].pieces), limit)
            end = start + 1
            most = start + max(1, min(size, PIECES // length))
            while end < min(most, len(ordered)) and len(ordered[end].pieces) <= length:
                end += 1
            yield self._padded(ordered[start:end], length)
            start = end

    def _padded(self, rows: Sequence[Row], length: int) -> Batch:
        frame = self.frame
        pieces = np.full((len(rows), length), frame.pad, dtype=np.int64)
        mask = np.zeros((len(rows), length), dtype=np.int64)
        types = np.zeros((len(rows), length), dtype=np.int64)
        for number, row in enumerate(rows):
            pieces[number, : len(row.pieces)] = row.pieces
            mask[number, : len(row.pieces)] = 1
            if frame.typed:
                inner = [frame.inner_type] * (len(row.pieces) - frame.width)
                types[number, : len(row.pieces)] = (*frame.before_types, *inner, *frame.after_types)
        return Batch(rows, pieces, mask, types, np.array([row.at for row in rows], dtype=np.int64))


def padded(length: int, limit: int) -> int:
    """To how many pieces a row of this length is padded: steps of 4, of 8 and of 16, as rows get longer."""
    step = 4 if length <= 64 else 8 if length <= 128 else 16
    return max(length, min(limit, -(-length // step) * step))


def window(sizes: Sequence[int], position: int, room: int) -> tuple[int, int]:
    """Which words to show, from the first to behind the last, where not all have room: as many on either side.

    What one side does not need goes to the other.
    """
    spare = room - sizes[position]
    after = sum(sizes[position + 1 :])
    start, left = position, max(spare // 2, spare - after)
    while start > 0 and sizes[start - 1] <= left:
        start -= 1
        left -= sizes[start]
        spare -= sizes[start]
    end = position + 1
    while end < len(sizes) and sizes[end] <= spare:
        spare -= sizes[end]
        end += 1
    return start, end
