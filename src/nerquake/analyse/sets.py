"""What an attack did to a data set, as `result.json` and `summary.json` say it (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from nerquake.core.dataset import Dataset
from nerquake.core.errors import NerquakeError, SpecError
from nerquake.core.protocols import Fingerprinted
from nerquake.core.spec import Chain, Value, parse_spec
from nerquake.core.tagging import Named
from nerquake.core.variant import NOT_SAMPLED, ORIGINAL, STATUSES, AttackedSet, Variant
from nerquake.registry import TAGGERS


def set_block(
    original: Dataset, attacked: AttackedSet, chain: Chain | None = None, taggers: Sequence[Named] | None = None
) -> dict[str, Any]:
    """One entry of `sets`. Mentions are those of the original sentences that were sampled.

    chain     the attack, for the surrogate that it was chosen by
    taggers   the models that are audited, for those among them that were the surrogate
    """
    surrogates = surrogates_of(chain) if chain is not None else ()
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
        "rejected": dict(attacked.rejected),
        "sentences_changed": attacked.statuses["changed"],
        "surrogate": surrogates[-1] if surrogates else None,
        **({} if taggers is None else {"chosen_against": chosen_against(surrogates, taggers)}),
        "notes": list(attacked.notes),
    }


HOW_RUN = frozenset({"batch", "device", "precision", "runtime", "jobs"})
"""Options of a model that say how it is run, not which it is."""


def surrogates_of(chain: Chain) -> tuple[str, ...]:
    """The surrogates that steps of an attack name, as typed."""
    found = (step.get("surrogate") for step in chain.steps)
    return tuple(text for text in found if isinstance(text, str) and text)


def chosen_against(surrogates: Iterable[str], taggers: Sequence[Named]) -> list[str]:
    """The names of those models that were a surrogate, however their specifications are written.

    Two are the same model where their specifications mean the same, apart from how it is run, or where both say that
    their answers depend on the same.
    """
    texts = set(surrogates)
    plain = {_plain(text) for text in texts}
    prints = {_fingerprint(text) for text in texts} - {None}
    return [
        named.name
        for named in taggers
        if _plain(named.spec) in plain or (prints and _fingerprint_of(named.tagger) in prints)
    ]


def _fingerprint(text: str) -> str | None:
    """What the answers of the model of a specification depend on; None where it cannot say."""
    try:
        return _fingerprint_of(TAGGERS.build(parse_spec(text, TAGGERS.names())))
    except NerquakeError:
        return None


def _fingerprint_of(tagger: object) -> str | None:
    try:
        return f"{type(tagger).__name__} {tagger.fingerprint()}" if isinstance(tagger, Fingerprinted) else None
    except NerquakeError:
        return None


def _plain(text: str) -> tuple[str, frozenset[tuple[str, Value]]]:
    """A specification without its name, its options in no order and written one way."""
    try:
        spec = TAGGERS.expand(parse_spec(text, TAGGERS.names()).without("name"))
    except SpecError:
        return text, frozenset()
    return spec.name, frozenset(
        (key.replace("_", "-"), value) for key, value in spec.params if key.replace("_", "-") not in HOW_RUN
    )


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
