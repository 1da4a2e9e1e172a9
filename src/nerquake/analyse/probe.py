"""Memory against context: what a model knows of a name without its context, and of a context without its name.

Neither paper measures it directly: both conclude it from attacks that change names against attacks that change words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nerquake.analyse.by_sentence import Sampling, measured, per_sentence
from nerquake.analyse.cases import AllPredictions, by_id
from nerquake.analyse.material import Material
from nerquake.core.results import Counts
from nerquake.core.variant import ORIGINAL
from nerquake.perturb.probe import ProbeSet
from nerquake.stats.bootstrap import Floats, ratio

ContextKind = Literal["neutral", "nonsense"]
CONTEXTS: tuple[ContextKind, ...] = ("neutral", "nonsense")
ASKED = ("whole", "name", "context")
GIVEN = ("name", "context", "name_only", "context_only", "both", "neither")
Key = tuple[str, int]
"""A mention: the sentence's id and the mention's place in it."""
Bools = NDArray[np.bool_]


class Tried(NamedTuple):
    """Mentions that a model was asked about in all three ways, and whether it was right each time.

    labels  the gold label of each
    rows    for each the place of its sentence among `sentences`
    asked   columns as ASKED
    """

    labels: NDArray[np.str_]
    rows: NDArray[np.intp]
    sentences: int
    asked: tuple[Bools, Bools, Bools]


def probe(material: Material, sets: Sequence[ProbeSet], answers: AllPredictions) -> dict[str, Any]:
    """What the name alone and the context alone give.

    sets      what `perturb.probe.probe_sets` made of the audited sentences
    answers   by (tagger, set name), of these sets; a model that did not answer them has no record

    ```
    {"sets": [{"set", "kind": "name" or "neutral" or "nonsense", "sentences": n}],
     "shares": [{"tagger", "context": "neutral" or "nonsense", "label": text, null for all,
                 "mentions": n, "left_out": n,
                 "recall": {"whole": {"value", "low", "high"}, "name": {..}, "context": {..}},
                 "right": n, "given": {"name": {"mentions", "value", "low", "high"}, "context": {..},
                           "name_only": {..}, "context_only": {..}, "both": {..}, "neither": {..}}}]}
    ```
    Rates are fractions, null where undefined, with intervals over sentences. `recall` is over the mentions that could
    be asked about in all three ways; `left_out` are the others, which have no context or no letter to change. `given`
    is about those `right` ones that the model finds in the whole sentence: the share for which the name alone gives
    the same right answer, the share for which the context alone does, and the four cells that add up to 1: only the
    name, only the context, each of them by itself, neither of them.
    """
    by_kind = {one.kind: one for one in sets}
    shares = []
    for tagger in material.taggers:
        for kind in CONTEXTS:
            asked = (by_kind["name"], by_kind[kind])
            if not all((tagger, one.name) in answers for one in asked):
                continue
            ways = [whole_rightness(material, tagger), *(rightness(one, tagger, answers) for one in asked)]
            for record in _shares(material, _tried(material, ways)):
                shares.append({"tagger": tagger, "context": kind, **record})
    return {
        "sets": [{"set": one.name, "kind": one.kind, "sentences": len(one.sentences)} for one in sets],
        "shares": shares,
    }


def rightness(asked: ProbeSet, tagger: str, answers: AllPredictions) -> dict[Key, bool]:
    """Whether a model finds the mention that each probe sentence is about, with its label and all its tokens."""
    found = by_id(answers[tagger, asked.name])
    return {
        (place.parent, place.mention): place.gold in found[sentence.id]
        for sentence, place in zip(asked.sentences, asked.places, strict=True)
    }


def whole_rightness(material: Material, tagger: str) -> dict[Key, bool]:
    """Whether a model finds each mention of the original text."""
    return {
        (sentence_id, mention): outcome.kind == "right"
        for sentence_id, met in material.met(tagger, ORIGINAL).items()
        for mention, outcome in enumerate(met.mentions)
    }


def _shares(material: Material, tried: Tried) -> Iterator[dict[str, Any]]:
    """One record for all labels together, and one for each."""
    sampling = Sampling(material.resamples, material.level, material.seed)
    everyone = material.original.mentions
    for label in (None, *material.original.labels):
        counts = _counts(tried, label)
        yield {"label": label, **_record(counts, everyone.total() if label is None else everyone[label], sampling)}


def _tried(material: Material, ways: Sequence[Mapping[Key, bool]]) -> Tried:
    """The mentions that were asked about in every way, in order."""
    keys = [key for key in ways[0] if all(key in way for way in ways)]
    labels = [material.sentences[parent].spans[mention].label for parent, mention in keys]
    row: dict[str, int] = {}
    rows = np.array([row.setdefault(parent, len(row)) for parent, _ in keys], dtype=np.intp)
    whole, alone, context = (np.array([way[key] for key in keys], dtype=np.bool_) for way in ways)
    return Tried(np.array(labels, dtype=np.str_), rows, len(row), (whole, alone, context))


def _counts(tried: Tried, label: str | None) -> Counts:
    """[sentences, 10]: mentions of a label, those right by ASKED, and of those right in the whole those by GIVEN."""
    whole, name, context = tried.asked
    inside = np.ones(len(tried.rows), dtype=np.bool_) if label is None else tried.labels == label
    given = (name, context, name & ~context, context & ~name, name & context, ~(name | context))
    columns = [np.ones_like(inside), *tried.asked, *(whole & one for one in given)]
    return per_sentence(tried.rows, [inside & column for column in columns], tried.sentences)


def _record(counts: Counts, everyone: int, sampling: Sampling) -> dict[str, Any]:
    mentions, right, *_ = (int(number) for number in counts[:, :2].sum(axis=0))
    values = measured(counts, _rates, sampling)
    given = counts[:, 1 + len(ASKED) :].sum(axis=0)
    return {
        "mentions": mentions,
        "left_out": everyone - mentions,
        "recall": dict(zip(ASKED, values[: len(ASKED)], strict=True)),
        "right": right,
        "given": {
            what: {"mentions": int(number), **value}
            for what, number, value in zip(GIVEN, given, values[len(ASKED) :], strict=True)
        },
    }


def _rates(sums: Counts) -> Floats:
    """[b, 10] -> recall in the three ways, and the shares of what is right in the whole, [b, 9]."""
    recalls = [ratio(sums[:, column], sums[:, 0]) for column in range(1, 4)]
    return np.stack([*recalls, *(ratio(sums[:, column], sums[:, 1]) for column in range(4, 10))], axis=1)
