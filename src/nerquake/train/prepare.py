"""From data sets to what is trained on: a dev set, and augmented sentences behind the originals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError
from nerquake.core.labels import LabelRules
from nerquake.core.sources import Lineage, Sources, overlap
from nerquake.core.spec import Chain
from nerquake.core.splits import seeded_part
from nerquake.nn.tags import labels_of
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

    A drawn sentence with a label that no other part of the data has stays in training: a dev set cannot ask for what
    training never saw.

    Raises:
        InputError: there are too few sentences.
    """
    parts = seeded_part(dataset.sentences, share, seed)
    known = labels_of(parts.rest)
    lineage = Lineage(dataset.sentences)
    back = {lineage.root(one) for one in parts.part if not labels_of([one]) <= known}
    dev = [one for one in parts.part if lineage.root(one) not in back]
    if not back or not dev:
        train, dev, stayed = parts.rest, parts.part, ""
    else:
        held = {one.id for one in dev}
        train = [one for one in dataset if one.id not in held]
        stayed = f"; {len(parts.part) - len(dev):,} with labels that stand nowhere else stay in training"
    note = f"{len(dev):,} of {len(dataset):,} sentences of {dataset.name} are the dev set, drawn by the seed{stayed}"
    return Prepared(dataset.with_sentences(train), dataset.with_sentences(dev), (note,))


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


def evaluated(
    original: Dataset, training: Dataset | Sources, rule: OnOverlap, name: str = ""
) -> tuple[Dataset, tuple[str, ...]]:
    """The evaluation sentences that models are scored on, and what became of those that the training data hold.

    training  the data, or what a trained model tells of them
    name      what messages call them; by default their own name

    Raises:
        InputError: there are some, and the rule is to refuse them; or nothing else is left.
    """
    trained = training if isinstance(training, Sources) else Sources.of(training.sentences, training.name)
    where = name or training.name
    found = overlap(trained, original.sentences)
    known = frozenset((*found.both, *found.hash_only))
    if not known:
        return original, ()
    what = f"{len(known):,} of the {len(original):,} sentences of {original.name} stand in {where} too"
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
        raise InputError(f"{original.name}: all sentences stand in {where} too, so that nothing is left to score")
    return original.with_sentences(kept), (f"{what} and are left out",)
