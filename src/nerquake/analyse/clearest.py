"""The clearest failures: one sentence under every attack with what every model said of it.

Paper R, Figure 5, and paper M, Tables 1, 6 and 12.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from nerquake.analyse.cases import by_id
from nerquake.analyse.flips import mention_map
from nerquake.analyse.material import Fate, Material
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL, Variant

SHOWN = 10
"""Sentences that are kept."""
CONTEXT = 3
"""Tokens outside mentions that a sentence needs to have a context that a model could go by."""
Ratios = Mapping[str, Mapping[str, float | None]]
"""Pseudo-perplexity of the attacked sentence over the original's, by set and by the original's id."""
Variants = Mapping[str, Mapping[str, Variant]]
Answers = dict[tuple[str, str], dict[str, tuple[Span, ...]]]


@dataclass(slots=True)
class _Falls:
    """The mentions of one sentence that fell, by set and model, in the order in which they were found."""

    by: dict[tuple[str, str], list[Fate]] = field(default_factory=dict)

    @property
    def models(self) -> list[str]:
        return list(dict.fromkeys(tagger for _, tagger in self.by))

    @property
    def sets(self) -> list[str]:
        return list(dict.fromkeys(name for name, _ in self.by))

    @property
    def margin(self) -> float | None:
        known = [margin for fates in self.by.values() for fate in fates if (margin := _margin(fate)) is not None]
        return math.fsum(known) / len(known) if known else None


def clearest(
    material: Material,
    *,
    naturalness: Mapping[str, Mapping[str, Any] | None] | None = None,
    ratios: Ratios | None = None,
    shown: int = SHOWN,
) -> list[dict[str, Any]]:
    """`findings.clearest`: the sentences whose failure is clearest, each under every attack, clearest first.

    naturalness   how natural the sets are, by name (analyse/naturalness.py); the median of a set stands for each of its
                  sentences
    ratios        how natural single sentences are, where that was measured

    ```
    [{"parent", "tokens": [..], "spans": [[start, end, label]], "said": {tagger: [[start, end, label]]},
      "fell": {"models": n, "pairs": models times sets, "sets": [..]}, "margin": x or null, "naturalness": x or null,
      "attacks": [{"set", "id", "status", "reason", "tokens", "spans", "mentions": [[old, new or null]],
                   "said": {tagger: [..]},
                   "fell": {tagger: [[place among the original's mentions, "type" | "boundary" | "missed",
                                      [start, end, label] said instead, or null]]}}]}]
    ```
    A sentence is there when an attack changed it and a mention that some model had right fell. The order: more models
    fell; more pairs of a model and a set; a higher margin, the mean over falls of the confidence in the right answer
    before and in the wrong one after, as far as models tell it; natural text, that is some context beside the mentions,
    a pseudo-perplexity nearer to the original's, fewer tokens changed; then the shorter sentence and the order of the
    data. Where two sentences read alike only the first is kept. A discarded attack has no tokens and no answers.
    """
    variants = {attacked.name: {v.parent: v for v in attacked.variants} for attacked in material.sets}
    medians = _medians(naturalness or {})
    answers: Answers | None = None
    made: list[dict[str, Any]] = []
    texts: set[tuple[str, ...]] = set()
    for parent, falls, ratio in _clearest_first(material, variants, ratios or {}, medians):
        tokens = material.sentences[parent].tokens
        if tokens in texts:
            continue
        if len(made) == shown:
            break
        answers = answers or {key: by_id(predictions) for key, predictions in material.predictions.items()}
        texts.add(tokens)
        made.append(_record(material, variants, parent, falls, answers) | {"naturalness": ratio})
    return made


def _clearest_first(
    material: Material, variants: Variants, ratios: Ratios, medians: Mapping[str, float | None]
) -> Iterator[tuple[str, _Falls, float | None]]:
    """Sentences with their falls and how natural they are, in order; what is never asked for is never ranked."""
    found = _falls(material)
    groups: dict[tuple[int, int], list[str]] = {}
    for sentence in material.original:
        falls = found.get(sentence.id)
        if falls is not None:
            groups.setdefault((len(falls.models), len(falls.by)), []).append(sentence.id)
    for group in sorted(groups, reverse=True):
        ranked = []
        for place, parent in enumerate(groups[group]):
            falls = found[parent]
            ratio = _ratio(parent, falls, ratios, medians)
            ranked.append(((*_rank(material.sentences[parent], falls, ratio, variants), place), parent, ratio))
        for _, parent, ratio in sorted(ranked, key=itemgetter(0)):
            yield parent, found[parent], ratio


def _falls(material: Material) -> dict[str, _Falls]:
    """Every sentence that was changed and where a right mention fell."""
    changed = {
        attacked.name: {variant.id for variant in attacked.variants if variant.status == "changed"}
        for attacked in material.sets
    }
    found: dict[str, _Falls] = {}
    for tagger, attacked in material.pairs():
        here = changed[attacked.name]
        for fate in material.fates(tagger, attacked):
            if fate.before.kind == "right" and fate.after.kind != "right" and fate.variant in here:
                falls = found.setdefault(fate.parent, _Falls())
                falls.by.setdefault((attacked.name, tagger), []).append(fate)
    return found


def _margin(fate: Fate) -> float | None:
    """How sure the model was of the right answer before and of the wrong one after, as far as it says."""
    said = (fate.before.said, fate.after.said)
    scores = [span.score for span in said if span is not None and span.score is not None]
    return math.fsum(scores) / len(scores) if scores else None


def _medians(naturalness: Mapping[str, Mapping[str, Any] | None]) -> dict[str, float | None]:
    blocks = {name: (block or {}).get("perplexity_ratio") or {} for name, block in naturalness.items()}
    return {name: block.get("median") for name, block in blocks.items()}


def _ratio(parent: str, falls: _Falls, ratios: Ratios, medians: Mapping[str, float | None]) -> float | None:
    """The pseudo-perplexity ratio of the most natural attacked sentence where a mention fell."""
    known = [ratios.get(name, {}).get(parent, medians.get(name)) for name in falls.sets]
    return min((ratio for ratio in known if ratio), key=_strange, default=None)


def _strange(ratio: float | None) -> float:
    """How far a text is from being as natural as the original; what was not measured comes last."""
    return math.inf if not ratio else abs(math.log(ratio))


def _rank(sentence: Sentence, falls: _Falls, ratio: float | None, variants: Variants) -> tuple[float, ...]:
    """The order among sentences where equally many models and pairs fell."""
    changed = min(_share_changed(sentence, variants[name][sentence.id]) for name in falls.sets)
    bare = len(sentence) - sum(span.width for span in sentence.spans) < CONTEXT
    margin = falls.margin or 0.0
    return (-round(margin, 9), bare, _strange(ratio), changed, len(sentence))


def _share_changed(sentence: Sentence, variant: Variant) -> float:
    """The share of the original's tokens that edits took away; a rewrite counts as a whole."""
    if not variant.edits:
        return 1.0
    return sum(edit.end - edit.start for edit in variant.edits) / len(sentence)


