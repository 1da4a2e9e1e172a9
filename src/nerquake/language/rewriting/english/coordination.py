"""`A and B` becomes `B and A`, for names and noun phrases that share nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from nerquake.language.rewriting.english.nominal import (
    NOUNS,
    NUMBER_LABELS,
    PEOPLE_LABELS,
    label_at,
    tag_at,
    text_at,
    whole,
)
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

POSSESSIVES = frozenset({"his", "her", "its", "their", "my", "our", "your"})
ARTICLES = POSSESSIVES | {"a", "an", "the", "this", "that", "these", "those", "some"}
FIXED = frozenset({
    "ladies/gentlemen", "men/women", "pros/cons", "ups/downs", "supply/demand", "trial/error", "profit/loss",
    "profits/losses", "research/development", "food/drink", "arts/crafts", "rock/roll", "salt/pepper", "fish/chips",
    "law/order", "mergers/acquisitions", "goods/services", "terms/conditions", "bread/butter", "cause/effect",
    "day/night", "days/nights", "odds/ends", "friends/family", "husband/wife", "bride/groom", "boys/girls",
    "life/death", "nuts/bolts", "rules/regulations", "time/effort", "time/money", "blood/guts", "hearts/minds",
    "hide/seek", "plaintiffs/defendants", "bed/breakfast",
    "year/half", "hour/half", "day/half", "month/half", "questions/answers", "wear/tear",
})  # fmt: skip
"""Pairs in an order that the language has settled, the first noun and the last."""
AFTER = frozenset({
    "'s", "'", "’s", "&", "-", "/", "and", "or", "of", "who", "which", "that", "alike", "etc", "etc.",
})  # fmt: skip
"""What may belong to the last member alone, or go on with the list."""
BEFORE = frozenset({"&", "-", "/", "'s", "and", "or"})
LOOKING_BACK = frozenset({"those", "these", "that", "this", "such", "same", "other", "others", "another", "latter"})
"""Words of a member that may point to the one before it."""
ORDERED = frozenset({"respectively", "former", "latter", "order", "turn", "vs", "versus"})
"""Words that say the order counts."""


@dataclass(frozen=True, slots=True)
class Coordination(Rule):
    """Two or more names or noun phrases in the opposite order, where no order is meant and no modifier is shared."""

    name: str = "coordination"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each coordination."""
        joined = {word.head for word in tree.words if word.dep == "conj"}
        if not joined or any(word.text.lower() in ORDERED for word in tree.words):
            return
        for word in (tree.words[at] for at in sorted(joined)):
            if word.dep != "conj" and word.pos in NOUNS:
                found = self._turn(tree, _chain(tree, word))
                if found is not None:
                    yield found

    def _turn(self, tree: Tree, chain: tuple[Word, ...]) -> Rewriting | None:
        ranges = _ranges(tree, chain)
        if len(ranges) < 2 or not _joined_plainly(tree, ranges) or not _alike(tree, chain, ranges):
            return None
        if ranges[0][0] == 0 and tree.words[0].text == "The" and ranges[0] in tree.mentions:
            chain, ranges = chain[1:], ranges[1:]  # its capital keeps it where it is
            if len(ranges) < 2:
                return None
        start, end = ranges[0][0], ranges[-1][1]
        if not _clear_around(tree, start, end, chain):
            return None
        parts: list[tuple[int, int] | str] = [ranges[-1]]
        for before, left, right in zip(ranges, ranges[1:], reversed(ranges[:-1]), strict=False):
            parts += [(before[1], left[0]), right]
        return Rewriting(self.name, start, end, tuple(parts), self.kind)


def _chain(tree: Tree, first: Word) -> tuple[Word, ...]:
    """The first word and those joined to it, each to the one before."""
    found = [first]
    while True:
        after = tree.children(found[-1].index, "conj")
        if len(after) != 1 or after[0].index < found[-1].index:
            return tuple(found) if not after else ()
        found.append(after[0])


def _ranges(tree: Tree, chain: tuple[Word, ...]) -> list[tuple[int, int]]:
    """The range of each member without what joins it; none where something else hangs on one."""
    found: list[tuple[int, int]] = []
    for word in chain:
        below = {word.index, *range(*(tree.mention_at(word.index) or (0, 0)))}
        for child in tree.children(word.index):
            if _belongs(tree, word, child):
                below |= tree.subtree(child.index)
            elif not _joins(child, word, chain[-1]):
                return []
        start, end = min(below), max(below) + 1
        if len(below) != end - start or not whole(tree, start, end) or word.pos not in NOUNS:
            return []
        found.append((start, end))
    return found


def _belongs(tree: Tree, word: Word, child: Word) -> bool:
    """Whether a dependent stands in front of a noun, or in the same mention."""
    mention = tree.mention_at(word.index)
    if mention is not None and mention == tree.mention_at(child.index):
        return True
    return child.dep in ("det", "amod", "compound", "nummod", "poss")


