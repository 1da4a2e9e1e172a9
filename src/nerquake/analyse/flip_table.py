"""Mentions that went from right to wrong, and the other way round: how many of how many, and what became of them.

`findings.flips` has the counts; here stand the shares with their intervals, and the kinds of outcome behind them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nerquake.analyse.by_sentence import per_sentence
from nerquake.analyse.drops import sampling
from nerquake.analyse.flips import OutcomeKind
from nerquake.analyse.material import Fate, Material
from nerquake.core.results import Counts
from nerquake.core.variant import AttackedSet
from nerquake.stats.bootstrap import Floats, intervals, ratio

WRONG: tuple[OutcomeKind, ...] = ("type", "boundary", "missed")
Bools = NDArray[np.bool_]


class _Followed(NamedTuple):
    """The mentions that a set compares, one place each in every array.

    rows           the place of its sentence among those that have one
    before, after  the kind of outcome
    sentences      compared, those without mentions too
    """

    rows: NDArray[np.intp]
    labels: NDArray[np.str_]
    replaced: Bools
    before: NDArray[np.str_]
    after: NDArray[np.str_]
    sentences: int


def flip_table(material: Material) -> list[dict[str, Any]]:
    """`findings.flip_table` of `result.json`: a record for every model under every set, models first.

    ```
    {"tagger", "set", "all": flips, "replaced": flips, "left_alone": flips, "by_label": {label: flips}}
    flips = {"mentions", "right", "fell", "fell_share", "fell_low", "fell_high", "fell_to": {kind: mentions},
             "wrong", "rose", "rose_share", "rose_low", "rose_high", "rose_from": {kind: mentions}}
    ```
    `mentions` are those that stand in both texts of the compared sentences, as in `findings.flips`; `right` and
    `wrong` is how the model had them before. `fell_share` is the share of the right ones that are wrong now,
    `rose_share` the share of the wrong ones that are right now; None where there are none. `low` and `high` are their
    bootstrap intervals over sentences. Kinds are "type" (same tokens, other label), "boundary" (other tokens) and
    "missed". `replaced` are mentions whose own tokens the attack changed, `left_alone` the others. Most fallen label
    first.
    """
    return [_record(material, tagger, attacked) for tagger, attacked in material.pairs()]


def _record(material: Material, tagger: str, attacked: AttackedSet) -> dict[str, Any]:
    found = _followed(material.fates(tagger, attacked), len(material.kept(attacked)))
    draws = sampling(material)
    by_label = {str(label): _block(found, found.labels == label, draws) for label in np.unique(found.labels)}
    return {
        "tagger": tagger,
        "set": attacked.name,
        "all": _block(found, np.ones(len(found.rows), dtype=np.bool_), draws),
        "replaced": _block(found, found.replaced, draws),
        "left_alone": _block(found, ~found.replaced, draws),
        "by_label": dict(sorted(by_label.items(), key=lambda item: (-item[1]["fell"], item[0]))),
    }


def _followed(fates: Sequence[Fate], sentences: int) -> _Followed:
    number: dict[str, int] = {}
    return _Followed(
        np.array([number.setdefault(fate.variant, len(number)) for fate in fates], dtype=np.intp),
        np.array([fate.label for fate in fates], dtype=np.str_),
        np.array([fate.replaced for fate in fates], dtype=np.bool_),
        np.array([fate.before.kind for fate in fates], dtype=np.str_),
        np.array([fate.after.kind for fate in fates], dtype=np.str_),
        sentences,
    )


def _block(found: _Followed, part: Bools, draws: Mapping[str, Any]) -> dict[str, Any]:
    """The flips of a part of the mentions."""
    before, after = found.before[part], found.after[part]
    was, now = before == "right", after == "right"
    table = per_sentence(found.rows[part], [was, was & ~now, ~was, ~was & now], found.sentences)
    right, fell, wrong, rose = (int(number) for number in table.sum(axis=0))
    fallen, risen = intervals(table, _shares, **draws)
    return {
        "mentions": right + wrong,
        "right": right,
        "fell": fell,
        "fell_share": fell / right if right else None,
        "fell_low": fallen.low,
        "fell_high": fallen.high,
        "fell_to": _kinds(after[was & ~now]),
        "wrong": wrong,
        "rose": rose,
        "rose_share": rose / wrong if wrong else None,
        "rose_low": risen.low,
        "rose_high": risen.high,
        "rose_from": _kinds(before[~was & now]),
    }


def _shares(sums: Counts) -> Floats:
    """[b, 4], right, fallen, wrong and risen, -> [b, 2]: shares of right ones that fell, of wrong ones that rose."""
    return np.stack([ratio(sums[:, 1], sums[:, 0]), ratio(sums[:, 3], sums[:, 2])], axis=1)


def _kinds(outcomes: NDArray[np.str_]) -> dict[str, int]:
    return {kind: int((outcomes == kind).sum()) for kind in WRONG}
