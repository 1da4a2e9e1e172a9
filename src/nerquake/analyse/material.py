"""What every analysis looks at, and what became of each mention, found once for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from nerquake.analyse.cases import AllPredictions, by_id
from nerquake.analyse.flips import Outcome, Outcomes, mention_map, outcomes
from nerquake.core.dataset import Dataset
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL, AttackedSet, Variant
from nerquake.score.metrics import EntityFree


class Fate(NamedTuple):
    """What became of one gold mention under an attack, as one model sees it.

    parent    the original sentence's id; `variant` is the attacked one's
    mention   its place among the original sentence's mentions
    gold      the mention before, and the same mention after
    replaced  whether its tokens were changed
    before    how the model met it in the original sentence, and after in the attacked one
    """

    parent: str
    variant: str
    mention: int
    gold: tuple[Span, Span]
    replaced: bool
    before: Outcome
    after: Outcome

    @property
    def label(self) -> str:
        """The gold label."""
        return self.gold[0].label

    @property
    def fell(self) -> bool:
        """Right before, wrong after."""
        return self.before.kind == "right" and self.after.kind != "right"

    @property
    def rose(self) -> bool:
        """Wrong before, right after."""
        return self.before.kind != "right" and self.after.kind == "right"


@dataclass(frozen=True)
class Material:
    """What an audit has found, for whoever explains it.

    original     the audited sentences, under the labels that are scored
    sets         the attacked sets, in order
    predictions  by (tagger, set name); "original" is the set before the attack
    results      the system blocks of docs/formats.md
    training     what the models were trained on, where it is known (`--train`)
    """

    original: Dataset
    sets: tuple[AttackedSet, ...]
    predictions: AllPredictions
    results: tuple[Mapping[str, Any], ...] = ()
    training: Dataset | None = None
    seed: int = 0
    resamples: int = 1000
    level: float = 0.95
    entity_free: EntityFree = "score"
    _fates: dict[tuple[str, str], tuple[Fate, ...]] = field(default_factory=dict, repr=False, compare=False)
    _met: dict[tuple[str, str], dict[str, Outcomes]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def taggers(self) -> tuple[str, ...]:
        """Models that answered the original set, in their order."""
        return tuple(tagger for tagger, name in self.predictions if name == ORIGINAL)

    @cached_property
    def sentences(self) -> Mapping[str, Sentence]:
        """The original sentences by id."""
        return {sentence.id: sentence for sentence in self.original}

    def kept(self, attacked: AttackedSet) -> Sequence[Variant]:
        """The variants that are scored: with `--entity-free skip` only those of sentences with mentions."""
        if self.entity_free == "score":
            return attacked.kept
        return [variant for variant in attacked.kept if self.sentences[variant.parent].spans]

    def pairs(self) -> Iterator[tuple[str, AttackedSet]]:
        """Every model under every set that it answered, models first."""
        for tagger in self.taggers:
            for attacked in self.sets:
                if (tagger, attacked.name) in self.predictions:
                    yield tagger, attacked

    def met(self, tagger: str, set_name: str) -> Mapping[str, Outcomes]:
        """How a model met the gold mentions of every sentence of a set, and what it made up, by sentence id."""
        key = (tagger, set_name)
        if key not in self._met:
            answers = by_id(self.predictions[key])
            self._met[key] = {
                sentence.id: outcomes(sentence.spans, answers[sentence.id]) for sentence in self._members(set_name)
            }
        return self._met[key]

    def _members(self, set_name: str) -> Iterator[Sentence]:
        if set_name == ORIGINAL:
            yield from self.original
            return
        attacked = next(one for one in self.sets if one.name == set_name)
        for variant in attacked.kept:
            yield variant.sentence

    def fates(self, tagger: str, attacked: AttackedSet) -> tuple[Fate, ...]:
        """Every mention that stands in both texts of the scored sentences, in order."""
        key = (tagger, attacked.name)
        if key not in self._fates:
            self._fates[key] = tuple(self._follow(tagger, attacked))
        return self._fates[key]

    def _follow(self, tagger: str, attacked: AttackedSet) -> Iterator[Fate]:
        before, after = self.met(tagger, ORIGINAL), self.met(tagger, attacked.name)
        for variant in self.kept(attacked):
            parent = self.sentences[variant.parent]
            if not parent.spans:
                continue
            was, now = before[parent.id].mentions, after[variant.id].mentions
            for old, new in enumerate(mention_map(variant, len(parent.spans))):
                if new is None:
                    continue
                gold = parent.spans[old], variant.sentence.spans[new]
                changed = parent.mention(gold[0]) != variant.sentence.mention(gold[1])
                yield Fate(parent.id, variant.id, old, gold, changed, was[old], now[new])
