"""Masked language models of transformers as mask fillers, over sentences that are tokenised already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum, nan
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, SpecError, UsageError
from nerquake.core.fillers import Fill, Masked
from nerquake.core.options import positional
from nerquake.language.transformers_rows import Encoder
from nerquake.language.transformers_run import Model, best, load_model, log_shares, variation
from nerquake.language.transformers_vocabulary import Vocabulary, tells_capitals, vocabulary_of
from nerquake.models.checkpoint import Source, fingerprint_of, load_config, load_tokenizer, quiet, room_of, source_of
from nerquake.models.frame import Frame, frame_of
from nerquake.models.means import Device, Means, Plugin, Precision, means_of

PLUGIN = Plugin("mask filler", "transformers")


@dataclass(frozen=True, slots=True)
class TransformersFiller:
    """A masked language model of transformers: a folder, or a name on the Hugging Face hub.

    A masked word is one mask, so that an answer is one entry of the vocabulary; a word's own probability is the sum
    over its pieces, each asked for with the later ones masked too. Tokens without a piece (zero-width characters) are
    left out. Of a sentence that is longer than the model takes, as much is shown around the masked word as it takes.

    model       folder or name
    revision    branch, tag or commit of a model on the hub
    device      auto: a GPU where there is one
    precision   auto: bfloat16 where the processor or GPU multiplies in it; int8: on the processor, quicker, less exact
    batch       sentences that the model takes at a time; more suit a GPU
    max_length  pieces that the model takes at once, special ones included; 0: as it says itself
    """

    model: str = positional()
    revision: str = ""
    device: Device = "auto"
    precision: Precision = "auto"
    batch: int = 32
    max_length: int = 0

    def __post_init__(self) -> None:
        if not self.model:
            raise SpecError("transformers needs a folder or a name: transformers:MODEL")
        if self.batch < 1 or self.max_length < 0:
            raise SpecError("transformers: batch is 1 or more, max_length 0 or more")

    @property
    def noise(self) -> float:
        """By how much a score in a batch may differ from that of the request alone, as measured on this machine."""
        return _noise(self._source(), self._means(), self.max_length)

    @property
    def cased(self) -> bool:
        """Whether its tokenizer keeps capital letters."""
        return tells_capitals(_tokenizer(self._source()))

    def learn(self, corpus: Dataset) -> TransformersFiller:
        """Itself: it was trained elsewhere."""
        return self

    def fill(self, requests: Sequence[Masked], depth: int) -> list[Sequence[Fill]]:
        """For each request the `depth` best entries of the whole vocabulary, best first."""
        if depth < 1:
            return [() for _ in requests]
        with quiet():
            engine = self._engine()
            found: list[Sequence[Fill]] = [() for _ in requests]
            for batch in engine.encoder.batches(engine.encoder.to_fill(requests), self.batch):
                numbers, scores = best(engine.model.scores(batch), depth)
                for at, row in enumerate(batch.rows):
                    found[row.request] = Fills(engine.vocabulary, numbers[at], scores[at])
            return found

    def score(self, requests: Sequence[Masked]) -> list[float]:
        """For each request the natural logarithm of the probability of the word that stands there."""
        with quiet():
            engine = self._engine()
            parts: list[dict[int, float]] = [{} for _ in requests]
            for batch in engine.encoder.batches(engine.encoder.to_score(requests), self.batch):
                shares = log_shares(engine.model.scores(batch), batch.rows)
                for row, share in zip(batch.rows, shares, strict=True):
                    parts[row.request][row.at] = share
            return [fsum(part.values()) if part else nan for part in parts]

    def about(self) -> tuple[str, ...]:
        """One line on what runs: device, precision, versions."""
        return (f"{self._where} runs on {self._means()}",)

    def fingerprint(self) -> str:
        """A hash over its files, what it runs on (device, precision, versions of the libraries), and its length."""
        return f"{fingerprint_of(self._source())}, {self._means()}, {self.max_length}"

    @property
    def _where(self) -> str:
        return f"{PLUGIN.name}:{self.model}"

    def _source(self) -> Source:
        return source_of(self.model, self.revision, PLUGIN)

    def _means(self) -> Means:
        return means_of(PLUGIN, self.device, self.precision)

    def _engine(self) -> Engine:
        return _load(self._source(), self._means(), self.max_length)


@dataclass(frozen=True, slots=True, eq=False)
class Fills(Sequence[Fill]):
    """The answer to a request: entries by number, made into fills as they are asked for."""

    vocabulary: Vocabulary
    numbers: NDArray[np.int64]
    scores: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, at: int) -> Fill: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Fill]: ...
    def __getitem__(self, at: int | slice) -> Fill | Sequence[Fill]:
        if isinstance(at, slice):
            return Fills(self.vocabulary, self.numbers[at], self.scores[at])
        number = int(self.numbers[at])
        return Fill(self.vocabulary.texts[number], float(self.scores[at]), self.vocabulary.kinds[number])

    def __iter__(self) -> Iterator[Fill]:
        texts, kinds = self.vocabulary
        for number, score in zip(self.numbers.tolist(), self.scores.tolist(), strict=True):
            yield Fill(texts[number], score, kinds[number])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


class Engine(NamedTuple):
    """What is kept between calls: sentences become rows, rows are scored, scores are entries."""

    encoder: Encoder
    model: Model
    vocabulary: Vocabulary


@lru_cache(maxsize=2)
def _tokenizer(source: Source) -> Any:
    return load_tokenizer(source)


@lru_cache(maxsize=2)
def _frame(source: Source) -> Frame:
    return frame_of(_tokenizer(source), source.where)


@lru_cache(maxsize=2)
def _load(source: Source, means: Means, max_length: int) -> Engine:
    config, tokenizer = load_config(source), _tokenizer(source)
    if getattr(tokenizer, "mask_token_id", None) is None:
        raise InputError(
            f"{source.where}: its tokenizer has no mask token, so it is not one of a masked language model; name one "
            "that was trained to fill masks, such as BERT or RoBERTa"
        )
    frame = _frame(source)
    room = room_of(config, tokenizer, max_length, source.where) - frame.width
    if room < 1:
        raise UsageError(f"{source.where}: max_length leaves no room beside {frame.width} special pieces")
    encoder = Encoder(tokenizer, frame, tokenizer.mask_token_id, room, {})
    model = load_model(source, means, encoder)
    (batch,) = encoder.batches(encoder.to_fill([Masked(("",), 0)]), 1)
    return Engine(encoder, model, vocabulary_of(tokenizer, model.scores(batch).shape[1]))


@lru_cache(maxsize=2)
def _noise(source: Source, means: Means, max_length: int) -> float:
    with quiet():
        engine = _load(source, means, max_length)
        return variation(engine.model, engine.encoder, means.precision)
