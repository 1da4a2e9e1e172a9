"""Fronting: "They met in Lima on Thursday ." becomes "On Thursday , they met in Lima ."."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.adjunct import Adjunct, Kind, adjuncts, keeps_reference
from nerquake.language.rewriting.english.clause import Clause, balanced, clauses, is_joined, texts, whole_mentions
from nerquake.language.rewriting.english.loose import loose
from nerquake.language.rewriting.english.words import TIMES
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree

LATER = frozenset({"already", "then", "still", "now", "soon", "later", "afterwards", "nobody", "could"})
"""Words of a second clause that has a time of its own, or shares that of the first."""


def _found(tree: Tree, name: str, kinds: tuple[Kind, ...]) -> Iterator[Rewriting]:
    return (_moved(tree, name, clause, adjunct) for clause, adjunct in _all(tree) if adjunct.kind in kinds)


def _all(tree: Tree) -> list[tuple[Clause, Adjunct]]:
    """What can move to the start, of clauses that begin with their subject."""
    if _all not in tree.memo:
        tree.memo[_all] = [
            (clause, adjunct)
            for clause in clauses(tree)
            if clause.place == "main" and starts_with_subject(tree, clause)
            for adjunct in dict.fromkeys((*_leaving(tree, clause), *loose(tree, clause)))
            if not goes_on(tree, clause) or _first_only(tree, clause, adjunct)
        ]
    found: list[tuple[Clause, Adjunct]] = tree.memo[_all]
    return found


def goes_on(tree: Tree, clause: Clause) -> bool:
    """Whether another clause is joined to this one, to which what stands in front would belong as well."""
    return any(
        is_joined(tree, one) and one.dep == "conj" for one in tree.children(clause.verb) if one.index > clause.verb
    )


def _first_only(tree: Tree, clause: Clause, adjunct: Adjunct) -> bool:
    """Whether the clause that follows has a time of its own, or what moves tells when the first thing happened."""
    behind = texts(tree, clause.end, len(tree.words))
    opener = tree.words[adjunct.start].text.lower()
    if adjunct.kind == "clause":
        return opener == "when"
    timed = opener in ("on", "during", "in", "at") and any(
        one.lemma.lower() in TIMES for one in tree.words[adjunct.start : adjunct.end]
    )
    return timed and bool(LATER.intersection(behind[:6]))


def _leaving(tree: Tree, clause: Clause) -> Iterator[Adjunct]:
    return (one for one in adjuncts(tree, clause) if one.start > clause.verb and _may_leave(tree, clause, one))


class FrontedPhrase(Rule):
    """A phrase or an adverb of time, place or cause at the end of a sentence moves to its start."""

    name = "fronted-phrase"
    kind: RuleKind = "structure"
    fronts = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One rewriting for each phrase that can move, of clauses that begin with their subject."""
        return _found(tree, self.name, ("phrase", "adverb"))


class FrontedClause(Rule):
    """The same for clauses: because, when, if, although, and infinitives of purpose."""

    name = "fronted-clause"
    kind: RuleKind = "structure"
    turns = True
    fronts = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One rewriting for each clause that can move."""
        return _found(tree, self.name, ("clause",))


def starts_with_subject(tree: Tree, clause: Clause) -> bool:
    """Whether nothing stands before the subject, and the clause has one verb only."""
    subject = min(tree.subtree(clause.subject))
    if (
        subject != clause.start
        or tree.words[subject].tag in ("IN", "RB", "TO", "WRB")
        or not balanced(tree, clause.start, clause.end)
    ):
        return False
    if not whole_mentions(tree, clause.start, clause.end):
        return False
    joined = tree.children(clause.verb, "conj", "dep", "parataxis", "ccomp")
    return not any(clause.start <= one.index < clause.end for one in joined)


def _may_leave(tree: Tree, clause: Clause, adjunct: Adjunct) -> bool:
    """Whether what stays still reads well: the phrase ends its clause, or stands before another that could."""
    if not keeps_reference(tree, clause, adjunct):
        return False
    behind = tree.words[adjunct.end] if adjunct.end < clause.end else None
    if adjunct.kind == "adverb":
        return adjunct.end == clause.end
    if behind is None:
        return True
    if behind.text == ",":
        return adjunct.kind == "phrase" and _aside_follows(tree, clause, adjunct)
    follower = next((one for one in tree.children(clause.verb) if _starts_at(tree, one.index, adjunct.end)), None)
    if follower is None or adjunct.kind != "phrase":
        return False
    opener = tree.words[adjunct.end]
    return follower.dep in ("prep", "npadvmod") or (follower.dep == "advcl" and opener.dep in ("mark", "advmod", "aux"))


def _aside_follows(tree: Tree, clause: Clause, adjunct: Adjunct) -> bool:
    """Whether a comma and one phrase of measure or circumstance end the clause: `, two seconds ahead of the field`."""
    start = adjunct.end + 1
    follower = next((one for one in tree.children(clause.verb) if _starts_at(tree, one.index, start)), None)
    if follower is None or follower.dep not in ("advmod", "prep", "npadvmod"):
        return False
    words = texts(tree, start, clause.end)
    moved = texts(tree, adjunct.start, adjunct.end)
    plain = not {",", "itself", "himself", "herself"}.intersection(moved) and words[0] not in (
        "and",
        "or",
        "but",
        "where",
        "when",
        "which",
        "who",
        "so",
        "then",
    )
    return plain and max(tree.subtree(follower.index)) + 1 == clause.end and "," not in words


def _starts_at(tree: Tree, head: int, place: int) -> bool:
    return min(tree.subtree(head)) == place


def _moved(tree: Tree, name: str, clause: Clause, adjunct: Adjunct) -> Rewriting:
    stays = adjunct.start - (tree.words[adjunct.start - 1].text == "," and adjunct.end == clause.end)
    parts: list[Part] = [(adjunct.start, adjunct.end), ",", (clause.start, stays)]
    if adjunct.end < clause.end:
        parts.append((adjunct.end, clause.end))
    return Rewriting(name, clause.start, clause.end, tuple(parts))
