"""`Anna und Peter` becomes `Peter und Anna`."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.german.clause import COMMA, Range, balanced, base, moved, texts_of
from nerquake.language.rewriting.german.words import BEARING, LOOKING_BACK, TIMES
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree, Word

ENDS = ("det", "case", "flat", "appos", "nummod", "amod", "compound", "punct")
"""What may depend on a noun that changes places; genitives and phrases behind the last one may belong to both."""
ORDERED = frozenset({"herr", "frau", "doktor", "dr.", "prof.", "mal"})


class Coordination(Rule):
    """The two things that `und` or `sowie` joins change places, or the first and the last of several."""

    name = "coordination"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each pair or row of nouns of the same form."""
        for word in tree.words:
            joined = tree.children(word.index, "conj")
            if not joined or word.pos not in ("NOUN", "PROPN"):
                continue
            first, last = _first(tree, word, joined), _range(tree, joined[-1])
            if first is None or last is None or not self._fits(tree, word, joined[-1], first, last):
                continue
            between: Range = (first[1], last[0])
            if not self._row(tree, between):
                continue
            parts: tuple[Part, ...] = (last, between, *moved(tree, first))
            yield Rewriting(self.name, first[0], last[1], parts)

    def _row(self, tree: Tree, between: Range) -> bool:
        """Whether the parts are joined in one way: a conjunction right before the last, no comma before it."""
        texts = texts_of(tree, between)
        if not texts or texts[-1] not in ("und", "sowie") or texts[-2:-1] == [COMMA]:
            return False
        if texts[0] not in (COMMA, "und", "sowie"):  # "Rohstoff - und Energiekosten"
            return False
        return sum(text in ("und", "sowie", "oder") for text in texts) == 1

    def _fits(self, tree: Tree, one: Word, other: Word, first: Range, last: Range) -> bool:
        if one.pos != other.pos or not _alike(_deps(tree, one, first), _deps(tree, other, last)):
            return False
        texts = [*texts_of(tree, first), *texts_of(tree, last)]
        if any(text in BEARING or text in LOOKING_BACK or text in ORDERED or text.endswith("-") for text in texts):
            return False
        if any(text.isdecimal() for text in texts):
            return False
        if one.lemma.lower() in TIMES or other.lemma.lower() in TIMES or _is_set_phrase(tree, one, other):
            return False
        case = {word.morph.get("Case") for word in (one, other)}
        return len(case - {None}) < 2 and balanced(tree, first) and balanced(tree, last)


def _first(tree: Tree, word: Word, joined: tuple[Word, ...]) -> Range | None:
    """The range of the first of several things; a preposition or article that it shares with the others stays."""
    places = set(tree.subtree(word.index))
    for other in joined:
        places -= tree.subtree(other.index)
    kept = {at for at in places if tree.words[at].pos != "PUNCT" or at < word.index}
    others = [{base(one.dep) for one in tree.children(other.index)} for other in joined]
    for one in tree.children(word.index, "case"):
        if not any("case" in deps for deps in others):
            kept -= tree.subtree(one.index)
    return _solid(tree, word, kept - {one.index for one in tree.children(word.index, "cc:preconj")})


def _range(tree: Tree, word: Word) -> Range | None:
    places = set(tree.subtree(word.index))
    for one in tree.children(word.index, "cc", "punct"):
        places -= tree.subtree(one.index)
    return _solid(tree, word, places)


def _solid(tree: Tree, word: Word, places: set[int]) -> Range | None:
    """A range without gaps that has nothing in it but what may change places with its noun."""
    if any(base(one.dep) not in ENDS for one in tree.children(word.index) if one.index in places):
        return None
    start, end = min(places), max(places) + 1
    return (start, end) if end - start == len(places) and COMMA not in texts_of(tree, (start, end)) else None


def _deps(tree: Tree, word: Word, part: Range) -> set[str]:
    return {base(one.dep) for one in tree.children(word.index) if one.index in range(*part)}


def _is_set_phrase(tree: Tree, one: Word, other: Word) -> bool:
    """Whether two common nouns stand alone behind a preposition: `in Amt und Würden`, `mit Rat und Tat`."""
    if one.pos != "NOUN" or not tree.children(one.index, "case"):
        return False
    return not any(tree.children(word.index, "det", "det:poss", "amod", "nummod") for word in (one, other))


def _alike(first: set[str], last: set[str]) -> bool:
    """Whether both have an article, and a preposition, of their own; none has an adjective that belongs to both."""
    if any((dep in first) != (dep in last) for dep in ("det", "case")):
        return False
    return "amod" not in first or not {"amod", "det"}.isdisjoint(last)
