"""`A man was standing at the door` becomes `there was a man standing at the door`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.clause import Clause, clauses, noun_range
from nerquake.language.rewriting.english.nominal import keeps, text_at
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree

BE = frozenset({"is", "are", "was", "were"})
INDEFINITE = frozenset({"a", "an", "some", "several", "two", "three", "four", "five", "many"})
PLACES = frozenset({"in", "at", "on", "near", "behind", "under", "outside", "inside"})
STAYING = frozenset({
    "stand", "sit", "lie", "wait", "hang", "sleep", "live", "work", "play", "walk", "run", "stay", "queue", "lean",
})  # fmt: skip
"""Verbs, by lemma, of being somewhere."""


@dataclass(frozen=True, slots=True)
class ThereInserted(Rule):
    """An indefinite subject goes behind `there` and a form of `be`."""

    name: str = "there"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for a sentence of such a subject, `be`, and a participle of being somewhere or a place."""
        if text_at(tree, 0) not in INDEFINITE or tree.mention_at(0) is not None:
            return
        for clause in clauses(tree):
            subject = noun_range(tree, clause.subject)
            if subject is None or clause.place != "main" or (clause.start, subject[0]) != (0, 0):
                continue
            be = subject[1]
            if text_at(tree, be) in BE and _somewhere(tree, clause, be):
                parts = ("there", (be, be + 1), subject, (be + 1, clause.end))
                if keeps(tree, 0, clause.end, parts):
                    yield Rewriting(self.name, 0, clause.end, parts, self.kind)


def _somewhere(tree: Tree, clause: Clause, be: int) -> bool:
    """Whether `be` goes with a participle of being somewhere or with a place alone."""
    verb, after = tree.words[clause.verb], be + 1
    if after >= clause.end or any(word.pos == "PUNCT" for word in tree.words[: clause.end]):
        return False
    if tree.child(clause.verb, "neg", "attr", "acomp", "conj") is not None:
        return False
    if verb.index == be:
        return text_at(tree, after) in PLACES and tree.words[after].head == be
    return verb.tag == "VBG" and verb.index == after and verb.lemma in STAYING
