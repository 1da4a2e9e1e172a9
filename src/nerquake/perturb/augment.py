"""Training files: the original sentences and their attacked variants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.labels import LabelRules
from nerquake.core.sentence import Sentence, TokenIds
from nerquake.core.spec import Chain
from nerquake.core.variant import AttackedSet
from nerquake.perturb.proposing import Progress
from nerquake.perturb.run import attack, renamed


class Augmented(NamedTuple):
    """A data set with its variants behind it, and what was added and left out, in words."""

    dataset: Dataset
    notes: tuple[str, ...]


def augment(
    dataset: Dataset,
    chains: Chain | Sequence[Chain],
    seed: int,
    *,
    jobs: int = 1,
    sample: frozenset[str] | None = None,
    rules: LabelRules | None = None,
    progress: Progress | None = None,
) -> Augmented:
    """The original sentences followed by the changed variants of each attack.

    A variant keeps the id of its sentence as `source`, so that no split can part the two. Variants that equal their
    sentence are not added again; the notes count them, and the sentences without a mention among them.

    chains   one attack or several
    sample   ids of the sentences to make variants of; all originals stay
    rules    how the labels of a surrogate are joined to those of the data set

    Raises: as `attack`.
    """
    several = [chains] if isinstance(chains, Chain) else list(chains)
    ids = TokenIds()
    for sentence in dataset:
        if sentence.hashed:
            ids.next(sentence.tokens)
    sentences = list(dataset.sentences)
    taken = {sentence.id for sentence in sentences}
    notes: list[str] = []
    for chain in several:
        made = attack(dataset, chain, seed, jobs=jobs, sample=sample, rules=rules, progress=progress)
        added = [_added(v.sentence, v.parent, ids, taken) for v in made.variants if v.status == "changed"]
        sentences += added
        notes += [*made.notes, _summary(dataset, made, len(added))]
    return Augmented(dataset.with_sentences(sentences), tuple(notes))


def _added(sentence: Sentence, parent: str, ids: TokenIds, taken: set[str]) -> Sentence:
    """Under an id of its own: hashed ids count on from the originals, as reading the written file would; others get
    `.2`, `.3` where the file was augmented before."""
    base = made = ids.next(sentence.tokens) if sentence.hashed else sentence.id
    count = 1
    while made in taken:
        count += 1
        made = f"{base}.{count}"
    taken.add(made)
    return renamed(sentence, made, parent)


def _summary(dataset: Dataset, made: AttackedSet, added: int) -> str:
    bare = {sentence.id for sentence in dataset if not sentence.spans}
    left = [variant for variant in made.variants if variant.status != "changed"]
    free = sum(variant.parent in bare for variant in left)
    reasons: dict[str, int] = {}
    for variant in left:
        if variant.parent not in bare:
            reasons[variant.reason] = reasons.get(variant.reason, 0) + 1
    others = "".join(f"; {count} not added: {reason}" for reason, count in sorted(reasons.items()))
    return (
        f"{made.name}: {len(dataset)} sentences + {added} variants; "
        f"{free} sentences without a mention stand once, as they are{others}"
    )
