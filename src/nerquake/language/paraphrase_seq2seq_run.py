"""Running sequence-to-sequence models: whole sentences in, whole answers out, by beams or by draws of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from nerquake.core.errors import InputError, UsageError
from nerquake.models.checkpoint import Head, Source, load_config, load_tokenizer, load_weights, room_of
from nerquake.models.means import Means

HEAD = Head(
    "AutoModelForSeq2SeqLM",
    "its answers would be random. It is no finished sequence-to-sequence model: name one that was trained to "
    "paraphrase or to translate",
    "vocab_size is the number of entries that the model scores",
)
KEPT = (
    "bad_words_ids", "bos_token_id", "decoder_start_token_id", "early_stopping", "eos_token_id", "forced_bos_token_id",
    "length_penalty", "no_repeat_ngram_size", "pad_token_id", "renormalize_logits", "repetition_penalty",
    "suppress_tokens",
)  # fmt: skip
"""What of a checkpoint's own settings stays. Others would draw at random, force a length, or put an end to an answer
where it is only cut off."""
STEP = 32
"""Limits of answers are multiples of this, so that sentences of about one length can be a batch."""


class Question(NamedTuple):
    """What the model is to answer.

    pieces  by the tokenizer, special ones included
    seeds   one for each answer that is wanted; only draws depend on them
    """

    pieces: tuple[int, ...]
    seeds: tuple[int, ...]


class Decoding(NamedTuple):
    """How answers are found.

    beams        0: by draws
    temperature  of the draws: below 1 likelier pieces are likelier still
    top_p        the draws are among the likeliest pieces that have this share of the probability together
    """

    beams: int
    temperature: float = 1.0
    top_p: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Engine:
    """A model with its tokenizer.

    room    pieces of a question, special ones included
    ends    the pieces that end an answer
    size    pieces that the model knows
    """

    where: str
    tokenizer: Any
    module: Any
    device: str
    room: int
    ends: frozenset[int]
    size: int

    def pieces(self, text: str) -> tuple[int, ...] | None:
        """A text's pieces, None where they are more than the model takes.

        Raises:
            InputError: the tokenizer has pieces that the model does not know.
        """
        found = tuple(int(piece) for piece in self.tokenizer(text, add_special_tokens=True)["input_ids"])
        if len(found) > self.room:
            return None
        if max(found, default=0) >= self.size:
            raise InputError(
                f"{self.where}: its tokenizer gives piece {max(found)}, but the model knows {self.size}: they are of "
                "two checkpoints"
            )
        return found

    def answers(self, questions: Sequence[Question], decoding: Decoding, batch: int) -> list[list[str]]:
        """For each question the texts of its answers, best first or as drawn; those that do not end are left out."""
        found: list[list[str]] = [[] for _ in questions]
        for limit, numbers in self._batches(questions, batch):
            made = self._generated([questions[number] for number in numbers], decoding, limit)
            for number, answers in zip(numbers, made, strict=True):
                found[number] = [self._text(answer) for answer in answers if answer is not None]
        return found

    def _batches(self, questions: Sequence[Question], size: int) -> Iterator[tuple[int, list[int]]]:
        """Numbers of questions to be answered together: those whose answers may have the same length, and as many."""

        def kind(number: int) -> tuple[int, int]:
            return self._limit(questions[number]), len(questions[number].seeds)

        order = sorted(range(len(questions)), key=lambda number: (*kind(number), len(questions[number].pieces), number))
        for (limit, _), group in groupby(order, key=kind):
            numbers = list(group)
            yield from ((limit, numbers[at : at + size]) for at in range(0, len(numbers), size))

    def _limit(self, question: Question) -> int:
        """The most pieces of an answer: twice the question's and some more, whatever stands beside it in a batch."""
        wanted = 2 * len(question.pieces) + STEP // 2
        return min(-(-wanted // STEP) * STEP, self.room - 1)

    def _generated(self, questions: Sequence[Question], decoding: Decoding, limit: int) -> list[list[list[int] | None]]:
        import torch

        each = len(questions[0].seeds)
        rows = [question for question in questions for _ in range(1 if decoding.beams else each)]
        width = max(len(row.pieces) for row in rows)
        padding = self.module.generation_config.pad_token_id
        ids = torch.tensor([[*row.pieces, *[padding] * (width - len(row.pieces))] for row in rows])
        mask = torch.tensor([[1] * len(row.pieces) + [0] * (width - len(row.pieces)) for row in rows])
        options: dict[str, Any] = {"num_beams": decoding.beams, "num_return_sequences": each}
        if not decoding.beams:
            draw = Draw([seed for question in questions for seed in question.seeds], decoding)
            options = {"num_beams": 1, "logits_processor": [draw]}
        with torch.inference_mode():
            made = self.module.generate(
                input_ids=ids.to(self.device), attention_mask=mask.to(self.device), do_sample=False,
                max_new_tokens=limit, **options,
            ).tolist()  # fmt: skip
        return [[self._ended(row) for row in made[at : at + each]] for at in range(0, len(made), each)]

    def _ended(self, row: list[int]) -> list[int] | None:
        """An answer's pieces up to its end, without the piece that starts every answer; None where it has no end."""
        end = next((at for at, piece in enumerate(row) if at and piece in self.ends), None)
        return None if end is None else row[1:end]

    def _text(self, pieces: list[int]) -> str:
        return " ".join(str(self.tokenizer.decode(pieces, skip_special_tokens=True)).split())


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    """Makes the likeliest piece a drawn one: noise is added to the scores, of each row by a generator of its own.

    With noise of Gumbel's distribution the highest sum is a draw from the distribution that the scores have (Gumbel
    1954), so that what a row draws depends on its seed alone, not on the rows beside it.
    """

    generators: list[Any]
    decoding: Decoding

    def __init__(self, seeds: Sequence[int], decoding: Decoding) -> None:
        import torch

        object.__setattr__(self, "generators", [torch.Generator().manual_seed(seed % 2**63) for seed in seeds])
        object.__setattr__(self, "decoding", decoding)

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """[B, V] scores with noise; pieces outside the likeliest are out."""
        import torch

        scores = scores.float() / self.decoding.temperature
        if self.decoding.top_p < 1:
            ordered, order = torch.softmax(scores, -1).sort(dim=-1, descending=True, stable=True)
            beyond = ordered.cumsum(-1) - ordered >= self.decoding.top_p
            scores = scores.masked_fill(torch.zeros_like(beyond).scatter(1, order, beyond), float("-inf"))
        size = scores.shape[1]
        noise = torch.stack([torch.empty(size).exponential_(generator=one) for one in self.generators])
        return scores - noise.log().to(scores.device)


def see_that_it_answers(source: Source) -> Any:
    """The configuration of a sequence-to-sequence model.

    Raises:
        InputError: it is none.
    """
    config = load_config(source)
    if not getattr(config, "is_encoder_decoder", False):
        raise InputError(
            f"{source.where} is no sequence-to-sequence model ({config.model_type} has no encoder and decoder): name "
            "one that was trained to paraphrase or to translate, such as a T5, BART, PEGASUS or Marian"
        )
    return config


@lru_cache(maxsize=2)
def load_engine(source: Source, means: Means, max_length: int) -> Engine:
    """A model with its tokenizer, ready to answer.

    Raises:
        InputError: it is no sequence-to-sequence model, damaged, or does not say how an answer starts and ends.
        UsageError: more pieces are asked for than it takes.
    """
    config = see_that_it_answers(source)
    tokenizer = load_tokenizer(source, words=False)
    room = room_of(config, tokenizer, max_length, source.where)
    if room < 4:
        raise UsageError(f"{source.where}: max_length={max_length} leaves no room for a sentence")
    module = load_weights(source, HEAD, means.precision).to(means.device)
    ends = _settle(module, tokenizer, source.where)
    size = int(module.get_input_embeddings().weight.shape[0])
    return Engine(source.where, tokenizer, module, means.device, room, ends, size)


def _settle(module: Any, tokenizer: Any, where: str) -> frozenset[int]:
    """Leave the model only those of its settings that are kept; the pieces that end an answer."""
    from transformers import GenerationConfig

    own = module.generation_config
    kept = {name: value for name in KEPT if (value := getattr(own, name, None)) is not None}
    kept.setdefault("eos_token_id", getattr(tokenizer, "eos_token_id", None))
    ends = kept["eos_token_id"]
    ends = frozenset(ends if isinstance(ends, list) else [] if ends is None else [ends])
    if not ends or (kept.get("decoder_start_token_id") is None and kept.get("bos_token_id") is None):
        raise InputError(
            f"{where} does not say with which piece an answer starts and ends: decoder_start_token_id and eos_token_id "
            "are expected in its generation_config.json or config.json"
        )
    if kept.get("pad_token_id") is None:
        kept["pad_token_id"] = min(ends)
    module.generation_config = GenerationConfig(**kept)
    return ends
