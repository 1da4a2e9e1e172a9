"""A recogniser of words and their letters, a two-way LSTM and a conditional random field (Lample et al., 2016)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from nerquake.core.errors import InputError, SpecError
from nerquake.core.protocols import Tagging
from nerquake.core.scheme import Repair
from nerquake.core.sentence import Sentence
from nerquake.models.subword import tagging_of
from nerquake.nn.crf_layer import Crf
from nerquake.nn.network import Group, Loss
from nerquake.nn.store import SETTINGS, read_settings, read_tensors, tag_set_of, write_model
from nerquake.nn.tags import TagSet
from nerquake.nn.vectors import WordVectors
from nerquake.nn.vocabulary import Vocabulary, vocabulary_from
from nerquake.nn.word_encoder import Pretrained, WordEncoder, WordMemory, WordSizes

KIND = "bilstm-crf"
ROWS, POSITIONS = 64, 8192
"""Sentences, and tokens with padding, that are tagged at a time at most."""


@dataclass(frozen=True, slots=True)
class BilstmSizes:
    """What the network is made of.

    words         the sizes of words' vectors
    hidden        units of the LSTM in each direction
    layers        LSTMs one above the other
    dropout       share of features that training leaves out before each layer
    word_dropout  share of words that training takes for unknown ones
    """

    words: WordSizes = field(default_factory=WordSizes)
    hidden: int = 96
    layers: int = 1
    dropout: float = 0.4
    word_dropout: float = 0.1


class Example(NamedTuple):
    """A sentence and the numbers of its tags."""

    words: tuple[str, ...]
    tags: list[int]


class Packed(NamedTuple):
    """B sentences side by side, T tokens in the longest.

    words  [T, B] the row of each token in a table of words; any at padding
    mask   [T, B] true at tokens
    turn   [T, B] for each place the one that it changes with when sentences are read backwards
    """

    words: Tensor
    mask: Tensor
    turn: Tensor


class BothWays(nn.Module):
    """An LSTM that reads sentences from the front, and one that reads them from their own ends."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.onward = nn.LSTM(width, hidden)
        self.back = nn.LSTM(width, hidden)

    def forward(self, inputs: Tensor, turn: Tensor) -> Tensor:
        """[T, B, width] to [T, B, 2 * hidden]; what stands at padding reaches no token."""
        turned = inputs.gather(0, turn.unsqueeze(2).expand(-1, -1, inputs.shape[2]))
        back = self.back(turned)[0]
        again = back.gather(0, turn.unsqueeze(2).expand(-1, -1, back.shape[2]))
        return torch.cat([self.onward(inputs)[0], again], dim=2)


