"""How often each kind of outcome occurs in each sentence: the counts that drops, draws and ranks are made of.

One pairing serves: the figures that follow from these counts equal those of the scores (docs/scoring.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from nerquake.analyse.flips import Outcomes
from nerquake.analyse.material import Material
from nerquake.core.results import Counts
from nerquake.core.variant import ORIGINAL, AttackedSet
from nerquake.stats.bootstrap import Floats, ratio

KINDS = ("right", "type", "boundary", "missed", "spurious")
RIGHT, TYPE, BOUNDARY, MISSED, SPURIOUS = range(len(KINDS))
_GOLD = [RIGHT, TYPE, BOUNDARY, MISSED]
_PREDICTED = [RIGHT, TYPE, BOUNDARY, SPURIOUS]
F1_WEIGHTS: Counts = np.array([[2, 2], [0, 2], [0, 2], [0, 1], [0, 1]], dtype=np.int64)
"""[5, 2]: counts @ weights are numerator and denominator of strict F1."""


@dataclass(frozen=True)
class KindCounts:
    """Counts by sentence, made once for each model and set."""

    material: Material
    _made: dict[tuple[str, str], tuple[dict[str, int], Counts]] = field(default_factory=dict, repr=False, compare=False)

    def rows(self, tagger: str, set_name: str) -> tuple[Mapping[str, int], Counts]:
        """Where each sentence's row stands, by id, and the rows: an int array [n, 5], columns as KINDS."""
        key = tagger, set_name
        if key not in self._made:
            met = self.material.met(tagger, set_name)
            position = {sentence_id: row for row, sentence_id in enumerate(met)}
            self._made[key] = position, _counted(met)
        return self._made[key]

    def chosen(self, tagger: str, set_name: str, ids: list[str]) -> Counts:
        """The rows of these sentences, in this order, [len(ids), 5]."""
        position, rows = self.rows(tagger, set_name)
        return rows[np.array([position[key] for key in ids], dtype=np.intp)]

    def sides(self, tagger: str, attacked: AttackedSet) -> tuple[Counts, Counts]:
        """The scored sentences of a set before and after, row by row, [n, 5] each."""
        kept = self.material.kept(attacked)
        before = self.chosen(tagger, ORIGINAL, [variant.parent for variant in kept])
        return before, self.chosen(tagger, attacked.name, [variant.id for variant in kept])


def _counted(met: Mapping[str, Outcomes]) -> Counts:
    rows: Counts = np.zeros((len(met), len(KINDS)), dtype=np.int64)
    column = {kind: number for number, kind in enumerate(KINDS)}
    cells = Counter(
        (row, column[mention.kind]) for row, found in enumerate(met.values()) for mention in found.mentions
    )  # fmt: skip
    for (row, kind), times in cells.items():
        rows[row, kind] = times
    rows[:, SPURIOUS] = [len(found.spurious) for found in met.values()]
    return rows


def precision(sums: Counts) -> Floats:
    """[..., 5] -> strict precision, NaN where nothing was predicted."""
    return ratio(sums[..., RIGHT], sums[..., _PREDICTED].sum(axis=-1))


def recall(sums: Counts) -> Floats:
    """[..., 5] -> strict recall, NaN where there is no gold mention."""
    return ratio(sums[..., RIGHT], sums[..., _GOLD].sum(axis=-1))


def f1(sums: Counts) -> Floats:
    """[..., 5] -> strict F1, NaN where there is neither a gold nor a predicted mention."""
    parts = sums @ F1_WEIGHTS
    return ratio(parts[..., 0], parts[..., 1])


def type_share(sums: Counts) -> Floats:
    """[..., 5] -> how much F1 would rise if every mention with the right tokens had the right label: exact - strict."""
    return ratio(2 * sums[..., TYPE], (sums @ F1_WEIGHTS)[..., 1])


def defined(value: float) -> float | None:
    """None for NaN."""
    return None if np.isnan(value) else float(value)
