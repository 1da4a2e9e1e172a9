"""Transformers models for token classification, on sentences that are tokenised already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from nerquake.core.errors import SpecError, UsageError
from nerquake.core.options import option, positional
from nerquake.core.protocols import Tagging
from nerquake.core.scheme import Repair
from nerquake.core.sources import Sources
from nerquake.models.checkpoint import Source, fingerprint_of, load_config, load_tokenizer, quiet, room_of, source_of
from nerquake.models.encode import Encoder
from nerquake.models.frame import Frame, frame_of
from nerquake.models.label_names import TagNames, read_names
from nerquake.models.means import Device, Means, Plugin, Runtime, means_of
from nerquake.models.subword import Answered, tagging_of, tags_by_word
from nerquake.nn.crf import CRF_KEY
from nerquake.taggers.huggingface_run import Aggregate, Model, best_labels, load_model
from nerquake.taggers.trained_on import read_trained_on

PLUGIN = Plugin("tagger", "huggingface")
Precision = Literal["auto", "fp32", "bf16"]
PIECES = 16_384
"""Pieces in one batch at most, padding included: 32 windows of 512."""


@dataclass(frozen=True, slots=True)
class HuggingFaceTagger:
    """A transformers model for token classification: a folder, or a name on the Hugging Face hub.

    Tokens are not split anew: the tokenizer's pieces are brought back to them by word ids. Tokens without a piece
    (zero-width characters, blanks) get O and count as unseen. Longer sentences than the model takes are read in
    overlapping windows. Checkpoints of T-NER with a CRF are decoded with it. In bfloat16 the answers to close calls may
    differ from those in float32.

    model       folder or name
    revision    branch, tag or commit of a model on the hub
    labels      what its label names stand for, where they do not say it: LABEL_0=O|LABEL_1=B-PER
    scheme      tag scheme of its labels; auto: by their prefixes, bare labels are IO
    windows     read long sentences in windows; no: what does not fit is unseen
    aggregate   which pieces decide on a word's tag: the first, or the mean or highest probability of all
    repair      what becomes of ill-formed tags
    device      auto: a GPU where there is one
    precision   auto: bfloat16 where the processor or GPU multiplies in it
    runtime     onnx: a folder with model.onnx, run by ONNX Runtime
    batch       windows that the model takes at a time; more suit a GPU
    max_length  pieces that the model takes at once, special ones included; 0: as it says itself
    """

    model: str = positional()
    revision: str = ""
    renames: tuple[str, ...] = option("labels", ())
    scheme: str = "auto"
    windows: bool = True
    aggregate: Aggregate = "first"
    repair: Repair = "conlleval"
    device: Device = "auto"
    precision: Precision = "auto"
    runtime: Runtime = "torch"
    batch: int = 32
    max_length: int = 0

    def __post_init__(self) -> None:
        if not self.model:
            raise SpecError("huggingface needs a folder or a name: huggingface:MODEL")
        if self.batch < 1 or self.max_length < 0:
            raise SpecError("huggingface: batch is 1 or more, max_length 0 or more")

    def labels(self) -> frozenset[str]:
        """The labels that its configuration names."""
        return self._names().labels

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        """The mentions of each sentence."""
        with quiet():
            return self._tagged(batch)

    def _tagged(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        engine = self._engine()
        names = self._names()
        encoded = engine.encoder.encode(batch)
        rows = [row for at, one in enumerate(encoded) for row in engine.encoder.rows(at, one, windows=self.windows)]
        batches = list(engine.encoder.batches(rows, self.batch, PIECES))
        best = best_labels(engine.model, batches, self.aggregate, len(names.tags), self._where)
        answered: list[list[Answered]] = [[] for _ in batch]
        for row, labels in zip((row for one in batches for row in one.rows), best, strict=True):
            answered[row.sentence].append(Answered(row.window, row.words, [names.tags[label] for label in labels]))
        return [
            tagging_of(tags_by_word(one.counts, parts), names.scheme, self.repair)
            for one, parts in zip(encoded, answered, strict=True)
        ]

    def fingerprint(self) -> str:
        """A hash over its files, what it runs on (device, precision, versions of the libraries), and the repair."""
        return f"{fingerprint_of(self._source())}, {self._means()}, {self.repair}"

    def about(self) -> tuple[str, ...]:
        """One line on what runs: device, precision, versions, scheme, and whether a CRF decodes."""
        decoded = ", decoded by its CRF" if getattr(load_config(self._source()), CRF_KEY, None) else ""
        return (f"{self._where} runs on {self._means()}; {self._names().scheme.name} tags{decoded}",)

    def trained_on(self) -> Sources | None:
        """What `sources.jsonl` in its folder says, where nerquake has trained it."""
        return read_trained_on(self.model)

    @property
    def _where(self) -> str:
        return f"{PLUGIN.name}:{self.model}"

    def _source(self) -> Source:
        return source_of(self.model, self.revision, PLUGIN)

    def _means(self) -> Means:
        return means_of(PLUGIN, self.device, self.precision, self.runtime)

    def _names(self) -> TagNames:
        config = load_config(self._source())
        if self.aggregate != "first" and getattr(config, CRF_KEY, None):
            raise UsageError(
                f"{self._where} has a CRF, which decides by first pieces: aggregate={self.aggregate} cannot be"
            )
        return read_names(config.id2label, self.renames, self.scheme, self._where)

    def _engine(self) -> Engine:
        source = self._source()
        loaded = _load(source, self._means(), len(self._names().tags))
        room = room_of(load_config(source), loaded.tokenizer, self.max_length, self._where) - loaded.frame.width
        if room < 1:
            raise UsageError(f"{self._where}: max_length leaves no room beside {loaded.frame.width} special pieces")
        return Engine(Encoder(loaded.tokenizer, loaded.frame, room, loaded.memory), loaded.model)


class Engine(NamedTuple):
    """What tags: sentences become rows, rows are scored."""

    encoder: Encoder
    model: Model


class Loaded(NamedTuple):
    """What is kept between calls; `memory` holds the pieces of words for tokenizers that split single words."""

    tokenizer: Any
    frame: Frame
    model: Model
    memory: dict[str, list[int]]


@lru_cache(maxsize=2)
def _load(source: Source, means: Means, tags: int) -> Loaded:
    tokenizer = load_tokenizer(source)
    frame = frame_of(tokenizer, source.where)
    return Loaded(tokenizer, frame, load_model(source, means, tags, frame.typed), {})
