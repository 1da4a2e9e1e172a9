"""One training from data sets to a folder: the model, `train.json` and the sources that it saw."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from nerquake.core.dataset import Dataset, content_fingerprint
from nerquake.core.errors import InputError, UsageError
from nerquake.core.sources import Sources
from nerquake.io.output import write_whole
from nerquake.io.sources_file import FILE, write_sources
from nerquake.io.stages import StageKey
from nerquake.taggers.trained_on import read_trained_on
from nerquake.train.recipe import Recipe, SelfTraining, Trained, Work, trains_itself

if TYPE_CHECKING:
    from nerquake.train.saved import SavedRun

FORMAT = "nerquake.train/1"
RECORD = "train.json"
WEIGHTS = frozenset({".safetensors", ".bin", ".pt"})
"""Ends of files that hold a model."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be trained.

    spec     the recipe as typed; `recipe` is what it stands for
    train    the training data, augmented sentences included
    dev      what early stopping looks at; None: nothing
    folder   where the model goes
    notes    what was done to the data before, in words, for the record
    """

    spec: str
    recipe: Recipe | SelfTraining
    train: Dataset
    dev: Dataset | None
    seed: int
    folder: Path
    notes: tuple[str, ...] = ()


class Made(NamedTuple):
    """A model on disk: what `train.json` holds, and whether it was there already."""

    record: dict[str, Any]
    already: bool


def train(request: Request, watching: Any = None) -> Made:
    """Train a model, or go on with a run that was killed; a finished one is left as it is.

    watching  is told of steps and epochs (`loop.Watching`)

    Raises:
        InputError: the data cannot be trained on: all that is wrong with them.
        UsageError: the folder holds another model.
        OutputError: the model cannot be written.
    """
    check(request)
    key = run_key(request)
    finished = _finished(request, key)
    if finished is not None:
        _saved(request, key).remove()  # what a kill at the very end left
        return Made(finished, already=True)
    _see_that_it_is_free(request)
    record = _trained(request, key, watching)
    return Made(record, already=False)


def check(request: Request) -> None:
    """See that there is something to learn, and that the dev set asks for nothing else.

    Raises:
        InputError: what is wrong, all of it.
    """
    faults = []
    if not request.train.labels:
        faults.append(f"{request.train.name}: there are no mentions to learn from in {len(request.train):,} sentences")
    if request.dev is not None:
        faults += _dev_faults(request.dev, request.train)
    if faults:
        raise InputError("; ".join(faults))


def _dev_faults(dev: Dataset, training: Dataset) -> list[str]:
    if not dev.sentences:
        return [f"{dev.name}: the dev set has no sentences"]
    if not dev.labels:
        return [f"{dev.name}: the dev set has no mentions, so that no epoch is better than another"]
    counts = dev.mentions
    strange = [label for label in dev.labels if label not in training.labels]
    if not strange or not training.labels:
        return []
    listed = ", ".join(f"{label} ({counts[label]:,})" for label in strange)
    known, first = ", ".join(training.labels), strange[0]
    advice = f"join labels with --map {first}=..., drop them with --map {first}=, or train on sentences that have them"
    return [f"{dev.name}: the training data have no {listed}, only {known}: {advice}"]


def run_key(request: Request) -> str:
    """What the weights depend on, as a hash."""
    import torch

    options = _options(request.recipe)
    if request.recipe.base:  # what it holds counts, not where it lies
        options["model"] = model_state(request.recipe.base)
    parts = [FORMAT, type(request.recipe).__name__, repr(sorted(options.items())), str(request.seed), torch.__version__]
    recipe = request.recipe
    parts += [recipe.state()] if trains_itself(recipe) else []
    parts += [_digest(Path(file)) for file in getattr(recipe, "reads", ())]
    parts += [content_fingerprint(one.sentences) for one in (request.train, request.dev) if one is not None]
    return sha256("\n".join(parts).encode()).hexdigest()


def _digest(file: Path) -> str:
    """A hash of a file; one that is not there is told when it is read."""
    try:
        return sha256(file.read_bytes()).hexdigest()
    except OSError:
        return str(file)


def model_state(model: str) -> str:
    """What tells a trained model from others: a hash of its folder's weights and settings, else its name."""
    folder = Path(model)
    if not folder.is_dir():
        return model
    digest = sha256()
    for path in sorted(folder.iterdir()):
        if path.suffix in (".safetensors", ".json", ".bin") and path.is_file():
            digest.update(path.name.encode("utf-8", "surrogateescape"))
            digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _finished(request: Request, key: str) -> dict[str, Any] | None:
    path = request.folder / RECORD
    try:
        record = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read ({error}): name another folder with -o, or remove it") from error
    if not isinstance(record, dict):
        raise UsageError(f"{path} is not what `nerquake train` writes: name another folder with -o, or remove it")
    if record.get("key") != key:
        raise UsageError(
            f"{request.folder} holds a model of another training ({record.get('spec', 'unknown')}, "
            f"seed {record.get('seed')}): name another folder with -o, or remove it"
        )
    return dict(record)


