"""From mentions to counts: how gold and predicted mentions pair up, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from nerquake.core.errors import InputError, TokensDiffer
from nerquake.core.results import KINDS, Counts, CountTable, Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.score.match import pair

SAME, CLASH, OVERLAP, ASTRAY, MISSED, SPURIOUS, PREDICTED = range(len(KINDS))


def count(gold: Sequence[Sentence], predictions: Predictions, types: Iterable[str] | None = None) -> CountTable:
    """Count the pairs of every sentence. Predictions are joined by sentence id, whatever their order.

    types   labels that get rows of their own; by default all labels of either side. Mentions under other labels are
            counted overall, so that restricting the report changes no number in it.

    Raises:
        InputError: there are no sentences.
        TokensDiffer: gold and predictions are about different sentences.
    """
    if not gold:
        raise InputError(f"nothing to score for {predictions.tagger}: the gold set has no sentences")
    predicted = align(gold, predictions).spans
    events = _Events()
    for row, (sentence, found) in enumerate(zip(gold, predicted, strict=True)):
        if sentence.spans or found:
            events.add_sentence(row, sentence.spans, found)
    names = tuple(sorted(set(events.labels) if types is None else set(types)))
    ids = tuple(sentence.id for sentence in gold)
    return CountTable(ids, events.overall(len(gold)), names, events.by_type(len(gold), names))


def align(gold: Sequence[Sentence], predictions: Predictions) -> Predictions:
    """The predictions in the order of the gold sentences.

    Raises:
        TokensDiffer: a sentence of one side is not there on the other, or an id stands twice.
    """
    wanted = tuple(sentence.id for sentence in gold)
    position = {key: index for index, key in enumerate(predictions.ids)}
    if len(position) != len(predictions.ids) or len(set(wanted)) != len(wanted):
        raise TokensDiffer(f"{predictions.tagger}: a sentence id stands twice, so answers cannot be joined by id")
    if wanted == predictions.ids:
        return predictions
    lost = [key for key in wanted if key not in position]
    extra = sorted(position.keys() - set(wanted))
    if lost or extra:
        raise TokensDiffer(_difference(predictions.tagger, lost, extra))
    order = [position[key] for key in wanted]
    return replace(
        predictions,
        ids=wanted,
        spans=tuple(predictions.spans[index] for index in order),
        unseen=tuple(predictions.unseen[index] for index in order),
    )


def _difference(tagger: str, lost: Sequence[str], extra: Sequence[str]) -> str:
    parts = []
    if lost:
        parts.append(f"{len(lost)} gold sentences have no answer ({_some(lost)})")
    if extra:
        parts.append(f"{len(extra)} answers are for sentences that the gold set does not have ({_some(extra)})")
    return f"{tagger}: {' and '.join(parts)}; score predictions against the file that was tagged"


def _some(keys: Sequence[str]) -> str:
    return ", ".join(keys[:5]) + (", ..." if len(keys) > 5 else "")


@dataclass(slots=True)
class _Events:
    """One entry for each thing counted: its sentence, its label and its kind."""

    rows: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)

    def add_sentence(self, row: int, gold: Sequence[Span], predicted: Sequence[Span]) -> None:
        before = len(self.labels)
        if not predicted:
            self._add_all(gold, MISSED)
        else:
            if not gold:
                self._add_all(predicted, SPURIOUS)
            elif gold == predicted:
                self._add_all(gold, SAME)
            else:
                self._add_pairs(gold, predicted)
            self._add_all(predicted, PREDICTED)
        self.rows.extend(repeat(row, len(self.labels) - before))

    def _add_all(self, spans: Sequence[Span], kind: int) -> None:
        self.labels.extend([span.label for span in spans])
        self.kinds.extend(repeat(kind, len(spans)))

    def _add_pairs(self, gold: Sequence[Span], predicted: Sequence[Span]) -> None:
        pairs = pair(gold, predicted)
        for g, p in pairs:
            self.labels.append(gold[g].label)
            self.kinds.append(_kind(gold[g], predicted[p]))
        if len(pairs) < len(gold):
            self._add_all(_others(gold, {p.gold for p in pairs}), MISSED)
        if len(pairs) < len(predicted):
            self._add_all(_others(predicted, {p.predicted for p in pairs}), SPURIOUS)

    def overall(self, sentences: int) -> Counts:
        """[sentences, kinds]"""
        cells = np.asarray(self.rows, dtype=np.int64) * len(KINDS) + np.asarray(self.kinds, dtype=np.int64)
        return _tally(cells, (sentences, len(KINDS)))

    def by_type(self, sentences: int, types: Sequence[str]) -> Counts:
        """[sentences, types, kinds]"""
        index = {label: number for number, label in enumerate(types)}
        type_of = np.asarray([index.get(label, -1) for label in self.labels], dtype=np.int64)
        rows, kinds = np.asarray(self.rows, dtype=np.int64), np.asarray(self.kinds, dtype=np.int64)
        cells = (rows * len(types) + type_of) * len(KINDS) + kinds
        return _tally(cells[type_of >= 0], (sentences, len(types), len(KINDS)))


def _kind(gold: Span, predicted: Span) -> int:
    if gold.start == predicted.start and gold.end == predicted.end:
        return SAME if gold.label == predicted.label else CLASH
    return OVERLAP if gold.label == predicted.label else ASTRAY


def _others(spans: Sequence[Span], used: set[int]) -> list[Span]:
    return [span for index, span in enumerate(spans) if index not in used]


def _tally(cells: NDArray[np.int64], shape: tuple[int, ...]) -> Counts:
    size = int(np.prod(shape))
    return np.bincount(cells, minlength=size).astype(np.int64, copy=False).reshape(shape)
