"""`Germany 's capital` and `the capital of Germany`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.nominal import (
    NUMBER_LABELS,
    determiner,
    is_person,
    is_plural,
    label_at,
    plain_phrase,
    quoted,
    tag_at,
    text_at,
    whole,
)
from nerquake.language.rewriting.english.words import TIMES
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

RELATIONS = frozenset({
    "abolition", "aim", "ambassador", "architecture", "arrival", "army", "author", "beauty", "board", "border",
    "branch", "brother", "budget", "builder", "capital", "captain", "centre", "center", "chairman", "chairwoman",
    "chancellor", "chief", "climate", "coach", "coast", "coastline", "collapse", "colour", "color", "commander",
    "commissioner", "composer", "constitution", "construction", "coronation", "creator", "currency", "culture",
    "daughter", "debt", "defeat", "departure", "design", "destruction", "director", "discoverer", "economy",
    "editor", "emperor", "expansion", "failure", "fans", "father", "flag", "founder", "founding", "future",
    "geography", "government", "governor", "headquarters", "history", "husband", "importance", "independence",
    "inhabitant", "invasion", "inventor", "king", "leader", "leadership", "location", "management", "manager",
    "mayor", "military", "minister", "mother", "name", "navy", "occupation", "origin", "outskirts", "owner",
    "parliament", "people", "popularity", "population", "port", "president", "price", "production", "prosperity",
    "publication", "purpose", "quality", "queen", "railways", "residents", "resignation", "return", "rival", "role",
    "ruler", "secretary", "shape", "shore", "sister", "size", "son", "spokesman", "spokeswoman", "streets",
    "structure", "subsidiary", "supporters", "surface", "territory", "treasurer", "value", "victory", "weight",
    "widow", "wife", "arrest", "appointment", "birth", "career", "death", "legacy", "life", "murder",
})  # fmt: skip
"""Nouns that take their owner either way, by lemma or form; `John 's car` has no good twin."""
PERSONAL = frozenset({
    "appointment", "arrest", "arrival", "birth", "brother", "career", "daughter", "death", "departure", "father",
    "husband", "legacy", "life", "mother", "murder", "name", "resignation", "return", "sister", "son", "widow",
    "wife",
})  # fmt: skip
"""Of these, those that people have: `the streets of Merkel` is nothing."""
DETERMINED = frozenset({"the", "this", "that", "these", "those"})
LONGEST = 4
"""Tokens of an owner before the clitic."""


def _related(word: Word) -> bool:
    return word.pos == "NOUN" and (word.lemma.lower() in RELATIONS or word.text.lower() in RELATIONS)


def _fits(tree: Tree, owner: Word, noun: Word) -> bool:
    """Whether the owner and the noun go together in both forms."""
    if owner.pos not in ("NOUN", "PROPN") or label_at(tree, owner.index) in NUMBER_LABELS or not _related(noun):
        return False
    if tree.mention_at(noun.index) is not None:
        return False
    named = tree.mention_at(owner.index) is not None
    if not named and (owner.lemma in TIMES or determiner(tree, owner.index) not in DETERMINED):
        return False
    return noun.lemma.lower() in PERSONAL or not is_person(tree, owner.index)


@dataclass(frozen=True, slots=True)
class PossessiveToOf(Rule):
    """`Germany 's largest city` becomes `the largest city of Germany`."""

    name: str = "possessive-to-of"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each clitic between a name and a noun of relation."""
        for word in tree.words:
            if word.dep == "poss" and _fits(tree, word, tree.words[word.head]):
                found = self._turn(tree, word, tree.words[word.head])
                if found is not None:
                    yield found

    def _turn(self, tree: Tree, owner: Word, noun: Word) -> Rewriting | None:
        clitic = owner.index + 1
        if tag_at(tree, clitic) != "POS" or tree.mention_at(clitic) is not None or clitic >= noun.index:
            return None
        left = plain_phrase(tree, owner.index, ("det", "amod", "compound", "nummod", "case", "nmod"))
        if left is None or left[1] != clitic + 1 or quoted(tree, left[0], noun.index):
            return None
        # `the planner 's brother , Andrew ,`: behind `of` the name would be the owner's.
        if text_at(tree, noun.index + 1) == "," or tree.child(noun.index, "appos") is not None:
            return None
        # What follows the noun must not be a second owner, a name that it is the title of, or a coordination.
        if any(child.dep in {"prep", "conj", "cc"} and child.text.lower() in {"of", "by", "and", "or"}
               for child in tree.children(noun.index)):  # fmt: skip
            return None
        if text_at(tree, noun.index + 1) in {"of", "and", "or", "'s", "'", "-", "’s"}:
            return None
        front = (clitic + 1, noun.index + 1)
        if not all(_in_front(tree, at, noun) for at in range(*front)) or not whole(tree, left[0], noun.index + 1):
            return None
        if tag_at(tree, noun.index + 1).startswith(("NN", "POS", "CD")) or text_at(tree, left[0] - 1) in {"and", "or"}:
            return None
        return Rewriting(self.name, left[0], noun.index + 1, ("the", front, "of", (left[0], clitic)), self.kind)


def _in_front(tree: Tree, at: int, noun: Word) -> bool:
    """Whether a word is the noun or one of the adjectives and numbers before it."""
    word = tree.words[at]
    if at == noun.index:
        return True
    return word.head == noun.index and word.dep in {"amod", "nummod", "compound"} and word.text.lower() != "own"


@dataclass(frozen=True, slots=True)
class OfToPossessive(Rule):
    """`the largest city of Germany` becomes `Germany 's largest city`."""

    name: str = "of-to-possessive"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each `the ... of NAME` with a noun of relation."""
        for word in tree.words:
            if word.text == "of" and word.dep == "prep":
                owner = tree.child(word.index, "pobj")
                if owner is not None and _fits(tree, owner, tree.words[word.head]):
                    found = self._turn(tree, tree.words[word.head], word, owner)
                    if found is not None:
                        yield found

    def _turn(self, tree: Tree, noun: Word, of: Word, owner: Word) -> Rewriting | None:
        right = plain_phrase(tree, owner.index)
        article = tree.child(noun.index, "det")
        if article is None or article.text.lower() != "the" or right is None or right[1] - right[0] > LONGEST:
            return None
        if of.index != noun.index + 1 or right[0] != of.index + 1 or tree.mention_at(article.index) is not None:
            return None
        front = (article.index + 1, noun.index + 1)
        if not all(_in_front(tree, at, noun) for at in range(*front)) or not whole(tree, article.index, right[1]):
            return None
        clitic = _clitic(tree, owner)
        if clitic is None or any(child.dep in {"conj", "cc", "appos"} or child.text.lower() == "by"
               for child in tree.children(noun.index)):  # fmt: skip
            return None
        after = text_at(tree, right[1])
        if after in {"and", "or", "'s", "'", "-", "&", "’s", "("} or tag_at(tree, right[1]) in (
            "VBN",
            "VBG",
            "WDT",
            "WP",
        ):
            return None
        return Rewriting(self.name, article.index, right[1], (right, clitic, front), self.kind)


def _clitic(tree: Tree, owner: Word) -> str | None:
    """The clitic of an owner; names in -s take one well only where they are people's."""
    if not owner.text.lower().endswith("s"):
        return "'s"
    if is_plural(owner) and owner.pos == "NOUN" and tree.mention_at(owner.index) is None:
        return "'"
    return "'s" if is_person(tree, owner.index) else None
