"""Scores of each label, original against attacked, over the same sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from nerquake.analyse.cases import AllPredictions
from nerquake.core.dataset import Dataset
from nerquake.core.results import Counts, Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.variant import ORIGINAL, AttackedSet
from nerquake.score.count import count
from nerquake.score.metrics import EntityFree, rates, type_totals


def label_scores(
    original: Dataset,
    sets: Sequence[AttackedSet],
    predictions: AllPredictions,
    entity_free: EntityFree = "score",
) -> list[dict[str, Any]]:
    """One record for every (tagger, set, label), the original set first, labels sorted.

    ```
    {"tagger", "set", "label", "support",
     "original": {"strict": f1, "exact": f1}, "attacked": {"strict": f1, "exact": f1}, "drop": strict loss}
    ```
    Rates are fractions, None where undefined. Both sides cover the sentences that the set keeps, so that the loss is
    one over the same sentences even where some were discarded. `support` is the gold mentions of the label in the
    original text of these sentences. With `entity_free="skip"` sentences without a gold mention take no part.
    """
    scored = {sentence.id for sentence in original if sentence.spans or entity_free == "score"}
    return [
        record
        for attacked in sets
        for (tagger, name), answer in predictions.items()
        if name == attacked.name and (tagger, ORIGINAL) in predictions
        for record in _records(tagger, original, attacked, (predictions[tagger, ORIGINAL], answer), scored)
    ]


def _records(
    tagger: str,
    original: Dataset,
    attacked: AttackedSet,
    answers: tuple[Predictions, Predictions],
    scored: Collection[str],
) -> Iterator[dict[str, Any]]:
    variants = [variant for variant in attacked.kept if variant.parent in scored]
    kept = {variant.parent for variant in variants}
    if not kept:
        return
    old = _by_label([s for s in original.sentences if s.id in kept], answers[0])
    new = _by_label([variant.sentence for variant in variants], answers[1])
    for label in sorted({*old, *new}):
        was, now = _scores(old.get(label)), _scores(new.get(label))
        drop = None if was["strict"] is None or now["strict"] is None else was["strict"] - now["strict"]
        yield {
            "tagger": tagger,
            "set": attacked.name,
            "label": label,
            "support": rates(old[label], "strict").possible if label in old else 0,
            "original": was,
            "attacked": now,
            "drop": drop,
        }


def _by_label(gold: Sequence[Sentence], predictions: Predictions) -> Mapping[str, Counts]:
    return type_totals(count(gold, predictions.chosen(sentence.id for sentence in gold)))


def _scores(counts: Counts | None) -> dict[str, float | None]:
    if counts is None:
        return {"strict": None, "exact": None}
    return {"strict": rates(counts, "strict").f1, "exact": rates(counts, "exact").f1}