def _saved(request: Request, key: str) -> SavedRun:
    from nerquake.train.saved import SavedRun

    return SavedRun(request.folder, key)


def _see_that_it_is_free(request: Request) -> None:
    """A model that no training here made is not written over: a run of nerquake's leaves its record, or is unfinished.

    Raises:
        UsageError: the folder holds such a model.
    """
    from nerquake.train.saved import NAME

    folder, ours = request.folder, (RECORD, NAME)
    held = sorted(path.name for path in folder.glob("*") if path.suffix in WEIGHTS) if folder.is_dir() else []
    if held and not any((folder / name).is_file() for name in ours):
        raise UsageError(
            f"{folder} holds a model that `nerquake train` did not make, or whose {RECORD} is gone "
            f"({', '.join(held[:3])}): name another folder with -o, so that it is not written over"
        )


def _trained(request: Request, key: str, watching: Any) -> dict[str, Any]:
    recipe, saved = request.recipe, _saved(request, key)
    if trains_itself(recipe):
        made = _by_itself(recipe, request, watching)
    else:
        made = _fitted(cast("Recipe", recipe), request, saved, watching)
    _keep_sources(request, key)
    record = _record(request, key, made)
    write_whole(request.folder / RECORD, [json.dumps(record, indent=1, ensure_ascii=False) + "\n"])
    saved.remove()
    return record


def _by_itself(recipe: SelfTraining, request: Request, watching: Any) -> Trained:
    """Trained by a library's own means."""
    dev = request.dev.sentences if request.dev is not None else None
    return recipe.train_into(
        Work(request.train.sentences, request.train.labels, dev, request.seed, request.folder, watching)
    )


def _fitted(recipe: Recipe, request: Request, saved: SavedRun, watching: Any) -> Trained:
    """A network of nerquake's own making, trained by the loop."""
    from nerquake.train.dev import strict_scores
    from nerquake.train.loop import Job, fit

    network = recipe.network(request.train.sentences, request.train.labels, request.seed)
    dev = request.dev.sentences if request.dev is not None else None
    job = Job(
        network, request.train.sentences, recipe.schedule, request.seed,
        None if dev is None else lambda one: strict_scores(one, dev), saved, watching,
    )  # fmt: skip
    fitted = fit(job)
    network.to("cpu")
    network.save(request.folder)
    tags, sizes = network.tags, [tensor.numel() for name, tensor in network.named_tensors()]
    return Trained(tags.labels, tags.tags, tags.scheme.name, sum(sizes), fitted.logs, fitted.best, fitted.stopped_early)


def _record(request: Request, key: str, made: Trained) -> dict[str, Any]:
    """What `train.json` holds."""
    return {
        "format": FORMAT,
        "key": key,
        "version": _version("nerquake"),
        "libraries": {name: found for name in ("torch", "transformers", "flair") if (found := _version(name))},
        "spec": request.spec,
        "recipe": _options(request.recipe),
        "about": list(request.recipe.about()),
        "seed": request.seed,
        "labels": list(made.labels),
        "tags": list(made.tags),
        "scheme": made.scheme,
        "parameters": made.parameters,
        "train": _about(request.train),
        "dev": _about(request.dev) if request.dev is not None else None,
        "notes": list(request.notes),
        "epochs": [log._asdict() for log in made.epochs],
        "best_epoch": made.best,
        "stopped_early": made.stopped_early,
    }


def _about(dataset: Dataset) -> dict[str, Any]:
    return {
        "name": dataset.name,
        "sha256": dataset.fingerprint,
        "content": content_fingerprint(dataset.sentences),
        "sentences": len(dataset),
        "augmented": sum(sentence.source is not None for sentence in dataset),
        "mentions": dict(sorted(dataset.mentions.items())),
    }


def _options(recipe: Recipe | SelfTraining) -> dict[str, Any]:
    if not dataclasses.is_dataclass(recipe) or isinstance(recipe, type):
        return {}
    return {
        key: list(value) if isinstance(value, tuple) else value for key, value in dataclasses.asdict(recipe).items()
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _keep_sources(request: Request, key: str) -> None:
    """What the model was trained on, and what the one was that it goes on from, or takes its encoder from."""
    sources = Sources.of(request.train.sentences, request.train.name)
    begins = request.recipe.base or getattr(request.recipe, "model", "")
    before = read_trained_on(begins) if begins else None
    stage = StageKey.of(request.spec, request.seed, request.train, run=key)
    write_sources(request.folder / FILE, sources if before is None else sources.joined(before), stage)