def _joins(child: Word, word: Word, last: Word) -> bool:
    """Whether a dependent only joins members, or counts all of them: `A and B each sent one`."""
    if child.text in ("each", "both", "all") and child.index > last.index:
        return True
    return child.dep in ("cc", "conj", "punct", "preconj") and word is not last


def _joined_plainly(tree: Tree, ranges: list[tuple[int, int]]) -> bool:
    """Whether commas and one `and` or `or` before the last are all that stands between."""
    for at, (left, right) in enumerate(pairwise(ranges)):
        between = [text_at(tree, place) for place in range(left[1], right[0])]
        last = at + 2 == len(ranges)
        allowed = (["and"], ["or"], [",", "and"], [",", "or"]) if last else ([","],)
        if between not in allowed or (len(ranges) == 2 and len(between) == 2):
            return False
    return True


def _alike(tree: Tree, chain: tuple[Word, ...], ranges: list[tuple[int, int]]) -> bool:
    """Whether every member is a name, or a phrase with its own article, or a bare plural noun."""
    kinds = [_kind(tree, word, reach) for word, reach in zip(chain, ranges, strict=True)]
    if None in kinds or any(kind in kinds and set(kinds) != {kind} for kind in ("bare", "titled")):
        return False
    # `drinking water and schools`, `the sea or mountain ranges`, `a singer , bard and composer`.
    if "bare" in kinds and tag_at(tree, ranges[0][0] - 1).startswith(
        ("JJ", "VBG", "VBN", "DT", "PRP$", "NN", "CD", ",")
    ):
        return False
    if any(text_at(tree, at) in LOOKING_BACK for start, end in ranges for at in range(start, end)):
        return False
    # A name in small letters lacks its article: `the stick or sd card`.
    small = [reach for reach in ranges if reach in tree.mentions and tree.words[reach[1] - 1].text.islower()]
    if "article" in kinds and small:
        return False
    labels = {label_at(tree, word.index) for word in chain}
    if labels & NUMBER_LABELS or f"{chain[0].text}/{chain[-1].text}".lower() in FIXED:
        return False
    owners = [text_at(tree, start) if text_at(tree, start) in POSSESSIVES else "" for start, _ in ranges]
    return len(set(owners)) == 1


def _kind(tree: Tree, word: Word, reach: tuple[int, int]) -> str | None:
    if reach in tree.mentions:
        return "name"
    if tree.mention_at(word.index) is not None:
        title = tree.words[reach[0]].text in {"Mr.", "Mr", "Mrs.", "Mrs", "Ms.", "Ms", "Dr.", "Dr"}
        return "titled" if title and (reach[0] + 1, reach[1]) in tree.mentions else None
    if word.pos != "NOUN" or not _plain_inside(tree, reach):
        return None
    if text_at(tree, reach[0]) in ARTICLES:
        return "article"
    return "bare" if word.tag in ("NNS", "NN") and reach[1] - reach[0] == 1 else None


def _plain_inside(tree: Tree, reach: tuple[int, int]) -> bool:
    """Whether a phrase is free of punctuation and clauses."""
    inside = [tree.words[at] for at in range(*reach)]
    return all(one.pos not in ("PUNCT", "VERB", "SYM") or (one.tag, one.dep) == ("VBN", "amod") for one in inside)


def _clear_around(tree: Tree, start: int, end: int, chain: tuple[Word, ...]) -> bool:
    """Whether neither side holds a modifier that may belong to one member alone, or more members."""
    before, after, tag = text_at(tree, start - 1), text_at(tree, end), tag_at(tree, end)
    if after in AFTER or before in BEFORE or tag.startswith(("NN", "CD", "JJ", "VBN")):
        return False
    if after == "," and (tree.mention_at(end + 1) is not None or tag_at(tree, end + 1) in ("WDT", "WP", "WRB", "NNP")):
        return False
    if before == "," and tree.mention_at(start - 2) is not None and not _behind_the_first(tree, start):
        return False
    # `he called it South Beach and the industry grew`: the last member is the next clause's.
    if tag in ("VBD", "VBZ", "VBP", "MD") and chain[0].dep not in ("nsubj", "nsubjpass", "pobj"):
        return False
    return before != "of" or _after_of(tree, start, chain)


def _behind_the_first(tree: Tree, start: int) -> bool:
    """Whether the first of three names opens the sentence with `The`, which keeps it there: the others may turn."""
    first = tree.mention_at(0)
    same = first is not None and label_at(tree, 0) == label_at(tree, start)
    return same and first == (0, start - 1) and tree.words[0].text == "The"


def _after_of(tree: Tree, start: int, chain: tuple[Word, ...]) -> bool:
    """Not `the mother of John and Mary`, `a cup of tea and a cake`, `Duke of A and B`: where does the first begin?"""
    if any(tree.mention_at(word.index) is None or label_at(tree, word.index) in PEOPLE_LABELS for word in chain):
        return False
    return tree.words[start - 2].pos != "PROPN" if start > 1 else True
