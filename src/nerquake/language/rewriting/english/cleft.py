"""`It was in 1990 that the wall fell`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.clause import Clause, balanced, clauses, noun_range
from nerquake.language.rewriting.english.nominal import NUMBER_LABELS, is_person, keeps, label_at
from nerquake.language.rewriting.english.words import FOCUSING, NEGATIVE
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree

SHORT, LONG = 14, 25
"""Tokens of a sentence that may be cleft at its subject, and of the rest of one at its time."""
YEARS = range(1000, 2100)
MONTHS = frozenset({
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
})  # fmt: skip
UNSAFE = NEGATIVE | FOCUSING | {"because", "until", "since", "while", "though", "although", "if", "unless", "but"}
"""Words whose reach changes, or that tie the sentence to others."""


def _whole_sentence(tree: Tree, clause: Clause) -> bool:
    """Whether the clause is all there is, in the past tense and without words whose reach would change."""
    words = tree.words[clause.start : clause.end]
    if clause.place != "main" or clause.start != 0 or not balanced(tree, 0, clause.end):
        return False
    if any(word.text not in {".", "''", '"', "!"} for word in tree.words[clause.end :]) or len(tree.roots) > 1:
        return False
    verb = tree.words[clause.verb]
    if verb.tag != "VBD" and not any(one.text in {"was", "were"} for one in tree.children(verb.index, "auxpass")):
        return False
    return verb.lemma != "be" and not any(word.text.lower() in UNSAFE for word in words)


@dataclass(frozen=True, slots=True)
class SubjectCleft(Rule):
    """`Siemens built the turbines` becomes `it was Siemens that built the turbines`."""

    name: str = "cleft-subject"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One where a single name is the subject of a short sentence in the past tense."""
        if not any(start == 0 for start, _ in tree.mentions):
            return
        for clause in clauses(tree):
            subject = noun_range(tree, clause.subject)
            if subject is None or not _whole_sentence(tree, clause) or not _short_deed(tree, clause):
                continue
            if _single_name(tree, clause.subject, subject):
                pronoun = "who" if is_person(tree, clause.subject) else "that"
                parts = ("it", "was", subject, pronoun, (subject[1], clause.end))
                if keeps(tree, 0, clause.end, parts):
                    yield Rewriting(self.name, 0, clause.end, parts, self.kind)


def _single_name(tree: Tree, head: int, subject: tuple[int, int]) -> bool:
    """Whether a subject opens the sentence and is one name."""
    if subject[0] != 0 or subject not in tree.mentions or label_at(tree, head) in NUMBER_LABELS:
        return False
    return tree.words[head].tag == "NNP" and tree.child(head, "conj", "appos", "relcl") is None


def _short_deed(tree: Tree, clause: Clause) -> bool:
    """Whether somebody does something to something, and the sentence is short and without commas."""
    if clause.end - clause.start > SHORT or any(word.pos == "PUNCT" for word in tree.words[: clause.end]):
        return False
    children = {child.dep for child in tree.children(clause.verb)}
    return "dobj" in children and not children & {"conj", "auxpass", "ccomp", "advcl"}


@dataclass(frozen=True, slots=True)
class TimeCleft(Rule):
    """`The wall fell in 1990` becomes `it was in 1990 that the wall fell`."""

    name: str = "cleft-time"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for a year, a month or a day, first or last in a sentence in the past tense."""
        if not any(word.text.isdigit() or word.text in MONTHS for word in tree.words):
            return
        for clause in clauses(tree):
            subject = noun_range(tree, clause.subject)
            if subject is None or not _whole_sentence(tree, clause) or tree.words[clause.subject].text.lower() == "it":
                continue
            for word in tree.children(clause.verb, "prep"):
                when = tree.reach(word.index)
                if word.text.lower() not in {"in", "on"} or when is None or not _dated(tree, when):
                    continue
                rest = _rest(tree, clause, subject, when)
                if rest is not None and keeps(tree, 0, clause.end, (when, rest)):
                    yield Rewriting(self.name, 0, clause.end, ("it", "was", when, "that", rest), self.kind)


def _rest(tree: Tree, clause: Clause, subject: tuple[int, int], when: tuple[int, int]) -> tuple[int, int] | None:
    """What remains of a clause without the time at one of its ends."""
    if when[0] == 0:
        start = when[1] + (tree.words[when[1]].text == ",")
        found = (start, clause.end)
    elif when[1] == clause.end and tree.words[when[0] - 1].text != ",":
        start, found = 0, (0, when[0])
    else:
        return None
    return found if start == subject[0] and found[1] - found[0] <= LONG else None


def _dated(tree: Tree, when: tuple[int, int]) -> bool:
    """Whether a range is a preposition and a year, a month and a year, or a day of a month."""
    words = [word.text for word in tree.words[when[0] + 1 : when[1]]]
    if not words or len(words) > 3 or not all(word.isdigit() or word in MONTHS for word in words):
        return False
    return any(word in MONTHS for word in words) or (len(words[0]) == 4 and int(words[0]) in YEARS)
