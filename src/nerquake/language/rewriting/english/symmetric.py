"""`Dortmund drew with Wolfsburg` and `Wolfsburg drew with Dortmund`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.clause import Clause, clauses, noun_range
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

WITH = frozenset({"draw", "merge", "collide", "clash"})
"""Verbs, by lemma, that mean the same either way with `with`."""
ALONE = frozenset({"meet", "marry"})
"""The same with an object."""


@dataclass(frozen=True, slots=True)
class Symmetric(Rule):
    """Two names that a verb joins as equals change places."""

    name: str = "symmetric"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for a clause in the past tense with a name on either side of such a verb."""
        if not any(word.lemma in WITH or word.lemma in ALONE for word in tree.words):
            return
        for clause in clauses(tree):
            verb, left = tree.words[clause.verb], noun_range(tree, clause.subject)
            other = _other(tree, verb)
            right = noun_range(tree, other.index) if other is not None else None
            if left is None or right is None or left not in tree.mentions or right not in tree.mentions:
                continue
            if left == (clause.start, verb.index) and _alike(tree, clause, left, right):
                yield Rewriting(self.name, left[0], right[1], (right, (left[1], right[0]), left), self.kind)


def _other(tree: Tree, verb: Word) -> Word | None:
    """The second partner of a verb: its object, or the noun behind `with`."""
    if verb.tag != "VBD":
        return None
    thing = tree.child(verb.index, "dobj")
    if verb.lemma in ALONE:
        return thing
    partner = next((one for one in tree.children(verb.index, "prep") if one.text == "with"), None)
    if verb.lemma not in WITH or thing is not None or partner is None or partner.index != verb.index + 1:
        return None
    return tree.child(partner.index, "pobj")


def _alike(tree: Tree, clause: Clause, left: tuple[int, int], right: tuple[int, int]) -> bool:
    """Whether both are of one label, and nothing behind looks back at the subject."""
    labels = dict(zip(tree.mentions, tree.labels, strict=False))
    if labels.get(left) != labels.get(right) or tree.child(clause.verb, "conj", "advcl", "xcomp") is not None:
        return False
    return all(word.tag not in ("PRP", "PRP$") and word.text != "," for word in tree.words[right[1] : clause.end])
