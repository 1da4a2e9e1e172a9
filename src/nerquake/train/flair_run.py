"""One training by Flair: sentences in Flair's form, a tagger over embeddings, and what is told of its epochs."""

from __future__ import annotations

import contextlib
import io
import logging
import random
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from nerquake.core.errors import OutputError, UsageError
from nerquake.core.sentence import Sentence
from nerquake.models.quiet import quiet
from nerquake.taggers.flair import flair_library, flair_sentence
from nerquake.taggers.seen import seen_tokens
from nerquake.train.flair_embeddings import embeddings_of
from nerquake.train.loop import EpochLog, Watching
from nerquake.train.recipe import Trained, Work

if TYPE_CHECKING:
    from nerquake.train.flair_recipe import FlairRecipe

LABEL_TYPE, SCHEME = "ner", "bioes"
BEST, FINAL = "best-model.pt", "final-model.pt"
_OWN_TAGS = frozenset({"<START>", "<STOP>", "<unk>"})


def train_into(recipe: FlairRecipe, work: Work) -> Trained:
    """Train a model and write it into the folder (`FlairRecipe.train_into`)."""
    if recipe.schedule.patience and work.dev is None:
        raise UsageError("patience lowers the rate by the scores of a dev set: name one with --dev, or patience=0")
    flair = flair_library()
    flair.device = _device(recipe)
    with _seeded(work.seed):
        with quiet("flair", "transformers", "huggingface_hub"):
            flair.set_seed(work.seed)
            corpus = _corpus(work)
            tagger = _tagger(recipe, work)
        told = _trained(recipe, tagger, corpus, work)
        _save(tagger, work.folder, FINAL if work.dev is None else BEST)
    logs = tuple(told.logs)
    tags = tuple(tag for tag in tagger.label_dictionary.get_items() if tag not in _OWN_TAGS)
    size = sum(parameter.numel() for parameter in tagger.parameters())
    early = len(logs) < recipe.schedule.epochs
    return Trained(tuple(work.labels), tags, SCHEME, size, logs, told.best or len(logs), early)


def _device(recipe: FlairRecipe) -> torch.device:
    there = torch.cuda.is_available()
    if recipe.device == "cuda" and not there:
        raise UsageError("device=cuda, but torch finds no GPU here; device=cpu or auto runs without one")
    return torch.device("cuda" if there and recipe.device != "cpu" else "cpu")


@contextlib.contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Flair draws from the global generators; what they were is put back."""
    python, numbers = random.getstate(), np.random.get_state()
    try:
        with torch.random.fork_rng():
            yield
    finally:
        random.setstate(python)
        np.random.set_state(numbers)


def _corpus(work: Work) -> Any:
    from flair.data import Corpus
    from flair.datasets import FlairDatapointDataset

    dev = None if work.dev is None else FlairDatapointDataset(_labelled(work.dev))
    train = FlairDatapointDataset(_labelled(work.sentences))
    return Corpus(train=train, dev=dev, sample_missing_splits=False, name="corpus")


def _labelled(sentences: Sequence[Sentence]) -> list[Any]:
    """Sentences in Flair's form, without their neighbours, as they are tagged later; blank tokens are left out.

    A mention goes on over a blank inside; one of blanks alone is left out, since a model never sees it.
    """
    made = []
    for sentence in sentences:
        seen = seen_tokens(sentence.tokens, str.strip)
        if not seen.tokens:
            continue
        one = flair_sentence(seen.tokens)
        assert len(one) == len(seen.tokens), "Flair takes tokens that are not blank as they are"
        places = {position: at for at, position in enumerate(seen.positions)}
        for span in sentence.spans:
            inside = [places[at] for at in range(span.start, span.end) if at in places]
            if inside:
                one[inside[0] : inside[-1] + 1].add_label(LABEL_TYPE, span.label)
        made.append(one)
    return made


def _tagger(recipe: FlairRecipe, work: Work) -> Any:
    from flair.data import Dictionary
    from flair.models import SequenceTagger

    labels = Dictionary(add_unk=False)
    for label in work.labels:
        labels.add_item(label)
    labels.span_labels = True
    return SequenceTagger(
        embeddings=embeddings_of(recipe, [sentence.tokens for sentence in work.sentences]),
        tag_dictionary=labels,
        tag_type=LABEL_TYPE,
        tag_format=SCHEME.upper(),
        use_rnn=recipe.units > 0,
        hidden_size=recipe.units,
        rnn_layers=recipe.layers,
        use_crf=recipe.decoded,
        reproject_embeddings=not recipe.tuned,
        locked_dropout=recipe.dropout,
        word_dropout=recipe.word_dropout,
    )


def _trained(recipe: FlairRecipe, tagger: Any, corpus: Any, work: Work) -> Epochs:
    """Run Flair's trainer; the tagger ends with the weights of the best epoch, or of the last without a dev set."""
    from flair.trainers import ModelTrainer

    asked, trainer = recipe.schedule, ModelTrainer(tagger, corpus)
    told = Epochs(trainer, work.watching)
    with tempfile.TemporaryDirectory(prefix="nerquake-flair-") as scratch, _hushed():
        options = {
            "base_path": Path(scratch),
            "learning_rate": asked.lr,
            "mini_batch_size": asked.batch,
            "max_epochs": asked.epochs,
            "train_with_dev": False,
            "embeddings_storage_mode": recipe.storage,
            "use_final_model_for_eval": work.dev is None,
            "save_final_model": False,
            "create_file_logs": False,
            "create_loss_file": False,
        }
        try:
            _run(recipe, trainer, options)
        finally:
            told.unhush()
    return told


