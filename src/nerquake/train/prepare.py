"""From data sets to what is trained on: a dev set, and augmented sentences behind the originals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.labels import LabelRules
from nerquake.core.spec import Chain
from nerquake.core.splits import seeded_part
from nerquake.perturb.augment import augment
from nerquake.perturb.proposing import Progress


class Prepared(NamedTuple):
    """What is trained on, what training looks at, and what was done, in words."""

    train: Dataset
    dev: Dataset | None
    notes: tuple[str, ...]


def split_dev(dataset: Dataset, share: float, seed: int) -> Prepared:
    """Cut a dev set from the training data, by source.

    Raises:
        InputError: there are too few sentences.
    """
    parts = seeded_part(dataset.sentences, share, seed)
    note = f"{len(parts.part):,} of {len(dataset):,} sentences of {dataset.name} are the dev set, drawn by the seed"
    return Prepared(dataset.with_sentences(parts.rest), dataset.with_sentences(parts.part), (note,))


def augmented(
    dataset: Dataset,
    chains: Sequence[Chain],
    seed: int,
    *,
    jobs: int = 1,
    rules: LabelRules | None = None,
    progress: Progress | None = None,
) -> Prepared:
    """The original sentences and the variants of each augmentation; a variant knows its source."""
    if not chains:
        return Prepared(dataset, None, ())
    made, notes = augment(dataset, chains, seed, jobs=jobs, rules=rules, progress=progress)
    added = len(made) - len(dataset)
    return Prepared(made, None, (*notes, f"{len(dataset):,} original and {added:,} augmented sentences"))
