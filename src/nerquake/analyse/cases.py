"""The sentences worth looking at: changed by an attack, and some model's mention fell or rose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from nerquake.analyse.flips import follow
from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, Source
from nerquake.core.results import Case, Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL, AttackedSet, Variant

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
    """One case for every (set, changed sentence) where any model's mention fell or rose.

    original      the data set under the labels that are scored
    predictions   by (tagger, set name); "original" is the set before the attack; labels joined

    Mentions are followed through the variant's mention map, rightness is strict. Sets come in their order, the
    sentences of a set in the order of the data set.

    Raises:
        ValueError: a model has no answer for a sentence that it should have tagged.
    """
    return tuple(case for attacked in sets for case in _cases_of(original, attacked, predictions))


def _cases_of(original: Dataset, attacked: AttackedSet, predictions: AllPredictions) -> Iterator[Case]:
    order = {sentence.id: position for position, sentence in enumerate(original.sentences)}
    answers = answers_for(attacked.name, predictions)
    changed = [variant for variant in attacked.variants if variant.status == "changed"]
    for variant in sorted(changed, key=lambda v: order[v.parent]):
        case = _case(attacked.name, original.sentences[order[variant.parent]], variant, answers)
        if any(case.fell.values()) or any(case.rose.values()):
            yield case


def _case(set_name: str, parent: Sentence, variant: Variant, answers: Sequence[Answers]) -> Case:
    predicted: dict[str, tuple[tuple[Span, ...], tuple[Span, ...]]] = {}
    fell: dict[str, tuple[int, ...]] = {}
    rose: dict[str, tuple[int, ...]] = {}
    for answer in answers:
        before = spans_of(answer.original, parent.id, answer.tagger)
        after = spans_of(answer.attacked, variant.id, answer.tagger)
        flipped = follow((parent.spans, before), (variant.sentence.spans, after), variant.mentions)
        predicted[answer.tagger] = (before, after)
        fell[answer.tagger], rose[answer.tagger] = flipped.fell, flipped.rose
    return Case(
        set=set_name,
        parent=parent.id,
        id=variant.id,
        original=parent.tokens,
        attacked=variant.sentence.tokens,
        original_spans=parent.spans,
        attacked_spans=variant.sentence.spans,
        edits=tuple(edit_record(edit, parent) for edit in variant.edits),
        mentions=variant.mentions,
        predicted=predicted,
        fell=fell,
        rose=rose,
        meta=dict(parent.meta),
        source=rewrite_source(variant),
    )


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
