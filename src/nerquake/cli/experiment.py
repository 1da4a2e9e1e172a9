"""`nerquake experiment`: the papers' two experiments on one's own data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nerquake.cli.experiment_tables import table_of
from nerquake.cli.options import Settings, attacks_of, data_options, folder_option
from nerquake.cli.progress import counting
from nerquake.cli.show import emit, note, to_csv, to_json
from nerquake.cli.train import DEV_SHARE
from nerquake.cli.watch import watching
from nerquake.core.dataset import Dataset
from nerquake.core.errors import SpecError, UsageError
from nerquake.core.spec import POSITIONAL, Chain, Value
from nerquake.core.variant import AttackedSet

if TYPE_CHECKING:
    from nerquake.train.prepare import OnOverlap

RESULT, TABLE = "result.json", "table.md"
AUGMENTATIONS = ("entity-switching", "random-masking", "mixing-up")


@click.group()
def command() -> None:
    """The papers' experiments: what hardens a model, and which augmentation helps."""


def experiment_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What both experiments take."""
    for option in reversed((
        click.argument("file"),
        click.option("-m", "--model", required=True, metavar="SPEC",
                     help="What is trained: bilstm-crf, transformer:NAME, transformer-crf:NAME, a preset."),
        click.option("--dev", default="", metavar="FILE", help="Labelled file that early stopping looks at; by default "
                     "a tenth of the training sentences, drawn by the seed, where the model needs one."),
        click.option("--train-sample", type=click.IntRange(min=1), metavar="N",
                     help="Take N training sentences, drawn by the seed."),
        click.option("--seeds", type=click.IntRange(min=1), default=None, metavar="N",
                     help="Runs of every arm: seeds SEED to SEED + N - 1."),
        click.option("--overlap", type=click.Choice(["refuse", "drop", "allow"]), default="refuse", show_default=True,
                     help="Evaluation sentences that stand in the training data too."),
        click.option("--keep-models", is_flag=True, help="Keep every trained model, not its scores alone."),
        folder_option,
        data_options,
    )):  # fmt: skip
        function = option(function)
    return function


@command.command("harden")
@experiment_options
@click.option("--train", "train_file", default="", metavar="FILE", help="The original training data.")
@click.option("--base", default="", metavar="FOLDER", help="A trained model that is hardened, instead of a new one.")
@click.option("-p", "--perturbation", "attack", default="m+r", show_default=True, metavar="SPEC", help="The attack.")
@click.option("--share", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.6, show_default=True,
              help="Share of the source sentences whose attacked versions adapt the model.")  # fmt: skip
@click.option("--fine-tune", default="", metavar="KEY=VALUE,...", help="Options of fine-tuning: epochs=4,lr=1e-4, ...")
@click.option("--re-train", default="", metavar="KEY=VALUE,...", help="Options of re-training: epochs=6,lr=1e-4, ...")
def harden_command(
    file: str, model: str, dev: str, train_sample: int | None, seeds: int | None, overlap: OnOverlap, keep_models: bool,
    output: str, settings: Settings, train_file: str, base: str, attack: str, share: float, fine_tune: str,
    re_train: str,
) -> None:  # fmt: skip
    """Adversarial fine-tuning against re-training on augmented data (paper M, Table 7).

    FILE is the evaluation set; it is attacked, 60 % of its sources adapt the model, 40 % test it.
    """
    from nerquake.train.harden import Hardening, harden

    training, dev_set = _training(train_file, dev, train_sample, model, settings)
    original, chains = _evaluated(file, [attack], settings, training, overlap, base)
    if len(chains) != 1:
        raise UsageError(f"-p {attack}: harden takes one attack; a suite has several")
    attacked = _attacked(original, chains, settings)
    result = harden(Hardening(
        model, base, original, attacked[0], training, dev_set, Path(output), settings.seed, seeds or 10, share,
        options_of(fine_tune), options_of(re_train), keep_models, _tell,
    ))  # fmt: skip
    _show(result, output, settings)


@command.command("augment")
@experiment_options
@click.option("--train", "train_file", required=True, metavar="FILE", help="The training data.")
@click.option("-p", "--augment", "augmentations", multiple=True, default=AUGMENTATIONS, show_default=True,
              metavar="SPEC", help="An augmentation of the training data; may be given again.")  # fmt: skip
@click.option("-a", "--attack", "attacks", multiple=True, default=("rockner",), show_default=True, metavar="SPEC",
              help="An attack, or a suite, that is tested under; may be given again.")  # fmt: skip
def augment_command(
    file: str, model: str, dev: str, train_sample: int | None, seeds: int | None, overlap: OnOverlap, keep_models: bool,
    output: str, settings: Settings, train_file: str, augmentations: Sequence[str], attacks: Sequence[str],
) -> None:  # fmt: skip
    """Which augmentation of the training data helps under attack (paper R, lower part of Table 1).

    FILE is the evaluation set; it is scored as it is and under every attack.
    """
    from nerquake.train.augmentations import Trying, try_augmentations

    training, dev_set = _training(train_file, dev, train_sample, model, settings)
    assert training is not None
    original, chains = _evaluated(file, attacks, settings, training, overlap)
    ways, _ = attacks_of(augmentations, training, settings.rules)
    attacked = _attacked(original, chains, settings)
    result = try_augmentations(Trying(
        model, original, attacked, training, dev_set, ways, Path(output), settings.seed, seeds or 3, settings.jobs,
        settings.rules, keep_models, _tell,
    ))  # fmt: skip
    _show(result, output, settings)


def options_of(text: str) -> dict[str, Value]:
    """`key=value,...` as options.

    Raises:
        SpecError: it is nothing of this form.
    """
    from nerquake.core.spec import parse_spec

    options = dict(parse_spec(f"options:{text}").params) if text else {}
    if POSITIONAL in options:
        raise SpecError(f"{text}: expected options with their values, such as epochs=4,lr=1e-4")
    return options


def _evaluated(
    file: str, attacks: Sequence[str], settings: Settings, training: Dataset | None, rule: OnOverlap, base: str = ""
) -> tuple[Dataset, list[Chain]]:
    """The evaluation set without what the training data hold, and a base model's, and the attacks on it."""
    from nerquake.taggers.trained_on import read_trained_on
    from nerquake.train.prepare import evaluated

    read = settings.sampled(file)
    original, dropped = (read.dataset, ()) if training is None else evaluated(read.dataset, training, rule)
    seen = read_trained_on(base) if base else None
    if seen is not None:
        where = f"the training data of {base}{f' ({seen.name})' if seen.name else ''}"
        original, more = evaluated(original, seen, rule, where)
        dropped = (*dropped, *more)
    elif base:
        dropped = (*dropped, f"{base} does not tell what it was trained on: see that {file} is no part of that")
    chains, notes = attacks_of(attacks, original, settings.rules)
    for line in (*read.notes, *dropped, *notes):
        note(line)
    return original, chains


