"""What rules ask for, measured: a value before and after an attack, their difference, and its interval.

Everything is a ratio of two counts a sentence, so that one bootstrap over sentences serves them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nerquake.analyse.by_sentence import Sampling, measured
from nerquake.analyse.gate.policy import EVERY, FALSE_ALARMS
from nerquake.analyse.groupings import Grouping, known_surfaces, mention_groupings
from nerquake.analyse.groups import crowd_of
from nerquake.analyse.material import Fate, Material
from nerquake.core.results import Counts, CountTable
from nerquake.core.variant import ORIGINAL, AttackedSet
from nerquake.score.count import count
from nerquake.score.metrics import gold_mentions, rate_weights
from nerquake.stats.bootstrap import Floats, ratio

Sides = NDArray[np.int64]
"""[n, 4]: numerator and denominator before, numerator and denominator after, a row a sentence."""


class Value(NamedTuple):
    """A measured value with its interval, fractions; None where undefined.

    support  gold mentions, or sentences, that it is about
    why      why it is undefined
    """

    value: float | None
    low: float | None
    high: float | None
    support: int
    why: str = ""


class Asked(NamedTuple):
    """What one value is about; an empty label or group is all mentions."""

    model: str
    set: str
    label: str = ""
    group: str = ""


@dataclass(frozen=True)
class Measures:
    """The values of one audit."""

    material: Material
    _found: dict[str, dict[str, Grouping]] = field(default_factory=dict, repr=False, compare=False)
    _tables: dict[tuple[str, str], CountTable] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def _sets(self) -> dict[str, AttackedSet]:
        return {one.name: one for one in self.material.sets}

    @property
    def _sampling(self) -> Sampling:
        return Sampling(self.material.resamples, self.material.level, self.material.seed)

    def drop(self, asked: Asked, metric: str, relative: bool) -> Value:
        """What was lost: before - after, or that as a share of before."""

        def values(sums: Counts) -> Floats:
            before, after = _both(sums)
            lost = before - after
            return np.divide(lost, before, out=np.full_like(lost, np.nan), where=before > 0) if relative else lost

        return self._value(asked, metric, values)

    def after(self, asked: Asked, metric: str) -> Value:
        """The metric on the attacked set."""
        return self._value(asked, metric, lambda sums: _both(sums)[1])

    def flip_rate(self, asked: Asked) -> Value:
        """Of the mentions that were right before, the share that is wrong after."""
        fates = self._fates(asked)
        rows = self._rows(asked)
        counts = np.zeros((len(rows), 2), dtype=np.int64)
        for fate in fates:
            if fate.before.kind == "right":
                counts[rows[fate.variant]] += (fate.fell, 1)
        right = int(counts[:, 1].sum())
        why = "" if right else f"no {_mention(asked)} that was right before the attack"
        (found,) = measured(counts, lambda sums: ratio(sums[:, :1], sums[:, 1:]), self._sampling)
        return Value(found["value"], found["low"], found["high"], len(fates), why)

    def _value(self, asked: Asked, metric: str, values: Callable[[Counts], Floats]) -> Value:
        sides = self._sides(asked, metric)
        (found,) = measured(sides, lambda sums: values(sums)[:, None], self._sampling)
        support, undefined = self.support(asked), self._why(asked, sides)
        if metric == FALSE_ALARMS:
            support, undefined = len(sides), "no sentence without a mention"
        why = "" if found["value"] is not None else undefined
        return Value(found["value"], found["low"], found["high"], support, why)

    def _why(self, asked: Asked, sides: Sides) -> str:
        """Why a value is undefined: which side has nothing to measure."""
        what = _mention(asked)
        if not sides[:, 1].sum():
            return f"no {what} in the original text"
        return f"no {what} in the attacked set" if not sides[:, 3].sum() else f"no {what} was found before the attack"

    def support(self, asked: Asked) -> int:
        """Gold mentions of the attacked set in the compared sentences."""
        if asked.group:
            return len(self._fates(asked))
        wanted = asked.label
        kept = self.material.kept(self._sets[asked.set])
        return sum(not wanted or span.label == wanted for variant in kept for span in variant.sentence.spans)

    def _rows(self, asked: Asked) -> dict[str, int]:
        return {variant.id: row for row, variant in enumerate(self.material.kept(self._sets[asked.set]))}

    def _fates(self, asked: Asked) -> list[Fate]:
        fates = self.material.fates(asked.model, self._sets[asked.set])
        if asked.group:
            grouping, _, group = asked.group.partition("=")
            found = self.groupings(asked.set)[grouping]
            return [fates[at] for at in np.flatnonzero(found.codes == found.groups.index(group))]
        return [fate for fate in fates if not asked.label or fate.label == asked.label]

    def groupings(self, set_name: str) -> dict[str, Grouping]:
        """The ways of sorting the mentions that are followed under a set, by name; the same for every model."""
        if set_name not in self._found:
            attacked, material = self._sets[set_name], self.material
            model = next(one for one in material.taggers if (one, set_name) in material.predictions)
            training = None if material.training is None else known_surfaces(material.training)
            fixed = mention_groupings(material.original, training)
            found = crowd_of(material, attacked, material.fates(model, attacked), fixed, training).groupings
            self._found[set_name] = {one.name: one for one in found}
        return self._found[set_name]

    def _sides(self, asked: Asked, metric: str) -> Sides:
        if metric == FALSE_ALARMS:
            return self._false_alarms(asked)
        if asked.group:
            return self._recalls(asked)
        scheme, _, measure = metric.partition("_")
        weights = rate_weights(scheme, measure)  # type: ignore[arg-type]
        before = self._counts(asked, ORIGINAL) @ weights
        after = self._counts(asked, asked.set) @ weights
        both: Sides = np.hstack([before, after])
        if asked.label:  # a label without gold mentions is not evaluated, whatever was predicted
            for side in (0, 1):
                gold = gold_mentions(self._counts(asked, (ORIGINAL, asked.set)[side])).sum()
                if not gold:
                    both[:, 2 * side : 2 * side + 2] = 0
        return both

    def _counts(self, asked: Asked, name: str) -> Counts:
        """[n, 7] of the kept sentences on one side."""
        kept = self.material.kept(self._sets[asked.set])
        ids = [variant.parent if name == ORIGINAL else variant.id for variant in kept]
        table = self._table(asked.model, name)
        place = {key: row for row, key in enumerate(table.ids)}
        rows = table.rows([place[key] for key in ids])
        if not asked.label:
            return rows.overall
        if asked.label not in rows.types:
            return np.zeros_like(rows.overall)
        return rows.by_type[:, rows.types.index(asked.label)]

    def _table(self, model: str, name: str) -> CountTable:
        if (model, name) not in self._tables:
            members = (
                tuple(self.material.original)
                if name == ORIGINAL
                else tuple(variant.sentence for variant in self._sets[name].kept)
            )
            self._tables[model, name] = count(members, self.material.predictions[model, name])
        return self._tables[model, name]

    def _recalls(self, asked: Asked) -> Sides:
        rows = self._rows(asked)
        counts = np.zeros((len(rows), 4), dtype=np.int64)
        for fate in self._fates(asked):
            counts[rows[fate.variant]] += (fate.before.kind == "right", 1, fate.after.kind == "right", 1)
        return counts

    def _false_alarms(self, asked: Asked) -> Sides:
        """Sentences without a gold mention: with a predicted one, and all of them."""
        attacked = self._sets[asked.set]
        before = dict(zip(*self._answers(asked.model, ORIGINAL), strict=True))
        after = dict(zip(*self._answers(asked.model, asked.set), strict=True))
        rows = [
            (bool(before[variant.parent]), 1, bool(after[variant.id]), 1)
            for variant in attacked.kept
            if not variant.sentence.spans and not self.material.sentences[variant.parent].spans
        ]
        return np.array(rows, dtype=np.int64).reshape(len(rows), 4)

    def _answers(self, model: str, name: str) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
        found = self.material.predictions[model, name]
        return found.ids, found.spans


def _both(sums: Counts) -> tuple[Floats, Floats]:
    return ratio(sums[:, 0], sums[:, 1]), ratio(sums[:, 2], sums[:, 3])


def _mention(asked: Asked) -> str:
    if asked.group:
        return f"mention with {asked.group}"
    return f"{asked.label} mention" if asked.label not in ("", EVERY) else "mention"
