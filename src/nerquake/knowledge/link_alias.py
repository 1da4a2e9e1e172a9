"""Linking by names: mentions are looked up among all names of the dictionary, in one query for all of them.

`link_rank.py` says how candidates are ranked. Items that were learned for a mention of the same name and type come
before all that the dictionary has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from nerquake.core.errors import UsageError
from nerquake.core.linking import Known, LinkCandidate, Mentioned
from nerquake.knowledge.label_types import LabelTypes, label_types, same_label
from nerquake.knowledge.link_known import KindOf, Memory, remember
from nerquake.knowledge.link_rank import DEPTH, Ranking, rank


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasLinker:
    """Links mentions to items by their names.

    types        name types of labels, where they are others than in the shipped table: LOC=GPE/LOC, or a table's file
    context      compare the sentence's words with the items' descriptions and the titles of their classes
    other_types  keep items that only have other name types than the mention
    keep         candidates of a mention that are kept
    """

    types: tuple[str, ...] = ()
    context: bool = True
    other_types: bool = False
    keep: int = 10
    dictionary: Any = field(default=None, metadata={"settled": True})
    memory: Memory | None = field(default=None, metadata={"settled": True})

    def __post_init__(self) -> None:
        if not 1 <= self.keep <= DEPTH:
            raise ValueError(f"keep={self.keep}: expected 1 to {DEPTH}")
        label_types(self.types)

    def looking_in(self, dictionary: Any) -> AliasLinker:
        """The linker over a dictionary."""
        return replace(self, dictionary=dictionary)

    def learned(self, known: Sequence[Known]) -> AliasLinker:
        """The linker with what mentions teach whose items are known."""
        return replace(self, memory=remember(known, kinds(label_types(self.types))))

    def link(self, mentions: Sequence[Mentioned]) -> list[tuple[LinkCandidate, ...]]:
        """Each mention's candidates, best first."""
        if self.dictionary is None:
            raise UsageError("the linker alias looks names up in a dictionary; give it one with looking_in")
        table = label_types(self.types)
        labels = {mention.type for mention in mentions}
        any_type = ("",) if self.other_types else ()
        types = {label: table.of(label, labels) or any_type for label in labels}
        found: list[tuple[LinkCandidate, ...]] = [()] * len(mentions)
        for language in dict.fromkeys(mention.language for mention in mentions):
            places = [at for at, mention in enumerate(mentions) if mention.language == language]
            asked = [mentions[at] for at in places]
            known = [() if self.memory is None else self.memory.items(mention, kinds(table)) for mention in asked]
            ranking = Ranking(self.dictionary, language, types, self.context, self.other_types, self.keep)
            for at, those in zip(places, rank(ranking, asked, known), strict=True):
                found[at] = those
        return found

    def noted(self, mentions: Sequence[Mentioned]) -> tuple[str, ...]:
        """Labels whose name types are not known."""
        counts = Counter(mention.type for mention in mentions)
        unknown = label_types(self.types).unknown(counts)
        if not unknown:
            return ()
        listed = ", ".join(f"{label} ({counts[label]:,} mentions)" for label in unknown)
        advice = f"say them with types={unknown[0]}=ORG (- for no names), or in the file of a table"
        return (f"labels whose name types are not known are not looked up: {listed}; {advice}",)

    def about(self) -> tuple[str, ...]:
        """What it looks names up in, and what it has learned."""
        where = f" of {self.dictionary.path}" if self.dictionary is not None else ""
        lines = [f"alias: names{where}"]
        if self.memory is not None:
            lines.append(f"alias: {self.memory.mentions:,} known mentions of {len(self.memory.surfaces):,} names")
        return tuple(lines)

    def fingerprint(self) -> str:
        """Options, and what was learned."""
        table = sorted(label_types(self.types).types.items())
        made = sha256(repr((table, self.context, self.other_types, self.keep)).encode()).hexdigest()
        return f"alias {made} {self.memory.digest if self.memory else ''}"


def kinds(table: LabelTypes) -> KindOf:
    """What labels of known mentions are compared by: their name types, else the labels themselves."""
    return lambda label: table.of(label) or (same_label(label),)
