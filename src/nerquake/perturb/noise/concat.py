"""Concat: two sentences in one, as sentence splitters leave them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Rewrite
from nerquake.core.protocols import Context, Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import NO_CANDIDATE, Level

Order = Literal["after", "before"]


class _Partners(NamedTuple):
    """The sentences in an order that the file's does not change."""

    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Concat:
    """Another sentence of the data set is joined to each, with its mentions.

    The sentence's own mentions keep their places in the mention map, the partner's are new. It draws from the whole
    data set, so a sentence that is added can change others.

    order  whether the partner stands after or before the sentence
    """

    order: Order = "after"

    @property
    def level(self) -> Level:
        """Mentions and the words around them."""
        return "both"

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        """Collect the sentences."""
        return Prepared(_Partners(tuple(sorted(corpus, key=lambda sentence: sentence.id))))

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """A rewrite of both."""
        partner = self._partner(sentence, draws, context.state.sentences)
        if partner is None:
            return Proposal(reason=NO_CANDIDATE)
        first, second = (sentence, partner) if self.order == "after" else (partner, sentence)
        shift = len(first.tokens)
        spans = (*first.spans, *(Span(s.start + shift, s.end + shift, s.label) for s in second.spans))
        own = 0 if self.order == "after" else len(partner.spans)
        kept = tuple(range(own, own + len(sentence.spans)))
        return Proposal(rewrite=Rewrite(first.tokens + second.tokens, spans, kept, (("with", partner.id),)))

    def _partner(self, sentence: Sentence, draws: Draws, others: tuple[Sentence, ...]) -> Sentence | None:
        if len(others) < 2:
            return None
        start = int(draws.share("partner") * len(others))
        found = others[start]
        return found if found.id != sentence.id else others[(start + 1) % len(others)]
