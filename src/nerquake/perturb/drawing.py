"""Drawing a word from a masked language model's ranked candidates, so that floating-point noise cannot change it.

Every candidate that may be drawn has a number of its own, hashed from the seed, the sentence, the place and its text;
the smallest wins. So it does not matter in which order candidates stand, only which ones take part. Where an answer
from a batch leaves that open, because a score lies closer to the border than the filler's noise, the request is asked
again alone: that answer is the reference (`core/fillers.py`), and what lies farther from the border is the same in
both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nerquake.core.errors import PluginError
from nerquake.core.fillers import Fill, Masked, MaskFiller

BESIDE = 24
"""Entries behind the window that are asked for too, to see whether noise could bring one in."""


@dataclass(frozen=True, slots=True)
class Window:
    """Which candidates take part in a draw.

    ranks   of the full vocabulary, 1 is the model's best
    best    of those that pass the rules the first so many; 0: all
    """

    ranks: range
    best: int = 0

    @property
    def depth(self) -> int:
        """Entries to ask a filler for."""
        return self.ranks[-1] + BESIDE

    @property
    def first_depth(self) -> int:
        """Entries to ask for at first: of a few best candidates the whole list is hardly ever needed."""
        return min(self.depth, self.ranks[0] - 1 + 4 * self.best + BESIDE) if self.best else self.depth


class Blank(NamedTuple):
    """A request, with what becomes of the answer.

    reason   why a fill cannot be taken, empty where it can
    number   of a fill in the draw
    """

    request: Masked
    reason: Callable[[Fill], str]
    number: Callable[[str], int]


class Drawn(NamedTuple):
    """The word that was drawn, None where no candidate passes, and the candidates rejected by reason."""

    text: str | None
    rejected: Counter[str]


def draw_all(filler: MaskFiller, blanks: Sequence[Blank], window: Window) -> list[Drawn]:
    """A draw for each blank, with one call of the filler, and another for each that noise leaves open.

    Raises:
        PluginError: the filler gave another number of answers.
    """
    noise = filler.noise if len(blanks) > 1 else 0.0
    found = _draws(filler, blanks, window, window.first_depth)
    short = [at for at, draw in enumerate(found) if draw.is_cut_off(window)]
    if short:
        deeper = _draws(filler, [blanks[at] for at in short], window, window.depth)
        for at, draw in zip(short, deeper, strict=True):
            found[at] = draw
    for at, draw in enumerate(found):
        if noise and draw.is_open(2 * noise):
            (found[at],) = _draws(filler, [blanks[at]], window, window.depth)
    return [Drawn(draw.winner, draw.rejected) for draw in found]


def _draws(filler: MaskFiller, blanks: Sequence[Blank], window: Window, depth: int) -> list[_Draw]:
    answers = list(filler.fill([blank.request for blank in blanks], depth))
    if len(answers) != len(blanks):
        raise PluginError(f"a mask filler gave {len(answers)} answers for {len(blanks)} requests")
    return [_Draw(blank, answer, window) for blank, answer in zip(blanks, answers, strict=True)]


class _Draw:
    """One draw from one answer: entries `[first, end)` of it take part."""

    def __init__(self, blank: Blank, answer: Sequence[Fill], window: Window) -> None:
        self.blank, self.answer = blank, answer
        self.first = min(window.ranks[0] - 1, len(answer))
        self.end = self.first
        self.rejected: Counter[str] = Counter()
        self.winner: str | None = None
        self.smallest = -1
        passed = 0
        last = min(window.ranks[-1], len(answer))
        while self.end < last and not (window.best and passed >= window.best):
            passed += self._take(answer[self.end])
            self.end += 1
        self.complete = bool(window.best) and passed >= window.best

    def _take(self, fill: Fill) -> bool:
        reason = self.blank.reason(fill)
        if reason:
            self.rejected[reason] += 1
            return False
        number = self.blank.number(fill.text)
        if self.winner is None or number < self.smallest:
            self.winner, self.smallest = fill.text, number
        return True

    def is_cut_off(self, window: Window) -> bool:
        """Whether a deeper answer could say more: candidates that are missing, or what stands beside the last one."""
        length = len(self.answer)
        if length < window.first_depth or length == window.depth:
            return False
        return not self.complete or self.end > length - BESIDE // 2

    def is_open(self, margin: float) -> bool:
        """Whether another answer, with scores less than half of `margin` off, could lead to another draw."""
        if self._open_at(self.first, margin) or self._open_at(self.end, margin):
            return True
        return self.complete and self._could_end_before_a_rejected(margin)

    def _could_end_before_a_rejected(self, margin: float) -> bool:
        """Whether the last of the best that pass could overtake a rejected entry, which then is not counted."""
        reach = self.answer[self.end - 1].score + margin
        return any(fill.score <= reach and self.blank.reason(fill) for fill in self.answer[self.first : self.end])

    def _open_at(self, border: int, margin: float) -> bool:
        """Whether an entry that could be on the other side of a border would change what is drawn or counted."""
        answer = self.answer
        if not 0 < border < len(answer):
            return False
        inside, outside = (border, border - 1) if border == self.first else (border - 1, border)
        high, low = answer[border - 1].score, answer[border].score
        if high - low > margin:
            return False
        if self.first == self.end or answer[-1].score >= high - margin:
            return True  # in the second case entries behind the answer's last one could stand here as well
        near = [at for at, fill in enumerate(answer) if high - margin <= fill.score <= low + margin]
        return any(self._matters(answer[at]) for at in {*near, inside, outside})

    def _matters(self, fill: Fill) -> bool:
        return bool(self.blank.reason(fill)) or self.blank.number(fill.text) <= self.smallest
