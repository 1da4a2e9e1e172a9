"""How often each gold label met each predicted label, and in which way, before and after an attack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from nerquake.analyse.flips import Outcomes
from nerquake.analyse.material import Material
from nerquake.core.results import KINDS, Counts
from nerquake.core.span import Span
from nerquake.core.variant import ORIGINAL, AttackedSet
from nerquake.score.count import ASTRAY, CLASH, MISSED, OVERLAP, PREDICTED, SAME, SPURIOUS


class Meeting(NamedTuple):
    """A gold label and the predicted label that answers it; None where one of the two is not there.

    same   both cover the same tokens
    """

    gold: str | None
    said: str | None
    same: bool

    @property
    def kind(self) -> int:
        """The kind of pair that the scores count, an index of KINDS."""
        if self.said is None:
            return MISSED
        if self.gold is None:
            return SPURIOUS
        if self.same:
            return SAME if self.gold == self.said else CLASH
        return OVERLAP if self.gold == self.said else ASTRAY


class Tally(NamedTuple):
    """Meetings in the scored sentences of a set, in their original and in their attacked text."""

    original: Counter[Meeting]
    attacked: Counter[Meeting]


@dataclass(frozen=True)
class Tallies:
    """Tallies, made once for each model and set."""

    material: Material
    _made: dict[tuple[str, str], Tally] = field(default_factory=dict, repr=False, compare=False)
    _whole: dict[str, Counter[Meeting]] = field(default_factory=dict, repr=False, compare=False)

    def of(self, tagger: str, attacked: AttackedSet) -> Tally:
        """All gold and all predicted mentions of the sentences that a set keeps, on both sides."""
        key = tagger, attacked.name
        if key not in self._made:
            texts = ((variant.id, variant.sentence.spans) for variant in self.material.kept(attacked))
            after = _count(texts, self.material.met(tagger, attacked.name))
            self._made[key] = Tally(self._original(tagger, attacked), after)
        return self._made[key]

    def _original(self, tagger: str, attacked: AttackedSet) -> Counter[Meeting]:
        """The original text of these sentences; sets that keep all of them share one count."""
        kept = [self.material.sentences[variant.parent] for variant in self.material.kept(attacked)]
        met = self.material.met(tagger, ORIGINAL)
        if len(kept) < len(self.material.original):
            return _count(((sentence.id, sentence.spans) for sentence in kept), met)
        if tagger not in self._whole:
            self._whole[tagger] = _count(((sentence.id, sentence.spans) for sentence in kept), met)
        return self._whole[tagger]


def _count(texts: Iterable[tuple[str, Sequence[Span]]], met: Mapping[str, Outcomes]) -> Counter[Meeting]:
    """Meetings in these sentences, given as ids and gold mentions."""
    # Plain tuples, counted at the end: made into values one by one they would take several times as long.
    seen: list[tuple[str | None, str | None, str]] = []
    for key, gold in texts:
        mentions, spurious = met[key]
        for span, (kind, said) in zip(gold, mentions, strict=True):
            seen.append((span.label, said.label if said else None, kind))
        for span in spurious:
            seen.append((None, span.label, "spurious"))
    found: Counter[Meeting] = Counter()
    for (gold_label, said_label, how), times in Counter(seen).items():
        found[Meeting(gold_label, said_label, how in ("right", "type"))] += times
    return found


def charged(meetings: Mapping[Meeting, int]) -> dict[str, Counts]:
    """Counts [7] of each label, columns as KINDS, charged as the scores charge them; labels sorted."""
    found: dict[str, Counts] = {}

    def at(label: str) -> Counts:
        return found.setdefault(label, np.zeros(len(KINDS), dtype=np.int64))

    for meeting, times in meetings.items():
        owner = meeting.said if meeting.gold is None else meeting.gold
        if owner is not None:
            at(owner)[meeting.kind] += times
        if meeting.said is not None:
            at(meeting.said)[PREDICTED] += times
    return dict(sorted(found.items()))
