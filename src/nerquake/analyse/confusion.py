"""Which label was taken for which: confusion of gold and predicted labels, original, attacked, and what moved.

Paper R, figures 3 and 7: rows are gold labels, a last column holds missed mentions; a last row holds false alarms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from nerquake.analyse.material import Material
from nerquake.analyse.tally import Meeting, Tallies, Tally

SUPPORT = 20
"""Labels with fewer gold mentions on either side are named as having moved only where no label has more."""
Counted = list[list[int | None]]
Shares = list[list[float | None]]


class Move(NamedTuple):
    """A cell off the diagonal and how its share changed."""

    gold: int
    said: int
    change: Fraction


def confusion(material: Material, tallies: Tallies | None = None) -> list[dict[str, Any]]:
    """One record for every model under every set, models first.

    tallies   where another analysis has counted already

    ```
    {"tagger", "set", "labels": [n labels, sorted],
     "original": {"counts": [n + 1][n + 1], "shares": [n + 1][n + 1]}, "attacked": {..},
     "difference": {"counts", "shares"},                                          attacked less original
     "moved": {"gold", "predicted", "original", "attacked", "change", "support", "few"} | null}
    ```
    Rows are gold labels and then "spurious", columns predicted labels and then "missed"; the cell of both is null.
    Both sides cover all mentions of the sentences that the set keeps. Who answers whom is the pairing of the scores,
    and a pair counts for its labels whether or not its tokens agree. So a row adds up to the gold mentions of its
    label, a column to the predicted ones. Shares are of the row's sum, null where that is 0, as is a difference with
    a side that is null.

    `moved` is the pair of different labels whose share changed most: shares of both sides, `change` attacked less
    original, `support` gold mentions in the original text. Labels with fewer than 20 gold mentions on either side are
    taken only where no label has more; `few` says so. Of equal changes growth comes first, then the labels' order.
    """
    tallies = tallies or Tallies(material)
    return [_record(tagger, attacked.name, tallies.of(tagger, attacked)) for tagger, attacked in material.pairs()]


def _record(tagger: str, name: str, found: Tally) -> dict[str, Any]:
    labels = sorted({label for side in found for meeting in side for label in meeting[:2] if label is not None})
    before, after = _matrix(found.original, labels), _matrix(found.attacked, labels)
    was, now = _shares(before), _shares(after)
    return {
        "tagger": tagger,
        "set": name,
        "labels": labels,
        "original": {"counts": before, "shares": was},
        "attacked": {"counts": after, "shares": now},
        "difference": {"counts": _less(after, before), "shares": _less(now, was)},
        "moved": _moved(labels, before, after),
    }


def _matrix(meetings: Counter[Meeting], labels: Sequence[str]) -> Counted:
    place: dict[str | None, int] = {label: number for number, label in enumerate(labels)}
    place[None] = len(labels)
    cells: Counter[tuple[int, int]] = Counter()
    for meeting, times in meetings.items():
        cells[place[meeting.gold], place[meeting.said]] += times
    size = len(labels) + 1
    counts: Counted = [[cells[row, column] for column in range(size)] for row in range(size)]
    counts[-1][-1] = None
    return counts


def _total(row: Sequence[int | None]) -> int:
    return sum(number or 0 for number in row)


def _shares(counts: Counted) -> Shares:
    return [[number / _total(row) if number is not None and _total(row) else None for number in row] for row in counts]


def _less(after: Sequence[Sequence[Any]], before: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [
        [None if now is None or was is None else now - was for now, was in zip(row, other, strict=True)]
        for row, other in zip(after, before, strict=True)
    ]


def _moved(labels: Sequence[str], before: Counted, after: Counted) -> dict[str, Any] | None:
    """The pair of labels whose share changed most."""
    enough = [row for row in range(len(labels)) if min(_total(before[row]), _total(after[row])) >= SUPPORT]
    few = not enough
    rows = enough or [row for row in range(len(labels)) if _total(before[row]) and _total(after[row])]
    moves = [move for row in rows for move in _moves(row, before[row], after[row]) if move.change]
    if not moves:
        return None
    most = min(moves, key=lambda move: (-abs(move.change), -move.change, move.gold, move.said))
    was, now = before[most.gold], after[most.gold]
    return {
        "gold": labels[most.gold],
        "predicted": labels[most.said],
        "original": (was[most.said] or 0) / _total(was),
        "attacked": (now[most.said] or 0) / _total(now),
        "change": float(most.change),
        "support": _total(was),
        "few": few,
    }


def _moves(row: int, before: Sequence[int | None], after: Sequence[int | None]) -> Iterator[Move]:
    """Changes of a row's cells off the diagonal, without the missed mentions; exact, so that equals are equal."""
    for column, (was, now) in enumerate(zip(before[:-1], after[:-1], strict=True)):
        if column != row:
            yield Move(row, column, Fraction(now or 0, _total(after)) - Fraction(was or 0, _total(before)))
