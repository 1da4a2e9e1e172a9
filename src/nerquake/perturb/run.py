"""Running an attack: the steps of a chain one after another over the whole data set.

Perturbations only propose; here their edits are applied, composed over the steps, and every sentence gets its status.
Draws are keyed by the step's own specification, so `swap` inside `swap+letters` does what `swap` alone does.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple, get_args

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Rewrite
from nerquake.core.errors import EditError, NerquakeError, PluginError, guarded
from nerquake.core.protocols import Context, Perturbation, Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Layout, Sentence, TokenIds
from nerquake.core.spec import Chain
from nerquake.core.variant import NOT_SAMPLED, AttackedSet, Level, Status, Variant
from nerquake.perturb.choose import build
from nerquake.perturb.keys import counted, step_keys
from nerquake.perturb.state import State, Step

Progress = Callable[[int], object]
_CHUNK = 256
SAME = "nothing differs from the original"


def attack(
    dataset: Dataset,
    chain: Chain,
    seed: int,
    *,
    jobs: int = 1,
    sample: frozenset[str] | None = None,
    progress: Progress | None = None,
) -> AttackedSet:
    """The data set under one attack, a variant for each of its sentences in their order.

    jobs      processes that share the sentences; the result is the same for any number
    sample    ids of the sentences to attack; the others are discarded, though attacks that draw from the whole set
              still draw from them
    progress  called with the number of sentences done since the last call; a chain counts each sentence once

    Raises:
        UsageError: an option does not fit the data set.
        PluginError: a perturbation proposed what would damage a mention.
    """
    steps = build(chain)
    with _few_full_collections():
        return _attack(dataset, chain, steps, seed, jobs, sample, _Meter(len(steps), progress))


@contextmanager
def _few_full_collections() -> Iterator[None]:
    """Python's collector walks all objects again each time their number has grown by a quarter.

    Here hundreds of thousands of values are made that hold no cycles, and those walks take a third of the time. The
    young generations are collected as ever, so the cycles of a plug-in do not pile up.
    """
    thresholds = gc.get_threshold()
    gc.set_threshold(*thresholds[:2], max(thresholds[2], 1000))
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


def _attack(
    dataset: Dataset,
    chain: Chain,
    steps: Sequence[Perturbation],
    seed: int,
    jobs: int,
    sample: frozenset[str] | None,
    meter: _Meter,
) -> AttackedSet:
    states = [State(sentence) for sentence in dataset.sentences]
    taken = [sample is None or sentence.id in sample for sentence in dataset.sentences]
    notes: list[str] = []
    corpus = dataset
    keys, prefixes = step_keys(chain.steps, steps), _prefixes(chain)
    for number, perturbation in enumerate(steps):
        work = [state for state, wanted in zip(states, taken, strict=True) if wanted and not state.discarded]
        if number:
            corpus = dataset.with_sentences([state.sentence for state in states if not state.discarded])
        draws = Draws(seed, keys[number])
        ours = type(perturbation).__module__.startswith("nerquake.")
        step = Step(str(chain.steps[number]), prefixes[number], checked=ours)
        prepared = _prepared(perturbation, corpus, draws, step)
        notes += [note for note in prepared.notes if note not in notes]
        task = _Task(perturbation, draws, Context(corpus, prepared.state), step)
        proposals = _proposals(task, [state.sentence for state in work], jobs, meter)
        for state, proposal in zip(work, proposals, strict=True):
            state.take(proposal, task.step)
    variants = _variants(states, taken, chain.name)
    return AttackedSet(chain.name, chain.text, _level(steps), tuple(variants), tuple(notes))


def _prefixes(chain: Chain) -> list[str]:
    """What stands before the names of each step's sources: nothing where a step is alone."""
    names = counted([step.name for step in chain.steps])
    return [f"{name}." if len(names) > 1 else "" for name in names]


def _prepared(perturbation: Perturbation, corpus: Dataset, draws: Draws, step: Step) -> Prepared:
    with guarded(f"{step.spec} while it looked at {corpus.name}"):
        found = perturbation.prepare(corpus, draws)
    if not isinstance(found, Prepared):
        raise PluginError(f"{step.spec}: prepare() gave {found!r}, not a Prepared")
    if perturbation.level not in get_args(Level):
        known = ", ".join(get_args(Level))
        raise PluginError(f"{step.spec}: its level is {perturbation.level!r}; expected one of {known}")
    return found


