"""`slow and expensive` becomes `expensive and slow`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.nominal import tag_at, text_at, whole
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

FIXED = frozenset({
    "black/white", "safe/sound", "sick/tired", "loud/clear", "short/sweet", "tried/tested", "bright/early",
    "rich/famous", "high/dry", "far/wide", "nice/warm", "good/ready", "more/more", "north/south", "fair/square",
    "null/void",
})  # fmt: skip
"""Pairs in a settled order."""
ORDERING = frozenset({
    "first", "second", "third", "fourth", "fifth", "sixth", "last", "next", "other", "such", "same", "own", "certain",
    "many", "few", "several", "former", "latter", "early", "late",
})  # fmt: skip
"""Adjectives that count, point or stand in the order of time."""


@dataclass(frozen=True, slots=True)
class AdjectivesTurned(Rule):
    """Two adjectives joined by `and` or `or` in the opposite order, where none has words of its own."""

    name: str = "adjectives"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each pair behind `be` or before a noun."""
        for word in tree.words:
            if word.dep == "conj" and tree.words[word.head].dep in ("acomp", "amod"):
                found = self._turn(tree, tree.words[word.head], word)
                if found is not None:
                    yield found

    def _turn(self, tree: Tree, first: Word, second: Word) -> Rewriting | None:
        joint = first.index + 1
        if second.index != joint + 1 or text_at(tree, joint) not in {"and", "or"} or tree.children(second.index):
            return None
        if len(tree.children(first.index)) != 2 or f"{first.text}/{second.text}".lower() in FIXED:
            return None
        if not _plain(tree, first) or not _plain(tree, second) or not whole(tree, first.index, second.index + 1):
            return None
        if not _fits_around(tree, first, second):
            return None
        parts = ((second.index, second.index + 1), (joint, joint + 1), (first.index, joint))
        return Rewriting(self.name, first.index, second.index + 1, parts, self.kind)


def _plain(tree: Tree, word: Word) -> bool:
    """Whether a word is an adjective in the positive, in small letters or a mention of one word, and no number."""
    if word.tag != "JJ" or word.text.lower() in ORDERING or word.text[0].isdigit():
        return False
    if tree.mention_at(word.index) is not None:
        return tree.mention_at(word.index) == (word.index, word.index + 1)
    return word.text.islower() or word.index == 0


def _fits_around(tree: Tree, first: Word, second: Word) -> bool:
    """Whether the article suits either, and nothing before or behind belongs to one of the two alone."""
    article, start = text_at(tree, first.index - 1), text_at(tree, second.index)[0]
    if article in {"a", "an"} and (article == "an") != (start in "aeiou"):
        return False
    before, after = tag_at(tree, first.index - 1), tag_at(tree, second.index + 1)
    if before.startswith(("RB", "JJ", "CD", "NN")) or article in {"and", "or", "-", ","}:
        return False
    return not after.startswith(("IN", "TO", "JJ", "VB", "RB", "CC", "DT")) and text_at(tree, second.index + 1) != "-"
