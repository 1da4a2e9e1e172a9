"""Fronting: `Anna kam gestern nach Bonn .` becomes `Gestern kam Anna nach Bonn .`, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.german.clause import (
    COMMA,
    Clause,
    Range,
    base,
    clauses,
    in_doubt,
    phrase,
    subject_of,
    texts_of,
)
from nerquake.language.rewriting.german.objects import told_apart
from nerquake.language.rewriting.german.order import inverted, is_goal, middle_phrase, straight
from nerquake.language.rewriting.german.words import ASKING, BEARING, LOOKING_BACK, MOVABLE, TIMES
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree, Word

FIXED = frozenset({"in", "an", "auf", "zu", "außer", "zur", "zum", "ins", "unter"})
"""Prepositions that make set phrases with a noun alone."""


class FrontedPhrase(Rule):
    """A phrase or an adverb goes before the verb, and the subject that stood there behind it."""

    name = "fronted-phrase"
    kind: RuleKind = "structure"
    fronts = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each phrase that can move, of clauses that begin with their subject."""
        for clause in clauses(tree):
            if clause.first_of.index == clause.subject and not clause.shares:
                yield from _each(tree, self.name, clause, ("obl", "advmod"))


class FrontedObject(Rule):
    """The same for an object, where its form or the verb's tells that it is no subject."""

    name = "fronted-object"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each object, of clauses that begin with their subject."""
        for clause in clauses(tree):
            if clause.first_of.index == clause.subject and not clause.shares:
                yield from _each(tree, self.name, clause, ("obj",))


def _each(tree: Tree, name: str, clause: Clause, deps: tuple[str, ...]) -> Iterator[Rewriting]:
    for word in tree.children(clause.head):
        part = middle_phrase(tree, clause, word)
        if base(word.dep) not in deps or part is None or not _can_go_first(tree, clause, word, part):
            continue
        parts: tuple[Part, ...] | None = inverted(tree, clause, part)
        if parts is not None:
            yield Rewriting(name, clause.start, clause.end, parts)


def _can_go_first(tree: Tree, clause: Clause, word: Word, part: Range) -> bool:
    texts = texts_of(tree, part)
    if COMMA in texts or not BEARING.isdisjoint(texts) or not set(LOOKING_BACK).isdisjoint(texts):
        return False
    before = tree.words[part[0] - 1].text.lower()
    if before in BEARING or texts[0] in ASKING or clause.first_of.text.lower() in ASKING:
        return False
    if not _may_leave(tree, clause, part):
        return False
    if base(word.dep) == "advmod":
        return word.pos == "ADV" and word.text.lower() in MOVABLE and len(texts) == 1
    if word.pos not in ("NOUN", "PROPN", "NUM"):
        return False
    if base(word.dep) == "obj":
        return told_apart(tree, clause, word) and not _is_bare(tree, word)
    if word.dep == "obl:tmod" or word.lemma.lower() in TIMES:
        return True
    cases = tree.children(word.index, "case")
    if not cases or is_goal(tree, word):
        return False
    return cases[0].text.lower() not in FIXED or not _is_bare(tree, word)


def _may_leave(tree: Tree, clause: Clause, part: Range) -> bool:
    """Whether what follows a phrase can do without it: nothing is joined to it, and a comma opens a clause."""
    end = part[1]
    if end >= clause.end:
        return True
    if tree.words[end].text != COMMA:
        return tree.words[end].pos != "CCONJ"
    clausal = tree.children(clause.head, "ccomp", "xcomp", "advcl", "csubj")
    return any((phrase(tree, word.index) or (0, 0))[0] == end + 1 for word in clausal)


def _is_bare(tree: Tree, word: Word) -> bool:
    """Whether a common noun stands alone, as in `in Kraft treten` and `Schatten werfen`, where it is half the verb."""
    if word.pos != "NOUN" or word.morph.get("Number") == "Plur":
        return False
    return not tree.children(word.index, "det", "det:poss", "amod", "nummod")


class FrontedSubject(Rule):
    """The subject goes before the verb, and the phrase, the adverb or the object that stood there behind it."""

    name = "fronted-subject"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each clause that begins with something else."""
        for clause in clauses(tree):
            subject = tree.words[clause.subject]
            part = middle_phrase(tree, clause, subject)
            if part is None or not self._fits(tree, clause, part):
                continue
            parts = straight(tree, clause, part)
            if parts is not None:
                yield Rewriting(self.name, clause.start, clause.end, parts)

    def _fits(self, tree: Tree, clause: Clause, part: Range) -> bool:
        first, old = clause.first_of, texts_of(tree, clause.first)
        texts = texts_of(tree, part)
        if COMMA in (*texts, *old) or old[0] in ASKING or in_doubt(tree, clause.first[0]):
            return False
        if not BEARING.isdisjoint(old) or tree.words[part[0] - 1].text.lower() in BEARING:
            return False
        if base(first.dep) == "advmod":
            return old[0] in MOVABLE and len(old) == 1
        if base(first.dep) in ("obj", "iobj"):
            return first.pos in ("NOUN", "PROPN") and self._lone_object(tree, clause, first)
        return base(first.dep) == "obl" and first.pos in ("NOUN", "PROPN", "NUM")

    def _lone_object(self, tree: Tree, clause: Clause, first: Word) -> bool:
        others = [word for word in tree.children(clause.head, "obj", "iobj", "obl:arg") if word.index != first.index]
        return not others and told_apart(tree, clause, first) and subject_of(tree, clause.head) is not None