class BilstmCrf(nn.Module):
    """Implements `network.Network`. Shapes: B sentences, T tokens, U different words, K tags."""

    def __init__(
        self, tags: TagSet, vocabulary: Vocabulary, sizes: BilstmSizes, pretrained: Pretrained | None = None
    ) -> None:
        super().__init__()
        self.tags, self.sizes = tags, sizes
        self.encoder = WordEncoder(vocabulary, sizes.words, pretrained, sizes.word_dropout)
        widths = [sizes.words.width, *[2 * sizes.hidden] * (sizes.layers - 1)]
        self.layers = nn.ModuleList(BothWays(width, sizes.hidden) for width in widths)
        self.dropout = nn.Dropout(sizes.dropout)
        self.scores = nn.Linear(2 * sizes.hidden, len(tags))
        self.crf = Crf(tags)
        self._memory = WordMemory(self.encoder)

    def examples(self, sentences: Sequence[Sentence]) -> list[Example]:
        """One example a sentence, however long it is."""
        return [Example(one.tokens, self.tags.numbers(len(one.tokens), one.spans)) for one in sentences]

    def size(self, example: Example) -> int:
        """How many tokens it has."""
        return len(example.words)

    def loss(self, batch: Sequence[Example]) -> Loss:
        """The CRF's negative log likelihood, to be divided by sentences."""
        self._memory.forget()
        places: dict[str, int] = {}
        packed = self._packed([[places.setdefault(word, len(places)) for word in one.words] for one in batch])
        emissions = self._emissions(self.encoder(list(places)), packed)
        tags = self._padded([one.tags for one in batch]).t()
        return Loss(-self.crf.log_likelihood(emissions, tags, packed.mask.t()).sum(), len(batch))

    def train(self, mode: bool = True) -> BilstmCrf:
        """Training mode, with dropout, or not."""
        if mode:
            self._memory.forget()
        super().train(mode)
        return self

    def predict(
        self, batch: Sequence[tuple[str, ...]], rows: int = ROWS, repair: Repair = "conlleval"
    ) -> list[Tagging]:
        """The mentions of token sequences, in order; the mode is put back at the end.

        rows    sentences at a time at most, of like length
        repair  what becomes of ill-formed tags, of which the CRF makes none
        """
        training = self.training
        self.eval()
        try:
            with torch.no_grad():
                found = self._tagged(batch, rows)
        finally:
            self.train(training)
        names = self.tags.tags
        return [tagging_of([names[number] for number in one], self.tags.scheme, repair) for one in found]

    def _tagged(self, batch: Sequence[tuple[str, ...]], most: int) -> list[list[int]]:
        """The number of the tag of each token."""
        found: list[list[int]] = [[] for _ in batch]
        order = sorted((at for at, words in enumerate(batch) if words), key=lambda at: len(batch[at]))
        while order:
            size = max(1, min(most, len(order), POSITIONS // len(batch[order[-1]])))
            chosen, order = order[-size:], order[:-size]
            ends = np.cumsum([len(batch[at]) for at in chosen]).tolist()
            rows = self._memory.rows([word for at in chosen for word in batch[at]])
            packed = self._packed([rows[end - len(batch[at]) : end] for at, end in zip(chosen, ends, strict=True)])
            emissions = self._emissions(self._memory.table, packed)
            best = self.crf.decode(emissions, packed.mask.t()).tolist()
            for at, numbers in zip(chosen, best, strict=True):
                found[at] = numbers[: len(batch[at])]
        return found

    def _emissions(self, table: Tensor, packed: Packed) -> Tensor:
        """Scores [B, T, K] of tags from words' vectors [U, width]."""
        states = nn.functional.embedding(packed.words, table)
        for layer in self.layers:
            states = layer(self.dropout(states), packed.turn)
        scores: Tensor = self.scores(self.dropout(states))
        return scores.transpose(0, 1)

    def _packed(self, rows: Sequence[Sequence[int]]) -> Packed:
        words = self._padded(rows)
        lengths = torch.tensor([len(row) for row in rows], device=words.device)
        steps = torch.arange(len(words), device=words.device).unsqueeze(1)
        mask = steps < lengths
        return Packed(words, mask, torch.where(mask, lengths - 1 - steps, steps))

    def _padded(self, rows: Sequence[Sequence[int]]) -> Tensor:
        """[T, B] with zeros at padding."""
        table = np.zeros((max(map(len, rows)), len(rows)), dtype=np.int64)
        for at, row in enumerate(rows):
            table[: len(row), at] = row
        return torch.from_numpy(table).to(self.scores.weight.device)

    def groups(self) -> list[Group]:
        """All at one rate; no weight decay on what is a shift, a norm, or a score of the CRF."""
        parts: dict[bool, list[nn.Parameter]] = {True: [], False: []}
        for name, one in self.named_parameters():
            if one.requires_grad:
                parts[one.dim() > 1 and not name.startswith("crf.")].append(one)
        return [Group(parameters, 1.0, decay) for decay, parameters in parts.items() if parameters]

    def named_tensors(self) -> Iterator[tuple[str, Tensor]]:
        """Parameters, those of pretrained vectors included."""
        yield from self.state_dict().items()

    def save(self, folder: Path) -> None:
        """Write what `load` reads.

        Raises:
            OutputError: it cannot be written.
        """
        pretrained = self.encoder.pretrained
        vectors = None
        if pretrained is not None:
            found = pretrained.vectors
            vectors = {"words": list(found.words), "width": found.width, "trained": pretrained.trained}
        settings = {
            "kind": KIND,
            "tags": list(self.tags.tags),
            "scheme": self.tags.scheme.name,
            "sizes": asdict(self.sizes),
            "vocabulary": self.encoder.vocabulary.as_dict(),
            "vectors": vectors,
        }
        write_model(folder, self.named_tensors(), settings)

    @classmethod
    def load(cls, folder: Path, freeze: Sequence[str] = ()) -> BilstmCrf:
        """The network that was written to a folder, on the processor, in evaluation mode.

        freeze  parameters that stay as they are in further training, by a part of their name: encoder, layers

        Raises:
            InputError: there is none, it is of another kind, or its files are damaged.
            SpecError: no parameter has such a name.
        """
        settings = read_settings(folder)
        where = str(folder / SETTINGS)
        if settings["kind"] != KIND:
            raise InputError(f"{where}: this is a model of the kind {settings['kind']}, expected {KIND}")
        vocabulary = vocabulary_from(settings.get("vocabulary"), where)
        try:
            sizes, pretrained = _sizes(settings["sizes"]), _pretrained(settings["vectors"])
            with torch.random.fork_rng(devices=[]):
                made = cls(tag_set_of(folder, settings), vocabulary, sizes, pretrained)
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise InputError(f"{where}: its sizes or vectors are damaged ({error}): train the model again") from error
        shapes = {name: tensor.shape for name, tensor in made.named_tensors()}
        made.load_state_dict(read_tensors(folder, shapes))
        made.freeze(freeze)
        made.eval()
        return made

    def freeze(self, parts: Sequence[str]) -> None:
        """Parameters with one of these in their names are not trained.

        Raises:
            SpecError: no parameter has such a name.
        """
        names = dict(self.named_parameters())
        for part in parts:
            found = [name for name in names if part in name]
            if not found:
                fronts = sorted({name.partition(".")[0] for name in names})
                raise SpecError(
                    f"freeze={part}: no parameter has that in its name, which begin with {', '.join(fronts)}"
                )
            for name in found:
                names[name].requires_grad_(False)


def _sizes(record: Mapping[str, Any]) -> BilstmSizes:
    return BilstmSizes(**{**record, "words": WordSizes(**record["words"])})


def _pretrained(record: Mapping[str, Any] | None) -> Pretrained | None:
    """Where pretrained vectors are to be put: their words, with zeros."""
    if record is None:
        return None
    words = tuple(record["words"])
    return Pretrained(WordVectors(words, np.zeros((len(words), record["width"]), np.float32)), bool(record["trained"]))
