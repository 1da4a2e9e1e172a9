"""What became of a sentence for one model, as one byte: all that the page's filters read."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntFlag
from functools import lru_cache

from nerquake.analyse.cases import GONE

OUTCOMES = ("right", "type", "boundary", "missed", GONE)
"""Outcomes by their numbers."""
CODES = {outcome: code for code, outcome in enumerate(OUTCOMES)}
BOUNDARY = CODES["boundary"]


class Flag(IntFlag):
    """The bits: turns of mentions, wrong answers in the attacked text, and turns since the last run."""

    FELL = 1
    ROSE = 2
    TYPE = 4
    BOUNDARY = 8
    MISSED = 16
    SPURIOUS = 32
    NEWLY_FALLEN = 64
    RECOVERED = 128


_WRONG = {"type": Flag.TYPE, "boundary": Flag.BOUNDARY, "missed": Flag.MISSED}


def flags_of(pairs: tuple[tuple[str, str], ...], spurious: Sequence[int]) -> int:
    """The bits of one sentence, those of an earlier run aside.

    pairs      the outcome before and after of each mention
    spurious   predictions in the attacked text that answer to no mention
    """
    return _of_pairs(pairs) | (Flag.SPURIOUS.value if spurious else 0)


@lru_cache(maxsize=4096)
def _of_pairs(pairs: tuple[tuple[str, str], ...]) -> int:
    found = 0
    for was, now in pairs:
        if now in _WRONG:
            found |= _WRONG[now].value | (Flag.FELL.value if was == "right" else 0)
        elif now == "right" and was in _WRONG:
            found |= Flag.ROSE.value
    return found


@lru_cache(maxsize=4096)
def codes_after(pairs: tuple[tuple[str, str], ...]) -> bytes:
    """The numbers of the outcomes after the attack."""
    return bytes(CODES[now] for _, now in pairs)
