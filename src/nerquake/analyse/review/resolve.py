"""One decision for each sentence from those of several reviewers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from nerquake.core.decisions import Decision, DecisionsFile

OnConflict = Literal["drop", "first", "ask"]


@dataclass(frozen=True, slots=True)
class Resolved:
    """What counts.

    decisions  by id, where one follows
    conflicts  the differing decisions by id, in the order of the files, where none follows
    undecided  ids that stood on a page and that nobody decided
    unnamed    how many more were left undecided in files that do not name them
    """

    decisions: Mapping[str, Decision]
    conflicts: Mapping[str, tuple[Decision, ...]] = field(default_factory=dict)
    undecided: tuple[str, ...] = ()
    unnamed: int = 0


def resolve(files: Sequence[DecisionsFile], on_conflict: OnConflict = "drop") -> Resolved:
    """Join the decisions: those that agree count, and those of a page that held only conflicts stand above others.

    on_conflict  "first": where reviewers disagree, the file that was named first counts; otherwise nothing follows
    """
    settled = {key: one for file in files if file.settles for key, one in file.decisions.items()}
    given: dict[str, list[Decision]] = {}
    for file in files:
        for key, one in file.decisions.items():
            given.setdefault(key, []).append(one)
    decisions: dict[str, Decision] = {}
    conflicts: dict[str, tuple[Decision, ...]] = {}
    for key, ones in sorted(given.items()):
        if key in settled:
            decisions[key] = settled[key]
        elif on_conflict == "first" or all(one.agrees(ones[0]) for one in ones):
            decisions[key] = _with_reason(ones)
        else:
            conflicts[key] = tuple(ones)
    return Resolved(decisions, conflicts, _undecided(files, given), sum(f.left for f in files if f.undecided is None))


def _with_reason(ones: Sequence[Decision]) -> Decision:
    """The first decision; where it gives no reason, that of another that agrees."""
    first, *others = ones
    return first if first.reason else next((one for one in others if one.reason and one.agrees(first)), first)


def _undecided(files: Iterable[DecisionsFile], given: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(sorted({key for file in files for key in file.undecided or () if key not in given}))
