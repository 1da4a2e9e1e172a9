"""`all the students` and `all of the students`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.nominal import text_at
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

DEFINITE = frozenset({"the", "these", "those", "his", "her", "its", "their", "my", "our", "your"})
WORDS = frozenset({"all", "half", "both"})


@dataclass(frozen=True, slots=True)
class QuantifierOf(Rule):
    """`of` comes or goes between `all`, `both` or `half` and a definite phrase."""

    name: str = "quantifier-of"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each of these words before such a phrase."""
        for word in tree.words:
            at = word.index
            if word.text.lower() not in WORDS or text_at(tree, at - 1) == "and" or not _free(tree, at):
                continue
            own = (at, at + 1)
            if text_at(tree, at + 1) == "of" and text_at(tree, at + 2) in DEFINITE:
                yield Rewriting(self.name, at, at + 3, (own, (at + 2, at + 3)), self.kind)
            elif _plural_all(tree, word) and text_at(tree, at + 1) in DEFINITE:
                yield Rewriting(self.name, at, at + 2, (own, "of", (at + 1, at + 2)), self.kind)


def _plural_all(tree: Tree, word: Word) -> bool:
    """Not `all the time`, `in all its glory`."""
    return word.dep == "predet" and word.text.lower() == "all" and tree.words[word.head].tag == "NNS"


def _free(tree: Tree, at: int) -> bool:
    """Whether no mention takes part, and nothing but the first word may have a capital."""
    here = tree.words[at : at + 3]
    return all(tree.mention_at(word.index) is None for word in here) and all(word.text.islower() for word in here[1:])
