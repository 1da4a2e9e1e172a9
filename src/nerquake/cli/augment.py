"""`nerquake augment FILE -p SPEC... -o FILE`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from nerquake.cli.options import Settings, attacks_of, attacks_option, data_options, output_option
from nerquake.cli.progress import counting
from nerquake.cli.show import note
from nerquake.core.errors import UsageError


@click.command()
@click.argument("file")
@attacks_option
@output_option
@data_options
def command(file: str, attacks: Sequence[str], output: str, settings: Settings) -> None:
    """Write a training file: the original sentences, then the augmented ones, in the input's own format.

    Paper R's augmentations: entity-switching, random-masking, mixing-up.
    """
    from nerquake.io.load import save
    from nerquake.perturb.augment import augment

    if not attacks:
        raise UsageError("augment needs an augmentation: -p random-masking; `nerquake plugins` lists them")
    read = settings.sampled(file)
    gold = read.dataset
    chains, notes = attacks_of(attacks, gold, settings.rules)
    with counting(len(gold) * len(chains), "augmenting") as step:
        made, said = augment(gold, chains, settings.seed, jobs=settings.jobs, rules=settings.rules, progress=step)
    for line in (*read.notes, *notes, *said, *save(made, output, gold.reader)):
        note(line)
    note(f"{len(gold):,} original and {len(made) - len(gold):,} augmented sentences")
