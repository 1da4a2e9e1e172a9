"""Asking a perturbation for its proposals: sentence by sentence, over processes, or many sentences at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from nerquake.core.errors import EditError, NerquakeError, PluginError, guarded
from nerquake.core.protocols import Batched, Context, KeptProposals, Perturbation, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.perturb.state import Step

Progress = Callable[[int], object]
_CHUNK = 256
BATCH = 128
"""Sentences that a `Batched` perturbation is asked about at a time: what a killed run loses at most."""


@dataclass(frozen=True, slots=True)
class Task:
    """A step, ready to propose.

    number   of the step in its chain
    """

    perturbation: Perturbation
    draws: Draws
    context: Context
    step: Step
    number: int

    def propose(self, sentence: Sentence) -> Proposal:
        """What the perturbation proposes for a sentence, checked."""
        try:
            made = self.perturbation.propose(sentence, self.draws.of(sentence.id), self.context)
        except EditError as error:
            raise self.step.fault(sentence, error) from error
        except NerquakeError:
            raise
        except Exception as error:
            what = f"{self.step.spec}, sentence {sentence.id!r}: {type(error).__name__}: {error}"
            raise PluginError(f"{what} (--debug shows where)") from error
        return self._checked(made, sentence, "propose")

    def propose_batch(self, sentences: Sequence[Sentence]) -> list[Proposal]:
        """What a `Batched` perturbation proposes for some sentences, checked."""
        assert isinstance(self.perturbation, Batched)
        first, last = sentences[0].id, sentences[-1].id
        with guarded(f"{self.step.spec}, sentences {first!r} to {last!r}"):
            made = self.perturbation.propose_batch(sentences, self.draws, self.context)
        answers = list(made) if isinstance(made, Iterable) else []
        if len(answers) != len(sentences):
            what = f"{len(answers)} proposals for {len(sentences)} sentences"
            raise PluginError(f"{self.step.spec}: propose_batch() gave {what}")
        return [self._checked(one, sentence, "propose_batch") for one, sentence in zip(answers, sentences, strict=True)]

    def _checked(self, made: object, sentence: Sentence, method: str) -> Proposal:
        if not isinstance(made, Proposal) or not isinstance(made.reason, str):
            raise PluginError(f"{self.step.spec}, sentence {sentence.id!r}: {method}() gave {made!r}, not a Proposal")
        return made


class Meter:
    """Tells the progress, a sentence counting only when all steps have seen it."""

    def __init__(self, steps: int, progress: Progress | None) -> None:
        self.steps, self.progress, self.done = steps, progress, 0

    def add(self, sentences: int) -> None:
        """So many sentences have gone through a step."""
        before = self.done // self.steps
        self.done += sentences
        if self.progress is not None:
            self.progress(self.done // self.steps - before)


def proposals(
    task: Task, sentences: Sequence[Sentence], jobs: int, meter: Meter, kept: KeptProposals | None = None
) -> Iterator[Proposal]:
    """One proposal a sentence, in order; what `kept` has from an earlier run is not asked again."""
    for made in _chunks_made(task, sentences, jobs, kept):
        yield from made
        meter.add(len(made))


def _chunks_made(
    task: Task, sentences: Sequence[Sentence], jobs: int, kept: KeptProposals | None
) -> Iterator[list[Proposal]]:
    if isinstance(task.perturbation, Batched):
        return _in_batches(task, _chunks(sentences, BATCH), kept)
    size = _CHUNK if jobs <= 1 else max(1, min(_CHUNK, -(-len(sentences) // jobs)))
    chunks = _chunks(sentences, size)
    return _in_processes(task, chunks, jobs) if jobs > 1 and len(chunks) > 1 else _here(task, chunks)


def _chunks(sentences: Sequence[Sentence], size: int) -> list[Sequence[Sentence]]:
    return [sentences[start : start + size] for start in range(0, len(sentences), size)]


def _in_batches(
    task: Task, chunks: Sequence[Sequence[Sentence]], kept: KeptProposals | None
) -> Iterator[list[Proposal]]:
    known = dict(kept.of_step(task.number)) if kept is not None else {}
    for chunk in chunks:
        asked = [sentence for sentence in chunk if sentence.id not in known]
        if asked:
            made = dict(zip((sentence.id for sentence in asked), task.propose_batch(asked), strict=True))
            known |= made
            if kept is not None:
                kept.add(task.number, made)
        yield [known.pop(sentence.id) for sentence in chunk]


def _here(task: Task, chunks: Sequence[Sequence[Sentence]]) -> Iterator[list[Proposal]]:
    for chunk in chunks:
        yield [task.propose(sentence) for sentence in chunk]


def _in_processes(task: Task, chunks: Sequence[Sequence[Sentence]], jobs: int) -> Iterator[list[Proposal]]:
    with ProcessPoolExecutor(min(jobs, len(chunks)), initializer=_take_task, initargs=(task,)) as pool:
        yield from pool.map(_propose_chunk, chunks)


_TASK: Task | None = None
"""In a worker process its task."""


def _take_task(task: Task) -> None:
    global _TASK
    _TASK = task


def _propose_chunk(sentences: Sequence[Sentence]) -> list[Proposal]:
    assert _TASK is not None
    return [_TASK.propose(sentence) for sentence in sentences]
