"""What `wikidata` says of a data set: what it drew from, what was linked, what stays and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from nerquake.core.dataset import Dataset
from nerquake.knowledge.dictionary import Dictionary
from nerquake.perturb.base import Mention, Replacement, width_note
from nerquake.perturb.wikidata_plan import REASONS, Outcome, Planning
from nerquake.perturb.wikidata_pools import Types

Counts = Mapping[tuple[str, str], int]
"""Mentions by label and the reason why they stay, empty where they can be replaced."""


def notes_of(planning: Planning, corpus: Dataset, mentions: Sequence[Mention], said: Sequence[str]) -> tuple[str, ...]:
    """The notes.

    mentions   all that the attack applies to
    said       what was said while they were linked
    """
    counts = Counter((mention.label, _reason(planning.outcomes[mention.key])) for mention in mentions)
    lines = [*_of_dictionary(planning.dictionary, planning.language), *said, *_left_alone(counts, corpus)]
    lines += [*_outcomes(counts, corpus), *_pools(planning, counts)]
    replaced = {key: found for key, found in planning.outcomes.items() if isinstance(found, Replacement)}
    return (*(f"wikidata: {line}" for line in lines), width_note(replaced, "wikidata"))


def notes_of_types(dictionary: Dictionary, types: Mapping[str, Types], unknown: Sequence[str]) -> Iterator[str]:
    """Labels of which nothing can be replaced since their name types are not known, or the dictionary has none of them.

    types    of labels whose types are known
    unknown  labels whose types are not
    """
    if unknown:
        said = f"say them with label-types={unknown[0]}=ORG (- for no names)"
        yield f"wikidata: labels whose name types are not known are left alone: {', '.join(unknown)}; {said}"
    there = sorted(type_ for (type_,) in dictionary.ask("SELECT DISTINCT type FROM class_type"))
    lacking = [f"{label} ({' '.join(own)})" for label, own in sorted(types.items()) if not set(own) & set(there)]
    if lacking:
        listed = ", ".join(there) or "none at all"
        yield f"wikidata: {dictionary.path} has no class of the name types of {', '.join(lacking)}; it has {listed}"


def _reason(outcome: Outcome) -> str:
    return outcome if isinstance(outcome, str) else ""


def _of_dictionary(dictionary: Dictionary, language: str) -> Iterator[str]:
    meta = dictionary.meta
    made = ", ".join(dict.fromkeys(source.builder for source in meta.sources))
    made = f" ({made})" if made not in ("", dictionary.path) else ""
    yield f"dictionary {dictionary.path}{made}, content {meta.digest[:12]}, names in {language}"
    for one in (*(one for source in meta.sources for one in source.filters), *meta.filters):
        removed = ", ".join(f"{what} {count:,}" for what, count in one.removed.items())
        yield f"left out of the dictionary by {one.name}: {removed or 'nothing'}"
    yield from meta.attributions


def _left_alone(counts: Counts, corpus: Dataset) -> Iterator[str]:
    taken = {label for label, _ in counts}
    left = [f"{label} {count:,}" for label, count in sorted(corpus.mentions.items()) if label not in taken]
    if left:
        yield f"other labels left alone: {', '.join(left)}"


def _outcomes(counts: Counts, corpus: Dataset) -> Iterator[str]:
    total = corpus.mentions.total()
    attackable = sum(count for (_, reason), count in counts.items() if not reason)
    share = f" ({attackable / total:.1%})" if total else ""
    yield f"{attackable:,} of {total:,} mentions can be replaced{share}"
    for reason in REASONS:
        found = {label: count for (label, why), count in sorted(counts.items()) if why == reason}
        if found:
            by_label = ", ".join(f"{label} {count:,}" for label, count in found.items())
            yield f"{reason}: {sum(found.values()):,} ({by_label})"


def _pools(planning: Planning, counts: Counts) -> Iterator[str]:
    """How many classes and entities there are for the mentions of each label."""
    found = [
        f"{label} {len(pools):,} with {sum(pool.size for pool in pools):,} for {counts.get((label, ''), 0):,}"
        for label, pools in sorted(planning.pools.items())
        if pools
    ]
    if found:
        yield f"classes with entities for mentions: {', '.join(found)}"
