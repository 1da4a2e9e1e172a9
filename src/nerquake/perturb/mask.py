"""Mask: up to three words outside mentions are filled in again by a masked language model (paper M, 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from nerquake.core.dataset import Dataset
from nerquake.core.errors import SpecError
from nerquake.core.options import undrawn
from nerquake.core.protocols import Context, Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.perturb.drawing import Window
from nerquake.perturb.filling import Filling, fill_all, outside_mentions
from nerquake.perturb.fills import FillRules
from nerquake.perturb.words import NO_FILL, NO_WORD, TOO_ODD, Means, WordOptions, total

RELEASED = range(1, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mask(WordOptions):
    """Up to three random words outside mentions, replaced one after another, each seeing the earlier fills.

    A fill is drawn from the five best candidates that pass the rules. Where none passes, another word is masked in its
    stead. A word has a letter or a digit; punctuation is never masked.

    masks     words to replace
    best      candidates that pass, of which one is drawn
    ranks     how far down the vocabulary they are looked for; 1 is the model's best
    variant   released: as paper M's code, one of the model's five best that pass; text: of the five best that pass
    """

    masks: int = 3
    best: int = 5
    ranks: range = undrawn(range(1, 201))
    variant: Literal["text", "released"] = "text"

    def __post_init__(self) -> None:
        WordOptions.__post_init__(self)
        if self.masks < 1 or self.best < 1 or self.ranks[0] < 1:
            found = f"masks={self.masks}, best={self.best}, ranks from {self.ranks[0]}"
            raise SpecError(f"mask: masks, best and ranks begin at 1, got {found}")

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        """Load the filler, or estimate it from the data set.

        Raises:
            UsageError: the filler cannot run here.
            InputError: its files, or those of the names, cannot be read.
        """
        filler, said = self.filler_for(corpus)
        rules = FillRules.of(corpus, self.listed_names(), marked=filler.cased)
        means = Means(filler, rules, self.judge_for(corpus, filler))
        if self.variant == "released":
            said.append("as paper M's released code: one of the model's five best that pass")
        return Prepared(means, tuple(f"mask: {line}" for line in said))

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """Edits for one sentence; the same as in a batch."""
        return self.propose_batch([sentence], draws, context)[0]

    def propose_batch(self, sentences: Sequence[Sentence], draws: Draws, context: Context) -> list[Proposal]:
        """Edits that replace words of each sentence."""
        means: Means = context.state
        fillings = [self._filling(sentence, draws.of(sentence.id)) for sentence in sentences]
        for number in range(self.masks):
            for one in fillings:
                if one.spare and len(one.filled) == number:
                    one.pending.append(one.spare.pop(0))
            fill_all(fillings, means.filler, means.rules, self._window)
        changed = [one for one in fillings if one.filled]
        limits = dict(zip(map(id, changed), self.within_limit(changed, means.judge), strict=True))
        return [_proposal(one, limits.get(id(one), True)) for one in fillings]

    @property
    def _window(self) -> Window:
        return Window(RELEASED) if self.variant == "released" else Window(self.ranks, self.best)

    def _filling(self, sentence: Sentence, draws: Draws) -> Filling:
        order = sorted(outside_mentions(sentence), key=lambda at: draws.number("position", at))
        return Filling(sentence, draws, (), [], order)

    def depends_on(self, corpus: Dataset) -> str:
        """The fillers and the listed names."""
        return " ".join(self.words_depend_on())


def _proposal(one: Filling, natural: bool) -> Proposal:
    rejected = total([one.rejected])
    if one.filled and natural:
        return Proposal(one.edits, rejected=rejected)
    if one.filled:
        return Proposal(reason=TOO_ODD, rejected=rejected)
    word = any(True for _ in outside_mentions(one.sentence))
    return Proposal(reason=NO_FILL if word else NO_WORD, applicable=word, rejected=rejected)
