"""Two verb phrases change places: "He sings and paints cats ." becomes "He paints cats and sings ."."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.clause import balanced, clauses, texts, whole_mentions
from nerquake.language.rewriting.english.joined import LOOKING_BACK
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree

OWN = frozenset({"his", "her", "its", "their", "own", "himself", "herself", "itself", "everyone", "everybody"})
"""Words that look back at the subject, which stays in front."""


class ActsSwapped(Rule):
    """Two verb phrases in the present, joined by `and` or `but`; the second does not look back at the first."""

    name = "verb-phrases-swapped"
    kind: RuleKind = "structure"
    turns = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One rewriting where a sentence is a subject with two such verb phrases."""
        for clause in clauses(tree):
            joined = tree.children(clause.verb, "conj", "dep", "parataxis")
            links = tree.children(clause.verb, "cc")
            if clause.place != "main" or len(joined) != 1 or len(links) != 1 or joined[0].dep != "conj":
                continue
            start, link, second = max(tree.subtree(clause.subject)) + 1, links[0].index, joined[0]
            reach = tree.reach(second.index)
            if reach is None or not start <= clause.verb < link < reach[0] or link + 1 != reach[0]:
                continue
            end = min(reach[1], clause.end)
            tags = (tree.words[clause.verb].tag, second.tag)
            plain = tags in (("VBZ", "VBZ"), ("VBP", "VBP")) and start == clause.verb and second.index == reach[0]
            if not plain or links[0].text.lower() not in ("and", "but") or end != clause.end:
                continue
            words = {*texts(tree, start, link), *texts(tree, *reach)}
            if words & (LOOKING_BACK - OWN | {",", ";"}) or not whole_mentions(tree, start, link, reach[0], end):
                continue
            if balanced(tree, start, link) and balanced(tree, reach[0], end):
                parts = ((reach[0], end), (link, link + 1), (start, link))
                yield Rewriting(self.name, start, end, parts)