def _training(
    file: str, dev: str, sample: int | None, model: str, settings: Settings
) -> tuple[Dataset | None, Dataset | None]:
    """The training data and the dev set."""
    from dataclasses import replace

    from nerquake.core.spec import parse_spec
    from nerquake.registry import RECIPES
    from nerquake.train.prepare import split_dev

    if not file:
        return None, None
    read = replace(settings, sample=sample).sampled(file)
    for line in read.notes:
        note(f"training data: {line}")
    if dev:
        return read.dataset, replace(settings, sample=None).gold(dev).dataset
    if not RECIPES.build(parse_spec(model)).schedule.patience:
        return read.dataset, None
    made = split_dev(read.dataset, DEV_SHARE, settings.seed)
    for line in made.notes:
        note(line)
    return made.train, made.dev


def _attacked(original: Dataset, chains: Sequence[Chain], settings: Settings) -> list[AttackedSet]:
    from nerquake.perturb.run import attack

    made = []
    for chain in chains:
        with counting(len(original), f"attacking: {chain.name}") as step:
            made.append(attack(original, chain, settings.seed, jobs=settings.jobs, rules=settings.rules, progress=step))
        for line in made[-1].notes:
            note(line)
    return made


def _tell(arm: str, seed: int, epochs: int) -> AbstractContextManager[Any]:
    """Say which run goes on, and watch it."""
    note(f"{arm}, seed {seed}")
    return watching(f"{arm}, seed {seed}", epochs)


def _show(result: dict[str, Any], output: str, settings: Settings) -> None:
    emit(to_json(result), str(Path(output) / RESULT))
    text, markdown = table_of(result)
    emit(markdown, str(Path(output) / TABLE))
    if settings.format == "json":
        emit(to_json(result), "-")
    elif settings.format == "csv":
        head = ["arm", "seed", "set", "precision", "recall", "f1"]
        emit(to_csv(head, [[row[key] for key in head] for row in result["runs"]]), "-")
    else:
        emit(text, "-")
