"""What a review found: `findings.curation` of `result.json` (docs/review.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from nerquake.analyse.by_sentence import Sampling
from nerquake.analyse.material import Material
from nerquake.analyse.review import adjusted as estimate
from nerquake.analyse.review import share as shares
from nerquake.analyse.review.agreement import agreements
from nerquake.analyse.review.items import Stratum, reviewable, strata
from nerquake.analyse.review.resolve import Resolved
from nerquake.core.decisions import REASONS, DecisionsFile
from nerquake.core.results import Case, Counts
from nerquake.core.variant import ORIGINAL, AttackedSet
from nerquake.score.count import count
from nerquake.score.metrics import f1_weights


class Reviewed(NamedTuple):
    """A review and the audit that it is about.

    cases    all cases of the audit
    results  its system blocks, with `paired` and `paired_changed`
    """

    cases: Sequence[Case]
    results: Sequence[Mapping[str, Any]]
    files: Sequence[DecisionsFile]
    resolved: Resolved
    on_conflict: str


def curation(review: Reviewed, after: Material) -> dict[str, Any]:
    """What the review found.

    after  the curated sets with the predictions for them, and the results over them

    ```
    {"reviewers": [{"file", "reviewer", "items", "decided", "undecided", "seen_predictions", "unknown", "repeated",
                    "settles"}], "on_conflict", "agreement": [..] (agreement.py), "undecided": [ids], "unnamed": n,
     "conflicts": [ids], "sets": [{"set", "changed", "reviewed", "accepted", "relabelled", "rejected", "unsure",
                    "disagreed", "undecided", "reasons": {reason: n}, "invalid": {"value", "low", "high"}}],
     "losses": [{"tagger", "set", "before": paired_changed, "after": paired_changed, "raw": paired,
                 "adjusted": {"original", "attacked", "drop", "low", "high"}}], "methods": {"invalid", "adjusted"}}
    ```
    `reviewed` are those that were accepted, relabelled or rejected; rejected and relabelled ones are invalid.
    """
    known = strata(reviewable(review.cases))
    sampling = Sampling(after.resamples, after.level, after.seed)
    resolved = review.resolved
    return {
        "reviewers": [_reviewer(file) for file in review.files],
        "on_conflict": review.on_conflict,
        "agreement": agreements(review.files, sampling),
        "undecided": list(resolved.undecided),
        "unnamed": resolved.unnamed,
        "conflicts": list(resolved.conflicts),
        "sets": [_set(made.name, _of(known, made.name), resolved, after.level) for made in after.sets],
        "losses": list(_losses(review, after, known)),
        "methods": {"invalid": shares.METHOD, "adjusted": estimate.METHOD},
    }


def _reviewer(file: DecisionsFile) -> dict[str, Any]:
    return {
        "file": file.name,
        "reviewer": file.reviewer,
        "items": file.items,
        "decided": len(file.decisions),
        "undecided": file.left,
        "seen_predictions": sum(one.seen_predictions for one in file.decisions.values()),
        "unknown": len(file.unknown),
        "repeated": len(file.repeated),
        "settles": file.settles,
    }


def _of(known: Mapping[str, Stratum], name: str) -> dict[str, Stratum]:
    return {key: stratum for key, stratum in known.items() if stratum.set == name}


def _decided(population: Mapping[str, Stratum], resolved: Resolved) -> list[str]:
    """The sentences of a set that were judged good or bad: `unsure` judges nothing."""
    return [key for key in population if key in resolved.decisions and resolved.decisions[key].choice != "unsure"]


def _set(name: str, population: Mapping[str, Stratum], resolved: Resolved, level: float) -> dict[str, Any]:
    chosen = [resolved.decisions[key] for key in population if key in resolved.decisions]
    counts = Counter(one.choice for one in chosen)
    reasons = Counter(one.reason or "no reason given" for one in chosen if one.choice == "reject")
    reviewed = _decided(population, resolved)
    weights = shares.weights(population, reviewed)
    value, interval = shares.share(
        [(weights[key], resolved.decisions[key].choice != "accept") for key in reviewed], len(population), level
    )
    return {
        "set": name,
        "changed": len(population),
        "reviewed": len(reviewed),
        "accepted": counts["accept"],
        "relabelled": counts["relabel"],
        "rejected": counts["reject"],
        "unsure": counts["unsure"],
        "disagreed": sum(key in population for key in resolved.conflicts),
        "undecided": sum(key in population for key in resolved.undecided),
        "reasons": {reason: reasons[reason] for reason in (*REASONS, "no reason given") if reasons[reason]},
        "invalid": {"value": value, "low": interval.low, "high": interval.high},
    }


def _losses(review: Reviewed, after: Material, known: Mapping[str, Stratum]) -> Iterator[dict[str, Any]]:
    before = {(block["tagger"], block["set"]): block for block in review.results}
    now = {(block["tagger"], block["set"]): block for block in after.results}
    for tagger, made in after.pairs():
        was, block = before.get((tagger, made.name)), now.get((tagger, made.name), {})
        if was is None or not was.get("paired"):
            continue
        yield {
            "tagger": tagger,
            "set": made.name,
            "before": was["paired_changed"],
            "after": block.get("paired_changed"),
            "raw": was["paired"],
            "adjusted": _adjusted(after, (tagger, made), _of(known, made.name), review.resolved),
        }


def _adjusted(
    after: Material, pair: tuple[str, AttackedSet], population: Mapping[str, Stratum], resolved: Resolved
) -> dict[str, Any]:
    tagger, made = pair
    reviewed = _decided(population, resolved)
    if population and not reviewed:  # nothing is known of the changed sentences
        return dict.fromkeys(("original", "attacked", "drop", "low", "high"))
    rows = _rows(after, tagger, made)
    nothing = np.zeros(4, dtype=np.int64)
    weights = shares.weights(population, reviewed)
    taken = {key: rows["changed"].get(key, nothing) for key in reviewed if after.entity_free == "score"
             or after.sentences[key.rpartition("~")[0]].spans}  # fmt: skip
    layers = estimate.layers_of(taken, weights, {key: population[key].side for key in taken})
    kept = list(rows["unchanged"].values())
    if kept:
        layers.append(estimate.Layer(np.stack(kept), np.ones(len(kept))))
    return estimate.adjusted(layers, after.resamples, after.level, after.seed)


def _rows(after: Material, tagger: str, made: AttackedSet) -> dict[str, dict[str, Counts]]:
    """For every sentence that is left numerator and denominator of F1 before and after, by whether it was changed."""
    found: dict[str, dict[str, Counts]] = {"changed": {}, "unchanged": {}}
    variants = after.kept(made)
    if not variants:
        return found
    weights = f1_weights("strict")
    sides = []
    for name, sentences in (
        (ORIGINAL, [after.sentences[variant.parent] for variant in variants]),
        (made.name, [variant.sentence for variant in variants]),
    ):
        answers = after.predictions[tagger, name].chosen(sentence.id for sentence in sentences)
        sides.append(count(sentences, answers).overall @ weights)
    for variant, row in zip(variants, np.hstack(sides), strict=True):
        kind = "changed" if variant.status == "changed" else "unchanged"
        found[kind][f"{variant.parent}~{made.name}"] = row
    return found
