"""What every recipe of a network does: it learns from sentences, tags them, and comes back from disk.

Recipes of libraries that train themselves are in test_self_training.py.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.cases import CASES, CORPUS, NASTY, SELF_TRAINING, cases_of

from nerquake.core.sentence import check_spans
from nerquake.core.spec import Spec
from nerquake.registry import RECIPES, TAGGERS
from nerquake.train.recipe import Schedule

pytestmark = pytest.mark.huggingface


@pytest.fixture(params=[name for name in cases_of(RECIPES) if name not in SELF_TRAINING])
def recipe(request: pytest.FixtureRequest, huggingface_library: str, tmp_path: Path) -> Any:
    """Each registered recipe, built from the specification of its case."""
    return RECIPES.build(CASES[RECIPES.kind][request.param](tmp_path))


def network(recipe: Any, seed: int = 0) -> Any:
    return recipe.network(CORPUS.sentences, CORPUS.labels, seed)


def test_it_is_a_frozen_value_with_a_schedule(recipe: Any) -> None:
    assert isinstance(recipe.schedule, Schedule)
    assert hash(recipe) == hash(recipe)
    assert recipe.about()
    assert all(isinstance(line, str) for line in recipe.about())


def test_its_network_has_the_labels(recipe: Any) -> None:
    assert set(CORPUS.labels) <= set(network(recipe).tags.labels)


def test_one_seed_is_one_network(recipe: Any) -> None:
    a, b = dict(network(recipe).named_tensors()), dict(network(recipe).named_tensors())
    assert a.keys() == b.keys()
    assert all(a[name].equal(b[name]) for name in a)


def test_a_step_goes_downhill(recipe: Any) -> None:
    import torch

    made = network(recipe)
    examples = made.examples(CORPUS.sentences)
    assert len(examples) == len(CORPUS)
    assert all(made.size(example) > 0 for example in examples)
    made.train(False)
    parameters = [parameter for group in made.groups() for parameter in group.parameters]
    optimiser = torch.optim.SGD(parameters, lr=1e-3)
    losses = []
    for _ in range(3):
        total, number = made.loss(examples)
        assert number > 0
        losses.append(float(total.detach()) / number)
        optimiser.zero_grad()
        (total / number).backward()
        optimiser.step()
    assert all(map(math.isfinite, losses))
    assert losses[-1] < losses[0]


def test_the_loss_of_a_batch_is_that_of_its_parts(recipe: Any) -> None:
    made = network(recipe)
    made.train(False)
    examples = made.examples(CORPUS.sentences)
    whole, number = made.loss(examples)
    parts = [made.loss([example]) for example in examples]
    assert number == sum(part.number for part in parts)
    assert float(whole.detach()) == pytest.approx(sum(float(part.total.detach()) for part in parts), rel=1e-4)


@pytest.mark.parametrize("data", [CORPUS, NASTY], ids=lambda data: data.name)
def test_answers_are_valid_and_do_not_depend_on_the_batch(recipe: Any, data: Any) -> None:
    made = network(recipe)
    tokens = [sentence.tokens for sentence in data]
    together = made.predict(tokens)
    for sentence, answer in zip(data, together, strict=True):
        check_spans(answer.spans, len(sentence.tokens), sentence.id)
    assert [made.predict([one])[0].spans for one in tokens] == [answer.spans for answer in together]
    assert made.predict([]) == []


def test_what_is_saved_tags_alike(recipe: Any, tmp_path: Path) -> None:
    made = network(recipe)
    made.save(tmp_path / "saved")
    tokens = [sentence.tokens for sentence in CORPUS]
    tagger = TAGGERS.build(Spec("native", (("", str(tmp_path / "saved")), ("precision", "fp32"))))
    assert [answer.spans for answer in tagger.predict(tokens)] == [answer.spans for answer in made.predict(tokens)]
    assert tagger.labels() == frozenset(made.tags.labels)
    assert not [path for path in (tmp_path / "saved").iterdir() if path.suffix in (".bin", ".pt", ".pkl", ".pickle")]
