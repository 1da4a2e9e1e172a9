"""Every sentence under every attack: both texts, what each model said of them, and what became of each mention."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from nerquake.analyse.flips import OutcomeKind, mention_map, outcomes
from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, MentionMap, Source
from nerquake.core.results import Case, Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL, AttackedSet, Variant

GONE = "gone"
"""The outcome of a mention in a text that does not hold it."""
V = TypeVar("V")
_RIGHT: tuple[OutcomeKind, ...] = ("right",)
AllPredictions = Mapping[tuple[str, str], Predictions]
"""Predictions by (tagger, set); the set "original" is the unattacked one."""


class Answers(NamedTuple):
    """One model's mentions by sentence id, in the original set and in one attacked set."""

    tagger: str
    original: Mapping[str, tuple[Span, ...]]
    attacked: Mapping[str, tuple[Span, ...]]


def by_id(predictions: Predictions) -> dict[str, tuple[Span, ...]]:
    """A model's mentions by sentence id."""
    return dict(zip(predictions.ids, predictions.spans, strict=True))


def answers_for(set_name: str, predictions: AllPredictions) -> list[Answers]:
    """The models that answered both the original set and this one, in the order in which they were given."""
    found = []
    for (tagger, name), answer in predictions.items():
        if name == set_name and (tagger, ORIGINAL) in predictions:
            found.append(Answers(tagger, by_id(predictions[tagger, ORIGINAL]), by_id(answer)))
    return found


def spans_of(answers: Mapping[str, tuple[Span, ...]], sentence_id: str, tagger: str) -> tuple[Span, ...]:
    """The mentions of one sentence.

    Raises:
        ValueError: the model has no answer for it.
    """
    try:
        return answers[sentence_id]
    except KeyError:
        raise ValueError(f"{tagger} has no answer for sentence {sentence_id!r}") from None


def build_cases(original: Dataset, sets: Sequence[AttackedSet], predictions: AllPredictions) -> tuple[Case, ...]:
    """One case for every sentence under every attack, whatever became of it.

    original      the data set under the labels that are scored
    predictions   by (tagger, set name); "original" is the set before the attack; labels joined

    Mentions are followed through the variant's mention map, rightness is strict, and outcomes follow the pairing of the
    scores. Sets come in their order, the sentences of a set in the order of the data set. What belongs to an original
    sentence is one object in all of its cases.

    Raises:
        ValueError: a model has no answer for a sentence that it should have tagged.
    """
    builder = _Builder(original)
    return tuple(case for attacked in sets for case in builder.of(attacked, answers_for(attacked.name, predictions)))


class _Builder:
    """Makes cases; what several of them hold is made once."""

    def __init__(self, original: Dataset) -> None:
        self.originals = original.sentences
        self.order = {sentence.id: position for position, sentence in enumerate(original.sentences)}
        self.meta: dict[str, Mapping[str, str]] = {}
        self.met: dict[tuple[str, str], Met] = {}
        self.known: dict[Any, Any] = {}

    def of(self, attacked: AttackedSet, answers: Sequence[Answers]) -> Iterator[Case]:
        """The cases of a set."""
        for variant in sorted(attacked.variants, key=lambda v: self.order[v.parent]):
            yield self.case(attacked.name, self.originals[self.order[variant.parent]], variant, answers)

    def case(self, set_name: str, parent: Sentence, variant: Variant, answers: Sequence[Answers]) -> Case:
        """One sentence under one attack."""
        kept = variant.kept
        text = variant.sentence if kept else None
        mentions: MentionMap = mention_map(variant, len(parent.spans)) if kept else (None,) * len(parent.spans)
        said = {
            answer.tagger: (
                spans_of(answer.original, parent.id, answer.tagger),
                spans_of(answer.attacked, variant.id, answer.tagger),
            )
            for answer in (answers if kept else ())
        }
        turns: dict[str, Turn] = {}
        spurious: dict[str, tuple[int, ...]] = {}
        for tagger, (before, after) in said.items():
            now = met(variant.sentence.spans, after)
            turns[tagger] = turn(self._before(tagger, parent, before).kinds, now.kinds, mentions)
            spurious[tagger] = now.spurious
        return Case(
            set=set_name,
            parent=parent.id,
            id=variant.id,
            original=parent.tokens,
            attacked=_same(parent.tokens, text.tokens) if text else (),
            original_spans=parent.spans,
            attacked_spans=_same(parent.spans, text.spans) if text else (),
            edits=tuple(edit_record(edit, parent) for edit in sorted(variant.edits, key=_place)) if kept else (),
            mentions=mentions,
            predicted=said,
            fell=self._shared({tagger: turn.fell for tagger, turn in turns.items()}),
            rose=self._shared({tagger: turn.rose for tagger, turn in turns.items()}),
            meta=self.meta.setdefault(parent.id, dict(parent.meta)),
            source=rewrite_source(variant) if kept else {},
            status=variant.status,
            reason=variant.reason,
            doc_id=parent.doc_id,
            outcomes=self._shared({tagger: turn.outcomes for tagger, turn in turns.items()}),
            spurious=self._shared(spurious),
        )

    def _before(self, tagger: str, parent: Sentence, said: tuple[Span, ...]) -> Met:
        key = tagger, parent.id
        if key not in self.met:
            self.met[key] = met(parent.spans, said)
        return self.met[key]

    def _shared(self, made: dict[str, V]) -> dict[str, V]:
        """The same mapping as an earlier one where they are equal: most sentences fare alike."""
        found: dict[str, V] = self.known.setdefault(tuple(made.items()), made)
        return found


