"""`die Hauptstadt Deutschlands` and `die Hauptstadt von Deutschland`; `Annas Buch` and `das Buch von Anna`.

Only names that are no mentions: those keep their letters. Only where the form is certain.
"""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.german.clause import base
from nerquake.language.rewriting.german.words import RELATIONAL
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

HISSING = ("s", "ß", "x", "z", "ce", "sch", "tsch", "'", "’")
"""Endings of names that take an apostrophe for their genitive."""
ARTICLES = {
    ("Nom", "Masc", "Sing"): "der", ("Nom", "Fem", "Sing"): "die", ("Nom", "Neut", "Sing"): "das",
    ("Acc", "Masc", "Sing"): "den", ("Acc", "Fem", "Sing"): "die", ("Acc", "Neut", "Sing"): "das",
    ("Dat", "Masc", "Sing"): "dem", ("Dat", "Fem", "Sing"): "der", ("Dat", "Neut", "Sing"): "dem",
}  # fmt: skip
"""Definite articles by case, gender and number; of the plural all but the dative are the same."""
PLURAL = {"Nom": "die", "Acc": "die", "Dat": "den"}


class VonPhrase(Rule):
    """A genitive of a name becomes a phrase with `von`."""

    name = "von-phrase"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each genitive behind its noun or before it."""
        for word in tree.words:
            stem = word.text[:-1]
            if not _is_lone_name(tree, word) or word.morph.get("Case") != "Gen" or word.lemma != stem:
                continue
            if not word.text.endswith("s") or stem.lower().endswith(HISSING):
                continue
            noun = tree.words[word.head]
            if noun.index == word.index - 1:
                yield Rewriting(self.name, word.index, word.index + 1, ("von", stem))
            elif noun.index == word.index + 1 and tree.mention_at(noun.index) is None and not _has_article(tree, noun):
                article = _article(noun)
                if article:
                    parts = (article, (noun.index, noun.index + 1), "von", stem)
                    yield Rewriting(self.name, word.index, noun.index + 1, parts)


class Genitive(Rule):
    """A phrase with `von` and a name becomes a genitive, behind nouns that leave no other reading."""

    name = "genitive"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each phrase directly behind its noun."""
        for word in tree.words:
            at, noun = word.index, tree.words[word.head]
            if not _is_lone_name(tree, word, "case") or at < 2 or noun.index != at - 2:
                continue
            if tree.words[at - 1].text != "von" or tree.words[at - 1].head != at:
                continue
            if noun.lemma.lower() in RELATIONAL and not word.text.lower().endswith(HISSING):
                yield Rewriting(self.name, at - 1, at + 1, (f"{word.text}s",))


def _is_lone_name(tree: Tree, word: Word, *allowed: str) -> bool:
    """Whether a word is a name of one word that belongs to a noun, outside mentions."""
    if word.pos != "PROPN" or base(word.dep) != "nmod" or tree.mention_at(word.index) is not None:
        return False
    if tree.words[word.head].pos != "NOUN" or not word.text.isalpha():
        return False
    return all(one.dep in allowed for one in tree.children(word.index))


def _has_article(tree: Tree, noun: Word) -> bool:
    """Whether a noun has an article, an adjective, or another word before it."""
    return any(base(one.dep) in ("det", "amod", "nummod") for one in tree.children(noun.index))


def _article(noun: Word) -> str:
    """The definite article of a noun by its features; empty where they do not tell it."""
    case, gender, number = (noun.morph.get(key, "") for key in ("Case", "Gender", "Number"))
    if number == "Plur":
        return PLURAL.get(case, "")
    return ARTICLES.get((case, gender, number), "")
