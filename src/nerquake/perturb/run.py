"""Running an attack: the steps of a chain one after another over the whole data set.

Perturbations only propose; here their edits are applied, composed over the steps, and every sentence gets its status.
Draws are keyed by the step's own specification, so `swap` inside `swap+letters` does what `swap` alone does.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import get_args

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Rewrite
from nerquake.core.errors import PluginError, guarded
from nerquake.core.labels import LabelRules
from nerquake.core.protocols import Context, KeptProposals, Perturbation, Prepared, Proposal, Summing
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Layout, Sentence, TokenIds
from nerquake.core.spec import Chain
from nerquake.core.variant import NOT_SAMPLED, AttackedSet, Level, Status, Variant
from nerquake.perturb.choose import build
from nerquake.perturb.keys import counted, step_keys
from nerquake.perturb.proposing import Meter, Progress, Task, proposals
from nerquake.perturb.state import State, Step

SAME = "nothing differs from the original"


def attack(
    dataset: Dataset,
    chain: Chain,
    seed: int,
    *,
    jobs: int = 1,
    sample: frozenset[str] | None = None,
    rules: LabelRules | None = None,
    kept: KeptProposals | None = None,
    progress: Progress | None = None,
) -> AttackedSet:
    """The data set under one attack, a variant for each of its sentences in their order.

    jobs      processes that share the sentences; the result is the same for any number
    sample    ids of the sentences to attack; the others are discarded, though attacks that draw from the whole set
              still draw from them
    rules     how the labels of a surrogate are joined to those of the data set
    kept      keeps what slow steps propose while they run, and has what an earlier run proposed
    progress  called with the number of sentences done since the last call; a chain counts each sentence once

    Raises:
        UsageError: an option does not fit the data set.
        PluginError: a perturbation proposed what would damage a mention.
    """
    steps = build(chain)
    with _few_full_collections():
        run = _Run(dataset, chain, seed, jobs, rules or LabelRules(), kept, Meter(len(steps), progress))
        return run.through(steps, sample)


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


@dataclass(frozen=True, slots=True)
class _Run:
    """One attack on one data set."""

    dataset: Dataset
    chain: Chain
    seed: int
    jobs: int
    rules: LabelRules
    kept: KeptProposals | None
    meter: Meter

    def through(self, steps: Sequence[Perturbation], sample: frozenset[str] | None) -> AttackedSet:
        """The sentences through all the steps."""
        states = [State(sentence) for sentence in self.dataset.sentences]
        taken = [sample is None or sentence.id in sample for sentence in self.dataset.sentences]
        notes: list[str] = []
        rejected: Counter[str] = Counter()
        corpus = self.dataset
        for number, (perturbation, key) in enumerate(zip(steps, step_keys(self.chain.steps, steps), strict=True)):
            work = [state for state, wanted in zip(states, taken, strict=True) if wanted and not state.discarded]
            if number:
                corpus = self.dataset.with_sentences([state.sentence for state in states if not state.discarded])
            task, said = self._task(number, perturbation, Draws(self.seed, key), corpus)
            notes += [note for note in said if note not in notes]
            found = proposals(task, [state.sentence for state in work], self.jobs, self.meter, self.kept)
            told: list[Proposal] = []
            for state, proposal in zip(work, found, strict=True):
                state.take(proposal, task.step)
                rejected.update(dict(proposal.rejected))
                if isinstance(perturbation, Summing):
                    told.append(proposal)
            if isinstance(perturbation, Summing):
                notes += perturbation.counted(told)
        variants = tuple(_variants(states, taken, self.chain.name))
        counts = tuple(sorted(rejected.items()))
        return AttackedSet(self.chain.name, self.chain.text, _level(steps), variants, tuple(notes), counts)

    def _task(
        self, number: int, perturbation: Perturbation, draws: Draws, corpus: Dataset
    ) -> tuple[Task, tuple[str, ...]]:
        """A step ready to propose, and what it said while it looked at the data set."""
        ours = type(perturbation).__module__.startswith("nerquake.")
        step = Step(str(self.chain.steps[number]), _prefixes(self.chain)[number], checked=ours)
        prepared = _prepared(perturbation, corpus, draws, step)
        context = Context(corpus, prepared.state, self.rules)
        return Task(perturbation, draws, context, step, number), prepared.notes


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
