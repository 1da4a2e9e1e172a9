"""What every perturbation does: it keeps labels, says where things came from, and depends on nothing but its key."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contracts.cases import CASES, CORPUS, NASTY, cases_of
from tests.strategies import datasets

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Applied, apply_edits, apply_rewrite
from nerquake.core.protocols import Context, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.variant import Level
from nerquake.registry import PERTURBATIONS

each_perturbation = pytest.mark.parametrize("name", cases_of(PERTURBATIONS))

UNDRAWN = frozenset({"identity", "case", "diacritics", "name-order", "initials"})
"""Perturbations in which, as they are tested here, nothing is left to chance."""


class Run(NamedTuple):
    """A perturbation's proposals by sentence id."""

    perturbation: Any
    proposals: dict[str, Proposal]


def run(name: str, folder: Path, corpus: Dataset, seed: int = 0) -> Run:
    spec = CASES[PERTURBATIONS.kind][name](folder)
    perturbation = PERTURBATIONS.build(spec)
    draws = Draws(seed, str(spec))
    prepared = perturbation.prepare(corpus, draws)
    context = Context(corpus, prepared.state)
    assert all(isinstance(note, str) for note in prepared.notes)
    return Run(perturbation, {s.id: perturbation.propose(s, draws.of(s.id), context) for s in corpus})


def applied(sentence: Sentence, proposal: Proposal) -> Applied:
    if proposal.rewrite is not None:
        return apply_rewrite(sentence, proposal.rewrite)
    return apply_edits(sentence, proposal.edits)


def check(level: Level, sentence: Sentence, proposal: Proposal) -> None:
    """The shared body for one sentence."""
    assert not (proposal.edits and proposal.rewrite)
    changes = bool(proposal.edits or proposal.rewrite)
    assert changes or proposal.reason, "what is not changed has a reason"
    assert 0 <= proposal.attackable <= len(sentence.spans)
    made = applied(sentence, proposal)
    assert (made.sentence.tokens != sentence.tokens) == changes
    assert len(made.mentions) == len(sentence.spans)
    for old, index in zip(sentence.spans, made.mentions, strict=True):
        if index is not None:
            assert made.sentence.spans[index].label == old.label
    for edit in proposal.edits:
        assert edit.new != sentence.tokens[edit.start : edit.end]
        assert all(edit.new), "no empty tokens"
        assert edit.source, "where it came from"
    kinds = {edit.kind for edit in proposal.edits}
    allowed = {"none": set(), "entity": {"mention"}, "context": {"context"}}
    assert kinds <= allowed.get(level, {"mention", "context"})
    if proposal.rewrite is not None and level == "context":
        now = [made.sentence.spans[index] for index in made.mentions if index is not None]
        assert [made.sentence.mention(span) for span in now] == [sentence.mention(span) for span in sentence.spans]
    elif level in ("none", "entity", "context", "surface"):
        assert proposal.rewrite is None
        assert made.mentions == tuple(range(len(sentence.spans)))
    if level == "entity":
        assert outside(made.sentence) == outside(sentence), "the words around mentions stay byte for byte"
    if level == "entity" and not sentence.spans:
        assert not proposal.applicable


def outside(sentence: Sentence) -> list[str]:
    inside = {index for span in sentence.spans for index in range(span.start, span.end)}
    return [token for index, token in enumerate(sentence.tokens) if index not in inside]


@each_perturbation
def test_the_shared_body(name: str, tmp_path: Path) -> None:
    corpus = CORPUS.with_sentences([*CORPUS, *NASTY])
    ran = run(name, tmp_path, corpus)
    assert ran.perturbation.level in get_args(Level)
    for sentence in corpus:
        check(ran.perturbation.level, sentence, ran.proposals[sentence.id])


@each_perturbation
def test_the_shared_body_on_any_data_set(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp(name)

    @settings(max_examples=40)
    @given(datasets(max_size=4), st.integers(0, 3))
    def body(dataset: Dataset, seed: int) -> None:
        renamed = [Sentence(f"d{i}", s.tokens, s.spans) for i, s in enumerate(dataset)]
        corpus = CORPUS.with_sentences([*renamed, *CORPUS])
        ran = run(name, folder, corpus, seed)
        for sentence in corpus:
            check(ran.perturbation.level, sentence, ran.proposals[sentence.id])

    body()


@each_perturbation
def test_neither_order_nor_a_second_run_changes_anything(name: str, tmp_path: Path) -> None:
    first = run(name, tmp_path, CORPUS, 3).proposals
    turned = CORPUS.with_sentences([*CORPUS.sentences[3:], *reversed(CORPUS.sentences[:3])])
    assert run(name, tmp_path, CORPUS, 3).proposals == first
    assert run(name, tmp_path, turned, 3).proposals == first


@each_perturbation
def test_the_seed_matters_wherever_something_is_drawn(name: str, tmp_path: Path) -> None:
    found = {repr(run(name, tmp_path, CORPUS, seed).proposals) for seed in range(6)}
    assert (len(found) > 1) == (name not in UNDRAWN)


@each_perturbation
def test_something_is_attacked_and_adjacent_mentions_stay_apart(name: str, tmp_path: Path) -> None:
    """Case 20."""
    ran = run(name, tmp_path, CORPUS)
    changed = [s.id for s in CORPUS if applied(s, ran.proposals[s.id]).sentence.tokens != s.tokens]
    assert bool(changed) == (ran.perturbation.level != "none")
    if ran.perturbation.level != "both":
        for key in ("s3", "s4"):
            sentence = next(s for s in CORPUS if s.id == key)
            made = applied(sentence, ran.proposals[key]).sentence
            assert [span.label for span in made.spans] == [span.label for span in sentence.spans]
            assert made.spans[0].end == made.spans[1].start


@each_perturbation
def test_one_mention_alone_in_the_world_does_no_harm(name: str, tmp_path: Path) -> None:
    lonely = CORPUS.with_sentences([CORPUS.sentences[6]])
    ran = run(name, tmp_path, lonely)
    check(ran.perturbation.level, lonely.sentences[0], ran.proposals["s7"])