def _record(material: Material, variants: Variants, parent: str, falls: _Falls, answers: Answers) -> dict[str, Any]:
    sentence = material.sentences[parent]
    attacks = [
        _attack(material, attacked.name, variants[attacked.name][parent], falls, answers) for attacked in material.sets
    ]
    return {
        "parent": sentence.id,
        "tokens": list(sentence.tokens),
        "spans": _spans(sentence.spans),
        "said": _said(material.taggers, ORIGINAL, sentence.id, answers),
        "fell": {
            "models": len(falls.models),
            "pairs": len(falls.by),
            "sets": [attacked.name for attacked in material.sets if attacked.name in falls.sets],
        },
        "margin": falls.margin,
        "attacks": attacks,
    }


def _attack(material: Material, name: str, variant: Variant, falls: _Falls, answers: Answers) -> dict[str, Any]:
    mentions = mention_map(variant, len(material.sentences[variant.parent].spans))
    return {
        "set": name,
        "id": variant.id,
        "status": variant.status,
        "reason": variant.reason,
        "tokens": list(variant.sentence.tokens) if variant.kept else [],
        "spans": _spans(variant.sentence.spans) if variant.kept else [],
        "mentions": [[old, new] for old, new in enumerate(mentions)] if variant.kept else [],
        "said": _said(material.taggers, name, variant.id, answers) if variant.kept else {},
        "fell": {tagger: list(map(_fell, fates)) for (under, tagger), fates in falls.by.items() if under == name},
    }


def _fell(fate: Fate) -> list[Any]:
    said = fate.after.said
    return [fate.mention, fate.after.kind, None if said is None else [said.start, said.end, said.label]]


def _said(taggers: Collection[str], name: str, sentence_id: str, answers: Answers) -> dict[str, list[list[Any]]]:
    """What each model that answered says of the sentence."""
    found = {tagger: answers.get((tagger, name), {}) for tagger in taggers}
    return {tagger: _spans(said[sentence_id]) for tagger, said in found.items() if sentence_id in said}


def _spans(spans: Sequence[Span]) -> list[list[Any]]:
    return [[span.start, span.end, span.label] for span in spans]
