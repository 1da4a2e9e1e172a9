"""What an attack did to a data set, as `result.json` and `summary.json` say it (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nerquake.core.dataset import Dataset
from nerquake.core.variant import NOT_SAMPLED, ORIGINAL, STATUSES, AttackedSet, Variant


def set_block(original: Dataset, attacked: AttackedSet) -> dict[str, Any]:
    """One entry of `sets`. Mentions are those of the original sentences that were sampled."""
    sizes = {sentence.id: len(sentence.spans) for sentence in original}
    drawn = [variant for variant in attacked.variants if variant.reason != NOT_SAMPLED]
    return {
        "name": attacked.name,
        "spec": attacked.spec,
        "level": attacked.level,
        "status": attacked.statuses,
        "reasons": attacked.reasons,
        "mentions": {
            "all": sum(sizes[variant.parent] for variant in drawn),
            "attackable": sum(variant.attackable for variant in drawn),
            "replaced": sum(variant.replaced for variant in drawn if variant.kept),
        },
        "context_words": attacked.context_words,
        "sentences_changed": attacked.statuses["changed"],
        "notes": list(attacked.notes),
    }


def original_set(sentences: Sequence[str], original: Dataset) -> AttackedSet:
    """The untouched set as a set: every sentence unchanged; those not among `sentences` (ids) are not sampled."""
    taken = set(sentences)
    return AttackedSet(
        name=ORIGINAL,
        spec=ORIGINAL,
        level="none",
        variants=tuple(
            Variant(s, s.id, "unchanged", mentions=tuple(range(len(s.spans))))
            if s.id in taken
            else Variant(s, s.id, "discarded", NOT_SAMPLED)
            for s in original
        ),
    )


def original_block(original: Dataset, taken: Sequence[str]) -> dict[str, Any]:
    """The entry of `sets` for the untouched set."""
    block = set_block(original, original_set(taken, original))
    block["status"] = {status: block["status"][status] for status in STATUSES}
    return block
