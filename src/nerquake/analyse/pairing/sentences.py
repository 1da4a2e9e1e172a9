"""Which sentence of the attacked file is which of the original: by ids, else by content, never by index."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from nerquake.analyse.pairing.model import Kind, Side
from nerquake.analyse.pairing.similar import Likeness, rising

_LEAST = 0.3
"""Sentences less alike than this are no pair, unless nothing else is left at their place."""
_SURE = 0.5
_VERY_SURE = 0.6
_EQUAL = 0.98
_SLACK = 0.25
"""How much less alike than the best partner elsewhere a partner at the same place may be."""
_PIECE = 150
"""Longer gaps are cut."""


@dataclass(slots=True)
class Pairing:
    """Partners by index.

    partner   attacked -> original
    moved     attacked sentences that stand at another place than their partner
    notes     what was settled, in words
    """

    partner: dict[int, int] = field(default_factory=dict)
    moved: set[int] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)


def pair_sentences(original: Sequence[Side], attacked: Sequence[Side], kind: Kind) -> Pairing:
    """Align two files; an attacked sentence has at most one partner, and the other way round.

    Ids count where both files have them (also `<id>~<set>`, and an id named as source). Then come sentences that are
    equal, or equal outside mentions; what is left between two pairs is aligned in order by similarity, and what is
    still left is looked for everywhere. Time grows with the number of sentences, not with its square.
    """
    return _Aligner(original, attacked, kind).run()


class _Aligner:
    def __init__(self, original: Sequence[Side], attacked: Sequence[Side], kind: Kind) -> None:
        self.original, self.attacked, self.kind = original, attacked, kind
        self.alike = Likeness(original, attacked, kind)
        self.partner: dict[int, int] = {}
        self.taken: set[int] = set()
        self.notes: list[str] = []

    def run(self) -> Pairing:
        """All steps in a row."""
        fixed = self._by_id()
        released = self._anchors(fixed)
        self._fill_gaps(released)
        self._elsewhere(released)
        self._last_resort()
        spine = set(self._spine())
        return Pairing(self.partner, set(self.partner) - spine, self.notes)

    def _pair(self, i: int, j: int) -> None:
        self.partner[j] = i
        self.taken.add(i)

    def _free(self) -> tuple[list[int], list[int]]:
        """Sentences without a partner: original, attacked."""
        left = [i for i in range(len(self.original)) if i not in self.taken]
        return left, [j for j in range(len(self.attacked)) if j not in self.partner]

    def _spine(self) -> list[int]:
        """Attacked sentences whose pairs stand in one order in both files."""
        order = sorted(self.partner)
        return [order[at] for at in rising([self.partner[j] for j in order])]

    # By id.

    def _by_id(self) -> frozenset[int]:
        known: dict[str, int] = {}
        for i, side in enumerate(self.original):
            if side.id is not None:
                known.setdefault(side.id, i)
        found: dict[int, int] = {}
        for j, side in enumerate(self.attacked):
            names = (side.id, (side.id or "").rpartition("~")[0], side.source)
            match = next((known[name] for name in names if name and name in known), None)
            if match is not None and match not in self.taken:
                found[j] = match
                self.taken.add(match)
        self.taken.clear()
        if not self._trustworthy(found):
            return frozenset()
        for j, i in found.items():
            self._pair(i, j)
        return frozenset(found)

    def _trustworthy(self, found: dict[int, int]) -> bool:
        """Ids that only count sentences join others after a loss: then many pairs hardly share a word."""
        unlike = [j for j, i in found.items() if self.alike(i, j) < _LEAST]
        if len(unlike) < max(3, len(found) // 10):
            return True
        exact = {side.tokens for side in self.original}
        frames = {side.frame() for side in self.original}
        elsewhere = sum(self.attacked[j].tokens in exact or self.attacked[j].frame() in frames for j in unlike)
        if 2 * elsewhere < len(unlike):
            return True
        self.notes.append(
            f"ids are not used: {len(unlike)} sentences with the same id hardly share a word, and {elsewhere} of them "
            "have a better partner under another id"
        )
        return False

    # Sentences that can only be each other.

    def _anchors(self, fixed: frozenset[int]) -> dict[int, tuple[int, float]]:
        """Pair what is equal; returns pairs that would break the order, as attacked -> original and likeness."""
        by_frame, by_tokens = (lambda side: side.frame()), (lambda side: side.tokens)
        keys: list[Callable[[Side], Hashable]] = [by_frame, by_tokens]
        for key in reversed(keys) if self.kind == "context" else keys:
            self._equal(key)
        left, right = self._free()
        for i, j, _ in self.alike.best(left, right, _SURE):
            self._pair(i, j)
        released: dict[int, tuple[int, float]] = {}
        spine = set(self._spine())
        for j in [j for j in self.partner if j not in spine and j not in fixed]:
            i = self.partner.pop(j)
            self.taken.discard(i)
            released[j] = (i, self.alike(i, j))
        return released

    def _equal(self, key: Callable[[Side], Hashable]) -> None:
        """Pair sentences of one key in order, where both files have equally many of them."""
        left, right = self._free()
        buckets: dict[Hashable, tuple[list[int], list[int]]] = {}
        for i in left:
            buckets.setdefault(key(self.original[i]), ([], []))[0].append(i)
        for j in right:
            if (bucket := buckets.get(key(self.attacked[j]))) is not None:
                bucket[1].append(j)
        for ours, theirs in buckets.values():
            if len(ours) == len(theirs):
                for i, j in zip(ours, theirs, strict=True):
                    self._pair(i, j)

    # What stands between two pairs.

    def _gaps(self) -> Iterable[tuple[list[int], list[int]]]:
        """Runs of sentences without a partner between neighbouring pairs of the spine."""
        before_i = before_j = -1
        ends = [(self.partner[j], j) for j in self._spine()] + [(len(self.original), len(self.attacked))]
        for end_i, end_j in ends:
            left = [i for i in range(before_i + 1, end_i) if i not in self.taken]
            right = [j for j in range(before_j + 1, end_j) if j not in self.partner]
            before_i, before_j = end_i, end_j
            if left and right:
                yield left, right

    def _fill_gaps(self, released: dict[int, tuple[int, float]]) -> None:
        best_j = {j: _claim(score) for j, (_, score) in released.items()}
        best_i = {i: _claim(score) for i, score in released.values()}

        def score(i: int, j: int) -> float:
            found = self.alike(i, j)
            return found if found >= max(_LEAST, best_i.get(i, 0.0), best_j.get(j, 0.0)) - 1e-9 else 0.0

        for left, right in list(self._gaps()):
            for i, j in in_order(left, right, score):
                self._pair(i, j)

    # What is left.

    def _elsewhere(self, released: dict[int, tuple[int, float]]) -> None:
        """Sentences that moved: equal ones first, then the most alike."""
        for j, (i, _) in released.items():
            if i not in self.taken and j not in self.partner:
                self._pair(i, j)
        left, right = self._free()
        if left and right:
            for i, j, _ in self.alike.best(left, right, _VERY_SURE):
                self._pair(i, j)

    def _last_resort(self) -> None:
        """Sentences between two pairs that have the same build: an attack changed every word."""
        for left, right in list(self._gaps()):
            for i, j in in_order(left, right, self._same_build):
                self._pair(i, j)

    def _same_build(self, i: int, j: int) -> float:
        a, b = self.original[i], self.attacked[j]
        near = min(len(a.tokens), len(b.tokens)) / max(len(a.tokens), len(b.tokens))
        if not a.spans and not b.spans:
            return near if near >= 0.75 and self.kind != "entity" else 0.0
        same = len(a.spans) == len(b.spans) and near >= 0.5
        return near if same else 0.0


def _claim(score: float) -> float:
    """How alike a partner at the same place must be, where another place has one as alike as `score`."""
    return score if score >= _EQUAL else score - _SLACK


def in_order(left: Sequence[int], right: Sequence[int], score: Callable[[int, int], float]) -> list[tuple[int, int]]:
    """Pairs in rising order on both sides with the greatest sum of scores; pairs with score 0 are none.

    A long stretch without any pair is cut into pieces of equal share on both sides, so that time stays linear.
    """
    pieces = max(1, max(len(left), len(right)) // _PIECE)
    found: list[tuple[int, int]] = []
    for piece in range(pieces):
        mine = left[piece * len(left) // pieces : (piece + 1) * len(left) // pieces]
        theirs = right[piece * len(right) // pieces : (piece + 1) * len(right) // pieces]
        found += _in_order(mine, theirs, score)
    return found


def _in_order(left: Sequence[int], right: Sequence[int], score: Callable[[int, int], float]) -> list[tuple[int, int]]:
    columns = len(right)
    above = [0.0] * (columns + 1)
    steps: list[bytearray] = []
    for i in left:
        here, step = [0.0] * (columns + 1), bytearray(columns + 1)
        for column, j in enumerate(right):
            value = score(i, j)
            joined = above[column] + value if value else -1.0
            here[column + 1], step[column + 1] = max((joined, 2), (above[column + 1], 1), (here[column], 0))
        above = here
        steps.append(step)
    pairs: list[tuple[int, int]] = []
    row, column = len(left), columns
    while row and column:
        step_here = steps[row - 1][column]
        if step_here == 2:
            row, column = row - 1, column - 1
            pairs.append((left[row], right[column]))
        elif step_here == 1:
            row -= 1
        else:
            column -= 1
    return pairs[::-1]
