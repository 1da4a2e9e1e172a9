"""Which token of an attacked sentence is which of the original, with mentions as anchors."""

from __future__ import annotations

from dataclasses import dataclass

from nerquake.analyse.pairing.model import Kind, Side

_SAME = 2.0
_SAME_ROLE = 0.5
_CONTEXT = 5.0
"""A word of the context that stays, in attacks that replace names: worth more than any two words of names."""
_WILD = 0.5


@dataclass(frozen=True, slots=True)
class TokenMap:
    """Partners of tokens, -1 where there is none.

    origin   for each attacked token the original one
    target   for each original token the attacked one
    mine     for each original token the index of its mention, -1 outside
    theirs   the same for attacked tokens
    """

    origin: tuple[int, ...]
    target: tuple[int, ...]
    mine: tuple[int, ...]
    theirs: tuple[int, ...]


def align_tokens(original: Side, attacked: Side, kind: Kind) -> TokenMap:
    """The order-preserving alignment with the greatest score.

    Equal words count most, then a mention's words that took the place of a mention's words, then a word that took the
    place of another in the context. A word of the context never takes the place of a mention under a label.
    """
    table = _Scores(original, attacked, kind)
    a, b = len(original.tokens), len(attacked.tokens)
    front = 0
    while front < min(a, b) and table.settled(front, front):
        front += 1
    back = 0
    while back < min(a, b) - front and table.settled(a - 1 - back, b - 1 - back):
        back += 1
    target = [*range(front), *[-1] * (a - front - back), *range(b - back, b)]
    for i, j in _best_path(table, range(front, a - back), range(front, b - back)):
        target[i] = j
    origin = [-1] * b
    for i, j in enumerate(target):
        if j >= 0:
            origin[j] = i
    return TokenMap(tuple(origin), tuple(target), tuple(table.mine), tuple(table.theirs))


class _Scores:
    """What pairing two tokens is worth; below zero they are never paired."""

    def __init__(self, original: Side, attacked: Side, kind: Kind) -> None:
        self.original, self.attacked = original, attacked
        self.mine, self.theirs = original.owners(), attacked.owners()
        self.first_mine = {span.start for span in original.spans}
        self.first_theirs = {span.start for span in attacked.spans}
        self.names_stay = kind == "context"

    def settled(self, i: int, j: int) -> bool:
        """Whether two tokens at the same end of what is left are equal in text and in role."""
        same = self.original.tokens[i] == self.attacked.tokens[j] and j not in self.attacked.wild
        return same and (self.mine[i] < 0) == (self.theirs[j] < 0)

    def __call__(self, i: int, j: int) -> float:
        mine, theirs = self.mine[i], self.theirs[j]
        same_role = (mine < 0) == (theirs < 0)
        found = self._text(i, j, mine, theirs)
        return max(found, _WILD + 0.1 * same_role) if j in self.attacked.wild else found

    def _text(self, i: int, j: int, mine: int, theirs: int) -> float:
        same = self.original.tokens[i] == self.attacked.tokens[j]
        if mine >= 0 and theirs >= 0:
            alike = self.original.spans[mine].label == self.attacked.spans[theirs].label
            return self._kept_names(i, j, same, alike) if self.names_stay else self._new_names(i, j, same, alike)
        if mine < 0:
            return self._context(i, j, same, theirs < 0)
        if self.names_stay:
            return _SAME - 0.2 if same else 0.05
        return 0.3 + 0.7 * self._same_shape(i, j) if i in self.first_mine else 0.0

    def _context(self, i: int, j: int, same: bool, same_role: bool) -> float:
        if same:
            return (_SAME if self.names_stay else _CONTEXT) + (_SAME_ROLE if same_role else -0.2)
        return (0.4 + 0.1 * self._same_shape(i, j)) if same_role else -1.0

    def _kept_names(self, i: int, j: int, same: bool, alike: bool) -> float:
        both_first = i in self.first_mine and j in self.first_theirs
        return (_SAME + _SAME_ROLE if same else 0.6) + 0.2 * alike + 0.25 * both_first

    def _new_names(self, i: int, j: int, same: bool, alike: bool) -> float:
        """Where names are replaced, it counts that both begin one and that the labels agree, not what they say."""
        first = i in self.first_mine
        if first != (j in self.first_theirs) or not (first or alike):
            return 0.0
        return (2.5 + 2.0 * alike if first else 0.6) + 0.05 * same + 0.1 * self._same_shape(i, j)

    def _same_shape(self, i: int, j: int) -> bool:
        return self.original.tokens[i][:1].isupper() == self.attacked.tokens[j][:1].isupper()


def _best_path(table: _Scores, rows: range, columns: range) -> list[tuple[int, int]]:
    """Pairs of an alignment with the greatest sum of scores; a token left alone is worth nothing.

    Among equals the one that stays near the beginning's diagonal wins.
    """
    width = len(columns)
    above = [0.0] * (width + 1)
    steps: list[bytearray] = []
    for i in rows:
        here, step = [0.0] * (width + 1), bytearray(width + 1)
        for at, j in enumerate(columns):
            value = table(i, j) - 0.001 * abs(i - rows.start - j + columns.start)
            joined = above[at] + value if value > 0 else -1.0
            here[at + 1], step[at + 1] = max((joined, 2), (above[at + 1], 1), (here[at], 0))
        above = here
        steps.append(step)
    pairs: list[tuple[int, int]] = []
    row, at = len(rows), width
    while row and at:
        taken = steps[row - 1][at]
        if taken == 2:
            row, at = row - 1, at - 1
            pairs.append((rows[row], columns[at]))
        elif taken == 1:
            row -= 1
        else:
            at -= 1
    return pairs
