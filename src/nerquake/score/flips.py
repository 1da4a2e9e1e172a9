"""Mentions that were right and are wrong now, through the mention map of an attack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nerquake.core.edits import MentionMap
from nerquake.core.span import Span


class Flips(NamedTuple):
    """Indices of mentions of the original sentence.

    fell   right in the original, wrong in the attacked sentence
    rose   the other way round
    """

    fell: tuple[int, ...] = ()
    rose: tuple[int, ...] = ()


def right(gold: Sequence[Span], predicted: Sequence[Span]) -> frozenset[int]:
    """Indices of the gold mentions that were predicted with equal span and label."""
    found = set(predicted)
    return frozenset(index for index, span in enumerate(gold) if span in found)


def flips(
    original: tuple[Sequence[Span], Sequence[Span]],
    attacked: tuple[Sequence[Span], Sequence[Span]],
    mentions: MentionMap,
) -> Flips:
    """Which mentions changed sides. A mention that the attacked sentence no longer has is neither right nor wrong.

    original, attacked   gold and predicted mentions of each sentence
    mentions             for each mention of the original its index in the attacked sentence, or None

    Raises:
        ValueError: the map is not about these mentions.
    """
    if len(mentions) != len(original[0]):
        raise ValueError(f"the mention map covers {len(mentions)} mentions, the original has {len(original[0])}")
    before, after = right(*original), right(*attacked)
    pairs = [(old, new) for old, new in enumerate(mentions) if new is not None]
    fell = tuple(old for old, new in pairs if old in before and new not in after)
    rose = tuple(old for old, new in pairs if old not in before and new in after)
    return Flips(fell, rose)
