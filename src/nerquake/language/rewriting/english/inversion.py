"""Where it comes from stands first: "Power comes from the dam ." becomes "From the dam comes power ."."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.clause import Clause, balanced, clauses, noun_range, texts, whole_mentions
from nerquake.language.rewriting.english.words import FOCUSING, NEGATIVE, REFERRING, THIRD
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree

VERBS = frozenset({"come", "hang", "loom", "stand"})
PREPOSITIONS = frozenset({"from", "over", "behind", "above", "in", "near", "beside", "at", "on", "under", "beneath"})
LONGEST, LONGEST_SUBJECT = 24, 8


class Inversion(Rule):
    """A sentence of a subject, `come` or `stand` and one phrase of place: the phrase first, the subject last."""

    name = "inversion"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each sentence that is nothing else; the verb without an auxiliary."""
        for clause in clauses(tree):
            verb, subject = tree.words[clause.verb], noun_range(tree, clause.subject)
            if verb.lemma.lower() not in VERBS or subject is None or not _whole(tree, clause, subject):
                continue
            phrases = tree.children(verb.index, "prep")
            reach = tree.reach(phrases[0].index) if phrases else None
            if reach is not None and reach[0] == verb.index + 1 and _fits(tree, clause, reach):
                place = (reach[0], clause.end)
                comma = (",",) if "," in texts(tree, *place) else ()
                parts = (place, *comma, (verb.index, verb.index + 1), subject)
                yield Rewriting(self.name, clause.start, clause.end, parts)


def _whole(tree: Tree, clause: Clause, subject: tuple[int, int]) -> bool:
    """Whether the clause is the whole sentence and begins with a short subject right before its verb."""
    if clause.place != "main" or clause.start or subject != (0, clause.verb) or not balanced(tree, 0, clause.end):
        return False
    words = texts(tree, *subject)
    if tree.words[clause.subject].pos == "PRON" or len(words) > LONGEST_SUBJECT or "," in words:
        return False
    return not any(char.isalnum() for word in tree.words[clause.end :] for char in word.text) and not (
        set(words) & (NEGATIVE | FOCUSING | REFERRING)
    )


def _fits(tree: Tree, clause: Clause, reach: tuple[int, int]) -> bool:
    """Whether one phrase fills the rest of the clause; what a comma adds to its name belongs to it."""
    start, end = reach
    words = texts(tree, start, clause.end)
    beside = [one for one in tree.children(clause.verb) if one.index > start and one.dep != "punct"]
    if words[0] not in PREPOSITIONS or len(words) > LONGEST or beside or end != clause.end:
        return False
    noun = tree.child(start, "pobj")
    named = noun is not None and (tree.mention_at(noun.index) is not None or tree.child(noun.index, "det") is not None)
    return named and not set(words[:3]) & (NEGATIVE | REFERRING | THIRD) and whole_mentions(tree, start, end)
