"""Postposing: "By evening the wind had dropped ." becomes "The wind had dropped by evening ."."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.adjunct import Adjunct, Kind, adjuncts, keeps_reference
from nerquake.language.rewriting.english.clause import Clause, balanced, clauses, whole_mentions
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree, Word

HEAVY = ("relcl", "acl", "advcl", "ccomp", "xcomp", "appos", "conj", "dep", "parataxis", "pcomp")
"""Relations of clauses and additions, behind which a moved phrase would be read as theirs."""


AT_START = frozenset({
    "in", "from", "near", "at", "on", "until", "under", "since", "beside", "outside", "inside", "above", "below",
    "behind", "within", "along", "across",
})  # fmt: skip
OF_DISCOURSE = frozenset({
    "end", "hand", "fact", "word", "contrast", "comparison", "example", "addition", "case", "event", "effect", "sense",
    "view", "telling", "opinion", "turn", "way", "meantime", "face", "whole", "contrary", "top", "process", "light",
})  # fmt: skip
"""Nouns of phrases that tie a sentence to the one before."""


def _found(tree: Tree, name: str, kinds: tuple[Kind, ...]) -> Iterator[Rewriting]:
    for clause in clauses(tree):
        first = opening(tree, clause) if clause.place == "main" else None
        place = _place_behind(tree, clause, first) if first is not None and first.kind in kinds else None
        if first is None or place is None:
            continue
        parts: list[Part] = [(rest_of(tree, first), place), (first.start, first.end)]
        if place < clause.end:
            parts.append((place, clause.end))
        yield Rewriting(name, clause.start, clause.end, tuple(parts))


class PostposedPhrase(Rule):
    """A phrase or an adverb of time, place or cause at the start of a sentence moves behind its verb."""

    name = "postposed-phrase"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One rewriting for each phrase that can move."""
        return _found(tree, self.name, ("phrase", "adverb"))


class PostposedClause(Rule):
    """The same for clauses: because, when, if, although."""

    name = "postposed-clause"
    kind: RuleKind = "structure"
    turns = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One rewriting for each clause that can move."""
        return _found(tree, self.name, ("clause",))


def opening(tree: Tree, clause: Clause) -> Adjunct | None:
    """The phrase or clause at the start of a clause, if it may move."""
    found = next((one for one in adjuncts(tree, clause) if one.start == clause.start), None)
    return found or _opening_phrase(tree, clause)


def _opening_phrase(tree: Tree, clause: Clause) -> Adjunct | None:
    """A phrase of place or time at the start, where it cannot be an argument of the verb."""
    first = tree.words[clause.start]
    reach = tree.reach(first.index)
    noun = tree.child(first.index, "pobj")
    if first.dep != "prep" or first.head != clause.verb or reach is None or first.text.lower() not in AT_START:
        return None
    then = tree.child(first.index, "pcomp")
    if noun is None:
        return Adjunct(first.index, *reach, "phrase") if then is not None and then.text == "then" else None
    named = tree.mention_at(noun.index) is not None
    if reach[1] - reach[0] > 8 or noun.lemma.lower() in OF_DISCOURSE or not (named or tree.child(noun.index, "det")):
        return None
    return Adjunct(first.index, *reach, "phrase") if whole_mentions(tree, *reach) else None


def rest_of(tree: Tree, adjunct: Adjunct) -> int:
    """Where the sentence without the phrase begins: behind the comma, if there is one."""
    return adjunct.end + (tree.words[adjunct.end].text == ",")


def _place_behind(tree: Tree, clause: Clause, adjunct: Adjunct) -> int | None:
    """Where the phrase may go: to the end, or before the first comma that sets something off; None where nowhere."""
    rest = rest_of(tree, adjunct)
    subject = min(tree.subtree(clause.subject))
    if subject != rest or not balanced(tree, rest, clause.end) or not whole_mentions(tree, rest, clause.end):
        return None
    if is_now(tree, clause, adjunct):
        return None
    if not keeps_reference(tree, clause, adjunct) or refers_back(tree, clause, adjunct):
        return None
    commas = (at for at in range(clause.verb + 1, clause.end) if _sets_off(tree, clause, at))
    place = next(commas, clause.end)
    if adjunct.kind != "clause":
        own = [min(tree.subtree(one.index)) for one in tree.children(clause.verb, "advcl") if one.index > clause.verb]
        place = min([place, *(at for at in own if tree.words[at].dep in ("mark", "advmod"))])
    behind = tree.words[clause.verb + 1 : place]
    if adjunct.kind == "clause" and place < clause.end:
        return None
    return None if any(one.dep in HEAVY and _verbal(tree, one) for one in behind) else place


def is_now(tree: Tree, clause: Clause, adjunct: Adjunct) -> bool:
    """Whether it is `Today she collects beetles`: nowadays, not on this day."""
    return tree.words[clause.verb].tag in ("VBZ", "VBP") and tree.words[adjunct.start].text.lower() in ("today", "now")


def _sets_off(tree: Tree, clause: Clause, at: int) -> bool:
    """Whether a comma stands between the verb's own phrases, and does not divide a list or a place and its country."""
    if tree.words[at].text != "," or not balanced(tree, clause.verb, at) or not whole_mentions(tree, at, at + 1):
        return False
    above = tree.words[tree.words[at].head]
    listed = tree.children(above.index, "conj", "appos")
    short = all(len(tree.subtree(one.index)) <= 2 and one.pos == "PROPN" for one in listed)
    return not listed or (above.index == clause.verb) or not (short or any(one.dep == "conj" for one in listed))


def _verbal(tree: Tree, word: Word) -> bool:
    return word.dep in ("ccomp", "relcl", "advcl", "parataxis", "appos") or word.pos in ("VERB", "AUX")


def refers_back(tree: Tree, clause: Clause, adjunct: Adjunct) -> bool:
    """Whether the rest has a pronoun for somebody whom the phrase names: he, him; her at the head of the subject."""
    subject = tree.subtree(clause.subject)
    if any(tree.words[at].tag == "PRP$" for at in subject):
        return True
    named = any(tree.words[at].pos in ("PROPN", "NOUN") for at in range(adjunct.start, adjunct.end))
    people = ("he", "she", "they", "him", "them") if adjunct.kind == "clause" else ("he", "she", "him")
    rest = tree.words[adjunct.end : clause.end]
    return named and any(one.text.lower() in people and one.tag == "PRP" for one in rest)
