"""Splits of labelled data that part no sentence from what was made of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import floor
from typing import NamedTuple

from nerquake.core.errors import InputError, UsageError
from nerquake.core.seeds import hashed
from nerquake.core.sentence import Sentence
from nerquake.core.sources import Lineage


class Split(NamedTuple):
    """Two parts of the same sentences, each in the order in which they came."""

    part: list[Sentence]
    rest: list[Sentence]


def split_by_source(sentences: Iterable[Sentence], share: float, seed: int) -> Split:
    """`share` of the sources with all that was made of them, and the rest (paper M, 4.2: 60/40).

    Which sources go where follows from the seed and their ids alone: they are ranked by a hash of the two, and the
    first `share` of them taken, rounded to a whole number; so neither the order of the sentences nor how many variants
    a source has plays a part. Neither side is left empty.

    share   between 0 and 1, both excluded

    Raises:
        UsageError: there is no such share.
        InputError: there are fewer than two sources.
    """
    return _split(list(sentences), share, seed, "split by source")


def seeded_part(sentences: Iterable[Sentence], share: float, seed: int) -> Split:
    """A part of training data that is kept aside, such as a dev set, and the rest that is trained on.

    As `split_by_source`, by other draws: with one seed the part does not follow the border of that split.

    Raises: as `split_by_source`.
    """
    return _split(list(sentences), share, seed, "seeded part")


def _split(sentences: Sequence[Sentence], share: float, seed: int, what: str) -> Split:
    if not 0 < share < 1:
        raise UsageError(f"a share of {share:g}: expected more than 0 and less than 1, such as 0.6")
    lineage = Lineage(sentences)
    roots = [lineage.root(sentence) for sentence in sentences]
    ranked = sorted(set(roots), key=lambda root: (hashed(seed, what, root), root))
    if len(ranked) < 2:
        raise InputError(
            f"{len(sentences)} sentence{'s' * (len(sentences) != 1)} from {len(ranked)} source{'s' * (not ranked)}"
            " cannot be split in two by source: one part would be empty; take more sentences"
        )
    size = min(max(floor(share * len(ranked) + 0.5), 1), len(ranked) - 1)
    chosen = set(ranked[:size])
    made = Split([], [])
    for sentence, root in zip(sentences, roots, strict=True):
        (made.part if root in chosen else made.rest).append(sentence)
    return made
