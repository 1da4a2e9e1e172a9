"""The training loop: epochs over batches, strict F1 on a dev set, early stopping, and going on after a kill."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from time import monotonic
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor

from nerquake.core.errors import UsageError
from nerquake.core.sentence import Sentence
from nerquake.nn.network import Network
from nerquake.train.batches import epoch_batches, parts_of
from nerquake.train.recipe import Schedule
from nerquake.train.saved import Position, SavedRun
from nerquake.train.steps import Stepper

SAVE_SECONDS = 300.0
"""Within an epoch the run is saved as often; when it is saved changes nothing in what comes out."""


class EpochLog(NamedTuple):
    """What an epoch brought.

    epoch      counted from 1
    loss       mean over all examples
    rate       the learning rate at its end
    precision  recall, f1: strict, on the dev set; None without one or where undefined
    """

    epoch: int
    loss: float
    rate: float
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None


class Scores(NamedTuple):
    """Strict micro figures; None where undefined."""

    precision: float | None
    recall: float | None
    f1: float | None


class Watching(Protocol):
    """Is told how training goes."""

    def step(self, epoch: int, done: int, steps: int, loss: float) -> None:
        """A step was taken; `loss` is the epoch's mean so far."""
        ...

    def epoch(self, log: EpochLog) -> None:
        """An epoch ended."""
        ...


@dataclass(frozen=True, slots=True)
class Job:
    """What is trained on what.

    evaluate  strict scores of the network on the dev set; None: there is none, and the last weights stay
    saved     where a run that is killed goes on from; None: nowhere
    """

    network: Network
    sentences: Sequence[Sentence]
    schedule: Schedule
    seed: int
    evaluate: Callable[[Network], Scores] | None = None
    saved: SavedRun | None = None
    watching: Watching | None = None


@dataclass(frozen=True, slots=True)
class Fitted:
    """What training brought: a line an epoch, and the epoch whose weights stay."""

    logs: tuple[EpochLog, ...]
    best: int
    stopped_early: bool


def fit(job: Job) -> Fitted:
    """Train a network in place; at the end it has the weights of the best epoch, or of the last without a dev set.

    Raises:
        UsageError: a patience without a dev set, or a loss that is no number.
        InputError: a label that the network does not have.
    """
    if job.schedule.patience and job.evaluate is None:
        raise UsageError("patience stops training by the scores of a dev set: name one with --dev, or patience=0")
    with _as_it_was():
        run = _Run(job)
        run.resume()
        while run.wants_more():
            run.epoch()
        return run.finish()


