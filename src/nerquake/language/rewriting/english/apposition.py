"""`X , the president of Y , said` and `the president of Y , X , said`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.nominal import (
    INSIDE,
    PEOPLE_LABELS,
    THING_LABELS,
    closes,
    depends,
    determiner,
    is_person,
    label_at,
    quoted,
    text_at,
    whole,
)
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

SURE = frozenset({"the", "his", "her", "its", "their", "my", "our", "your", "'s"})
LONGEST = 9
"""Tokens of a description; a longer one separates the name from its verb."""


@dataclass(frozen=True, slots=True)
class Apposition(Rule):
    """A name and its description, each between commas, change places. A title without a comma stays where it is."""

    name: str = "apposition"
    kind: RuleKind = "structure"
    stays = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each name with one description."""
        for word in tree.words:
            if word.dep == "appos":
                found = self._swap(tree, word)
                if found is not None:
                    yield found

    def _swap(self, tree: Tree, second: Word) -> Rewriting | None:
        right = tree.reach(second.index)
        if right is None or text_at(tree, right[0] - 1) != "," or not closes(tree, right[1]):
            return None
        first = tree.words[second.head]
        left = _before(tree, first, second)
        if left is None or left[1] != right[0] - 1 or text_at(tree, left[0] - 1) in {",", "and", "or", "&", "-"}:
            return None
        if not whole(tree, *left) or not whole(tree, *right) or quoted(tree, left[0], right[1]):
            return None
        if not _name_and_description(tree, first, left, second, right):
            return None
        return Rewriting(self.name, left[0], right[1], (right, ",", left), self.kind)


def _before(tree: Tree, first: Word, second: Word) -> tuple[int, int] | None:
    """The range of the first of the two without the second; None where anything else hangs on it."""
    taken = {first.index}
    for child in tree.children(first.index):
        if child.dep in INSIDE or child.dep == "prep":
            taken |= tree.subtree(child.index)
        elif child.index != second.index and child.text != ",":
            return None
    start, end = min(taken), max(taken) + 1
    return (start, end) if len(taken) == end - start else None


def _name_and_description(tree: Tree, first: Word, left: tuple[int, int], second: Word, right: tuple[int, int]) -> bool:
    """Whether one of the two is a mention and the other a short description of it with an article."""
    if (left in tree.mentions) == (right in tree.mentions):
        return False
    noun, (start, end) = (second, right) if left in tree.mentions else (first, left)
    name = first if noun is second else second
    if noun.pos != "NOUN" or end - start > LONGEST or tree.mention_at(noun.index) is not None:
        return False
    inner = [word for word in tree.words[start:end] if word is not noun]
    if any(word.text in {",", ":", ";"} or word.dep in {"relcl", "nsubj"} for word in inner):
        return False
    article = determiner(tree, noun.index)
    if article in SURE:
        return not (text_at(tree, start) in {"her", "his", "its", "their"} and depends(tree, name.index, "poss"))
    # `a` says something new: it opens a sentence well, but breaks the flow elsewhere.
    if article not in {"a", "an"}:
        return False
    if name is first:
        return left[0] == 0 and label_at(tree, name.index) in PEOPLE_LABELS | THING_LABELS
    return is_person(tree, name.index)
