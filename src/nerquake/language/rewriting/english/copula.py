"""`Paris is the capital of France` and `the capital of France is Paris`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.clause import Clause, clauses, noun_range
from nerquake.language.rewriting.english.nominal import NUMBER_LABELS, ends, label_at, quoted
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree

BE = frozenset({"is", "are", "was", "were"})
ONLY = frozenset({"first", "last", "only", "main"})
"""Words that leave one of a kind."""
LONGEST = 12
"""Tokens of the longer side."""


@dataclass(frozen=True, slots=True)
class CopulaTurned(Rule):
    """Two definite phrases that name the same thing change places around `be`."""

    name: str = "copula"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for a clause that is nothing but a name, `be` and `the ...`, in either order."""
        if not any(word.dep == "attr" for word in tree.words):
            return
        for clause in clauses(tree):
            verb, attribute = tree.words[clause.verb], tree.child(clause.verb, "attr")
            if verb.text.lower() not in BE or attribute is None or clause.place != "main":
                continue
            if tree.child(attribute.index, "conj") is None and tree.child(clause.subject, "conj") is None:
                left, right = noun_range(tree, clause.subject), noun_range(tree, attribute.index)
                if left is not None and right is not None and _fills(tree, clause, left, right):
                    parts = (right, (verb.index, verb.index + 1), left)
                    yield Rewriting(self.name, clause.start, clause.end, parts, self.kind)


def _fills(tree: Tree, clause: Clause, left: tuple[int, int], right: tuple[int, int]) -> bool:
    """Whether two phrases around the verb are the whole clause, and it ends the sentence."""
    if left != (clause.start, clause.verb) or right != (clause.verb + 1, clause.end) or not ends(tree, clause.end):
        return False
    return not quoted(tree, clause.start, clause.end) and _identity(tree, left, right)


def _identity(tree: Tree, left: tuple[int, int], right: tuple[int, int]) -> bool:
    """Whether one side is a name and the other a definite phrase for one thing alone."""
    if (left in tree.mentions) == (right in tree.mentions):
        return False
    name, phrase = (left, right) if left in tree.mentions else (right, left)
    words = tree.words[phrase[0] : phrase[1]]
    if label_at(tree, name[0]) in NUMBER_LABELS or words[0].text.lower() != "the" or len(words) > LONGEST:
        return False
    both = (*words, *tree.words[name[0] : name[1]])
    if any(word.text == "," or word.tag in ("NNS", "NNPS", "WDT", "WP") for word in both):
        return False
    single = any(word.text in ONLY or word.tag == "JJS" for word in words)
    return single or any(word.text == "of" for word in words)
