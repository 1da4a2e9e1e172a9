"""Adversarial fine-tuning against re-training on augmented data (paper M, 4.2, 5.4 and Table 7).

An adversarial set is split by source sentence; one part adapts the model, the other tests it. Fine-tuning goes on from
the base model with that part alone; re-training begins anew with the original training data and that part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import UsageError
from nerquake.core.sentence import Sentence
from nerquake.core.sources import Lineage
from nerquake.core.spec import Spec, Value, parse_spec
from nerquake.core.splits import split_by_source
from nerquake.core.variant import AttackedSet
from nerquake.registry import RECIPES
from nerquake.train.experiment import Arm, Plan, carry_out, check_labels, refuse_other, run_folder
from nerquake.train.rate import PARTS, Choice, chosen_rate
from nerquake.train.recipe import Recipe, trains_itself
from nerquake.train.run import Request

FORMAT = "nerquake.harden/1"
BASE, FINE_TUNING, RE_TRAINING = "base", "fine-tuning", "re-training"
ORIGINAL, ADVERSARIAL, UNUSED = "original", "adversarial", "original_unused"
SHARE = 0.6
FINE_TUNED: Mapping[str, Value] = {"epochs": "4", "lr": "1e-4", "batch": "16", "patience": "0"}
RE_TRAINED: Mapping[str, Value] = {"epochs": "6", "lr": "1e-4", "batch": "16", "patience": "0"}
"""Paper M, 4.2, for transformers."""
OWN = frozenset({"bilstm-crf"})
"""Models that are re-trained with their own settings and fine-tuned at a rate chosen on held-out sentences: the paper's
rate is one for transformers."""


@dataclass(frozen=True, slots=True)
class Hardening:
    """What is asked for.

    model        the recipe as typed; re-trained models are made by it
    base         a trained model; empty: one is trained by the recipe with the run's seed
    original     the evaluation set
    attacked     its adversarial set
    train, dev   the original training data and what early stopping looks at; without `train` only fine-tuning is done
    fine_tuned   options that fine-tuning has instead of the paper's
    re_trained   options that re-training has instead of the paper's
    share        of the sources that adapt
    """

    model: str
    base: str
    original: Dataset
    attacked: AttackedSet
    train: Dataset | None
    dev: Dataset | None
    folder: Path
    seed: int = 0
    seeds: int = 10
    share: float = SHARE
    fine_tuned: Mapping[str, Value] = field(default_factory=dict)
    re_trained: Mapping[str, Value] = field(default_factory=dict)
    keep_models: bool = False
    tell: Any = None


class Parts(NamedTuple):
    """The adversarial set in two, and the original sentences that nothing of the adapting part was made from."""

    adapt: list[Sentence]
    test: list[Sentence]
    unused: list[Sentence]


def split(asked: Hardening) -> Parts:
    """Split the adversarial set by source sentence.

    Raises:
        InputError: there are too few sentences.
    """
    lineage = Lineage(asked.original.sentences)
    roots = {sentence.id: lineage.root(sentence) for sentence in asked.original}
    variants = [
        replace(variant.sentence, source=roots[variant.parent])
        for variant in asked.attacked.variants
        if variant.status != "discarded"
    ]
    two = split_by_source(variants, asked.share, asked.seed)
    used = {sentence.source for sentence in two.part}
    return Parts(two.part, two.rest, [sentence for sentence in asked.original if roots[sentence.id] not in used])


def harden(asked: Hardening) -> dict[str, Any]:
    """Carry out the experiment; returns what result.json holds (docs/formats.md).

    Raises:
        UsageError: there is neither training data nor a base model.
        InputError: a set is too small, or has labels that the model does not have.
    """
    if asked.train is None and not asked.base:
        raise UsageError("harden needs the training data (--train FILE), or a trained model (--base FOLDER), or both")
    if asked.seeds < 1:
        raise UsageError("--seeds is 1 or more")
    if trains_itself(RECIPES.build(parse_spec(asked.model))):
        raise UsageError(f"-m {asked.model} cannot be fine-tuned here; take bilstm-crf, transformer or transformer-crf")
    if asked.train is not None:
        check_labels(asked.original, asked.train)
    _check_ways(asked)
    settings = _settings(asked, None)
    refuse_other(asked.folder, FORMAT, {key: settings[key] for key in ("model", "base", "attack", "original", "train")})
    parts = split(asked)
    sets = {ORIGINAL: asked.original.sentences, ADVERSARIAL: parts.test, UNUSED: parts.unused}
    base_folder = Path(asked.base) if asked.base else run_folder(asked.folder, BASE, asked.seed)
    seeds = tuple(range(asked.seed, asked.seed + asked.seeds))
    arms = [_base_arm(asked)]
    carry_out(Plan(tuple(arms), sets, (), asked.folder, asked.seed, asked.keep_models, asked.tell))
    choice = _choice(asked, base_folder, parts)
    arms.append(_fine_tuning(asked, base_folder, parts, choice, seeds))
    if asked.train is not None:
        arms.append(_re_training(asked, parts, seeds))
    pairs = _pairs([arm.name for arm in arms])
    made = carry_out(Plan(tuple(arms), sets, pairs, asked.folder, asked.seed, asked.keep_models, asked.tell))
    return {"format": FORMAT, **made, "split": _about_split(asked, parts), "settings": _settings(asked, choice)}


def _check_ways(asked: Hardening) -> None:
    """See that both ways of training can be built before hours go into the first.

    Raises:
        UsageError: an option is none, or asks for what is not there.
    """
    specs = [fine_tune_spec(asked, Path(asked.base or BASE), None)]
    specs += [re_train_spec(asked)] if asked.train is not None else []
    for spec in specs:
        if RECIPES.build(spec).schedule.patience and asked.dev is None:
            raise UsageError(f"{spec} stops by the scores of a dev set: name one with --dev, or patience=0")


def _pairs(arms: Sequence[str]) -> tuple[tuple[str, str], ...]:
    wanted = ((FINE_TUNING, RE_TRAINING), (FINE_TUNING, BASE), (RE_TRAINING, BASE))
    return tuple((a, b) for a, b in wanted if a in arms and b in arms)


def _base_arm(asked: Hardening) -> Arm:
    def request(seed: int, folder: Path) -> Request:
        assert asked.train is not None
        recipe = RECIPES.build(parse_spec(asked.model))
        return Request(asked.model, recipe, asked.train, _dev(asked, recipe), seed, folder)

    if asked.base:
        return Arm(BASE, (asked.seed,), model=asked.base)
    return Arm(BASE, (asked.seed,), request, stays=True)


def _fine_tuning(asked: Hardening, base: Path, parts: Parts, choice: Choice | None, seeds: tuple[int, ...]) -> Arm:
    spec = fine_tune_spec(asked, base, None if choice is None else choice.rate)

    def request(seed: int, folder: Path) -> Request:
        recipe = RECIPES.build(spec)
        return Request(str(spec), recipe, _as_dataset(asked, parts.adapt), _dev(asked, recipe), seed, folder)

    return Arm(FINE_TUNING, seeds, request)


def _re_training(asked: Hardening, parts: Parts, seeds: tuple[int, ...]) -> Arm:
    spec = re_train_spec(asked)

    def request(seed: int, folder: Path) -> Request:
        assert asked.train is not None
        recipe = RECIPES.build(spec)
        both = asked.train.with_sentences([*asked.train.sentences, *_apart(asked.train, parts.adapt)])
        return Request(str(spec), recipe, both, _dev(asked, recipe), seed, folder)

    return Arm(RE_TRAINING, seeds, request)


def _apart(train: Dataset, added: Sequence[Sentence]) -> list[Sentence]:
    """Adversarial sentences under ids that the training data do not have."""
    taken = {sentence.id for sentence in train}
    return [
        replace(sentence, id=f"adversarial/{sentence.id}") if sentence.id in taken else sentence for sentence in added
    ]


def fine_tune_spec(asked: Hardening, base: Path, rate: float | None) -> Spec:
    """What fine-tunes: the paper's settings, a chosen rate, then what the user asks for."""
    options = {**FINE_TUNED, **({} if rate is None else {"lr": f"{rate:g}"}), **asked.fine_tuned}
    return Spec("fine-tune", (("", str(base)), *options.items()))


