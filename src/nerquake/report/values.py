"""Scores as values that the papers' tables are made of, whether from a file, from audits or from an experiment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from nerquake.report.tables import Measure

_ORIGINAL = frozenset({"original", "orig", "none", "unattacked"})


class Place(NamedTuple):
    """What was scored: a data set, its split and its language, each empty where it is not known."""

    dataset: str
    split: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """What one model scored on one set of one data set; rates are fractions.

    scores    precision, recall and F1; None is undefined, one that is not there is not known
    relative  the loss as a share of the original score over the same sentences, where that was measured
    paired    whether `relative` was measured, so that it is not worked out from the two scores
    p         of the comparison with the other way of training, where the score is the higher of the two
    spread    standard deviation of F1 over seeds
    """

    place: Place
    model: str
    set: str
    scores: Mapping[Measure, float | None]
    relative: float | None = None
    paired: bool = False
    p: float | None = None
    spread: float | None = None

    @property
    def is_original(self) -> bool:
        """Whether this is the set before any attack."""
        return is_original(self.set)


@dataclass(frozen=True, slots=True)
class Values:
    """Scores in their order.

    notes     what a reader of the tables should know
    source    the file or folders that they are from
    decimals  of per cent that are known: 0 where figures are given as 0.91, so that no table makes 91.0 of one
    """

    items: tuple[Value, ...]
    notes: tuple[str, ...] = ()
    source: str = ""
    decimals: int = 1
    _found: dict[tuple[Place, str, str], Value] = field(default_factory=dict, repr=False, compare=False)
    _originals: dict[tuple[Place, str], Value] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        for item in self.items:
            self._found[item.place, item.model, item.set] = item
            if item.is_original:
                self._originals.setdefault((item.place, item.model), item)

    def get(self, place: Place, model: str, name: str) -> Value | None:
        """One score, None where it is not there."""
        return self._found.get((place, model, name))

    def has_original(self, value: Value) -> bool:
        """Whether a loss against the original can be asked for: it was measured, or the original's F1 is there."""
        before = self._originals.get((value.place, value.model))
        return value.paired or (before is not None and "f1" in before.scores)

    def relative(self, value: Value) -> float | None:
        """The loss against the original as a share of it: as measured, else from the two scores; None: undefined."""
        if value.paired:
            return value.relative
        before = self._originals.get((value.place, value.model))
        old, new = (None if item is None else item.scores.get("f1") for item in (before, value))
        return None if not old or new is None else (old - new) / old


def together(parts: Sequence[Values]) -> Values:
    """Several sources as one; where two have one model on one set of one data set, the later one counts."""
    items = {(item.place, item.model, item.set): item for part in parts for item in part.items}
    notes = in_order(note for part in parts for note in part.notes)
    sources = ", ".join(part.source for part in parts if part.source)
    return Values(tuple(items.values()), tuple(notes), sources, max((part.decimals for part in parts), default=1))


def is_original(name: str) -> bool:
    """Whether a set's name says that no attack has touched it."""
    return name.strip().rstrip(".").casefold() in _ORIGINAL


def in_order(names: Iterable[str]) -> list[str]:
    """Each name once, in the order in which it comes first."""
    return list(dict.fromkeys(names))


def known(items: Sequence[Value], measure: Measure) -> bool:
    """Whether a score of this kind is there for any."""
    return any(measure in item.scores for item in items)
