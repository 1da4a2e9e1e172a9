"""A transformer with a layer for tags, with or without a conditional random field over the words.

A word's score is that of its first piece. What is saved is an ordinary checkpoint for token classification, a CRF
stands in its configuration, so that tagging has one way for all transformers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from nerquake.core.errors import SpecError, UsageError
from nerquake.core.protocols import Tagging
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.models.checkpoint import (
    Head,
    Source,
    load_config,
    load_encoder,
    load_tokenizer,
    load_weights,
    quiet,
    room_of,
)
from nerquake.models.encode import Encoder, Row
from nerquake.models.frame import frame_of
from nerquake.models.label_names import TagNames
from nerquake.models.subword import Answered, tagging_of, tags_by_word
from nerquake.nn.crf import CRF_KEY, CRF_PLACES, WORDS, crf_weights
from nerquake.nn.crf_layer import Crf, to_config
from nerquake.nn.freezing import freeze
from nerquake.nn.lora import Lora, adapt, merged
from nerquake.nn.network import Group, Loss
from nerquake.nn.tags import TagSet

LOADER = "AutoModelForTokenClassification"
NO_DECAY = ("bias", "LayerNorm.weight", "layer_norm.weight", "norm.weight")
IGNORED = -100
"""The number of the tag of padding, which no loss counts."""


class Example(NamedTuple):
    """A window of a sentence as the network sees it, and the tag of each of its words that has a piece."""

    row: Row
    tags: list[int]


@dataclass(frozen=True, slots=True)
class Options:
    """What is trained how.

    crf          decode with a conditional random field
    head_factor  times the rate, for the layer on top
    crf_factor   times the rate, for the scores of the CRF
    freeze       parameters with one of these in their names stay as they are
    lora         train adapters instead of the encoder's own weights; None: its weights
    """

    crf: bool = False
    head_factor: float = 1.0
    crf_factor: float = 1.0
    freeze: tuple[str, ...] = ()
    max_length: int = 0
    lora: Lora | None = None


class Transformer(nn.Module):
    """Implements `network.Network`. Shapes: B windows, T pieces, W words, K tags."""

    def __init__(self, model: Any, source: Source, tags: TagSet, options: Options, crf: Crf | None) -> None:
        super().__init__()
        self.model, self.crf = model, crf
        self.tags, self.options = tags, options
        self.tokenizer = load_tokenizer(source)
        frame = frame_of(self.tokenizer, source.where)
        room = room_of(model.config, self.tokenizer, options.max_length, source.where) - frame.width
        if room < 1:
            raise UsageError(f"{source.where}: max-length leaves no room beside {frame.width} special pieces")
        self.encoder = Encoder(self.tokenizer, frame, room, {})
        freeze(model, options.freeze)
        if options.lora is not None:
            adapt(model, options.lora)
        if not any(parameter.requires_grad for parameter in self.parameters()):
            raise SpecError(f"freeze={'|'.join(options.freeze)} leaves nothing to train")

    def examples(self, sentences: Sequence[Sentence]) -> list[Example]:
        """Windows of sentences with their tags. A mention that a window cuts counts with what is inside."""
        made: list[Example] = []
        for at, (sentence, encoded) in enumerate(
            zip(sentences, self.encoder.encode([one.tokens for one in sentences]), strict=True)
        ):
            for row in self.encoder.rows(at, encoded, windows=True):
                spans = _clipped(sentence.spans, row.words)
                made.append(Example(row, self.tags.numbers(len(row.words), spans)))
        return made

    def size(self, example: Example) -> int:
        """How many pieces it has."""
        return len(example.row.pieces) + self.encoder.frame.width

    def loss(self, batch: Sequence[Example]) -> Loss:
        """Cross entropy over words, or the CRF's negative log likelihood over sentences."""
        scores, mask = self._word_scores([example.row for example in batch])
        width = mask.shape[1]
        filler = IGNORED if self.crf is None else 0
        rows = [example.tags + [filler] * (width - len(example.tags)) for example in batch]
        tags = torch.tensor(rows, device=scores.device)
        if self.crf is not None:
            return Loss(-self.crf.log_likelihood(scores, tags, mask).sum(), len(batch))
        total = nn.functional.cross_entropy(scores.flatten(0, 1).float(), tags.flatten(), reduction="sum")
        return Loss(total, int(mask.sum()))

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        """The mentions of token sequences, long ones read in windows."""
        training = self.training
        self.eval()
        try:
            with torch.inference_mode():
                return self._tagged(batch)
        finally:
            self.train(training)

    def _tagged(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        encoded = self.encoder.encode(batch)
        rows = [row for at, one in enumerate(encoded) for row in self.encoder.rows(at, one, windows=True)]
        rows.sort(key=lambda row: len(row.pieces))
        answered: list[list[Answered]] = [[] for _ in batch]
        for start in range(0, len(rows), 32):
            part = rows[start : start + 32]
            scores, mask = self._word_scores(part)
            best = self.crf.decode(scores, mask) if self.crf is not None else scores.argmax(-1)
            for row, numbers in zip(part, best.tolist(), strict=True):
                names = [self.tags.tags[number] for number in numbers[: len(row.words)]]
                answered[row.sentence].append(Answered(row.window, row.words, names))
        return [
            tagging_of(tags_by_word(one.counts, parts), self.tags.scheme)
            for one, parts in zip(encoded, answered, strict=True)
        ]

    def _word_scores(self, rows: Sequence[Row]) -> tuple[Tensor, Tensor]:
        """Scores [B, W, K] of each word's first piece, and which of them stand for a word [B, W]."""
        device = next(self.parameters()).device
        batch = self.encoder.padded(rows)
        inputs = {"input_ids": batch.pieces, "attention_mask": batch.mask}
        if self.encoder.frame.typed:
            inputs["token_type_ids"] = batch.types
        given = {key: torch.from_numpy(value).to(device) for key, value in inputs.items()}
        scores = self.model(**given).logits
        places, words = (torch.from_numpy(part).to(device) for part in batch.words())
        chosen = scores.gather(1, places.unsqueeze(-1).expand(-1, -1, scores.shape[-1]))
        return chosen, words

    def groups(self) -> list[Group]:
        """The encoder with and without weight decay, the layer on top, the CRF."""
        body = f"{self.model.base_model_prefix}."
        parts: dict[tuple[float, bool], list[nn.Parameter]] = {}
        for name, parameter in self.model.named_parameters():
            if parameter.requires_grad:
                factor = 1.0 if name.startswith(body) else self.options.head_factor
                parts.setdefault((factor, not name.endswith(NO_DECAY)), []).append(parameter)
        made = [Group(parameters, factor, decay) for (factor, decay), parameters in parts.items()]
        if self.crf is not None:
            made.append(Group(list(self.crf.parameters()), self.options.crf_factor, decay=False))
        return made

    def named_tensors(self) -> Iterator[tuple[str, Tensor]]:
        """Parameters and buffers."""
        yield from self.state_dict().items()

    def save(self, folder: Path) -> None:
        """Write a checkpoint for token classification with its tokenizer; adapters are added to its weights."""
        model = self.model if self.options.lora is None else merged(self.model)
        config = model.config
        if self.crf is not None:
            setattr(config, CRF_KEY, to_config(self.crf))
            setattr(config, CRF_PLACES, WORDS)
        with quiet():
            model.save_pretrained(folder, safe_serialization=True)
            self.tokenizer.save_pretrained(folder)


HEAD = Head(LOADER, "it cannot be fine-tuned as it is: train it first", "id2label names every output")


def kept(source: Source, names: TagNames, options: Options) -> Transformer:
    """A trained checkpoint as it is: its head, the order of its labels, and its CRF where it has one."""
    model = load_weights(source, HEAD, "fp32")
    tags = TagSet(names.tags, names.scheme)
    state = getattr(load_config(source), CRF_KEY, None)
    crf = None
    if state:
        crf = Crf(tags)
        weights = crf_weights(state, len(tags), f"{source.where}, {CRF_KEY} in config.json")
        with torch.no_grad():
            for own, found in (
                (crf.start, weights.start),
                (crf.end, weights.end),
                (crf.transitions, weights.transitions),
            ):
                own.copy_(found)
    return Transformer(model, source, tags, replace(options, crf=crf is not None), crf)


def fresh(source: Source, tags: TagSet, options: Options, seed: int) -> Transformer:
    """An encoder with a new layer for tags; the same for the same seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = load_encoder(source, LOADER, tags.tags)
        crf = Crf(tags) if options.crf else None
    return Transformer(model, source, tags, options, crf)


def _clipped(spans: Sequence[Span], words: Sequence[int]) -> list[Span]:
    """Mentions by the places of the words that have a piece in a window; what is not there is left out."""
    places = {word: at for at, word in enumerate(words)}
    made = []
    for span in spans:
        inside = [places[word] for word in range(span.start, span.end) if word in places]
        if inside:
            made.append(Span(inside[0], inside[-1] + 1, span.label))
    return made
