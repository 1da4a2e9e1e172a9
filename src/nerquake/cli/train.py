"""`nerquake train FILE -m SPEC -o DIR`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from nerquake.cli.options import Settings, attacks_of, data_options, folder_option
from nerquake.cli.progress import counting
from nerquake.cli.show import emit, note, to_json
from nerquake.cli.watch import watching
from nerquake.core.dataset import Dataset
from nerquake.core.errors import UsageError

DEV_SHARE = 0.1


@click.command()
@click.argument("file")
@click.option("-m", "--model", required=True, metavar="SPEC",
              help="What to train: bilstm-crf, transformer:NAME, fine-tune:FOLDER, a preset.")  # fmt: skip
@click.option("--dev", default="", metavar="FILE", help="Labelled file that early stopping looks at.")
@click.option("--dev-share", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=None, metavar="SHARE",
              help="Share of the training sentences kept as the dev set instead, drawn by the seed; 0.1 where a model "
                   "needs a dev set and none is named.")  # fmt: skip
@click.option("-p", "--augment", "attacks", multiple=True, metavar="SPEC",
              help="Train on these variants too: entity-switching, random-masking, mixing-up, any attack.")  # fmt: skip
@folder_option
@data_options
def command(
    file: str, model: str, dev: str, dev_share: float | None, attacks: Sequence[str], output: str, settings: Settings
) -> None:
    """Train a recogniser, or fine-tune one; `-t native:DIR` runs it.

    A run that was interrupted goes on where it stopped when the same command is given again, to the same weights.
    """
    from nerquake.core.spec import parse_spec
    from nerquake.registry import RECIPES
    from nerquake.train.run import Request, train

    if dev and dev_share is not None:
        raise UsageError("--dev and --dev-share are two ways to the same thing: give one of them")
    recipe = RECIPES.build(parse_spec(model))
    read = settings.sampled(file)
    for line in read.notes:
        note(line)
    training, dev_set, notes = _parts(read.dataset, dev, dev_share, recipe.schedule.patience > 0, settings)
    training, more = _augmented(training, attacks, settings)
    request = Request(model, recipe, training, dev_set, settings.seed, Path(output), (*notes, *more))
    for line in (*request.notes, *recipe.about()):
        note(line)
    with watching(f"training {model}", recipe.schedule.epochs) as watch:
        made = train(request, watch)
    _tell(made.record, output, made.already, settings)


def _parts(
    training: Dataset, dev: str, share: float | None, needed: bool, settings: Settings
) -> tuple[Dataset, Dataset | None, tuple[str, ...]]:
    """The training data, the dev set, and what was done."""
    from nerquake.train.prepare import split_dev

    if dev:
        found = replace(settings, sample=None).gold(dev)
        for line in found.notes:
            note(line)
        return training, found.dataset, ()
    if share is None and not needed:
        return training, None, ()
    return split_dev(training, share or DEV_SHARE, settings.seed)


def _augmented(training: Dataset, attacks: Sequence[str], settings: Settings) -> tuple[Dataset, tuple[str, ...]]:
    from nerquake.train.prepare import augmented

    if not attacks:
        return training, ()
    chains, left_out = attacks_of(attacks, training, settings.rules)
    with counting(len(training) * len(chains), "augmenting") as step:
        made = augmented(training, chains, settings.seed, jobs=settings.jobs, rules=settings.rules, progress=step)
    return made.train, (*left_out, *made.notes)


def _tell(record: dict[str, object], output: str, already: bool, settings: Settings) -> None:
    if settings.format == "json":
        emit(to_json(record), "-")
        return
    if already:
        note(f"{output} holds this model already, trained to its end; nothing was done")
    epochs = record["epochs"]
    assert isinstance(epochs, list)
    best = next((one for one in epochs if one["epoch"] == record["best_epoch"]), None)
    scores = f", strict F1 {best['f1']:.4f} on the dev set" if best and best["f1"] is not None else ""
    early = "; stopped early" if record["stopped_early"] else ""
    emit(f"{output}: epoch {record['best_epoch']} of {len(epochs)}{scores}{early}\n"
         f"run it with -t native:{output}\n", "-")  # fmt: skip
