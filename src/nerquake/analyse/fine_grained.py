"""The fine-grained tables of paper M (tables 9-11, figures 1-3): four schemes by label, original and attacked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from nerquake.analyse.material import Material
from nerquake.analyse.tally import Tallies, Tally, charged
from nerquake.core.results import KINDS, SCHEME_NAMES, Counts
from nerquake.score.count import PREDICTED
from nerquake.score.metrics import gold_mentions, rates

SIDES = ("original", "attacked")


def fine_grained(material: Material, tallies: Tallies | None = None) -> list[dict[str, Any]]:
    """Records for every model under every set, models first: one over all labels, then one a label, sorted.

    tallies   where another analysis has counted already

    ```
    {"tagger", "set", "label": label | null for all, "evaluated": whether both sides have gold mentions of it,
     "original": {"gold", "predicted",
                  "strict": {"correct", "incorrect", "partial", "missed", "spurious", "possible", "actual",
                             "precision", "recall", "f1"}, "exact": {..}, "partial": {..}, "type": {..}},
     "attacked": {the same}}
    ```
    The blocks are those of docs/scoring.md, over the sentences that the set keeps: a pair and a missed mention are
    charged to the gold label, a false alarm to the predicted one, so that correct, incorrect, partial and missed add
    up to the gold mentions. Rates are fractions, null where undefined.
    """
    tallies = tallies or Tallies(material)
    return [
        record
        for tagger, attacked in material.pairs()
        for record in _records(tagger, attacked.name, tallies.of(tagger, attacked))
    ]


def _records(tagger: str, name: str, found: Tally) -> Iterator[dict[str, Any]]:
    sides = {side: charged(meetings) for side, meetings in zip(SIDES, found, strict=True)}
    labels = sorted({label for counts in sides.values() for label in counts})
    for label in (None, *labels):
        blocks = {side: _block(_counts(counts, label)) for side, counts in sides.items()}
        evaluated = all(block["gold"] > 0 for block in blocks.values())
        yield {"tagger": tagger, "set": name, "label": label, "evaluated": evaluated, **blocks}


def _counts(by_label: Mapping[str, Counts], label: str | None) -> Counts:
    nothing = np.zeros(len(KINDS), dtype=np.int64)
    return np.asarray(sum(by_label.values(), nothing)) if label is None else by_label.get(label, nothing)


def _block(counts: Counts) -> dict[str, Any]:
    return {
        "gold": int(gold_mentions(counts)),
        "predicted": int(counts[PREDICTED]),
        **{scheme: rates(counts, scheme).as_dict() for scheme in SCHEME_NAMES},
    }
