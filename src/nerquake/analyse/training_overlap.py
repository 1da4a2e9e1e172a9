"""Whether an audit asks models about the sentences that they were trained on (docs/formats.md, sources.jsonl)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nerquake.core.errors import InputError, PluginError, guarded
from nerquake.core.protocols import Trained
from nerquake.core.sentence import Sentence
from nerquake.core.sources import Overlap, Sources, overlap
from nerquake.core.tagging import Named

SHOWN = 5
"""Ids that a message names."""
ADVICE = (
    "Scores on them show what a model remembers. Audit sentences that it was not trained on, or add --allow-overlap,"
    " which the report then shows."
)


@dataclass(frozen=True, slots=True)
class TrainingOverlap:
    """What one model was trained on among the audited sentences.

    tagger   the model's name
    sources  what it was trained on
    audited  how many sentences are audited
    found    which of them it knows
    """

    tagger: str
    sources: Sources
    audited: int
    found: Overlap

    def to_json(self) -> dict[str, Any]:
        """An entry of `findings.training_overlap` (docs/formats.md)."""
        return {
            "tagger": self.tagger,
            "trained_on": self.sources.name,
            "sources": len(self.sources),
            "audited": self.audited,
            **{kind: list(ids) for kind, ids in self.found._asdict().items()},
        }

    def notes(self) -> Iterator[str]:
        """What the outputs say of it, warnings among them."""
        name = self.sources.name
        data = f"its training data ({name})" if name else "its training data"
        both, id_only, hash_only = self.found
        asked = f"of {self.audited:,} audited sentences"
        if both:
            yield (
                f"{self.tagger}: {len(both):,} {asked}, or what they were made from, stand in {data}, which"
                f" --allow-overlap let pass: {_first(both)}"
            )
        if id_only:
            yield f"{self.tagger}: {len(id_only):,} {asked} have an id of {data} and other tokens: {_first(id_only)}"
        if hash_only:
            yield f"{self.tagger}: {len(hash_only):,} {asked} stand in {data} under another id: {_first(hash_only)}"
        if not any(self.found):
            yield f"{self.tagger}: none {asked} stands in {data}, by id or by tokens"


def training_overlaps(
    taggers: Sequence[Named], audited: Sequence[Sentence], others: Sequence[Sentence] = ()
) -> tuple[TrainingOverlap, ...]:
    """One entry for each model that knows what it was trained on.

    audited  the sentences that models are asked about
    others   the rest of their file, in which their sources may stand

    Raises:
        InputError: what a model knows it from is damaged.
        PluginError: a model of a third party breaks the protocol.
    """
    made = []
    for named in taggers:
        trained = _trained_on(named)
        if trained is not None:
            made.append(TrainingOverlap(named.name, trained, len(audited), overlap(trained, audited, others)))
    return tuple(made)


def _trained_on(named: Named) -> Sources | None:
    if not isinstance(named.tagger, Trained):
        return None
    with guarded(f"{named.name}, trained_on()"):
        found = named.tagger.trained_on()
    if found is not None and not isinstance(found, Sources):
        raise PluginError(f"{named.name}: trained_on() gives Sources or None, got a {type(found).__name__}")
    return found


def refuse_overlap(overlaps: Sequence[TrainingOverlap], file: str) -> None:
    """Raise InputError where a model was trained on audited sentences of `file`; names all such models."""
    lines = [
        f"{one.tagger} was trained on {len(one.found.both):,} of the {one.audited:,} sentences of {file} that it would"
        f" be asked about, or on what they were made from"
        f"{f' (its training data: {one.sources.name})' if one.sources.name else ''}: {_first(one.found.both)}."
        for one in overlaps
        if one.found.both
    ]
    if lines:
        raise InputError("\n".join([*lines, ADVICE]))


def _first(ids: Sequence[str]) -> str:
    more = len(ids) - SHOWN
    return ", ".join(ids[:SHOWN]) + (f" and {more:,} more" if more > 0 else "")
