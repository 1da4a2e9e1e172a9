"""What must hold for every registered perturbation, run from end to end on any data set."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contracts.cases import CASES, PARAPHRASES
from tests.perturb.helpers import outside
from tests.strategies import datasets

from nerquake.core.dataset import Dataset
from nerquake.core.edits import apply_edits
from nerquake.core.spec import Chain
from nerquake.core.variant import AttackedSet
from nerquake.perturb.run import attack
from nerquake.registry import PERTURBATIONS

NAMES = sorted(PERTURBATIONS.builtins)


def made(name: str, folder: Path, dataset: Dataset, seed: int, also: str = "", **options: int) -> AttackedSet:
    steps = [CASES[PERTURBATIONS.kind][each](folder) for each in (name, *filter(None, [also]))]
    return attack(dataset, Chain(tuple(steps), "it"), seed, **options)


def check(dataset: Dataset, result: AttackedSet) -> None:
    assert [variant.parent for variant in result.variants] == [s.id for s in dataset]
    assert len({variant.id for variant in result.variants}) == len(dataset)
    for before, variant in zip(dataset, result.variants, strict=True):
        after = variant.sentence
        assert (variant.status == "changed") == (after.tokens != before.tokens)
        assert (variant.reason == "") == (variant.status == "changed")
        assert (after.source, after.doc_id, after.meta) == (before.id, before.doc_id, before.meta)
        assert len(variant.mentions) == len(before.spans)
        for span, index in zip(before.spans, variant.mentions, strict=True):
            assert index is None or after.spans[index].label == span.label
        if variant.rewrite is None:
            check_edits(before, variant, result.level)
        if not before.columns:
            continue
        old, new = set(before.columns), set(after.columns)
        assert new <= old | {("_",) * len(before.columns[0])}


def check_edits(before, variant, level) -> None:  # type: ignore[no-untyped-def]
    after = variant.sentence
    assert apply_edits(before, variant.edits).sentence.tokens == after.tokens, "edits lead straight from the original"
    assert variant.mentions == tuple(range(len(before.spans)))
    assert [span.label for span in after.spans] == [span.label for span in before.spans]
    if level == "entity":
        assert outside(after) == outside(before)
    moved = sum(before.mention(a) != after.mention(b) for a, b in zip(before.spans, after.spans, strict=True))
    assert variant.replaced == moved <= variant.attackable <= len(before.spans)
    assert all(edit.source for edit in variant.edits), "every replacement says where it came from"


@pytest.mark.parametrize("also", ["", "letters"])
@pytest.mark.parametrize("name", NAMES)
def test_any_data_set(name: str, also: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp(name)

    @settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])
    @given(datasets(max_size=5, laid_out=True), st.integers(0, 2))
    def body(dataset: Dataset, seed: int) -> None:
        if name == "faker":
            dataset = Dataset(dataset.name, dataset.sentences, language="en")
        if name == "gazetteer" and not set(dataset.labels) - {"शहर"}:
            return
        if name == "paraphrase" and not any(one.spans and one.id in dict(PARAPHRASES) for one in dataset):
            return
        check(dataset, made(name, folder, dataset, seed, also))

    body()


@pytest.mark.parametrize("name", NAMES)
def test_workers_change_nothing(name: str, tmp_path: Path) -> None:
    from tests.contracts.cases import CORPUS

    assert made(name, tmp_path, CORPUS, 1, jobs=2) == made(name, tmp_path, CORPUS, 1)
