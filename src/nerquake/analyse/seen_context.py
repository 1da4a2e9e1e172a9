"""Seen or unseen mention by original or changed context: whether a model leans on context where it knows no name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from nerquake.analyse.by_sentence import Sampling, measured, per_sentence
from nerquake.analyse.cases import AllPredictions
from nerquake.analyse.groupings import Known, known_surfaces
from nerquake.analyse.material import Material
from nerquake.analyse.probe import Key, rightness, whole_rightness
from nerquake.core.results import Counts
from nerquake.core.variant import AttackedSet
from nerquake.perturb.probe import ProbeSet
from nerquake.stats.bootstrap import Floats, ratio


class Met(NamedTuple):
    """One mention in its own context and in another, or in none: whether a model finds it in each."""

    key: Key
    before: bool
    after: bool


def seen_context(
    material: Material, names: ProbeSet | None = None, answers: AllPredictions | None = None
) -> list[dict[str, Any]] | None:
    """One record for every (tagger, set that changes contexts alone); None where training data are not known.

    names     the probe set of mentions alone, which takes the context away; `answers` hold its predictions

    ```
    {"tagger", "set", "context": "changed" or "taken away", "mentions": n,
     "seen": {"mentions": n, "original": {"value", "low", "high"}, "changed": {..}, "drop": {..}}, "unseen": {..},
     "interaction": {"value", "low", "high"}}
    ```
    Values are recall, as fractions, null where undefined. A mention is seen when a mention of the training data has
    exactly its text and its label. Both contexts are about the same mentions: those left as they were in the
    sentences that the set changed, and for the probe those that have a context. `interaction` is the loss of unseen
    mentions less the loss of seen ones: above 0, a model leans on the context more where it knows no name.
    Intervals are drawn over sentences, seen and unseen mentions of one sentence together.
    """
    if material.training is None:
        return None
    known = known_surfaces(material.training)
    sampling = Sampling(material.resamples, material.level, material.seed)
    records = []
    for tagger in material.taggers:
        for attacked in material.sets:
            if attacked.level == "context" and (tagger, attacked.name) in material.predictions:
                counts = _counts(material, known, _under(material, tagger, attacked))
                records.append(_record(tagger, attacked.name, "changed", counts, sampling))
        if names is not None and answers is not None and (tagger, names.name) in answers:
            counts = _counts(material, known, _alone(material, tagger, names, answers))
            records.append(_record(tagger, names.name, "taken away", counts, sampling))
    return records


def _under(material: Material, tagger: str, attacked: AttackedSet) -> Iterator[Met]:
    changed = {variant.id for variant in attacked.kept if variant.status == "changed"}
    for fate in material.fates(tagger, attacked):
        if fate.variant in changed and not fate.replaced:
            yield Met((fate.parent, fate.mention), fate.before.kind == "right", fate.after.kind == "right")


def _alone(material: Material, tagger: str, names: ProbeSet, answers: AllPredictions) -> Iterator[Met]:
    whole = whole_rightness(material, tagger)
    for key, right in rightness(names, tagger, answers).items():
        parent, mention = key
        sentence = material.sentences[parent]
        if sentence.spans[mention].width < len(sentence):
            yield Met(key, whole[key], right)


def _counts(material: Material, known: Known, met: Iterable[Met]) -> Counts:
    """[sentences, 6]: seen mentions, those right before and after, and the same of unseen ones."""
    all_met = list(met)
    row: dict[str, int] = {}
    rows = np.array([row.setdefault(one.key[0], len(row)) for one in all_met], dtype=np.intp)
    seen = np.array([_is_seen(material, known, one.key) for one in all_met], dtype=np.bool_)
    before = np.array([one.before for one in all_met], dtype=np.bool_)
    after = np.array([one.after for one in all_met], dtype=np.bool_)
    columns = [seen, seen & before, seen & after, ~seen, ~seen & before, ~seen & after]
    return per_sentence(rows, columns, len(row))


def _is_seen(material: Material, known: Known, key: Key) -> bool:
    sentence = material.sentences[key[0]]
    span = sentence.spans[key[1]]
    labels: Mapping[str, int] = known.exact.get(sentence.mention(span), {})
    return span.label in labels


def _record(tagger: str, name: str, context: str, counts: Counts, sampling: Sampling) -> dict[str, Any]:
    *values, interaction = measured(counts, _values, sampling)
    sides = ("original", "changed", "drop")
    seen, _, _, unseen, _, _ = (int(number) for number in counts.sum(axis=0))
    return {
        "tagger": tagger,
        "set": name,
        "context": context,
        "mentions": seen + unseen,
        "seen": {"mentions": seen, **dict(zip(sides, values[:3], strict=True))},
        "unseen": {"mentions": unseen, **dict(zip(sides, values[3:], strict=True))},
        "interaction": interaction,
    }


def _values(sums: Counts) -> Floats:
    """[b, 6] -> recall before, after and loss of seen mentions, of unseen ones, and the interaction, [b, 7]."""
    found = []
    for first in (0, 3):
        before, after = (ratio(sums[:, first + column], sums[:, first]) for column in (1, 2))
        found += [before, after, before - after]
    return np.stack([*found, found[5] - found[2]], axis=1)
