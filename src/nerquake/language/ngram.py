"""Fills in words by n-grams: a model estimated from the data set itself, or from a text. No download, any language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import starmap
from pathlib import Path
from typing import NoReturn

import numpy as np

from nerquake.core.dataset import Dataset
from nerquake.core.errors import PluginError
from nerquake.core.fillers import Fill, Masked
from nerquake.language.ngram_model import LeftOut, Model, Scores
from nerquake.language.ngram_text import check_corpus_file, corpus_bytes, read_corpus
from nerquake.language.ngram_words import Forms, Ints

METHOD = 1
"""Goes up whenever the same corpus may give other answers."""
_BLOCK = 1024
"""Requests whose contexts are looked up together."""
Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NgramFiller:
    """A bidirectional n-gram model of the data set itself, or of a file; any language, no download.

    It looks at the two words on either side and, for words that are rare, at their capitals and endings. What it
    fills in are words of the corpus as they stand there; tokens with a blank inside are none. The sentence that is
    asked about, and any with the same tokens, are left out of what it knows: it has not seen the answer. Estimated from
    the whole set, it makes attacks draw from the whole set: a sentence that is added can change others.

    corpus   a text to estimate it from instead of the data set: a sentence a line with blanks between tokens, or token
             and tag columns as in CoNLL files
    """

    corpus: str = ""

    def __post_init__(self) -> None:
        if self.corpus:
            check_corpus_file(self.corpus)

    @property
    def noise(self) -> float:
        """None: each request is answered by itself."""
        return 0.0

    @property
    def cased(self) -> bool:
        """Words are kept as they stand in the corpus."""
        return True

    def learn(self, corpus: Dataset) -> LearnedNgrams:
        """The model of a data set, or of the file.

        Raises:
            InputError: the file cannot be read.
        """
        own = [sentence.tokens for sentence in corpus]
        sentences, columns = read_corpus(self.corpus) if self.corpus else (own, False)
        name = Path(self.corpus).name if self.corpus else corpus.name
        ranges: dict[Tokens, list[tuple[int, int]]] = {}
        at = 0
        for tokens in sentences:
            ranges.setdefault(tokens, []).append((at, at + len(tokens)))
            at += len(tokens)
        places = {one.id: tuple(ranges[one.tokens]) for one in corpus if one.tokens in ranges}
        model = Model.of(sentences)
        about = (
            f"ngram estimated from {len(sentences):,} sentences, {at:,} tokens of {name}"
            f"{' (token and tag columns)' if columns else ''}, vocabulary {len(model.vocabulary):,}"
        )
        return LearnedNgrams(self, model, places, about)

    def fill(self, requests: Sequence[Masked], depth: int) -> NoReturn:
        """Nothing: it has learned nothing yet."""
        _refuse("fill")

    def score(self, requests: Sequence[Masked]) -> NoReturn:
        """Nothing: it has learned nothing yet."""
        _refuse("score")

    def about(self) -> tuple[str, ...]:
        """What it will be estimated from."""
        return (f"ngram, to be estimated from {Path(self.corpus).name if self.corpus else 'the data set'}",)

    def fingerprint(self) -> str:
        """The method, and a hash of the file."""
        content = sha256(corpus_bytes(self.corpus)).hexdigest() if self.corpus else ""
        return f"ngram {METHOD} {content}".strip()


def _refuse(method: str) -> NoReturn:
    raise PluginError(f"ngram: {method} was called before learn; call learn(dataset) and use the filler it returns")


@dataclass(frozen=True, slots=True)
class LearnedNgrams:
    """An n-gram model that was estimated from a corpus.

    places   by the id of a sentence of the data set, where the corpus has its tokens
    line     what `about` says
    """

    origin: NgramFiller
    model: Model = field(repr=False, compare=False)
    places: Mapping[str, tuple[tuple[int, int], ...]] = field(repr=False, compare=False)
    line: str

    @property
    def noise(self) -> float:
        """None: each request is answered by itself."""
        return 0.0

    @property
    def cased(self) -> bool:
        """Words are kept as they stand in the corpus."""
        return True

    def learn(self, corpus: Dataset) -> LearnedNgrams:
        """The model of another data set."""
        return self.origin.learn(corpus)

    def fill(self, requests: Sequence[Masked], depth: int) -> list[tuple[Fill, ...]]:
        """For each request the `depth` most probable words of the whole vocabulary, best first, equal ones by text."""
        scores, words = Scores(self.model), self.model.vocabulary.words
        found = []
        for _, row, out in self._looked_up(requests):
            numbers, logs = scores.top(row, out, depth)
            found.append(tuple(starmap(Fill, zip(map(words.__getitem__, numbers), logs, strict=True))))
        return found

    def score(self, requests: Sequence[Masked]) -> list[float]:
        """For each request the log probability of its word; of a word that is not known, that of one of the unseen."""
        scores, forms = Scores(self.model), self.model.vocabulary.forms
        return [
            scores.log_probability(row, out, forms(one.tokens[one.position]).word)
            for one, row, out in self._looked_up(requests)
        ]

    def about(self) -> tuple[str, ...]:
        """What it was estimated from."""
        return (self.line,)

    def fingerprint(self) -> str:
        """That of the filler which learned it."""
        return self.origin.fingerprint()

    def _looked_up(self, requests: Sequence[Masked]) -> Iterator[tuple[Masked, Ints, LeftOut | None]]:
        """Each request with its contexts and what it must not know."""
        vocabulary = self.model.vocabulary
        known: dict[str, Forms] = {}
        key, out = "", None
        for start in range(0, len(requests), _BLOCK):
            block = requests[start : start + _BLOCK]
            windows = [vocabulary.window(one.tokens, one.position, one.hidden, known) for one in block]
            rows = self.model.counts.contexts(np.array(windows, np.int32), vocabulary.sizes)
            for one, row in zip(block, rows, strict=True):
                if one.key != key:  # requests about one sentence mostly stand together
                    key = one.key
                    out = self.model.left_out(self.places[key]) if key in self.places else None
                yield one, row, out
