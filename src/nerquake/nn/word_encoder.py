"""Vectors of words: the word itself, its letters, its beginning, end and shape, and a pretrained vector."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import torch
from torch import Tensor, nn

from nerquake.nn.vectors import WordVectors, place_of
from nerquake.nn.vocabulary import PADDING, UNKNOWN, Vocabulary, WordNumbers

AFFIXES = ("prefixes", "suffixes", "shapes")
KERNEL = 3
"""Letters that a filter sees at a time."""
PIECES = 2
"""Candidates of which the highest counts, where all parts are brought to one width (maxout)."""
REMEMBERED = 100_000
"""Words whose numbers and vectors are kept at most."""

State = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class WordSizes:
    """The sizes of what a word's vector is made of.

    word     of the word itself
    affix    of its prefix, its suffix and its shape, each; 0: they are left out
    letter   of a letter
    filters  features that are found in its letters; 0: they are left out
    width    of the vector that is made of all of them
    """

    word: int = 64
    affix: int = 24
    letter: int = 24
    filters: int = 48
    width: int = 96


@dataclass(frozen=True, slots=True, eq=False)
class Pretrained:
    """Pretrained vectors, and whether they are trained too."""

    vectors: WordVectors
    trained: bool = False


class WordEncoder(nn.Module):
    """U different words become vectors [U, width].

    Embeddings of a word and of its parts, the strongest answer of each filter over its letters (Ma and Hovy, 2016),
    and its pretrained vector, are joined and brought to one width. In training a word is taken for an unknown one now
    and then, with all its parts kept, so that the unknown word learns something too.
    """

    vectors: Tensor

    def __init__(
        self,
        vocabulary: Vocabulary,
        sizes: WordSizes,
        pretrained: Pretrained | None = None,
        word_dropout: float = 0.0,
    ) -> None:
        """`word_dropout`: the probability of being taken for an unknown word, in training."""
        super().__init__()
        self.vocabulary, self.sizes, self.word_dropout, self.pretrained = vocabulary, sizes, word_dropout, pretrained
        self._memory: dict[str, tuple[WordNumbers, int]] = {}
        counts = vocabulary.sizes
        affixes = AFFIXES if sizes.affix else ()
        self.words = nn.Embedding(counts["words"], sizes.word, padding_idx=PADDING)
        self.affixes = nn.ModuleList(nn.Embedding(counts[name], sizes.affix) for name in affixes)
        joined = sizes.word + sizes.affix * len(affixes) + sizes.filters
        if sizes.filters:
            self.letters = nn.Embedding(counts["characters"], sizes.letter, padding_idx=PADDING)
            self.filters = nn.Conv1d(sizes.letter, sizes.filters, KERNEL, padding=KERNEL // 2)
        if pretrained is not None:
            found = pretrained.vectors
            table = torch.cat([torch.zeros(1, found.width), torch.from_numpy(found.table)])
            self.vectors = nn.Parameter(table, requires_grad=pretrained.trained)
            joined += found.width
        self.mix = nn.Linear(joined, PIECES * sizes.width)
        self.norm = nn.LayerNorm(sizes.width)

    def forward(self, words: Sequence[str]) -> Tensor:
        """Vectors [U, width] of U different words, one at least; what a word gets does not depend on the others."""
        known = [self._known(word) for word in words]
        joined = torch.cat(list(self._parts([numbers for numbers, _ in known], [row for _, row in known])), dim=1)
        return self.norm(self.mix(joined).unflatten(1, (-1, PIECES)).amax(2))

    def _parts(self, numbers: Sequence[WordNumbers], rows: Sequence[int]) -> Iterator[Tensor]:
        """All parts of words, each [U, its size]; `rows` are those of pretrained vectors."""
        device = self.mix.weight.device
        forms = torch.tensor([word.word for word in numbers], device=device)
        if self.training and self.word_dropout:
            forms = forms.masked_fill(torch.rand(len(numbers), device=device) < self.word_dropout, UNKNOWN)
        yield self.words(forms)
        if self.affixes:
            columns = torch.tensor([word.affixes for word in numbers], device=device).unbind(1)
            yield from (table(column) for table, column in zip(self.affixes, columns, strict=True))
        if self.sizes.filters:
            yield self._spelling([word.characters for word in numbers])
        if self.pretrained is not None:
            yield nn.functional.embedding(torch.tensor(rows, device=device), self.vectors)

    def _spelling(self, letters: Sequence[tuple[int, ...]]) -> Tensor:
        """[U, filters]: each filter's strongest answer over a word's letters, padding left out."""
        columns = torch.tensor(list(zip_longest(*letters, fillvalue=PADDING)), device=self.mix.weight.device)
        answers = self.filters(self.letters(columns.t()).transpose(1, 2)).relu()
        return answers.masked_fill((columns.t() == PADDING).unsqueeze(1), 0).amax(2)

    def _known(self, word: str) -> tuple[WordNumbers, int]:
        """A word's numbers, and the row of its pretrained vector, 0 where it has none."""
        found = self._memory.get(word)
        if found is None:
            row = 0 if self.pretrained is None else place_of(self.pretrained.vectors.places, word) + 1
            found = self.vocabulary.numbers(word), row
            if len(self._memory) < REMEMBERED:
                self._memory[word] = found
        return found


class WordMemory:
    """Vectors of words that were asked for before, for tagging.

    Where weights were written to since, vectors are made anew. Some optimisers write without telling (fused ones), so
    that whoever trains calls `forget` too.
    """

    def __init__(self, encoder: WordEncoder) -> None:
        self.encoder = encoder
        self._rows: dict[str, int] = {}
        self._table = torch.empty(0)
        self._state: State = ()

    def rows(self, words: Sequence[str]) -> list[int]:
        """The row in `table` of each word. Those given before stay right until a later call has made all anew."""
        state = self._weights()
        if state != self._state or len(self._rows) > REMEMBERED:
            self.forget()
            self._state = state
        rows = self._rows
        fresh = [word for word in dict.fromkeys(words) if word not in rows]
        if fresh:
            self._add(fresh)
        return [rows[word] for word in words]

    @property
    def table(self) -> Tensor:
        """[rows, width]"""
        return self._table

    def forget(self) -> None:
        """All vectors are to be made anew."""
        self._rows, self._table = {}, torch.empty(0)

    def _add(self, words: Sequence[str]) -> None:
        made = [self.encoder(words[at : at + 1024]) for at in range(0, len(words), 1024)]
        old, used = self._table, len(self._rows)
        if used + len(words) > len(old):
            room = max(2 * len(old), used + len(words))
            self._table = torch.empty(room, self.encoder.sizes.width, device=made[0].device)
            if used:
                self._table[:used] = old[:used]
        self._table[used : used + len(words)] = torch.cat(made)
        self._rows.update(zip(words, range(used, used + len(words)), strict=True))

    def _weights(self) -> State:
        """What changes with the encoder's weights: where each is, and how often it was written to."""
        return tuple((one.data_ptr(), one._version) for one in self.encoder.parameters())
