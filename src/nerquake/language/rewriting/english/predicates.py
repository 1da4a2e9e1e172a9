"""What is said of a subject in passing becomes the main point, and the main point is said in passing.

"Cisco , which makes routers , has no link with it ." becomes "Cisco , which has no link with it , makes routers ."
"""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.clause import Clause, balanced, clauses, texts, whole_mentions
from nerquake.language.rewriting.english.nominal import THING_LABELS, is_person, label_at
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree, Word

LONGEST = 16

BLOCKING = ("ccomp", "parataxis", "dep", "advcl", "mark", "expl")


class PredicatesSwapped(Rule):
    """A relative clause behind the subject changes places with the predicate."""

    name = "predicates-swapped"
    kind: RuleKind = "structure"
    turns = True
    reserve = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One rewriting for each sentence that is a subject, such a clause between commas, and a predicate."""
        for clause in clauses(tree):
            reach = _addition(tree, clause) if _alone(tree, clause) else None
            if reach is None:
                continue
            start, end = reach
            pronoun = _pronoun(tree, clause)
            if tree.words[start].text.lower() != pronoun:
                continue
            parts: tuple[Part, ...] = (
                (clause.start, start - 1), ",", pronoun, (end + 1, clause.end), ",", (start + 1, end),
            )  # fmt: skip
            yield Rewriting(self.name, clause.start, clause.end, parts)


def _alone(tree: Tree, clause: Clause) -> bool:
    """Whether the clause is the whole sentence and its predicate is short, without commas and no copula."""
    verb = tree.words[clause.verb]
    if clause.place != "main" or clause.start or verb.pos not in ("VERB", "AUX"):
        return False
    if any(char.isalnum() for word in tree.words[clause.end :] for char in word.text):
        return False
    beside = [one for one in tree.children(verb.index, *BLOCKING) if one.index > clause.verb]
    return all(one.dep == "advcl" and tree.child(one.index, "nsubj") is None for one in beside) and balanced(
        tree, 0, clause.end
    )


def _addition(tree: Tree, clause: Clause) -> tuple[int, int] | None:
    """The relative clause between the subject and the predicate, commas left out."""
    names = tree.subtree(clause.subject)
    if min(names) != clause.start or tree.words[clause.subject].pos not in ("NOUN", "PROPN"):
        return None
    start = next((at + 1 for at in sorted(names) if tree.words[at].text == ","), 0)
    if start <= clause.subject or tree.children(clause.subject, "conj"):
        return None
    end = next((at for at in range(clause.verb - 1, start, -1) if tree.words[at].text == ","), 0)
    if tree.mention_at(clause.subject) is None:
        return None
    child = next((one for one in tree.children(clause.subject, "relcl") if start <= one.index < end), None)
    if child is None or end <= start or not names >= set(range(start, end)) or max(names) > end:
        return None
    inside, rest = texts(tree, start, end), texts(tree, end + 1, clause.end)
    if (
        "," in inside
        or "," in rest
        or not 2 <= len(rest) <= LONGEST
        or len(inside) > LONGEST
        or not _opens(tree, child, start)
    ):
        return None
    if set(rest[:4]) & ({"nor", "neither", "also", "only", "still", "thus", "therefore", "both", "each", "all"}):
        return None
    return (start, end) if whole_mentions(tree, start, end, clause.end) and balanced(tree, start, end) else None


def _opens(tree: Tree, child: Word, start: int) -> bool:
    """Whether a relative clause begins with the pronoun that is its subject."""
    subject = tree.child(child.index, "nsubj", "nsubjpass")
    return tree.words[start].text.lower() in ("who", "which") and subject is not None and subject.index == start


def _pronoun(tree: Tree, clause: Clause) -> str:
    """who or which, by the subject or its apposition; empty where it is in doubt."""
    child = next(iter(tree.children(clause.subject, "appos")), tree.words[clause.subject])
    found = (clause.subject, child.index)
    if any(is_person(tree, at) for at in found):
        return "who"
    return "which" if any(label_at(tree, at) in THING_LABELS for at in found) else ""
