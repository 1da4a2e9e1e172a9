"""What opens a sentence and what ends it change places: "In May the mill closed at a loss ."."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.adjunct import Adjunct, adjuncts, keeps_reference
from nerquake.language.rewriting.english.clause import Clause, balanced, clauses, whole_mentions
from nerquake.language.rewriting.english.fronting import goes_on
from nerquake.language.rewriting.english.loose import loose
from nerquake.language.rewriting.english.postposing import HEAVY, is_now, opening, refers_back, rest_of
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree


class PhrasesExchanged(Rule):
    """A phrase at the start and a phrase or clause at the end, where either may stand in either place."""

    name = "phrases-exchanged"
    kind: RuleKind = "structure"
    fronts = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each statement with such a phrase at either end."""
        for clause in clauses(tree):
            first = opening(tree, clause) if clause.place == "main" else None
            if first is None or first.kind != "phrase" or goes_on(tree, clause) or is_now(tree, clause, first):
                continue
            for last in dict.fromkeys((*adjuncts(tree, clause), *loose(tree, clause))):
                if last.start > clause.verb and last.end == clause.end and _fit(tree, clause, first, last):
                    stays = last.start - (tree.words[last.start - 1].text == ",")
                    parts: list[Part] = [
                        (last.start, last.end), ",", (rest_of(tree, first), stays), (first.start, first.end),
                    ]  # fmt: skip
                    yield Rewriting(self.name, clause.start, clause.end, tuple(parts))
                    break


def _joined(tree: Tree, clause: Clause) -> bool:
    """Whether another verb is joined; `kept it shut` is often read as that."""
    found = tree.children(clause.verb, "parataxis", "dep", "ccomp")
    return bool(found or (tree.children(clause.verb, "conj") and tree.children(clause.verb, "cc")))


def _fit(tree: Tree, clause: Clause, first: Adjunct, last: Adjunct) -> bool:
    """Whether the rest is one plain clause, in which the first phrase cannot be read with anything else."""
    start = rest_of(tree, first)
    if min(tree.subtree(clause.subject)) != start or _joined(tree, clause):
        return False
    middle = tree.words[clause.verb + 1 : last.start]
    if (
        any((one.dep in HEAVY and one.dep != "xcomp") or one.text in (",", ":", ";") for one in middle[:-1])
        or last.end - last.start < 2
    ):
        return False
    if not balanced(tree, start, last.start) or not whole_mentions(tree, start, last.start):
        return False
    return not refers_back(tree, clause, first) and keeps_reference(tree, clause, first) and \
        keeps_reference(tree, clause, last)  # fmt: skip
