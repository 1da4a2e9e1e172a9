"""What became of a mention: right or wrong before and after an attack, and wrong in which way.

Everything follows the one pairing that scores follow (docs/scoring.md), so that marks and figures never disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from nerquake.core.edits import MentionMap
from nerquake.core.span import Span
from nerquake.core.variant import Variant
from nerquake.score.flips import flips, right
from nerquake.score.match import pair

OutcomeKind = Literal["right", "type", "boundary", "missed"]


class Followed(NamedTuple):
    """Indices of an original sentence's mentions, of those that stand in both texts.

    compared   all of them
    right      right before the attack
    fell       right before, wrong after
    rose       wrong before, right after
    """

    compared: tuple[int, ...]
    right: tuple[int, ...]
    fell: tuple[int, ...]
    rose: tuple[int, ...]


class Outcome(NamedTuple):
    """How a model did on one gold mention, and which of its mentions is its answer (None where it missed).

    kind   "right"; "type": same tokens, other label; "boundary": other tokens, whatever the label; "missed"
    """

    kind: OutcomeKind
    said: Span | None


class Outcomes(NamedTuple):
    """One outcome for each gold mention, and the predicted mentions that answer to none."""

    mentions: tuple[Outcome, ...]
    spurious: tuple[Span, ...]


_NOTHING = Outcomes((), ())


def mention_map(variant: Variant, mentions: int) -> MentionMap:
    """A variant's mention map; where nothing was changed every mention is itself."""
    return variant.mentions if variant.mentions or variant.status == "changed" else tuple(range(mentions))


def follow(
    original: tuple[Sequence[Span], Sequence[Span]],
    attacked: tuple[Sequence[Span], Sequence[Span]],
    mentions: MentionMap,
) -> Followed:
    """Follow each mention through the map; one that is gone in the attacked text is in none of the four.

    original, attacked   gold and predicted mentions of each sentence
    """
    flipped = flips(original, attacked, mentions)
    compared = tuple(old for old, new in enumerate(mentions) if new is not None)
    before = right(*original)
    return Followed(compared, tuple(old for old in compared if old in before), flipped.fell, flipped.rose)


def outcomes(gold: Sequence[Span], predicted: Sequence[Span]) -> Outcomes:
    """How each gold mention was met, by the pairing that the scores use."""
    if not gold:
        return _NOTHING if not predicted else Outcomes((), tuple(predicted))
    if tuple(gold) == tuple(predicted):  # the most common answer needs no pairing
        return Outcomes(tuple(Outcome("right", span) for span in predicted), ())
    partner = {found.gold: predicted[found.predicted] for found in pair(gold, predicted)}
    used = set(partner.values())
    return Outcomes(
        tuple(Outcome(_kind(span, partner.get(index)), partner.get(index)) for index, span in enumerate(gold)),
        tuple(span for span in predicted if span not in used),
    )


def _kind(gold: Span, said: Span | None) -> OutcomeKind:
    if said is None:
        return "missed"
    if not said.same_range(gold):
        return "boundary"
    return "right" if said.label == gold.label else "type"
