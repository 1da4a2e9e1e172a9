"""Whether it shows which of two nouns is the subject, wherever they stand."""

from __future__ import annotations

from nerquake.language.rewriting.german.clause import Clause
from nerquake.language.rewriting.tree import Tree, Word

NOMINATIVE = frozenset({"ich", "du", "er", "wir", "man"})
"""Pronouns that are subjects only."""


def told_apart(tree: Tree, clause: Clause, thing: Word) -> bool:
    """Whether an object cannot be taken for the subject: by its article, by the subject's form, or by the verb's.

    `Die Firma kaufte die Bank` read from either end has another meaning; `Die Firma kaufte den Hof` has not.
    """
    subject = tree.words[clause.subject]
    if _has_masculine_article(tree, thing, "en") or subject.text.lower() in NOMINATIVE:
        return True
    if _has_masculine_article(tree, subject, "er") and subject.morph.get("Case") == "Nom":
        return True
    numbers = {word.morph.get("Number") for word in (subject, tree.words[clause.finite])}
    joined = tree.children(subject.index, "conj") or tree.children(thing.index, "conj")
    return not joined and len(numbers) == 1 and {*numbers, thing.morph.get("Number")} == {"Sing", "Plur"}


def _has_masculine_article(tree: Tree, noun: Word, ending: str) -> bool:
    """Whether a singular masculine noun has an article in this form: `den`, `einen`; `der`, `dieser`."""
    if (noun.morph.get("Gender"), noun.morph.get("Number")) != ("Masc", "Sing"):
        return False
    articles = [word for word in tree.children(noun.index) if word.dep in ("det", "det:poss")]
    return any(word.text.lower().endswith(ending) for word in articles)
