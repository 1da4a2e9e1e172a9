"""What every recipe does that trains its models itself: the same for the same seed, and run from disk."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.cases import CASES, CORPUS, NASTY, SELF_TRAINING, cases_of

from nerquake.core.sentence import check_spans
from nerquake.core.spec import Spec
from nerquake.registry import RECIPES, TAGGERS
from nerquake.train.recipe import Schedule, Work

MARKS = {"flair": (pytest.mark.flair, "flair_library")}
"""A recipe's marker, and the fixture that it asks for."""


@pytest.fixture(params=[pytest.param(name, marks=MARKS[name][0]) for name in sorted(SELF_TRAINING)])
def recipe(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Each of them, built from the specification of its case."""
    pytest.importorskip("torch")
    request.getfixturevalue(MARKS[request.param][1])
    return RECIPES.build(CASES[RECIPES.kind][request.param](tmp_path))


def work(folder: Path, seed: int = 0, watching: Any = None) -> Work:
    return Work(CORPUS.sentences, CORPUS.labels, CORPUS.sentences, seed, folder, watching)


def tagger(folder: Path) -> Any:
    return TAGGERS.build(Spec("native", (("", str(folder)),)))


class Watch:
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.logs: list[Any] = []

    def step(self, epoch: int, done: int, steps: int, loss: float) -> None:
        assert 1 <= done <= steps
        self.steps.append(epoch)

    def epoch(self, log: Any) -> None:
        self.logs.append(log)


@pytest.mark.parametrize("name", cases_of(RECIPES))
def test_a_recipe_gives_a_network_or_trains_itself(name: str) -> None:
    module, _, attribute = RECIPES.builtins[name].target.partition(":")
    plugin = getattr(import_module(module), attribute)
    assert hasattr(plugin, "train_into") == (name in SELF_TRAINING)
    assert hasattr(plugin, "network") == (name not in SELF_TRAINING)


def test_it_is_a_frozen_value_with_a_schedule(recipe: Any) -> None:
    assert isinstance(recipe.schedule, Schedule)
    assert hash(recipe) == hash(recipe)
    assert recipe.about()
    assert all(isinstance(line, str) for line in recipe.about())
    assert recipe.state() == recipe.state() != ""


def test_what_it_tells_is_what_it_made(recipe: Any, tmp_path: Path) -> None:
    watch = Watch()
    made = recipe.train_into(work(tmp_path / "model", watching=watch))
    assert made.labels == CORPUS.labels
    assert "O" in made.tags
    assert made.parameters > 0
    assert [log.epoch for log in made.epochs] == list(range(1, len(made.epochs) + 1))
    assert len(made.epochs) <= recipe.schedule.epochs
    assert 1 <= made.best <= len(made.epochs)
    assert all(log.loss > 0 and 0 <= log.f1 <= 1 for log in made.epochs)
    assert tuple(watch.logs) == made.epochs
    assert set(watch.steps) == {log.epoch for log in made.epochs}


def test_one_seed_is_one_model(recipe: Any, tmp_path: Path) -> None:
    a, b, c = (recipe.train_into(work(tmp_path / name, seed)) for name, seed in (("a", 0), ("b", 0), ("c", 1)))
    assert a == b
    assert a != c
    tokens = [sentence.tokens for sentence in CORPUS]
    assert tagger(tmp_path / "a").predict(tokens) == tagger(tmp_path / "b").predict(tokens)


def test_it_is_run_from_disk_on_whatever_there_is(recipe: Any, tmp_path: Path) -> None:
    made = recipe.train_into(work(tmp_path / "model"))
    found = tagger(tmp_path / "model")
    assert found.labels() == frozenset(made.labels)
    for data in (CORPUS, NASTY):
        for sentence, answer in zip(data, found.predict([one.tokens for one in data]), strict=True):
            check_spans(answer.spans, len(sentence.tokens), sentence.id)


def test_every_token_can_be_trained_on(recipe: Any, tmp_path: Path) -> None:
    both = [*CORPUS.sentences, *(replace(one, id=f"nasty/{one.id}") for one in NASTY)]
    asked = work(tmp_path / "model")._replace(sentences=both)
    assert recipe.train_into(asked).epochs
