"""Putting other words into a sentence, one after another, many sentences side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from nerquake.core.edits import Edit
from nerquake.core.fillers import Fill, Masked, MaskFiller
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.perturb.drawing import Blank, Drawn, Window, draw_all
from nerquake.perturb.fills import FillRules, has_capital, in_case_of, is_word


@dataclass(slots=True)
class Filling:
    """A sentence in which words are replaced.

    slot      what its draws are keyed by besides the sentence
    pending   positions to fill, the next one first; all of them are masked until they are filled
    spare     positions to try, in order, where no candidate is left for one
    """

    sentence: Sentence
    draws: Draws
    slot: tuple[object, ...]
    pending: list[int]
    spare: list[int]
    filled: dict[int, str] = field(default_factory=dict)
    rejected: Counter[str] = field(default_factory=Counter)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The sentence as it is now."""
        words = list(self.sentence.tokens)
        for position, word in self.filled.items():
            words[position] = word
        return tuple(words)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What leads from the sentence to it."""
        old = self.sentence.tokens
        return tuple(
            Edit(at, at + 1, (word,), "context", (("was", old[at]),)) for at, word in sorted(self.filled.items())
        )

    def blank(self, rules: FillRules, cased: bool) -> Blank:
        """The next position to fill."""
        position, *hidden = self.pending
        tokens = self.tokens
        old = self.sentence.tokens[position]
        beside = " ".join(tokens)

        def reason(fill: Fill) -> str:
            return rules.reason(fill, old, beside)

        def rewritten_reason(fill: Fill) -> str:
            return reason(fill if fill.kind != "word" else fill._replace(text=in_case_of(fill.text, old)))

        return Blank(
            Masked(tokens, position, tuple(hidden), self.sentence.id),
            reason if cased or not has_capital(old) else rewritten_reason,
            self.draws.numbers("fill", *self.slot, position),
        )

    def take(self, drawn: Drawn, cased: bool) -> None:
        """Fill the position, or try another in its stead."""
        position = self.pending.pop(0)
        self.rejected += drawn.rejected
        if drawn.text is not None:
            old = self.sentence.tokens[position]
            self.filled[position] = drawn.text if cased else in_case_of(drawn.text, old)
        elif self.spare:
            self.pending.insert(0, self.spare.pop(0))


def fill_all(fillings: Sequence[Filling], filler: MaskFiller, rules: FillRules, window: Window) -> None:
    """Fill what is pending in all of them, the next position of each at a time."""
    cased = filler.cased
    while active := [one for one in fillings if one.pending]:
        blanks = [one.blank(rules, cased) for one in active]
        for one, drawn in zip(active, draw_all(filler, blanks, window), strict=True):
            one.take(drawn, cased)


def outside_mentions(sentence: Sentence) -> Iterator[int]:
    """Positions of the words that no mention holds, punctuation left out."""
    inside = {at for span in sentence.spans for at in range(span.start, span.end)}
    for at, token in enumerate(sentence.tokens):
        if at not in inside and is_word(token):
            yield at
