"""The tags that a network tells apart, their scheme, and which may follow which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nerquake.core.errors import InputError
from nerquake.core.scheme import OUTSIDE, SCHEMES, Scheme, split_tag
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span

Allowed = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TagSet:
    """K tags by number, and their scheme.

    tags    in the order of the network's outputs; of equal ones, as for special pieces, the first is trained
    places  the number of each
    """

    tags: tuple[str, ...]
    scheme: Scheme
    places: dict[str, int] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        size = len(self.tags)
        object.__setattr__(self, "places", {tag: size - 1 - at for at, tag in enumerate(reversed(self.tags))})
        if OUTSIDE not in self.places:
            raise ValueError(f"O is among the tags, got {self.tags}")

    def __len__(self) -> int:
        return len(self.tags)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, sorted."""
        return tuple(sorted({split_tag(tag)[1] for tag in self.tags} - {""}))

    def numbers(self, size: int, spans: Sequence[Span]) -> list[int]:
        """The tag of each of `size` tokens as its number.

        Raises:
            InputError: a label that the network does not have.
        """
        try:
            return [self.places[tag] for tag in self.scheme.encode(spans, size)]
        except KeyError:
            unknown = sorted({span.label for span in spans} - set(self.labels))
            raise InputError(
                f"the model has no tags for {', '.join(unknown) or 'these mentions'}, only for "
                f"{', '.join(self.labels)} ({self.scheme.name}): rename labels with --map, or train a new model"
            ) from None


@dataclass(frozen=True, slots=True, eq=False)
class Constraints:
    """Which tags may begin a sentence [K], end it [K], and follow one another [K, K]; true where they may."""

    start: Allowed
    end: Allowed
    transitions: Allowed


def tag_set(labels: Iterable[str], scheme: str) -> TagSet:
    """The tags of some labels: O first, then label by label."""
    found = SCHEMES[scheme]
    examples = ([(0, 1)], [(0, 2)], [(0, 3)], [(0, 1), (1, 2)])
    used = {tag for ends in examples for tag in found.encode([Span(*two, "X") for two in ends], 3)} - {OUTSIDE}
    prefixes = sorted(split_tag(tag)[0] for tag in used)
    return TagSet((OUTSIDE, *(f"{prefix}-{label}" for label in sorted(set(labels)) for prefix in prefixes)), found)


def constraints(tags: TagSet) -> Constraints:
    """What the scheme allows; O stands for both ends of a sentence."""
    allows = tags.scheme.allows
    return Constraints(
        np.array([allows(OUTSIDE, tag) for tag in tags.tags]),
        np.array([allows(tag, OUTSIDE) for tag in tags.tags]),
        np.array([[allows(before, after) for after in tags.tags] for before in tags.tags]),
    )


def labels_of(sentences: Iterable[Sentence]) -> frozenset[str]:
    """The labels of all mentions."""
    return frozenset(span.label for sentence in sentences for span in sentence.spans)
