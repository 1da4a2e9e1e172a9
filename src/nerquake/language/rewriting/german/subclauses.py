"""Clauses with `weil`, `wenn`, `obwohl` before their main clause or behind it; and `dass` after verbs of saying."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.german.clause import (
    COMMA,
    ENDINGS,
    Clause,
    Range,
    base,
    clauses,
    is_finite,
    moved,
    phrase,
    texts_of,
)
from nerquake.language.rewriting.german.order import middle_phrase, subject_behind
from nerquake.language.rewriting.german.words import BEARING, MARKS, POINTING, SAYING
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree, Word

DENYING = frozenset({"nicht", "nie", "niemals", "kein", "keine", "keinen", "keinem", "keiner", "nichts", "kaum"})
DENIED = frozenset({"weil", "bis", "damit", "indem"})
"""What opens a clause that a denial before it would be about, and a denial behind it is not."""


class FrontedClause(Rule):
    """`Anna blieb , weil es regnete .` becomes `Weil es regnete , blieb Anna .`"""

    name = "fronted-clause"
    kind: RuleKind = "structure"
    turns = True
    fronts = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each clause that begins with its subject and ends with another clause."""
        return to_the_front(tree, self.name, "advcl")


class PostposedClause(Rule):
    """`Weil es regnete , blieb Anna .` becomes `Anna blieb , weil es regnete .`"""

    name = "postposed-clause"
    kind: RuleKind = "structure"
    turns = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each clause that begins with another clause."""
        return to_the_end(tree, self.name, "advcl")


def to_the_front(tree: Tree, name: str, dep: str) -> Iterator[Rewriting]:
    """A subordinate clause of this relation goes from the end to the front, verb-final as it is."""
    for clause in clauses(tree):
        if clause.first_of.index != clause.subject or clause.shares:
            continue
        for word in tree.children(clause.head, dep):
            part = phrase(tree, word.index)
            if part is None or part[1] != clause.end or not _may_move(tree, clause, word, part):
                continue
            start = part[0] - 1
            if tree.words[start].text != COMMA or tree.words[start - 1].text.lower() in BEARING:
                continue
            main = clause._replace(end=start)
            if COMMA in texts_of(tree, (main.finite, main.end)) or _is_denied(tree, part, (main.start, main.end)):
                continue
            behind = subject_behind(tree, main, (start, start))
            if behind is not None:
                parts: tuple[Part, ...] = (part, COMMA, (clause.finite, clause.finite + 1), *behind)
                yield Rewriting(name, clause.start, clause.end, parts)


def to_the_end(tree: Tree, name: str, dep: str) -> Iterator[Rewriting]:
    """A subordinate clause of this relation goes from the front to the end, and the subject before the verb."""
    for clause in clauses(tree):
        word, part = clause.first_of, clause.first
        if word.dep != dep or clause.shares or not _may_move(tree, clause, word, part) or not _ends(tree, clause):
            continue
        front = middle_phrase(tree, clause, tree.words[clause.subject])
        finite = clause.finite
        if front is None or tree.words[finite - 1].text != COMMA or COMMA in texts_of(tree, (finite, clause.end)):
            continue
        rest = [one for one in ((finite + 1, front[0]), (front[1], clause.end)) if one[0] < one[1]]
        if tree.words[front[0] - 1].text.lower() in BEARING or _is_denied(tree, part, (finite, clause.end)):
            continue
        yield Rewriting(
            name, clause.start, clause.end, (front, (finite, finite + 1), *rest, COMMA, *moved(tree, part))
        )  # fmt: skip


def _ends(tree: Tree, clause: Clause) -> bool:
    """Whether nothing but a full stop follows a clause."""
    return all(word.text in ENDINGS for word in tree.words[clause.end :])


def _may_move(tree: Tree, clause: Clause, word: Word, part: Range) -> bool:
    """Whether a clause opens with a conjunction, has its finite verb at its end, and nothing announces it."""
    opener = tree.words[part[0]]
    if opener.head != word.index or opener.dep != "mark" or not _ends_in_verb(tree, part):
        return False
    outside = [at for at in range(clause.start, clause.end) if not part[0] <= at < part[1]]
    if any(tree.words[at].text.lower() in POINTING and tree.words[at].head == clause.head for at in outside):
        return False
    text = opener.text.lower()
    if base(word.dep) == "ccomp":
        return text in ("dass", "daß") and tree.words[clause.head].lemma.lower() in SAYING
    return text in MARKS


def _is_denied(tree: Tree, part: Range, main: Range) -> bool:
    """Whether a denial in the main clause reaches a clause of cause in one order and not in the other."""
    return tree.words[part[0]].text.lower() in DENIED and not DENYING.isdisjoint(texts_of(tree, main))


def _ends_in_verb(tree: Tree, part: Range) -> bool:
    return is_finite(tree.words[part[1] - 1])
