"""Rules that give nothing where the comma behind a quotation mark would be lost.

The sign that closes a quotation in German opens one in English, and what mends commas afterwards may take it for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from nerquake.language.rewriting.casing import finish
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree

CLOSING = "“"


@dataclass(frozen=True, slots=True)
class Careful(Rule):
    """A rule without those of its rewritings that would lose such a comma."""

    rule: Rule

    @property
    def name(self) -> str:
        """The rule's."""
        return self.rule.name

    @property
    def kind(self) -> RuleKind:
        """The rule's."""
        return self.rule.kind

    @property
    def reserve(self) -> bool:
        """The rule's."""
        return self.rule.reserve

    @property
    def turns(self) -> bool:
        """The rule's."""
        return self.rule.turns

    @property
    def voice(self) -> bool:
        """The rule's."""
        return self.rule.voice

    @property
    def fronts(self) -> bool:
        """The rule's."""
        return self.rule.fronts

    @property
    def stays(self) -> bool:
        """The rule's."""
        return self.rule.stays

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """The rule's rewritings of a sentence, those that would lose a comma left out."""
        quoted = any(word.text == CLOSING for word in tree.words)
        return (one for one in self.rule.find(tree) if not quoted or _keeps_commas(tree, one))


def _keeps_commas(tree: Tree, one: Rewriting) -> bool:
    """Whether as many commas stand behind closing quotation marks when it is carried out and mended."""
    parts = ((0, one.start), *one.parts, (one.end, len(tree.words)))
    pieces: list[tuple[str, int | None]] = []
    for part in parts:
        pieces += [(part, None)] if isinstance(part, str) else [(tree.words[at].text, at) for at in range(*part)]
    made = finish(tree, pieces)
    return made is not None and _commas(made.tokens) == _commas(tuple(text for text, _ in pieces))


def _commas(tokens: tuple[str, ...]) -> int:
    return sum(pair == (CLOSING, ",") for pair in pairwise(tokens))
