"""Negative controls: what a model finds in sentences that hold no mention, before and after an attack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nerquake.analyse.by_sentence import Sampling, measured
from nerquake.analyse.cases import by_id
from nerquake.analyse.material import Material
from nerquake.core.results import Counts
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL, AttackedSet
from nerquake.stats.bootstrap import Floats

Answered = Sequence[tuple[tuple[Span, ...], tuple[Span, ...]]]
"""What a model said of each sentence before and after."""


def false_alarms(material: Material) -> list[dict[str, Any]]:
    """`findings.false_alarms`: a record for every model on the original text and under every set.

    ```
    {"tagger", "set", "sentences", "counts": {"original", "attacked", "new", "gone"},
     "original": rate, "attacked": rate or null, "change": rate or null,
     "labels": [{"label", "original", "attacked"}]}
    rate = {"value", "low", "high"}
    ```
    Under a set those sentences count that hold no gold mention in either text and were not discarded, unchanged ones
    as they stand; `--entity-free skip` does not touch them. A false alarm is a sentence in which the model finds a
    mention, of whatever label; `new` ones are such after the attack only, `gone` ones before it only. `change` is
    attacked - original over the same sentences. `labels` counts predicted mentions, not sentences, most in the
    attacked text first. The set "original" has the original text alone. Values are None where there is no such
    sentence. Nothing at all where every sentence of the data holds a mention.
    """
    free = {sentence.id for sentence in material.original if not sentence.spans}
    if not free:
        return []
    made: list[dict[str, Any]] = []
    for tagger in material.taggers:
        before = by_id(material.predictions[tagger, ORIGINAL])
        alone = [(before[sentence.id], ()) for sentence in material.original if sentence.id in free]
        made.append(_record(material, tagger, ORIGINAL, alone, False))
        for attacked in material.sets:
            if (tagger, attacked.name) in material.predictions:
                both = _both(material, tagger, attacked, free)
                made.append(_record(material, tagger, attacked.name, both, True))
    return made


def _both(material: Material, tagger: str, attacked: AttackedSet, free: set[str]) -> Answered:
    """A model's answers for the sentences without a mention in either text."""
    before = by_id(material.predictions[tagger, ORIGINAL])
    after = by_id(material.predictions[tagger, attacked.name])
    return [
        (before[variant.parent], after[variant.id])
        for variant in attacked.kept
        if variant.parent in free and not variant.sentence.spans
    ]


def _record(material: Material, tagger: str, name: str, answers: Answered, attacked: bool) -> dict[str, Any]:
    alarms = np.array([(bool(was), bool(now)) for was, now in answers], dtype=bool).reshape(len(answers), 2)
    was, now = alarms[:, 0], alarms[:, 1]
    before, after, change = _rates(alarms, Sampling(material.resamples, material.level, material.seed))
    return {
        "tagger": tagger,
        "set": name,
        "sentences": len(answers),
        "counts": {
            "original": int(was.sum()),
            **{key: int(found.sum()) if attacked else None
               for key, found in (("attacked", now), ("new", now & ~was), ("gone", was & ~now))},
        },
        "original": before,
        "attacked": after if attacked else None,
        "change": change if attacked else None,
        "labels": _labels((one for one, _ in answers), (one for _, one in answers)),
    }  # fmt: skip


def _rates(alarms: NDArray[np.bool_], sampling: Sampling) -> list[dict[str, float | None]]:
    """The rate before, the rate after, and their difference, with intervals over sentences."""
    counts = np.column_stack([alarms, np.ones(len(alarms))]).astype(np.int64)
    return measured(counts, _values, sampling)


def _values(sums: Counts) -> Floats:
    """From sums [b, 3] to values [b, 3], NaN where there is no sentence."""
    total = np.where(sums[:, 2:] > 0, sums[:, 2:], np.nan)
    before, after = sums[:, :1] / total, sums[:, 1:2] / total
    return np.hstack([before, after, after - before])


def _labels(before: Iterable[tuple[Span, ...]], after: Iterable[tuple[Span, ...]]) -> list[dict[str, Any]]:
    was, now = (Counter(span.label for spans in side for span in spans) for side in (before, after))
    order = sorted({*was, *now}, key=lambda label: (-now[label], -was[label], label))
    return [{"label": label, "original": was[label], "attacked": now[label]} for label in order]
