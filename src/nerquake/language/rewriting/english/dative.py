"""`gave Mary the book` and `gave the book to Mary`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.nominal import (
    NOUNS,
    ends,
    is_person,
    label_at,
    quoted,
    reach,
    text_at,
)
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

TO = frozenset({
    "give", "send", "offer", "show", "sell", "lend", "hand", "teach", "award", "grant", "mail", "loan", "feed", "owe",
    "read",
})  # fmt: skip
"""Verbs of giving, by lemma, that take `to`."""
FOR = frozenset({"buy", "cook", "bake", "knit", "fetch", "order", "book"})
"""Verbs of making and getting that take `for`; only towards it, since `for` has other readings."""
SUPPLY = frozenset({"provide", "supply"})
LIGHT = frozenset({
    "attention", "birth", "break", "call", "chance", "credence", "credit", "cry", "effect", "fright", "glance",
    "go", "hand", "headache", "hug", "idea", "impression", "kick", "kiss", "laugh", "lead", "leg", "lift", "look",
    "mention", "name", "priority", "push", "reason", "rest", "ride", "rise", "run", "shot", "shout", "smile",
    "thought", "time", "try", "trouble", "turn", "voice", "wash", "wave", "way", "edge", "boost", "pause", "shock",
    "advantage", "sense", "feeling", "nod", "thumbs", "wink", "lesson", "finger", "ring", "place", "right", "damn",
    "pass", "word", "life", "day",
})  # fmt: skip
"""Objects in phrases that are settled one way, by lemma."""
ORGANISATIONS = frozenset({"org", "organization", "organisation", "corporation", "group", "norp"})
LONGEST = 5
"""Tokens of the part that moves over the other; longer ones belong at the end."""


def _range(tree: Tree, word: Word) -> tuple[int, int] | None:
    """A noun phrase without clauses, quotes or commas."""
    found = reach(tree, word.index)
    if found is None or quoted(tree, *found) or word.pos not in (*NOUNS, "PRON"):
        return None
    if any(child.dep == "prep" and child.text != "of" for child in tree.children(word.index)):
        return None
    inner = tree.words[found[0] : found[1]]
    return None if any(one.text in {",", ":", ";"} or one.dep in {"relcl", "conj"} for one in inner) else found


def _thing(tree: Tree, word: Word) -> bool:
    """Whether a word can be what is given: a noun with a determiner or in the plural, in no settled phrase."""
    if word.pos != "NOUN" or word.lemma.lower() in LIGHT:
        return word.pos == "PROPN" and tree.mention_at(word.index) is not None and not is_person(tree, word.index)
    return word.tag == "NNS" or tree.child(word.index, "det", "poss", "nummod") is not None


@dataclass(frozen=True, slots=True)
class DativeToPhrase(Rule):
    """`gave Mary the book` becomes `gave the book to Mary`."""

    name: str = "dative-to-phrase"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each verb with two objects."""
        for word in tree.words:
            if word.dep == "dative" and word.pos != "ADP":
                verb = tree.words[word.head]
                thing = tree.child(verb.index, "dobj")
                if thing is not None and verb.lemma in TO | FOR and _thing(tree, thing):
                    found = self._turn(tree, verb, word, thing)
                    if found is not None:
                        yield found

    def _turn(self, tree: Tree, verb: Word, receiver: Word, thing: Word) -> Rewriting | None:
        left, right = _range(tree, receiver), _range(tree, thing)
        if left is None or right is None or left[0] != verb.index + 1 or left[1] != right[0]:
            return None
        if receiver.text.lower() in {"it", "this", "that"}:
            return None
        length = right[1] - right[0]
        if length > max(LONGEST, left[1] - left[0]) or text_at(tree, right[1]) in {"and", "or", "to", "'s", "-", "of"}:
            return None
        preposition = "to" if verb.lemma in TO else "for"
        return Rewriting(self.name, left[0], right[1], (right, preposition, left), self.kind)


@dataclass(frozen=True, slots=True)
class PhraseToDative(Rule):
    """`gave the book to Mary` becomes `gave Mary the book`."""

    name: str = "phrase-to-dative"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each verb of giving with an object and a receiver after `to`."""
        for word in tree.words:
            if word.text == "to" and word.dep in ("dative", "prep") and tree.words[word.head].lemma in TO:
                verb, receiver = tree.words[word.head], tree.child(word.index, "pobj")
                thing = tree.child(verb.index, "dobj")
                if receiver is not None and thing is not None and _thing(tree, thing):
                    found = self._turn(tree, verb, word, thing, receiver)
                    if found is not None:
                        yield found

    def _turn(self, tree: Tree, verb: Word, to: Word, thing: Word, receiver: Word) -> Rewriting | None:
        left, right = _range(tree, thing), _range(tree, receiver)
        if (
            left is None
            or right is None
            or left[0] != verb.index + 1
            or left[1] != to.index
            or right[0] != to.index + 1
        ):
            return None
        if right[1] - right[0] > LONGEST or text_at(tree, right[1]) in {"and", "or", "'s", "-", "of", "'"}:
            return None
        if not _receives(tree, receiver) or right[1] - right[0] > left[1] - left[0] + 2:
            return None
        return Rewriting(self.name, left[0], right[1], (right, left), self.kind)


def _receives(tree: Tree, word: Word) -> bool:
    """Whether a receiver is somebody; `sent Iraq troops` is not said."""
    if word.pos == "PRON":
        return word.text.lower() in {"me", "him", "her", "us", "them", "you"}
    return is_person(tree, word.index) or label_at(tree, word.index) in ORGANISATIONS


@dataclass(frozen=True, slots=True)
class WithToPhrase(Rule):
    """`provided the town with water` becomes `provided water to the town`."""

    name: str = "with-to"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each verb of supplying with a receiver and what it gets after `with`."""
        for word in tree.words:
            if word.text == "with" and word.dep == "prep" and tree.words[word.head].lemma in SUPPLY:
                verb, thing = tree.words[word.head], tree.child(word.index, "pobj")
                receiver = tree.child(verb.index, "dobj")
                left = _range(tree, receiver) if receiver is not None and receiver.text.lower() != "it" else None
                right = _range(tree, thing) if thing is not None else None
                if left is None or right is None or left[0] != verb.index + 1 or left[1] != word.index:
                    continue
                if (
                    tree.mention_at(word.index) is None
                    and right[0] == word.index + 1
                    and right[1] - right[0] <= LONGEST
                    and ends(tree, right[1])
                ):
                    yield Rewriting(self.name, left[0], right[1], (right, "to", left), self.kind)
