"""What the report shows beyond scores: label by label, flips, examples, and how it was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from nerquake.analyse.cases import AllPredictions, Answers, answers_for, edit_record, rewrite_source, spans_of
from nerquake.analyse.flips import Followed, follow, mention_map
from nerquake.analyse.labels import label_scores
from nerquake.core.dataset import Dataset
from nerquake.core.seeds import hashed
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import AttackedSet, Variant
from nerquake.score.metrics import EntityFree

EXAMPLES = 5
"""Examples a set, drawn by seed, not picked."""


def findings(
    original: Dataset,
    sets: Sequence[AttackedSet],
    predictions: AllPredictions,
    results: Sequence[Mapping[str, Any]],
    *,
    method: Mapping[str, Any],
    seed: int,
    entity_free: EntityFree = "score",
    naturalness: Mapping[str, Mapping[str, Any] | None] | None = None,
) -> dict[str, Any]:
    """The `findings` of `result.json`, one entry a section of the report.

    original      the data set under the labels that are scored
    predictions   by (tagger, set name); "original" is the set before the attack
    results       the system blocks of docs/formats.md, for what sums them up
    method        what the audit knows about itself; passed on as it is
    seed          draws the examples
    entity_free   whether sentences without a gold mention are scored, as in `results`
    naturalness   how natural the sets are, by name (analyse/naturalness.py)

    ```
    "labels":    [{"tagger", "set", "label", "support", "original": {"strict", "exact"}, "attacked": {..}, "drop"}]
    "flips":     [{"tagger", "set", "mentions", "right", "fell", "rose", "sentences_fell", "cases",
                   "by_label": {label: {"mentions", "right", "fell", "rose"}}}]     most fallen label first
    "sets":      {set: {"notes": [..], "examples": [example], "changed_labels": {label: mentions replaced},
                        "naturalness": as passed, or null}}
    "sentences": {"cases": n, "fell": {set: sentences where a right mention fell}, "most_fallen": [{"label", "fell"}]}
    "method":    as passed, with "predicted": {tagger: {set: {"invalid_transitions", "unseen_tokens"}}}
    example = {"parent", "id", "original": [..], "attacked": [..], "original_spans": [[start, end, label]],
               "attacked_spans": [..], "edits": [..], "mentions": [[old, new or null]], "source": {..}}
    ```
    `mentions` in "flips" are those that stand in both texts of the compared sentences; `right` are those of them that
    the model had right before the attack. A case is a changed sentence where one of them fell or rose.
    """
    flipped = [
        _flips_of(original, attacked, answer) for attacked in sets for answer in answers_for(attacked.name, predictions)
    ]
    return {
        "labels": label_scores(original, sets, predictions, entity_free),
        "flips": [record for record, _ in flipped],
        "sets": {
            attacked.name: {
                **_set_findings(original, attacked, seed),
                "naturalness": (naturalness or {}).get(attacked.name),
            }
            for attacked in sets
        },
        "sentences": _sentence_findings(sets, flipped),
        "method": {**method, "predicted": _predicted(results)},
    }


def _flips_of(original: Dataset, attacked: AttackedSet, answer: Answers) -> tuple[dict[str, Any], Mapping[str, bool]]:
    """Flip counts of one model under one set, and the parents of its cases: True where a right mention fell."""
    parents = {sentence.id: sentence for sentence in original.sentences}
    counts: dict[str, Counter[str]] = {}
    cases: dict[str, bool] = {}
    for variant in attacked.kept:
        parent = parents[variant.parent]
        followed = _followed(parent, variant, answer)
        for what, indices in followed._asdict().items():
            for index in indices:
                counts.setdefault(parent.spans[index].label, Counter())[what] += 1
        if variant.status == "changed" and (followed.fell or followed.rose):
            cases[variant.parent] = bool(followed.fell)
    total = sum(counts.values(), Counter())
    order = sorted(counts, key=lambda label: (-counts[label]["fell"], label))
    record = {
        "tagger": answer.tagger,
        "set": attacked.name,
        **_flip_counts(total),
        "sentences_fell": sum(cases.values()),
        "cases": len(cases),
        "by_label": {label: _flip_counts(counts[label]) for label in order},
    }
    return record, cases


def _followed(parent: Sentence, variant: Variant, answer: Answers) -> Followed:
    before = spans_of(answer.original, parent.id, answer.tagger)
    after = spans_of(answer.attacked, variant.id, answer.tagger)
    return follow((parent.spans, before), (variant.sentence.spans, after), mention_map(variant, len(parent.spans)))


def _flip_counts(counts: Mapping[str, int]) -> dict[str, int]:
    return {
        "mentions": counts.get("compared", 0),
        "right": counts.get("right", 0),
        "fell": counts.get("fell", 0),
        "rose": counts.get("rose", 0),
    }


def _set_findings(original: Dataset, attacked: AttackedSet, seed: int) -> dict[str, Any]:
    parents = {sentence.id: sentence for sentence in original.sentences}
    changed = [variant for variant in attacked.variants if variant.status == "changed"]
    drawn = sorted(changed, key=lambda v: (hashed(seed, "examples", attacked.name, v.parent), v.parent))[:EXAMPLES]
    chosen = {variant.parent for variant in drawn}
    replaced: Counter[str] = Counter()
    for variant in changed:
        replaced.update(_replaced_labels(parents[variant.parent], variant))
    return {
        "notes": list(attacked.notes),
        "examples": [_example(parents[v.parent], v) for v in changed if v.parent in chosen],
        "changed_labels": dict(sorted(replaced.items(), key=lambda item: (-item[1], item[0]))),
    }


def _replaced_labels(parent: Sentence, variant: Variant) -> list[str]:
    """The labels of mentions whose text another text took."""
    return [
        span.label
        for span, new in zip(parent.spans, variant.mentions, strict=True)
        if new is not None and parent.mention(span) != variant.sentence.mention(variant.sentence.spans[new])
    ]


def _example(parent: Sentence, variant: Variant) -> dict[str, Any]:
    return {
        "parent": parent.id,
        "id": variant.id,
        "original": list(parent.tokens),
        "attacked": list(variant.sentence.tokens),
        "original_spans": _spans(parent.spans),
        "attacked_spans": _spans(variant.sentence.spans),
        "edits": [edit_record(edit, parent) for edit in variant.edits],
        "mentions": [[old, new] for old, new in enumerate(variant.mentions)],
        "source": rewrite_source(variant),
    }


def _spans(spans: Sequence[Span]) -> list[list[Any]]:
    return [[span.start, span.end, span.label] for span in spans]


def _sentence_findings(
    sets: Sequence[AttackedSet], flipped: Sequence[tuple[Mapping[str, Any], Mapping[str, bool]]]
) -> dict[str, Any]:
    fell = {attacked.name: set[str]() for attacked in sets}
    cases = {attacked.name: set[str]() for attacked in sets}
    labels: Counter[str] = Counter()
    for record, parents in flipped:
        cases[record["set"]].update(parents)
        fell[record["set"]].update(parent for parent, has_fallen in parents.items() if has_fallen)
        labels.update({label: counts["fell"] for label, counts in record["by_label"].items() if counts["fell"]})
    most = sorted(labels.items(), key=lambda item: (-item[1], item[0]))
    return {
        "cases": sum(map(len, cases.values())),
        "fell": {name: len(parents) for name, parents in fell.items()},
        "most_fallen": [{"label": label, "fell": number} for label, number in most],
    }


def _predicted(results: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, dict[str, int]]]:
    """Per tagger and set, what the scores cannot show: ill-formed output and tokens that the model never saw."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for block in results:
        found.setdefault(block["tagger"], {})[block["set"]] = {
            key: block.get(key) or 0 for key in ("invalid_transitions", "unseen_tokens", "unseen_mentions")
        }
    return found