def _run(recipe: FlairRecipe, trainer: Any, options: Mapping[str, Any]) -> None:
    asked = recipe.schedule
    if recipe.tuned:
        trainer.fine_tune(warmup_fraction=asked.warmup, **options)
        return
    trainer.train(
        anneal_factor=recipe.anneal,
        patience=asked.patience,
        min_learning_rate=recipe.min_lr,
        attach_default_scheduler=asked.patience > 0,
        **options,
    )


@contextlib.contextmanager
def _hushed() -> Iterator[None]:
    """Flair says nothing of its own; standard error stays open for those who watch."""
    logger = logging.getLogger("flair")
    level = logger.level
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        logger.setLevel(logging.CRITICAL)
        try:
            yield
        finally:
            logger.setLevel(level)


class Epochs:
    """Keeps a line an epoch, and tells it on; called by Flair's trainer at its events."""

    def __init__(self, trainer: Any, watching: Watching | None) -> None:
        self.trainer, self.watching = trainer, watching
        self.logs: list[EpochLog] = []
        self.best = 0
        self.measured: dict[str, Any] = {}
        self.total = 0.0
        self.sink, self.stderr = io.StringIO(), sys.stderr
        for event, method in (
            ("after_training_epoch", self.hush),
            ("metric_recorded", self.measure),
            ("after_training_batch", self.step),
            ("after_evaluation", self.end),
            ("training_interrupt", self.interrupt),
        ):
            trainer.register_hook(method, event)

    def measure(self, record: Any) -> None:
        """Flair measured something."""
        self.measured[str(record.name)] = record.value

    def step(self, batch_no: int, epoch: int, total_number_of_batches: int, **more: Any) -> None:
        """A step was taken; batches are counted from 0."""
        self.total = (self.total if batch_no else 0.0) + self.measured.get("train/batch_loss", 0.0)
        if self.watching is not None:
            self.watching.step(epoch, batch_no + 1, total_number_of_batches, self.total / (batch_no + 1))

    def end(self, epoch: int, current_model_is_best: bool, **more: Any) -> None:
        """An epoch ended. Flair's micro average over spans is strict micro F1."""
        scores = [self.measured.get(f"dev/micro avg/{name}") for name in ("precision", "recall", "f1-score")]
        rate = self.trainer.optimizer.param_groups[0]["lr"]
        self.logs.append(EpochLog(epoch, float(self.measured["train/loss"]), float(rate), *scores))
        if current_model_is_best and scores[-1] is not None:
            self.best = epoch
        self.unhush()
        if self.watching is not None:
            self.watching.epoch(self.logs[-1])
            self.unhush()  # a bar that began meanwhile puts back what it found

    def hush(self, **more: Any) -> None:
        """Flair draws a bar of its own on standard error while it evaluates."""
        self.stderr, sys.stderr = sys.stderr, self.sink

    def unhush(self) -> None:
        """Standard error is open again."""
        if sys.stderr is self.sink:
            sys.stderr = self.stderr

    def interrupt(self) -> None:
        """Training stops early. Flair takes Ctrl-C for such an end too and would save the model; here it is none."""
        if isinstance(sys.exception(), KeyboardInterrupt):
            raise KeyboardInterrupt


def _save(tagger: Any, folder: Path, name: str) -> None:
    """Write the model's file whole or not at all, without the paths of this machine that Flair would put into it."""
    if tagger.model_card is not None:
        tagger.model_card = {key: value for key, value in tagger.model_card.items() if key != "training_parameters"}
    temporary = folder / f".{name}.tmp"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with quiet("flair"):
            tagger.save(temporary)
        temporary.replace(folder / name)
    except (OSError, RuntimeError) as error:
        temporary.unlink(missing_ok=True)
        raise OutputError(f"{folder / name}: the model cannot be written: {error}") from error
