"""What people decide about attacked sentences: whether they are still good, and whether their labels are right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from nerquake.core.span import Span

Choice = Literal["accept", "reject", "relabel", "unsure"]
CHOICES: tuple[Choice, ...] = ("accept", "reject", "relabel", "unsure")
REASONS: tuple[str, ...] = (
    "not grammatical",
    "label now wrong",
    "name impossible here",
    "meaning lost",
    "near duplicate",
    "other",
)
"""Why a sentence is rejected, in the order of the keys 1 to 6."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One reviewer's decision about one attacked sentence.

    id       `<parent>~<set>`
    reason   why it was rejected, one of REASONS; empty where none was given
    spans    the labels that the reviewer gave, for "relabel"
    seen_predictions   whether the reviewer looked at what the models said before deciding
    seconds  how long the card was looked at
    """

    id: str
    choice: Choice
    reason: str = ""
    spans: tuple[Span, ...] = ()
    reviewer: str = ""
    seen_predictions: bool = False
    seconds: float | None = None

    def agrees(self, other: Decision) -> bool:
        """Whether both lead to the same: reasons may differ, labels may not."""
        return self.choice == other.choice and (self.choice != "relabel" or self.spans == other.spans)


@dataclass(frozen=True, slots=True)
class DecisionsFile:
    """The decisions of one reviewer.

    name       of the file
    items      how many sentences the review page held
    decisions  by id, the last one of each
    repeated   ids that were decided more than once in the file
    unknown    ids that the audit does not have
    undecided  ids of the page that were not decided; None where the file does not say
    settles    whether the page held only what others disagreed on: then its decisions stand above theirs
    """

    name: str
    reviewer: str
    items: int
    decisions: Mapping[str, Decision]
    repeated: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    undecided: tuple[str, ...] | None = None
    settles: bool = False

    @property
    def left(self) -> int:
        """How many sentences of the page were not decided."""
        known = None if self.undecided is None else len(self.undecided)
        return max(0, self.items - len(self.decisions) - len(self.unknown)) if known is None else known