class _Task(NamedTuple):
    """A step, ready to propose."""

    perturbation: Perturbation
    draws: Draws
    context: Context
    step: Step

    def propose(self, sentence: Sentence) -> Proposal:
        try:
            made = self.perturbation.propose(sentence, self.draws.of(sentence.id), self.context)
        except EditError as error:
            raise self.step.fault(sentence, error) from error
        except NerquakeError:
            raise
        except Exception as error:
            what = f"{self.step.spec}, sentence {sentence.id!r}: {type(error).__name__}: {error}"
            raise PluginError(f"{what} (--debug shows where)") from error
        if not isinstance(made, Proposal) or not isinstance(made.reason, str):
            raise PluginError(f"{self.step.spec}, sentence {sentence.id!r}: propose() gave {made!r}, not a Proposal")
        return made


class _Meter:
    """Tells the progress, a sentence counting only when all steps have seen it."""

    def __init__(self, steps: int, progress: Progress | None) -> None:
        self.steps, self.progress, self.done = steps, progress, 0

    def add(self, sentences: int) -> None:
        before = self.done // self.steps
        self.done += sentences
        if self.progress is not None:
            self.progress(self.done // self.steps - before)


def _proposals(task: _Task, sentences: Sequence[Sentence], jobs: int, meter: _Meter) -> Iterator[Proposal]:
    """One proposal a sentence, in order."""
    size = _CHUNK if jobs <= 1 else max(1, min(_CHUNK, -(-len(sentences) // jobs)))
    chunks = [sentences[start : start + size] for start in range(0, len(sentences), size)]
    for made in _in_processes(task, chunks, jobs) if jobs > 1 and len(chunks) > 1 else _here(task, chunks):
        yield from made
        meter.add(len(made))


def _here(task: _Task, chunks: Sequence[Sequence[Sentence]]) -> Iterator[list[Proposal]]:
    for chunk in chunks:
        yield [task.propose(sentence) for sentence in chunk]


def _in_processes(task: _Task, chunks: Sequence[Sequence[Sentence]], jobs: int) -> Iterator[list[Proposal]]:
    with ProcessPoolExecutor(min(jobs, len(chunks)), initializer=_take_task, initargs=(task,)) as pool:
        yield from pool.map(_propose_chunk, chunks)


_TASK: _Task | None = None
"""In a worker process its task."""


def _take_task(task: _Task) -> None:
    global _TASK
    _TASK = task


def _propose_chunk(sentences: Sequence[Sentence]) -> list[Proposal]:
    assert _TASK is not None
    return [_TASK.propose(sentence) for sentence in sentences]


def _variants(states: Sequence[State], taken: Sequence[bool], name: str) -> Iterator[Variant]:
    ids = TokenIds()
    for state, wanted in zip(states, taken, strict=True):
        if wanted:
            yield _variant(state, name, ids)
        else:
            original = state.original
            sentence = renamed(original, original.id if original.hashed else f"{original.id}~{name}", original.id)
            yield Variant(sentence, original.id, "discarded", NOT_SAMPLED, mentions=tuple(range(len(original.spans))))


def _variant(state: State, name: str, ids: TokenIds) -> Variant:
    original = state.original
    status = state.status
    made = state.sentence if status == "changed" else original
    sentence = renamed(made, _variant_id(original, made, status, name, ids), original.id)
    if status != "changed":
        reason = state.reason or SAME
        identity = tuple(range(len(original.spans)))
        return Variant(sentence, original.id, status, reason, mentions=identity, attackable=state.attackable)
    rewrite = Rewrite(made.tokens, made.spans, state.mentions, state.source) if state.rewritten else None
    replaced = state.replaced
    return Variant(
        sentence,
        original.id,
        status,
        edits=() if state.rewritten else tuple(state.edits),
        rewrite=rewrite,
        mentions=state.mentions,
        attackable=max(state.attackable, replaced),
        replaced=replaced,
    )


def _variant_id(original: Sentence, made: Sentence, status: Status, name: str, ids: TokenIds) -> str:
    """`<parent>~<set>` where the file has ids, else the token hash that reading the attacked file would give.

    What is discarded does not stand in that file and keeps the original's hash.
    """
    if not original.hashed:
        return f"{original.id}~{name}"
    return original.id if status == "discarded" else ids.next(made.tokens)


def renamed(sentence: Sentence, new_id: str, source: str) -> Sentence:
    """The same sentence under another id, made from `source`; its record in the file, with the old id, is forgotten."""
    layout = sentence.layout
    if layout is not None and layout.raw:
        layout = Layout(layout.before, layout.gaps)
    return Sentence(
        new_id,
        sentence.tokens,
        sentence.spans,
        sentence.spaces,
        sentence.doc_id,
        sentence.columns,
        sentence.meta,
        source,
        sentence.hashed,
        layout,
    )


def _level(steps: Sequence[Perturbation]) -> Level:
    """The level of a chain: that of its steps, `both` where they differ."""
    levels = {step.level for step in steps} - {"none"}
    if len(levels) > 1:
        return "both"
    return levels.pop() if levels else "none"
