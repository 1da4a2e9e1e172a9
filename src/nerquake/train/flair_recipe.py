"""The recipe `flair`: a tagger of the library Flair, trained by Flair's own trainer (R, appendix C)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from math import inf
from pathlib import Path
from typing import Literal

from nerquake.core.errors import SpecError
from nerquake.core.options import positional
from nerquake.models.means import Device
from nerquake.models.quiet import digest_of
from nerquake.train.recipe import Schedule, Trained, Work

CHARS, TRANSFORMERS = "chars", "transformers:"
Storage = Literal["none", "cpu", "gpu"]
BOUNDS = (
    (("layers", "word", "min_count", "epochs", "batch"), 1, inf, "1 or more"),
    (("hidden_size", "patience", "lr", "min_lr"), 0, inf, "0 or more"),
    (("dropout", "word_dropout", "anneal"), 0, 1, "0 or more, below 1"),
)
"""Which options are at least what and below what, in words too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlairRecipe:
    """Flair's SequenceTagger, trained by Flair's own trainer with the settings of paper R, appendix C.

    The dev set chooses the epoch and is never trained on (train_with_dev=False). What is saved is a model file of
    Flair's, which is a pickle and can run code when it is loaded: use files that you trust. `-t flair:DIR` and
    `-t native:DIR` run it. Flair cannot go on with a run that was killed: it begins anew, to the same model.

    embeddings    what words are read by: chars, their letters and a vector each, made from the training data; a file
                  of word vectors (text, .bin, .gensim) or of a Flair language model (.pt); a name that Flair downloads
                  (glove, news-forward); transformers:NAME, which is tuned; several with | between them
    hidden_size   units of the LSTM in each direction; 0: none; by default 256, and none over transformers
    layers        LSTMs one above the other
    crf           whether a CRF decodes; by default yes, and no over transformers
    dropout       share of features that training leaves out, the same in a whole sentence
    word_dropout  share of words that training leaves out
    word          of chars: size of a word's own vector
    min_count     of chars: how often a word stands in the training data to have a vector of its own
    epochs        passes over the data at most; by default 100, and 10 for transformers
    lr            rate of SGD, by default 0.1; for transformers of AdamW, 5e-5, which rises and falls to 0
    batch         sentences in a step; by default 64, the paper's, and 4 for transformers
    patience      epochs without a better dev score until the rate is lowered, by default 3; 0: it stays, and for
                  transformers
    anneal        what the rate is multiplied with then
    min_lr        training stops below this rate
    storage       where embeddings that are not trained stay between epochs; none: they are made again
    device        auto: a GPU where there is one
    """

    embeddings: tuple[str, ...] = positional((CHARS,))
    hidden_size: int | None = None
    layers: int = 1
    crf: bool | None = None
    dropout: float = 0.5
    word_dropout: float = 0.05
    word: int = 100
    min_count: int = 2
    epochs: int | None = None
    lr: float | None = None
    batch: int | None = None
    patience: int | None = None
    anneal: float = 0.5
    min_lr: float = 1e-4
    storage: Storage = "none"
    device: Device = "auto"

    def __post_init__(self) -> None:
        faults = [*self._faults()]
        if faults:
            raise SpecError(f"flair: {'; '.join(faults)}")

    def _faults(self) -> Iterator[str]:
        if not all(self.embeddings) or len(set(self.embeddings)) != len(self.embeddings):
            yield f"embeddings={'|'.join(self.embeddings)}: one or more different ones are expected"
        if TRANSFORMERS in self.embeddings:
            yield f"{TRANSFORMERS} needs a name or folder: {TRANSFORMERS}bert-base-cased"
        for names, low, high, expected in BOUNDS:
            for name in names:
                value = getattr(self, name)
                if value is not None and not low <= value < high:
                    yield f"{name.replace('_', '-')}={value}: {expected}"
        if self.tuned and self.patience:
            yield f"patience={self.patience}: the rate of transformers falls to 0 by itself; leave it out"
        if self._patience and self.lr is not None and self.lr < self.min_lr:
            yield f"lr={self.lr:g} is below min-lr={self.min_lr:g}, so that training would stop after the first epoch"

    @property
    def tuned(self) -> bool:
        """Whether a transformer is tuned, which Flair does with other settings."""
        return any(one.startswith(TRANSFORMERS) for one in self.embeddings)

    @property
    def _patience(self) -> int:
        return self.patience if self.patience is not None else 0 if self.tuned else 3

    @property
    def units(self) -> int:
        """Units of the LSTM in each direction; 0: there is none."""
        return self.hidden_size if self.hidden_size is not None else 0 if self.tuned else 256

    @property
    def decoded(self) -> bool:
        """Whether a CRF decodes."""
        return self.crf if self.crf is not None else not self.tuned

    @property
    def base(self) -> str:
        """None: models are new."""
        return ""

    @property
    def schedule(self) -> Schedule:
        """What Flair is asked for."""
        tuned, patience = self.tuned, self._patience
        return Schedule(
            epochs=self.epochs or (10 if tuned else 100),
            lr=self.lr if self.lr is not None else 5e-5 if tuned else 0.1,
            batch=self.batch or (4 if tuned else 64),
            patience=patience,
            optimiser="adamw" if tuned else "sgd",
            warmup=0.1 if tuned else 0.0,
            decay="linear" if tuned else "plateau" if patience else "constant",
            clip=5.0,
            device=self.device,
            precision="fp32",
        )

    def state(self) -> str:
        """Flair's version, and the contents of files that embeddings are read from."""
        files = [digest_of(Path(one)) for one in self.embeddings if Path(one).is_file()]
        return " ".join([f"flair {version('flair')}", *files])

    def train_into(self, work: Work) -> Trained:
        """Train with Flair and write best-model.pt, or final-model.pt where there is no dev set.

        Raises:
            UsageError: a patience without a dev set, a device that is not there, or a library that is missing.
            InputError: embeddings cannot be read.
            OutputError: the model cannot be written.
        """
        from nerquake.train.flair_run import train_into

        return train_into(self, work)

    def about(self) -> tuple[str, ...]:
        """What is trained, and how far the paper's settings say it."""
        asked = self.schedule
        lstm = f"{self.layers} two-way LSTM of {self.units} units" if self.units else "no LSTM"
        rate = f"{asked.optimiser}, rate {asked.lr:g} ({asked.decay})"
        return (
            f"Flair's tagger over {', '.join(self.embeddings)}: {lstm}, {'a' if self.decoded else 'no'} CRF",
            f"Flair's trainer: {rate}, batches of {asked.batch}, train_with_dev=False, "
            f"embeddings_storage_mode={self.storage}; R's appendix C gives 64, False and none, and no embeddings",
            "the model file is a pickle, Flair's own form, which can run code when it is loaded",
        )