def _place(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def _same(old: tuple[V, ...], new: tuple[V, ...]) -> tuple[V, ...]:
    """The old value where the new one equals it, so that only one of them is kept."""
    return old if old == new else new


class Met(NamedTuple):
    """How a text was met: the kind of outcome of each gold mention, and the places of mentions that answer to none."""

    kinds: tuple[OutcomeKind, ...]
    spurious: tuple[int, ...]


class Turn(NamedTuple):
    """What became of mentions, as a case holds it."""

    outcomes: tuple[tuple[str, str], ...]
    fell: tuple[int, ...]
    rose: tuple[int, ...]


def met(gold: tuple[Span, ...], predicted: tuple[Span, ...]) -> Met:
    """How gold mentions were met, by the pairing that the scores use."""
    if gold == predicted:  # the most common answer
        return _all_right(len(gold))
    found = outcomes(gold, predicted)
    astray = set(found.spurious)
    kinds = tuple(outcome.kind for outcome in found.mentions)
    return Met(kinds, tuple(place for place, span in enumerate(predicted) if span in astray) if astray else ())


@lru_cache(maxsize=4096)
def _all_right(mentions: int) -> Met:
    return Met(_RIGHT * mentions, ())


@lru_cache(maxsize=4096)
def turn(before: tuple[OutcomeKind, ...], after: tuple[OutcomeKind, ...], mentions: MentionMap) -> Turn:
    """Outcomes before and after, through the mention map: the original's mentions, then those that have come."""
    pairs = [(was, GONE if new is None else after[new]) for was, new in zip(before, mentions, strict=True)]
    come = [(GONE, now) for new, now in enumerate(after) if new not in mentions]
    fell = (place for place, (was, now) in enumerate(pairs) if was == "right" and now not in ("right", GONE))
    rose = (place for place, (was, now) in enumerate(pairs) if was != "right" and now == "right")
    return Turn((*pairs, *come), tuple(fell), tuple(rose))


def with_outcomes(case: Case) -> Case:
    """The case with its outcomes, found from its mentions and predictions."""
    turns: dict[str, tuple[tuple[str, str], ...]] = {}
    spurious: dict[str, tuple[int, ...]] = {}
    for tagger, (before, after) in case.predicted.items():
        now = met(case.attacked_spans, after)
        turns[tagger] = turn(met(case.original_spans, before).kinds, now.kinds, case.mentions).outcomes
        spurious[tagger] = now.spurious
    return replace(case, outcomes=turns, spurious=spurious)


def rewrite_source(variant: Variant) -> dict[str, str]:
    """Where a rewritten sentence came from; nothing for one that was edited."""
    return joined_source(variant.rewrite.source) if variant.rewrite is not None else {}


def joined_source(pairs: Source) -> dict[str, str]:
    """Provenance by name; a name that stands twice holds both values."""
    source: dict[str, str] = {}
    for key, value in pairs:
        source[key] = f"{source[key]}, {value}" if key in source else value
    return source


def edit_record(edit: Edit, parent: Sentence) -> dict[str, Any]:
    """An edit as docs/formats.md has it."""
    return {
        "start": edit.start,
        "end": edit.end,
        "old": list(parent.tokens[edit.start : edit.end]),
        "new": list(edit.new),
        "kind": edit.kind,
        "source": joined_source(edit.source),
    }
