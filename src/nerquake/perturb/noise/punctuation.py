"""Punctuation: marks left out, added, or of another kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

from nerquake.core.edits import Edit
from nerquake.core.options import positional
from nerquake.core.protocols import Context, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.perturb.noise.clusters import is_mark, is_word
from nerquake.perturb.noise.words import NOT_CHOSEN, Noise, mention_of, was

_ADDED = (",", "-", "...", "!", ";")
_ADDED_HINDI = (",", "-", "...", "!", "।")
_STRAIGHT = {
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "‹": "'", "›": "'", "–": "-",
    "—": "-", "…": "...", "``": '"', "''": '"',
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Punctuation(Noise):
    """Marks outside mentions; those inside belong to the name and stay.

    drop      marks are left out, but for a sentence of nothing else
    add       a mark is put behind a word
    straight  typographic quotation marks, dashes and dots as a typewriter has them
    curly     straight quotation marks and hyphens between blanks as typographers want them

    form   drop, add, straight or curly
    share  how many of the places are changed: a share up to 1. Each is drawn on its own
    """

    form: Literal["drop", "add", "curly", "straight"] = positional("drop")

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """An edit for each mark."""
        found = list(_FORMS[self.form](sentence, draws.random("mark")))
        if self.form == "drop" and len(found) == len(sentence.tokens):
            found = found[1:]
        if not found:
            return Proposal(reason=f"no mark to {self.form}" if self.form == "drop" else "no place", applicable=False)
        edits = tuple(edit for edit in found if self.chooses(edit.start, draws))
        return Proposal(edits, reason="" if edits else NOT_CHOSEN)


def _marks(sentence: Sentence) -> Iterator[int]:
    """Tokens that are marks alone, outside mentions."""
    inside = mention_of(sentence)
    return (at for at, token in enumerate(sentence.tokens) if inside[at] is None and is_mark(token))


def _drop(sentence: Sentence, rng: Random) -> Iterator[Edit]:
    return (Edit(at, at + 1, (), "context", was(sentence, at, at + 1)) for at in _marks(sentence))


def _add(sentence: Sentence, rng: Random) -> Iterator[Edit]:
    """One mark behind one word: not inside a mention, not between two that touch, not beside another mark."""
    inside, tokens = mention_of(sentence), sentence.tokens
    places = [
        at
        for at in range(1, len(tokens) + 1)
        if is_word(tokens[at - 1]) and (at == len(tokens) or not (is_mark(tokens[at]) or _joined(inside, at)))
    ]
    if places:
        at = places[int(rng.random() * len(places))]
        choices = _ADDED_HINDI if "\u0900" <= tokens[at - 1][0] <= "\u097f" else _ADDED
        mark = choices[int(rng.random() * len(choices))]
        yield Edit(at, at, (mark,), "context", (("added", mark),))


def _joined(inside: list[int | None], at: int) -> bool:
    """Whether a mention stands on both sides: the same, or two that touch."""
    return inside[at] is not None and inside[at - 1] is not None


def _exchanged(sentence: Sentence, new_of: Callable[[int, str], str]) -> Iterator[Edit]:
    for at in _marks(sentence):
        new = new_of(at, sentence.tokens[at])
        if new != sentence.tokens[at]:
            yield Edit(at, at + 1, (new,), "context", was(sentence, at, at + 1))


def _straight(sentence: Sentence, rng: Random) -> Iterator[Edit]:
    return _exchanged(sentence, lambda _, mark: _STRAIGHT.get(mark, mark))


def _curly(sentence: Sentence, rng: Random) -> Iterator[Edit]:
    """Quotation marks open and close in turn."""
    opened: dict[str, bool] = {}
    pairs = {'"': "“”", "'": "‘’"}

    def new_of(at: int, mark: str) -> str:
        if mark in ("-", "--"):
            return "–"
        if mark not in pairs:
            return {"...": "…", "``": "“", "''": "”"}.get(mark, mark)
        opened[mark] = not opened.get(mark, False)
        return pairs[mark][0 if opened[mark] else 1]

    return _exchanged(sentence, new_of)


_FORMS: dict[str, Callable[[Sentence, Random], Iterator[Edit]]] = {
    "drop": _drop,
    "add": _add,
    "straight": _straight,
    "curly": _curly,
}