class _Run:
    """A training under way."""

    def __init__(self, job: Job) -> None:
        self.job = job
        network = job.network
        self.device, self.autocast = _means(job.schedule)
        network.to(self.device)
        self.examples = network.examples(job.sentences)
        self.sizes = [network.size(example) for example in self.examples]
        steps = -(-len(self.examples) // job.schedule.batch)
        self.stepper = Stepper(network.groups(), job.schedule, steps * job.schedule.epochs)
        self.logs: list[EpochLog] = []
        self.position = Position()
        self.best: dict[str, Tensor] = {}
        self.saved_at = monotonic()
        _seed(job.seed, self.device)

    def resume(self) -> None:
        """Go on where an earlier run was saved, if it was."""
        if self.job.saved is None:
            return
        found = self.job.saved.load(self.job.network, self.stepper, self.device)
        if found is not None:
            self.position, self.best = found.position, found.best
            self.logs = [EpochLog(*log) for log in found.position.logs]

    def wants_more(self) -> bool:
        """Whether there is another epoch."""
        return len(self.logs) < self.job.schedule.epochs and not self.stopped

    @property
    def stopped(self) -> bool:
        """Whether the dev scores have not become better for long enough."""
        patience = self.job.schedule.patience
        return bool(patience) and len(self.logs) - self.position.best >= patience

    def epoch(self) -> None:
        """Train one epoch, or what is left of it."""
        number = len(self.logs) + 1
        batches = epoch_batches(self.sizes, self.job.schedule.batch, self.job.seed, number)
        self.job.network.train()
        while self.position.step < len(batches):
            self._step(batches[self.position.step])
            if self.job.watching is not None:
                mean = self.position.loss / max(self.position.weight, 1)
                self.job.watching.step(number, self.position.step, len(batches), mean)
            if monotonic() - self.saved_at > SAVE_SECONDS:
                self._save()
        self._end_epoch(number)

    def _step(self, batch: Sequence[int]) -> None:
        """One step of the optimiser. Parts of a batch weigh by what they hold, so that they add up to the whole."""
        network, totals, number = self.job.network, 0.0, 0
        for part in parts_of(batch, self.job.schedule.accumulate):
            with self.autocast():
                loss = network.loss([self.examples[at] for at in part])
            loss.total.backward()
            totals += float(loss.total.detach())
            number += loss.number
        if not isfinite(totals):
            raise UsageError(
                f"epoch {len(self.logs) + 1}, step {self.position.step + 1}: the loss is {totals}, so that nothing is "
                f"learnt any more: take a lower rate than lr={self.job.schedule.lr:g}, a clip such as clip=1, or "
                "precision=fp32"
            )
        self.stepper.step(max(number, 1))
        self.position.step += 1
        self.position.loss += totals
        self.position.weight += number

    def _end_epoch(self, number: int) -> None:
        mean = self.position.loss / max(self.position.weight, 1)
        scores = self.job.evaluate(self.job.network) if self.job.evaluate is not None else Scores(None, None, None)
        log = EpochLog(number, mean, self.stepper.rate, *scores)
        self.logs.append(log)
        if self.job.evaluate is not None and self._better(scores):
            self.position.best, self.position.score = number, scores.f1 or 0.0
            self.best = {name: tensor.detach().cpu().clone() for name, tensor in self.job.network.named_tensors()}
        self.stepper.end_epoch(number - self.position.best, self.job.schedule.patience)
        self.position.step, self.position.loss, self.position.weight = 0, 0.0, 0
        self.position.logs = [tuple(one) for one in self.logs]
        self._save()
        if self.job.watching is not None:
            self.job.watching.epoch(log)

    def _better(self, scores: Scores) -> bool:
        return not self.position.best or (scores.f1 or 0.0) > self.position.score

    def _save(self) -> None:
        if self.job.saved is not None:
            self.job.saved.keep(self.job.network, self.stepper, self.position, self.best)
        self.saved_at = monotonic()

    def finish(self) -> Fitted:
        """Put the best weights back."""
        if self.best:
            own = dict(self.job.network.named_tensors())
            with torch.no_grad():
                for name, tensor in self.best.items():
                    own[name].copy_(tensor)
        early = self.stopped and len(self.logs) < self.job.schedule.epochs
        self.job.network.train(False)
        return Fitted(tuple(self.logs), self.position.best or len(self.logs), early)


def _means(schedule: Schedule) -> tuple[str, Callable[[], Any]]:
    """The device, and what puts products into bfloat16 where that is asked for or helps."""
    there = torch.cuda.is_available()
    if schedule.device == "cuda" and not there:
        raise UsageError("device=cuda, but torch finds no GPU here; device=cpu or auto runs without one")
    device = "cuda" if there and schedule.device != "cpu" else "cpu"
    low = schedule.precision == "bf16" or (
        schedule.precision == "auto" and device == "cuda" and torch.cuda.is_bf16_supported()
    )
    return device, lambda: torch.autocast(device, dtype=torch.bfloat16, enabled=low)


@contextmanager
def _as_it_was() -> Iterator[None]:
    """Training draws from torch's generators and asks for deterministic kernels; both are put back at the end."""
    strict = torch.are_deterministic_algorithms_enabled()
    warning = torch.is_deterministic_algorithms_warn_only_enabled()
    devices = [torch.cuda.current_device()] if torch.cuda.is_available() else []
    with torch.random.fork_rng(devices):
        try:
            yield
        finally:
            torch.use_deterministic_algorithms(strict, warn_only=warning)


def _seed(seed: int, device: str) -> None:
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True, warn_only=device != "cpu")
