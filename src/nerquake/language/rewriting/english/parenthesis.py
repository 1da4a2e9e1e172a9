"""Said in passing, then first: "She asked , in French , who won ." becomes "In French , she asked who won ."."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.clause import Clause, balanced, clauses, texts, whole_mentions
from nerquake.language.rewriting.english.fronting import starts_with_subject
from nerquake.language.rewriting.english.words import NEGATIVE, REFERRING, THIRD
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree

PREPOSITIONS = frozenset({"in", "at", "on", "with", "after", "during", "despite", "without", "before"})
LONGEST = 12


class ParenthesisFronted(Rule):
    """A phrase between two commas right behind the verb moves to the start of the sentence."""

    name = "parenthesis-fronted"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each sentence with such a phrase."""
        for clause in clauses(tree):
            start = clause.verb + 2
            if clause.place != "main" or start >= clause.end or tree.words[start - 1].text != ",":
                continue
            end = next((at for at in range(start, clause.end) if tree.words[at].text == ","), 0)
            if not start + 1 < end <= start + LONGEST or not _fits(tree, clause, start, end):
                continue
            parts = ((start, end), ",", (clause.start, start - 1), (end + 1, clause.end))
            yield Rewriting(self.name, clause.start, clause.end, parts)


def _fits(tree: Tree, clause: Clause, start: int, end: int) -> bool:
    """Whether a range is a phrase of the verb's, without a verb in it, and the rest goes on without it."""
    first, words = tree.words[start], texts(tree, start, end)
    if (
        first.text.lower() not in PREPOSITIONS
        or first.head != clause.verb
        or set(words) & (NEGATIVE | REFERRING | THIRD)
    ):
        return False
    if any(one.pos in ("VERB", "AUX") for one in tree.words[start:end]) or clause.end - end < 3:
        return False
    goes_on = texts(tree, end + 1, end + 2)[0]
    return (
        goes_on not in ("and", "but", "or", ",")
        and min(tree.subtree(clause.subject)) == clause.start
        and starts_with_subject(tree, clause._replace(end=start - 1))
        and whole_mentions(tree, start, end)
        and balanced(tree, start, end)
    )
