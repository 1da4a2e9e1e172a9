"""What is left of attacked sets once people have judged them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nerquake.analyse.flips import mention_map
from nerquake.analyse.review.resolve import Resolved
from nerquake.core.decisions import Decision
from nerquake.core.span import Span
from nerquake.core.variant import AttackedSet, Variant

NOT_REVIEWED = "not reviewed"
UNDECIDED = "undecided by the reviewer"
UNSURE = "the reviewer was unsure"
DISAGREED = "the reviewers disagree"
REJECTED = "rejected"


def curated_sets(sets: Sequence[AttackedSet], resolved: Resolved) -> tuple[AttackedSet, ...]:
    """The sets with the changed sentences that were accepted, under their new labels where they got some.

    All other changed sentences are discarded, each with its reason: nothing is accepted that nobody accepted.
    Sentences that the attack left alone stay as they are.
    """
    return tuple(
        replace(made, variants=tuple(_curated(made.name, variant, resolved) for variant in made.variants))
        for made in sets
    )


def _curated(set_name: str, variant: Variant, resolved: Resolved) -> Variant:
    if variant.status != "changed":
        return variant
    key = f"{variant.parent}~{set_name}"
    decision = resolved.decisions.get(key)
    if decision is not None and decision.choice == "accept":
        return variant
    if decision is not None and decision.choice == "relabel":
        return relabelled(variant, decision)
    return replace(variant, status="discarded", reason=_reason(key, decision, resolved))


def _reason(key: str, decision: Decision | None, resolved: Resolved) -> str:
    if key in resolved.conflicts:
        return DISAGREED
    if decision is None:
        return UNDECIDED if key in resolved.undecided else NOT_REVIEWED
    if decision.choice == "unsure":
        return UNSURE
    return f"{REJECTED}: {decision.reason}" if decision.reason else REJECTED


def relabelled(variant: Variant, decision: Decision) -> Variant:
    """The variant under the labels of the decision; mentions are followed by their place in the text."""
    places = {_place(span): index for index, span in enumerate(decision.spans)}
    old = variant.sentence.spans
    known = mention_map(variant, len(variant.mentions))
    mentions = tuple(None if new is None else places.get(_place(old[new])) for new in known)
    return replace(variant, sentence=replace(variant.sentence, spans=decision.spans), mentions=mentions)


def _place(span: Span) -> tuple[int, int]:
    return span.start, span.end