def re_train_spec(asked: Hardening) -> Spec:
    """What is trained anew: the recipe, with the paper's settings for transformers, then what the user asks for."""
    spec = RECIPES.expand(parse_spec(asked.model))
    options = {**dict(spec.params), **({} if spec.name in OWN else RE_TRAINED), **asked.re_trained}
    return Spec(spec.name, tuple(sorted(options.items(), key=lambda pair: pair[0] != "")))


def _choice(asked: Hardening, base: Path, parts: Parts) -> Choice | None:
    """The rate that fine-tuning takes where the paper's is not meant for the model; None: it is the paper's."""
    if "lr" in asked.fine_tuned or RECIPES.expand(parse_spec(asked.model)).name not in OWN:
        return None
    rate = RECIPES.build(parse_spec(asked.model)).schedule.lr
    recipes = {rate * part: RECIPES.build(fine_tune_spec(asked, base, rate * part)) for part in PARTS}
    return chosen_rate(recipes, parts.adapt, asked.seed)


def _dev(asked: Hardening, recipe: Recipe) -> Dataset | None:
    return asked.dev if recipe.schedule.patience else None


def _as_dataset(asked: Hardening, sentences: Sequence[Sentence]) -> Dataset:
    return replace(asked.original, name=f"{asked.attacked.name} of {asked.original.name}").with_sentences(sentences)


def _about_split(asked: Hardening, parts: Parts) -> dict[str, Any]:
    return {
        "sources_adapt": sorted({sentence.source or "" for sentence in parts.adapt}),
        "sources_test": sorted({sentence.source or "" for sentence in parts.test}),
        "share": asked.share,
        "discarded": sum(variant.status == "discarded" for variant in asked.attacked.variants),
    }


def _settings(asked: Hardening, choice: Choice | None) -> dict[str, Any]:
    return {
        "model": asked.model,
        "base": asked.base,
        "attack": asked.attacked.spec,
        "fine_tuning": str(fine_tune_spec(asked, Path(BASE), None if choice is None else choice.rate)),
        "re_training": str(re_train_spec(asked)) if asked.train is not None else None,
        "rates_tried": {} if choice is None else {f"{rate:g}": f1 for rate, f1 in choice.tried.items()},
        "original": asked.original.name,
        "train": asked.train.name if asked.train is not None else None,
        "train_sentences": len(asked.train) if asked.train is not None else 0,
        "seed": asked.seed,
        "seeds": asked.seeds,
    }
