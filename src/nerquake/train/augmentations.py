"""Which augmentation helps under attack (paper R, Q3 and the lower part of Table 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nerquake.core.dataset import Dataset
from nerquake.core.errors import UsageError
from nerquake.core.labels import LabelRules
from nerquake.core.spec import Chain, parse_spec
from nerquake.core.variant import AttackedSet
from nerquake.registry import RECIPES
from nerquake.train.experiment import Arm, Plan, carry_out, check_labels, refuse_other
from nerquake.train.prepare import augmented
from nerquake.train.run import Request

FORMAT = "nerquake.augment/1"
BASE, NONE = "base", "none"


@dataclass(frozen=True, slots=True)
class Trying:
    """What is asked for.

    model          the recipe as typed
    original       the evaluation set
    attacked       its attacked sets
    train, dev     the training data and what early stopping looks at
    augmentations  a way of training each: the training data and their variants
    """

    model: str
    original: Dataset
    attacked: Sequence[AttackedSet]
    train: Dataset
    dev: Dataset | None
    augmentations: Sequence[Chain]
    folder: Path
    seed: int = 0
    seeds: int = 3
    jobs: int = 1
    rules: LabelRules | None = None
    keep_models: bool = False
    tell: Any = None


def try_augmentations(asked: Trying) -> dict[str, Any]:
    """Carry out the experiment; returns what result.json holds (docs/formats.md).

    Raises:
        UsageError: there is nothing to compare.
        InputError: the evaluation set has labels that the training data do not have.
    """
    if not asked.augmentations or asked.seeds < 1:
        raise UsageError("an experiment needs one augmentation or more (-p random-masking) and one seed or more")
    check_labels(asked.original, asked.train)
    same = {"model": asked.model, "original": asked.original.name, "train": asked.train.name}
    refuse_other(asked.folder, FORMAT, same)
    training, notes = _training(asked)
    sets = {NONE: asked.original.sentences} | {one.name: _kept(one) for one in asked.attacked}
    arms = [_arm(asked, name, data) for name, data in training.items()]
    pairs = tuple((arm.name, BASE) for arm in arms if arm.name != BASE)
    plan = Plan(tuple(arms), sets, pairs, asked.folder, asked.seed, asked.keep_models, asked.tell)
    made = carry_out(plan)
    return {"format": FORMAT, **made, "settings": _settings(asked, training, notes)}


def _training(asked: Trying) -> tuple[dict[str, Dataset], list[str]]:
    """The training data of every arm, and what was done to them."""
    found = {BASE: asked.train}
    notes: list[str] = []
    for chain in asked.augmentations:
        made = augmented(asked.train, [chain], asked.seed, jobs=asked.jobs, rules=asked.rules)
        found[chain.name] = made.train
        notes += made.notes
    return found, notes


def _arm(asked: Trying, name: str, data: Dataset) -> Arm:
    def request(seed: int, folder: Path) -> Request:
        recipe = RECIPES.build(parse_spec(asked.model))
        dev = asked.dev if recipe.schedule.patience else None
        return Request(asked.model, recipe, data, dev, seed, folder)

    return Arm(name, tuple(range(asked.seed, asked.seed + asked.seeds)), request)


def _kept(attacked: AttackedSet) -> list[Any]:
    return [variant.sentence for variant in attacked.variants if variant.status != "discarded"]


def _settings(asked: Trying, training: Mapping[str, Dataset], notes: Sequence[str]) -> dict[str, Any]:
    return {
        "model": asked.model,
        "attacks": {one.name: one.spec for one in asked.attacked},
        "augmentations": {chain.name: str(chain) for chain in asked.augmentations},
        "original": asked.original.name,
        "train": asked.train.name,
        "train_sentences": {name: len(data) for name, data in training.items()},
        "notes": list(notes),
        "seed": asked.seed,
        "seeds": asked.seeds,
    }
