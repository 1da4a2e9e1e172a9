"""What a perturbation made of a sentence, and of a whole data set."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from nerquake.core.edits import Edit, MentionMap, Rewrite
from nerquake.core.sentence import Sentence

Level = Literal["none", "entity", "context", "both", "surface"]
Status = Literal["changed", "unchanged", "not-applicable", "discarded"]
STATUSES: tuple[Status, ...] = ("changed", "unchanged", "not-applicable", "discarded")
ORIGINAL = "original"
"""The name of the set that no perturbation has touched."""
NO_CANDIDATE = "no other candidate"
NOT_SAMPLED = "not sampled"


@dataclass(frozen=True, slots=True)
class Variant:
    """One sentence under one perturbation.

    sentence    the attacked sentence; where nothing changed, the original under the variant's id
    parent      id of the original sentence
    reason      why it is not "changed"; empty where it is
    edits       what changed, offsets in the original; empty for a rewrite
    mentions    for each mention of the original its index in the attacked sentence, or None where it is gone
    attackable  how many of the original's mentions the perturbation applies to
    replaced    how many of them it replaced
    """

    sentence: Sentence
    parent: str
    status: Status
    reason: str = ""
    edits: tuple[Edit, ...] = ()
    rewrite: Rewrite | None = None
    mentions: MentionMap = ()
    attackable: int = 0
    replaced: int = 0

    @property
    def id(self) -> str:
        """Its own id."""
        return self.sentence.id

    @property
    def kept(self) -> bool:
        """Whether it takes part in comparisons."""
        return self.status != "discarded"


@dataclass(frozen=True, slots=True)
class AttackedSet:
    """A data set under one attack: a variant for every sentence, in the order of the data set.

    name    the set's name in every output
    spec    the attack as typed
    level   what it changes: mentions (entity), the words around them (context), both, or spelling (surface)
    notes     what the attack found worth saying, such as a pool smaller than the number of mentions
    rejected  candidates that were not taken, by reason, sorted
    """

    name: str
    spec: str
    level: Level
    variants: tuple[Variant, ...]
    notes: tuple[str, ...] = ()
    rejected: tuple[tuple[str, int], ...] = ()

    @property
    def statuses(self) -> dict[str, int]:
        """Sentences by status, all four named."""
        counts = Counter(variant.status for variant in self.variants)
        return {status: counts[status] for status in STATUSES}

    @property
    def reasons(self) -> dict[str, int]:
        """Sentences that were not changed, by reason."""
        return dict(sorted(Counter(v.reason for v in self.variants if v.reason).items()))

    @property
    def context_words(self) -> int:
        """Tokens outside mentions that edits replaced or removed."""
        edits = (edit for variant in self.variants for edit in variant.edits if edit.kind == "context")
        return sum(edit.end - edit.start for edit in edits)

    @property
    def kept(self) -> tuple[Variant, ...]:
        """The variants that take part in comparisons."""
        return tuple(variant for variant in self.variants if variant.kept)
