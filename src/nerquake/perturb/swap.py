"""Swap: the texts of a type's mentions are dealt out again among them (paper M's RS; paper R's Entity Switching)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import SpecError
from nerquake.core.protocols import Context, Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.variant import Level
from nerquake.perturb.base import Mention, MentionOptions, Plan, Replacement, planned, propose_replacements
from nerquake.perturb.deal import deal
from nerquake.perturb.names import check_names_file, names_plan, read_names
from nerquake.perturb.tokens import folded_text

_TRIES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap(MentionOptions):
    """The texts of the mentions of a type are dealt out again among them.

    Every text is used as often as it occurs, and as many mentions as possible get a text that differs from their own
    by more than case: with n mentions of which m share the commonest text, min(n, 2(n - m)). The rest stay as they
    are: "no other candidate". The order is a hash of seed, sentence id and mention index, so the order of the file
    does not matter. It draws from the whole data set: a mention that is added changes replacements of its own type.

    match_length  texts go only to mentions with the same number of tokens
    pool          draw names from this file instead (formats as for `gazetteer`); the data set's own are not used
    replace       draw each mention's text from those in other sentences, with replacement (paper R's Entity Switching)
    variant       released: as paper M's code, the last mention not used yet that has the same number of tokens and
                  does not stand in the sentence, in the order of the hash where the paper's code has that of the file

    With `consistent=document` or `corpus` the texts are dealt out among the different texts, so that each is used
    once for each text, no longer as often as it occurs. With `coverage` only chosen mentions take part in the deal.
    """

    match_length: bool = False
    pool: str = ""
    replace: bool = False
    variant: Literal["text", "released"] = "text"

    def __post_init__(self) -> None:
        MentionOptions.__post_init__(self)
        released = self.variant == "released"
        if sum((bool(self.pool), self.replace, released)) > 1:
            raise SpecError("swap: pool=, replace=yes and variant=released exclude each other")
        if released and self.consistent != "mention":
            raise SpecError("swap: variant=released gives every mention a text of its own; leave out consistent=")
        if self.pool:
            check_names_file(self.pool)

    @property
    def level(self) -> Level:
        """Mentions."""
        return "entity"

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        """Settle for every chosen mention what replaces it.

        Raises:
            UsageError: `types` names a label that the data set does not have, or the pool has none of its labels.
            InputError: the pool cannot be read.
        """
        notes = self.notes_on(corpus)
        chosen = self.chosen(corpus, draws)
        if self.pool:
            plan, more = names_plan(chosen, read_names(self.pool), draws, self.match_length)
            return Prepared(plan, (*notes, *more))
        plan = {}
        for pool in self._pools(chosen, draws):
            if self.variant == "released":
                _released(pool, plan)
            elif self.replace:
                _draw_others(pool, draws, plan)
            else:
                _deal(pool, draws, plan)
        return Prepared(plan, tuple(notes))

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """Edits that replace the sentence's chosen mentions."""
        return propose_replacements(sentence, self, draws, planned(context.state))

    def _pools(self, chosen: Iterable[Mention], draws: Draws) -> list[_Pool]:
        """Mentions that may take each other's texts, each pool in the order of a hash."""
        pools: dict[tuple[str, int], list[Mention]] = {}
        by_length = self.match_length or self.variant == "released"
        for mention in chosen:
            span = mention.sentence.spans[mention.place]
            pools.setdefault((span.label, span.width if by_length else 0), []).append(mention)
        own = draws.of("")
        ordered = {}
        for name, mentions in sorted(pools.items()):
            keyed = [(own.number("order", *m.unit), m.unit, m.key, m) for m in mentions]
            ordered[name] = [row[-1] for row in sorted(keyed, key=lambda row: row[:-1])]
        return [_Pool(name, mentions) for name, mentions in ordered.items()]


class _Pool(NamedTuple):
    """Mentions that share a label, and a number of tokens where that is asked for (else 0)."""

    name: tuple[str, int]
    mentions: list[Mention]


def _taking(mention: Mention, donor: Mention) -> Replacement:
    return Replacement(donor.tokens, (("from", donor.sentence.id), ("was", mention.text)))


def _deal(pool: _Pool, draws: Draws, plan: Plan) -> None:
    """Deal the pool's texts out among its units: single mentions, or texts where these are to be consistent."""
    first: dict[tuple[str | int, ...], Mention] = {}
    for mention in pool.mentions:
        first.setdefault(mention.unit, mention)
    units = list(first.values())
    texts = [mention.tokens for mention in units]
    groups = list(map(folded_text, texts))
    given = deal(groups, draws.of("").random("deal", *pool.name))
    taken: dict[tuple[str | int, ...], Replacement | None] = {}
    for place, source in enumerate(given):
        donor = Replacement(texts[source], (("from", units[source].sentence.id), ("was", " ".join(texts[place]))))
        taken[units[place].unit] = donor if groups[source] != groups[place] else None
    for mention in pool.mentions:
        plan[mention.key] = taken[mention.unit]


def _draw_others(pool: _Pool, draws: Draws, plan: Plan) -> None:
    """Draw for each unit a mention of another sentence with another text."""
    others = _Others(pool.mentions)
    donors: dict[tuple[str | int, ...], Mention | None] = {}
    for mention in pool.mentions:
        if mention.unit not in donors:
            donors[mention.unit] = others.draw(mention, draws.of("").random(*mention.unit))
        donor = donors[mention.unit]
        plan[mention.key] = None if donor is None else _taking(mention, donor)


class _Others:
    """Draws a mention of another sentence with another text, each as likely as the next."""

    def __init__(self, mentions: Sequence[Mention]) -> None:
        self.mentions = mentions
        self.texts = [folded_text(mention.tokens) for mention in mentions]
        self.grouped: list[int] = []

    def draw(self, mention: Mention, rng: Random) -> Mention | None:
        text = folded_text(mention.tokens)
        for _ in range(_TRIES):
            index = int(rng.random() * len(self.mentions))
            if self._serves(index, mention, text):
                return self.mentions[index]
        return self._search(mention, text, rng)

    def _serves(self, index: int, mention: Mention, text: str) -> bool:
        return self.texts[index] != text and self.mentions[index].sentence.id != mention.sentence.id

    def _search(self, mention: Mention, text: str, rng: Random) -> Mention | None:
        """Where guessing fails, one text is common: leave its mentions out, and look on from a random one."""
        if not self.grouped:
            self.grouped = sorted(range(len(self.texts)), key=lambda i: (self.texts[i], i))
        low = bisect_left(self.grouped, text, key=lambda i: self.texts[i])
        high = bisect_right(self.grouped, text, key=lambda i: self.texts[i])
        left = [*self.grouped[:low], *self.grouped[high:]]
        start = int(rng.random() * len(left))
        for index in (*left[start:], *left[:start]):
            if self._serves(index, mention, text):
                return self.mentions[index]
        return None


def _released(pool: _Pool, plan: Plan) -> None:
    """Each mention in turn takes the pool's last unused one whose text, whatever its case, is not in its sentence."""
    unused = list(pool.mentions)
    for mention in pool.mentions:
        standing = {folded_text(mention.sentence.mention(span)) for span in mention.sentence.spans}
        place = next((i for i in reversed(range(len(unused))) if folded_text(unused[i].tokens) not in standing), None)
        plan[mention.key] = None if place is None else _taking(mention, unused.pop(place))
