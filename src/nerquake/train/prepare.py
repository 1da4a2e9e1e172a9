"""From data sets to what is trained on: a dev set, and augmented sentences behind the originals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError
from nerquake.core.labels import LabelRules
from nerquake.core.sources import Sources, overlap
from nerquake.core.spec import Chain
from nerquake.core.splits import seeded_part
from nerquake.perturb.augment import augment
from nerquake.perturb.proposing import Progress

OnOverlap = Literal["refuse", "drop", "allow"]
"""What becomes of evaluation sentences that stand in the training data."""


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


def evaluated(original: Dataset, training: Dataset, rule: OnOverlap) -> tuple[Dataset, tuple[str, ...]]:
    """The evaluation sentences that models are scored on, and what became of those that the training data hold.

    Raises:
        InputError: there are some, and the rule is to refuse them; or nothing else is left.
    """
    found = overlap(Sources.of(training.sentences, training.name), original.sentences)
    known = frozenset((*found.both, *found.hash_only))
    if not known:
        return original, ()
    what = f"{len(known):,} of the {len(original):,} sentences of {original.name} stand in {training.name} too"
    if rule == "allow":
        return original, (f"{what}: scores on them show what a model remembers (--overlap allow)",)
    if rule == "refuse" and found.both:
        raise InputError(
            f"{what} ({', '.join(found.both[:3])}, ...): scores on them would show what a model remembers; leave them "
            "out with --overlap drop, or keep them with --overlap allow"
        )
    kept = [sentence for sentence in original if sentence.id not in known]
    if rule == "refuse":
        return original, (f"{what}, under other ids: --overlap drop leaves them out",)
    if not kept:
        raise InputError(
            f"{original.name}: all sentences stand in {training.name} too, so that nothing is left to score"
        )
    return original.with_sentences(kept), (f"{what} and are left out",)
