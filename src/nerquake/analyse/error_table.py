"""The error table of paper R (figure 3 left, table 5): right or wrong type by the number of tokens that differ.

Each gold mention is compared with the prediction on exactly its tokens, else with every prediction that overlaps it,
each with weight 1/n, so that the rows of a column add up to the number of mentions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from nerquake.analyse.cases import by_id
from nerquake.analyse.flips import Outcome
from nerquake.analyse.material import Fate, Material
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL, AttackedSet

MOST = 3
"""Three differing tokens or more are one row."""
NONE = 2 * (MOST + 1)
"""The place of the row "no prediction", behind four of the right and four of the wrong type."""
KIND_OF = ("right", *("boundary",) * MOST, "type", *("boundary",) * MOST, "missed")
"""The kind of outcome of each row: other tokens are a wrong boundary, whatever the label."""
ERRORS = ("type", "boundary", "missed")
BOUNDARIES = ("shorter", "longer", "shifted")
"""What a wrong boundary is: the answer lies inside the mention, around it, or neither."""
SIDES = ("before", "after", "left", "replaced")


def error_table(material: Material) -> list[dict[str, Any]]:
    """One record for every model under every set, models first.

    ```
    {"tagger", "set",
     "mentions": {"before", "after", "left", "replaced"},
     "rows": [{"type": "right" | "wrong" | null, "d": 0..3 | null, "kind": "right" | "type" | "boundary" | "missed",
               "counts": {"before", "after", "left", "replaced"}, "touched": {the same four},
               "shares": {the same four}}],                                                       nine rows
     "most": {"before_after": {"kind", "added", "of"} | null, "left_replaced": {..} | null},
     "kinds": [{"kind": "right" | "type" | "boundary" | "missed" | "spurious", "before", "after", "added"}],
     "boundaries": [{"what": "shorter" | "longer" | "shifted", "before", "after"}]}
    ```
    Two readings of the columns: the same mentions before and after the attack, and inside the attacked set those that
    were left alone against those that were replaced. Mentions are those that stand in both texts of the scored
    sentences. `d` is the size of the symmetric difference of the token sets, 3 is "3 or more"; the row without both is
    "no prediction". Counts may be parts of mentions, `touched` are the whole mentions that have a part in the row;
    shares are of the mentions of the column, null where it has none.

    `most` names the kind of error that grew most from the first to the second column of a reading: by `added`, of `of`
    more errors in all, both as shares; null where a column is empty or no kind grew. `kinds` counts by the one-to-one
    pairing of the scores instead, so that a mention may be missed though a prediction touches it, and a prediction
    spurious; `added` is the growth as a share of the mentions. `boundaries` says of those of kind "boundary" whether
    the answer lies inside the mention, around it, or neither.
    """
    answers = {key: by_id(material.predictions[key]) for key in _answered(material)}
    return [
        _record(material, tagger, attacked, (answers[tagger, ORIGINAL], answers[tagger, attacked.name]))
        for tagger, attacked in material.pairs()
    ]


def _answered(material: Material) -> set[tuple[str, str]]:
    pairs = [(tagger, attacked.name) for tagger, attacked in material.pairs()]
    return {*pairs, *((tagger, ORIGINAL) for tagger, _ in pairs)}


def _record(
    material: Material,
    tagger: str,
    attacked: AttackedSet,
    said: tuple[Mapping[str, Sequence[Span]], Mapping[str, Sequence[Span]]],
) -> dict[str, Any]:
    fates = material.fates(tagger, attacked)
    before = [rows_of(fate.gold[0], fate.before, said[0][fate.parent]) for fate in fates]
    after = [(rows_of(fate.gold[1], fate.after, said[1][fate.variant]), fate.replaced) for fate in fates]
    parts = {
        side: [rows for rows, replaced in after if replaced == wanted]
        for side, wanted in (("left", False), ("replaced", True))
    }
    met = {"before": before, "after": [*parts["left"], *parts["replaced"]], **parts}
    sizes = {side: len(mentions) for side, mentions in met.items()}
    columns = {side: _column(mentions) for side, mentions in met.items()}
    touched = {side: Counter(row for rows in mentions for row in set(rows)) for side, mentions in met.items()}
    return {
        "tagger": tagger,
        "set": attacked.name,
        "mentions": sizes,
        "rows": [_row(place, columns, touched, sizes) for place in range(NONE + 1)],
        "most": {
            f"{first}_{second}": _most(columns, sizes, first, second)
            for first, second in (("before", "after"), ("left", "replaced"))
        },
        "kinds": _kinds(material, tagger, attacked, fates),
        "boundaries": _boundaries(fates),
    }


def rows_of(gold: Span, outcome: Outcome, predicted: Iterable[Span]) -> tuple[int, ...]:
    """The rows that a mention falls into, one for each prediction that shares it."""
    if outcome.kind == "right":
        return (0,)
    if outcome.kind == "type":
        return (MOST + 1,)
    return tuple(_place(gold, said) for said in predicted if said.overlaps(gold)) or (NONE,)


def _place(gold: Span, said: Span) -> int:
    shared = min(gold.end, said.end) - max(gold.start, said.start)
    different = gold.width + said.width - 2 * shared
    return min(different, MOST) + (0 if said.label == gold.label else MOST + 1)


def _column(mentions: Iterable[tuple[int, ...]]) -> tuple[Fraction, ...]:
    """Mentions in each row, exact: a mention with n predictions is a part of 1/n in the row of each."""
    column = [Fraction(0)] * (NONE + 1)
    for rows, times in Counter(mentions).items():
        for row in rows:
            column[row] += Fraction(times, len(rows))
    return tuple(column)


def _row(
    place: int,
    columns: Mapping[str, Sequence[Fraction]],
    touched: Mapping[str, Mapping[int, int]],
    sizes: Mapping[str, int],
) -> dict[str, Any]:
    wrong, d = divmod(place, MOST + 1)
    return {
        "type": None if place == NONE else "wrong" if wrong else "right",
        "d": None if place == NONE else d,
        "kind": KIND_OF[place],
        "counts": {side: float(columns[side][place]) for side in SIDES},
        "touched": {side: touched[side].get(place, 0) for side in SIDES},
        "shares": {side: _share(columns[side][place], sizes[side]) for side in SIDES},
    }


def _share(part: Fraction | int, whole: int) -> float | None:
    return float(Fraction(part) / whole) if whole else None


def _most(
    columns: Mapping[str, Sequence[Fraction]], sizes: Mapping[str, int], first: str, second: str
) -> dict[str, Any] | None:
    """The kind of error whose share grew most; of equals the one named first in ERRORS."""
    if not sizes[first] or not sizes[second]:
        return None
    growth = dict.fromkeys(ERRORS, Fraction(0))
    for kind, was, now in zip(KIND_OF, columns[first], columns[second], strict=True):
        if kind in growth:
            growth[kind] += now / sizes[second] - was / sizes[first]
    kind = max(ERRORS, key=lambda name: growth[name])
    if growth[kind] <= 0:
        return None
    return {"kind": kind, "added": float(growth[kind]), "of": float(sum(growth.values()))}


def _kinds(material: Material, tagger: str, attacked: AttackedSet, fates: Sequence[Fate]) -> list[dict[str, Any]]:
    """Outcomes by the pairing of the scores."""
    before: Counter[str] = Counter(fate.before.kind for fate in fates)
    after: Counter[str] = Counter(fate.after.kind for fate in fates)
    was, now = material.met(tagger, ORIGINAL), material.met(tagger, attacked.name)
    for variant in material.kept(attacked):
        before["spurious"] += len(was[variant.parent].spurious)
        after["spurious"] += len(now[variant.id].spurious)
    return [
        {
            "kind": kind,
            "before": before[kind],
            "after": after[kind],
            "added": _share(after[kind] - before[kind], len(fates)),
        }
        for kind in ("right", *ERRORS, "spurious")
    ]


def _boundaries(fates: Sequence[Fate]) -> list[dict[str, Any]]:
    """How the tokens of answers with other tokens differ from those of the mention."""
    before = Counter(_difference(fate.gold[0], fate.before) for fate in fates)
    after = Counter(_difference(fate.gold[1], fate.after) for fate in fates)
    return [{"what": what, "before": before[what], "after": after[what]} for what in BOUNDARIES]


def _difference(gold: Span, outcome: Outcome) -> str:
    """One of BOUNDARIES; empty where the tokens are right or there is no answer."""
    said = outcome.said
    if outcome.kind != "boundary" or said is None:
        return ""
    if gold.start <= said.start and said.end <= gold.end:
        return "shorter"
    return "longer" if said.start <= gold.start and gold.end <= said.end else "shifted"
