"""`met in Lima on Thursday` and `met on Thursday in Lima`; `built by Eiffel in 1889` and `built in 1889 by Eiffel`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from nerquake.language.rewriting.english.nominal import INSIDE, closes, label_at, reach
from nerquake.language.rewriting.english.words import TIMES
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

TIMED = frozenset({"in", "on", "at", "after", "before", "during", "until", "since", "by", "for"})
"""Prepositions of time."""
PLACES = frozenset({"in", "at", "on", "near", "outside"})
"""Prepositions of phrases that go before a time or behind it."""
GOALS = frozenset({"to", "into", "from", "between", "against", "with"})
"""Prepositions of phrases that rather go before it."""
TIME_LABELS = frozenset({"date", "time"})
CERTAIN = TIMES - {
    "end", "beginning", "match", "game", "meeting", "ceremony", "trial", "election", "vote", "conference", "interview",
    "visit", "crisis", "storm", "age", "war", "time", "fall", "may", "spring", "period", "era", "eve", "moment",
    "youth", "mid-sentence",
}  # fmt: skip
"""Nouns, by lemma, that are times and nothing else."""
LONGEST = 7
"""Tokens of a phrase that another moves over."""


@dataclass(frozen=True, slots=True)
class PhraseOrder(Rule):
    """A time and another phrase beside it, both at the same verb and the last of their clause, change places."""

    name: str = "phrase-order"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each pair."""
        verbs = {word.head for word in tree.words if word.dep in ("prep", "agent")}
        for verb in (tree.words[at] for at in sorted(verbs)):
            if verb.pos != "VERB":
                continue
            phrases = tree.children(verb.index, "prep", "agent", "conj", "dobj", "xcomp", "ccomp", "advcl", "advmod")
            for first, second in pairwise(phrases):
                found = self._swap(tree, verb, first, second)
                if found is not None:
                    yield found

    def _swap(self, tree: Tree, verb: Word, first: Word, second: Word) -> Rewriting | None:
        if first.index < verb.index or not {first.dep, second.dep} <= {"prep", "agent"}:
            return None
        left, right = _simple(tree, first), _simple(tree, second)
        if left is None or right is None or left[1] != right[0] or not _ends_there(tree, right[1]):
            return None
        if any(word.pos == "PUNCT" for word in tree.words[left[0] : right[1]]) or not _may_swap(tree, first, second):
            return None
        return Rewriting(self.name, left[0], right[1], (right, left), self.kind)


def _ends_there(tree: Tree, end: int) -> bool:
    """Whether the clause ends, or only its purpose follows."""
    return closes(tree, end) or tree.words[end].tag == "TO"


def _may_swap(tree: Tree, first: Word, second: Word) -> bool:
    """Whether one says when, and the other who, or the name of a place."""
    timed = _is_time(tree, first), _is_time(tree, second)
    if timed[0] == timed[1]:
        return False
    other = second if timed[0] else first
    if other.dep == "agent":
        return True
    # `sailed to Lima in May` is well said, `sailed in May to Lima` less so.
    allowed = PLACES | GOALS if timed[0] else PLACES
    return other.text.lower() in allowed and _named(tree, other)


def _simple(tree: Tree, preposition: Word) -> tuple[int, int] | None:
    """The range of a short phrase: a preposition and a noun with words in front of it, or with `of`."""
    found, noun = reach(tree, preposition.index), tree.child(preposition.index, "pobj")
    if found is None or noun is None or found[0] != preposition.index or found[1] - found[0] > LONGEST:
        return None
    if len(tree.children(preposition.index)) > 1 or noun.pos == "PRON":
        return None
    extra = [child for child in tree.children(noun.index) if child.dep not in INSIDE]
    return None if any(child.text != "of" for child in extra) else found


def _is_time(tree: Tree, preposition: Word) -> bool:
    """Whether a phrase says when or for how long."""
    noun = tree.child(preposition.index, "pobj")
    if noun is None or preposition.text.lower() not in TIMED:
        return False
    if noun.text.isdigit():
        return len(noun.text) == 4 and preposition.text.lower() in {"in", "since", "after", "before", "until", "by"}
    if any(child.dep == "prep" for child in tree.children(noun.index)):
        return False
    return noun.lemma.lower() in CERTAIN or label_at(tree, noun.index) in TIME_LABELS


def _named(tree: Tree, preposition: Word) -> bool:
    """Whether the phrase of a preposition is a place or another name: it belongs to the verb as the time does."""
    noun = tree.child(preposition.index, "pobj")
    return noun is not None and tree.mention_at(noun.index) is not None
