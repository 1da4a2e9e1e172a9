"""An experiment: several ways of training (arms) over seeds, each run scored on the same sets, compared pair by pair.

A run is a folder below `runs/`; a run that is finished is used again, one that was killed goes on. Models are removed
once they are scored, unless they are to be kept.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from nerquake.core.dataset import Dataset, content_fingerprint
from nerquake.core.errors import InputError, UsageError
from nerquake.core.sentence import Sentence
from nerquake.core.spec import POSITIONAL, Spec
from nerquake.io.output import write_whole
from nerquake.stats.corrections import holm
from nerquake.stats.over_seeds import paired_test, summary
from nerquake.train.run import RECORD, Request, run_key, train

RUNS, SCORES, RESULT = "runs", "scores.json", "result.json"
KEPT = frozenset({SCORES, RECORD, "sources.jsonl"})
SCORES_FORMAT = "nerquake.scores/1"


@dataclass(frozen=True, slots=True)
class Arm:
    """A way of training.

    name     in all outputs
    seeds    of its runs
    request  what is trained for a seed, into a folder; None: nothing is trained
    model    the folder of a trained model that is scored as it is
    stays    whether its models are needed later
    """

    name: str
    seeds: tuple[int, ...]
    request: Callable[[int, Path], Request] | None = None
    model: str = ""
    stays: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """An experiment.

    sets     what every run is scored on, by name
    pairs    arms that are compared, a - b
    tell     is told of each run: arm, seed, and whether it was there; gives what watches its training
    """

    arms: tuple[Arm, ...]
    sets: Mapping[str, Sequence[Sentence]]
    pairs: tuple[tuple[str, str], ...]
    folder: Path
    seed: int = 0
    keep_models: bool = False
    tell: Callable[[str, int, int], AbstractContextManager[Any]] | None = None


class Run(NamedTuple):
    """Strict scores of one run on one set."""

    arm: str
    seed: int
    set: str
    f1: float | None
    precision: float | None
    recall: float | None
    best_epoch: int


def run_folder(plan_folder: Path, arm: str, seed: int) -> Path:
    """Where a run is."""
    return plan_folder / RUNS / f"{arm}-{seed}"


def carry_out(plan: Plan) -> dict[str, Any]:
    """Train and score every run; returns `runs`, `summary` and `tests` as result.json has them.

    Raises:
        InputError: a set has no sentences or no mentions, or the data cannot be trained on.
    """
    _check_sets(plan.sets)
    runs: list[Run] = []
    for arm in plan.arms:
        for seed in arm.seeds:
            runs += _one(plan, arm, seed)
    return {
        "arms": [arm.name for arm in plan.arms],
        "sets": list(plan.sets),
        "runs": [run._asdict() for run in runs],
        "summary": summaries(runs, plan),
        "tests": tests(runs, plan),
    }


def refuse_other(folder: Path, form: str, settings: Mapping[str, Any]) -> None:
    """See that a folder holds no finished experiment on something else, whose figures would be lost.

    form      the format of this experiment's result.json
    settings  what makes it this experiment: the model, the data, the attack

    Raises:
        UsageError: it does; the message says in what the two differ.
    """
    try:
        found = json.loads((folder / RESULT).read_text("utf-8"))
    except (OSError, ValueError):
        return
    there = found.get("settings") if isinstance(found, dict) else None
    if not isinstance(there, dict):
        return
    faults = [] if found.get("format") == form else [f"format {found.get('format')} (now {form})"]
    faults += [
        f"{key} {there[key]} (now {value})" for key, value in settings.items() if key in there and there[key] != value
    ]
    if faults:
        raise UsageError(
            f"{folder} holds another experiment, which would be lost: {'; '.join(faults)}. Name another folder with"
            f" -o, or remove {folder / RESULT} and {folder / RUNS}"
        )


def check_labels(original: Dataset, training: Dataset) -> None:
    """See that every label that is tested can be learnt.

    Raises:
        InputError: the evaluation set has labels that the training data do not have.
    """
    strange = sorted(set(original.labels) - set(training.labels))
    if strange:
        raise InputError(
            f"{original.name} has labels that {training.name} does not have: {', '.join(strange)}; join them with "
            f"--map {strange[0]}=..., drop them with --map {strange[0]}="
        )


def _check_sets(sets: Mapping[str, Sequence[Sentence]]) -> None:
    faults = [
        f"{name} has no {'sentences' if not sentences else 'mentions'}"
        for name, sentences in sets.items()
        if not any(sentence.spans for sentence in sentences)
    ]
    if faults:
        raise InputError(f"nothing to score: {', '.join(faults)}; take a larger file or sample")


def _one(plan: Plan, arm: Arm, seed: int) -> list[Run]:
    folder = run_folder(plan.folder, arm.name, seed)
    if arm.request is None:
        return _scored(plan, arm.model, Run(arm.name, seed, "", None, None, None, 0))
    request = arm.request(seed, folder)
    key = f"{run_key(request)} {' '.join(content_fingerprint(those) for those in plan.sets.values())}"
    found = _scores(folder / SCORES, key)
    needed = arm.stays or plan.keep_models
    if found is not None and not (needed and not _has_model(folder)):
        return [Run(**row) for row in found]
    if folder.exists() and not _has_model(folder):
        (folder / RECORD).unlink(missing_ok=True)  # the model was removed once it was scored
    _train(plan, request, arm.name, seed)
    epoch = json.loads((folder / RECORD).read_text("utf-8"))["best_epoch"]
    made = _scored(plan, str(folder), Run(arm.name, seed, "", None, None, None, epoch))
    record = {"format": SCORES_FORMAT, "key": key, "runs": [run._asdict() for run in made]}
    write_whole(folder / SCORES, [json.dumps(record, indent=1) + "\n"])
    if not needed:
        _remove_model(folder)
    return made


def _train(plan: Plan, request: Request, arm: str, seed: int) -> None:
    if plan.tell is None:
        train(request)
        return
    with plan.tell(arm, seed, request.recipe.schedule.epochs) as watching:
        train(request, watching)


def _scored(plan: Plan, model: str, run: Run) -> list[Run]:
    """A trained model on every set."""
    from nerquake.train.dev import tagged_scores

    made = []
    for name, sentences in plan.sets.items():
        scores = tagged_scores(Spec("native", ((POSITIONAL, model),)), sentences)
        made.append(run._replace(set=name, f1=scores.f1, precision=scores.precision, recall=scores.recall))
    return made


def _scores(path: Path, key: str) -> list[dict[str, Any]] | None:
    try:
        record = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return list(record["runs"]) if isinstance(record, dict) and record.get("key") == key else None


def _has_model(folder: Path) -> bool:
    return any(path.suffix in (".safetensors", ".pt") for path in folder.glob("*"))


def _remove_model(folder: Path) -> None:
    for path in folder.iterdir():
        if path.name not in KEPT:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def summaries(runs: Sequence[Run], plan: Plan) -> list[dict[str, Any]]:
    """Mean and standard deviation of strict F1 of every arm on every set; an undefined F1 counts as 0."""
    made = []
    for arm in plan.arms:
        for name in plan.sets:
            made.append({"arm": arm.name, "set": name, **asdict(summary(_values(runs, arm.name, name)))})
    return made


def tests(runs: Sequence[Run], plan: Plan) -> list[dict[str, Any]]:
    """Paired tests of the pairs of arms on every set; an arm with one run is the same partner for every seed.

    `p_holm` corrects the t-test's p over all of them.
    """
    made: list[dict[str, Any]] = []
    for a, b in plan.pairs:
        for name in plan.sets:
            ours, theirs = _values(runs, a, name), _values(runs, b, name)
            size = max(len(ours), len(theirs))
            result = paired_test(_spread(ours, size), _spread(theirs, size), plan.seed)
            made.append({"set": name, "a": a, "b": b, **asdict(result)})
    for row, corrected in zip(made, holm([row["p"] for row in made]), strict=True):
        row["p_holm"] = corrected
    return made


def _values(runs: Sequence[Run], arm: str, name: str) -> list[float]:
    return [run.f1 or 0.0 for run in runs if (run.arm, run.set) == (arm, name)]


def _spread(values: Sequence[float], size: int) -> list[float]:
    return list(values) * size if len(values) == 1 else list(values)
