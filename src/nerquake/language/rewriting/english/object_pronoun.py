"""`the book he wrote` and `the book that he wrote`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.nominal import quoted, reach
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

PRONOUNS = frozenset({"that", "which", "whom"})
OTHER_GAPS = frozenset({
    "time", "way", "day", "year", "place", "reason", "moment", "night", "week", "month", "rest", "most",
    "fact", "minute",
})  # fmt: skip
"""Nouns, by lemma, whose clauses may lack something else than an object."""
REPORTING = frozenset({"hope", "think", "say", "believe", "know", "feel", "claim", "suppose", "expect", "want", "try"})
"""Verbs, by lemma, that the parser often takes for the end of a clause that goes on."""
INTRANSITIVE = frozenset({
    "play", "live", "go", "come", "work", "arrive", "belong", "stay", "stand", "sit", "lie", "apply", "fall", "rise",
    "happen", "depend", "refer", "look", "talk", "speak", "appear", "seem", "smell", "die", "grow", "sleep", "travel",
    "move", "deal", "rely", "focus", "cut",
})  # fmt: skip
"""Verbs, by lemma, that lack nothing but the object of a preposition at the end."""


@dataclass(frozen=True, slots=True)
class ObjectPronoun(Rule):
    """`the book he wrote` and `the book that he wrote`."""

    name: str = "object-pronoun"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each relative clause whose pronoun may come or go."""
        for word in tree.words:
            if word.dep == "relcl" and tree.words[word.head].pos == "NOUN":
                found = self._turn(tree, word)
                if found is not None:
                    yield found

    def _turn(self, tree: Tree, verb: Word) -> Rewriting | None:
        clause, subject = reach(tree, verb.index), tree.child(verb.index, "nsubj")
        if clause is None or subject is None or subject.index > verb.index or clause[0] != verb.head + 1:
            return None
        inside = tree.reach(subject.index)
        if inside is None or quoted(tree, *clause):
            return None
        if _is_object(tree.words[clause[0]], verb):
            so = any(word.text.lower() in {"so", "such"} for word in tree.words)
            if so or tree.mention_at(clause[0]) is not None or inside[0] != clause[0] + 1 or inside[1] - inside[0] > 3:
                return None
            return Rewriting(self.name, *clause, ((clause[0] + 1, clause[1]),), self.kind)
        if inside[0] != clause[0] or verb.index - clause[0] > 6 or not _bare(tree, clause, subject, verb):
            return None
        return Rewriting(self.name, *clause, ("that", clause), self.kind)


def _is_object(first: Word, verb: Word) -> bool:
    """Whether a clause opens with a pronoun that is the object of its verb."""
    return first.dep == "dobj" and first.tag in ("WDT", "WP") and first.head == verb.index and first.text in PRONOUNS


def _bare(tree: Tree, clause: tuple[int, int], subject: Word, verb: Word) -> bool:
    """Whether a clause has no pronoun and lacks an object."""
    if subject.tag in ("WP", "WDT", "EX") or tree.child(verb.index, "dobj", "mark", "nsubjpass", "conj") is not None:
        return False
    if any(word.tag in ("WP", "WDT", "WRB", "WP$") for word in tree.words[clause[0] : clause[1]]):
        return False
    return _gap(tree, subject, verb)


def _gap(tree: Tree, subject: Word, verb: Word) -> bool:
    """Whether the verb is finite and lacks an object, so that its noun must be it."""
    if tree.child(verb.index, "attr", "acomp", "ccomp", "xcomp", "agent") is not None or verb.lemma in REPORTING:
        return False
    if tree.words[verb.head].lemma in OTHER_GAPS:
        return False
    if verb.tag not in ("VBD", "VBZ", "VBP") and tree.child(verb.index, "aux") is None:
        return False
    if subject.pos != "PRON" and tree.child(subject.index, "det", "poss") is None:
        return False
    stranded = any(not tree.children(one.index) for one in tree.children(verb.index, "prep"))
    return stranded or verb.lemma not in INTRANSITIVE
