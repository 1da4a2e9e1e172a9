"""Mixing up: the first half of one sentence joined to the second half of another (paper R's Mixing up)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Rewrite
from nerquake.core.protocols import Context, Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import NO_CANDIDATE, Level
from nerquake.perturb.base import NO_MENTION

_TRIES = 16


class _Half(NamedTuple):
    """The second half of a sentence: everything after one of its mentions."""

    sentence: Sentence
    place: int

    @property
    def start(self) -> int:
        return self.sentence.spans[self.place].end

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.sentence.tokens[self.start :]


@dataclass(slots=True)
class _Halves:
    """The second halves of one type: all of them, and by what they say."""

    members: list[_Half] = field(default_factory=list)
    endings: dict[tuple[str, ...], list[_Half]] = field(default_factory=dict)

    def add(self, half: _Half) -> None:
        self.members.append(half)
        self.endings.setdefault(half.tokens, []).append(half)


@dataclass(frozen=True, slots=True)
class Mixup:
    """A sentence up to and including one of its mentions, then everything after a mention of that type in another.

    The mention is drawn among the sentence's own, the partner among all mentions of its type in other sentences. It
    draws from the whole data set, so a sentence that is added can change others. Mentions of the sentence up to the
    drawn one keep their places in the mention map, later ones are gone; the partner's are new.
    """

    @property
    def level(self) -> Level:
        """Mentions and the words around them."""
        return "both"

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        """Collect the second halves by type, in an order that the file's order does not change."""
        halves: dict[str, _Halves] = {}
        for sentence in sorted(corpus, key=lambda sentence: sentence.id):
            for index, span in enumerate(sentence.spans):
                halves.setdefault(span.label, _Halves()).add(_Half(sentence, index))
        return Prepared(halves)

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """A rewrite, or the reason why there is none."""
        if not sentence.spans:
            return Proposal(reason=NO_MENTION, applicable=False)
        halves: Mapping[str, _Halves] = context.state
        rng = draws.random("mention")
        for index in rng.sample(range(len(sentence.spans)), len(sentence.spans)):
            partner = _partner(sentence, index, halves.get(sentence.spans[index].label), rng)
            if partner is not None:
                return Proposal(rewrite=_joined(sentence, index, partner), attackable=len(sentence.spans))
        return Proposal(reason=NO_CANDIDATE, attackable=len(sentence.spans))


def _partner(sentence: Sentence, index: int, halves: _Halves | None, rng: Random) -> _Half | None:
    """A half of another sentence that ends the sentence in another way."""
    if halves is None:
        return None
    rest = sentence.tokens[sentence.spans[index].end :]
    for _ in range(_TRIES):
        half = halves.members[int(rng.random() * len(halves.members))]
        if half.sentence.id != sentence.id and half.tokens != rest:
            return half
    return _search(sentence, rest, halves, rng)


def _search(sentence: Sentence, rest: tuple[str, ...], halves: _Halves, rng: Random) -> _Half | None:
    """Where guessing fails, nearly all halves say the same: go through those that say something else."""
    others = [ending for ending in halves.endings if ending != rest]
    start = int(rng.random() * len(others))
    for ending in (*others[start:], *others[:start]):
        members = halves.endings[ending]
        begin = int(rng.random() * len(members))
        for half in (*members[begin:], *members[:begin]):
            if half.sentence.id != sentence.id:
                return half
    return None


def _joined(sentence: Sentence, index: int, partner: _Half) -> Rewrite:
    end = sentence.spans[index].end
    shift = end - partner.start
    later = partner.sentence.spans[partner.place + 1 :]
    spans = (*sentence.spans[: index + 1], *(Span(s.start + shift, s.end + shift, s.label) for s in later))
    kept = range(index + 1)
    gone = [None] * (len(sentence.spans) - index - 1)
    source = (
        ("from", partner.sentence.id),
        ("after", sentence.surface(sentence.spans[index])),
        ("partner-after", partner.sentence.surface(partner.sentence.spans[partner.place])),
    )
    return Rewrite(sentence.tokens[:end] + partner.tokens, spans, (*kept, *gone), source)
