"""The verb group of a clause, and the same verb in the other voice."""

from __future__ import annotations

from typing import NamedTuple

from nerquake.language.rewriting.english.clause import Clause
from nerquake.language.rewriting.english.verbs import participle, past, third
from nerquake.language.rewriting.tree import Tree, Word

NOT = ("not", "n't", "n’t", "never")
MODALS = frozenset({
    "will", "would", "can", "could", "may", "might", "must", "should", "shall", "wo", "ca", "'ll", "’ll", "'d", "’d",
})  # fmt: skip
SCOPED = frozenset({
    "only", "even", "just", "also", "all", "both", "each", "almost", "nearly", "hardly", "scarcely", "barely", "merely",
    "simply", "rather", "so", "too", "deliberately", "willingly", "gladly", "reluctantly", "happily", "kindly",
    "either", "proudly", "carefully", "together", "personally", "first", "as", "else", "otherwise", "mostly", "partly",
})  # fmt: skip
"""Adverbs that speak of the subject, or bear on what stands beside them."""
PLURAL = frozenset({"people", "police", "men", "women", "children", "cattle", "these", "those"})


class Group(NamedTuple):
    """Everything between a subject and its verb.

    auxiliaries  have, be, do, modals, in order
    adverbs      the other words, in order, with `not` and `never`
    """

    auxiliaries: tuple[Word, ...]
    adverbs: tuple[Word, ...]


def group_of(tree: Tree, clause: Clause, subject_end: int) -> Group | None:
    """What stands between the subject and the verb; None where it is more than auxiliaries and plain adverbs."""
    auxiliaries: list[Word] = []
    adverbs: list[Word] = []
    for word in tree.words[subject_end : clause.verb]:
        if word.head != clause.verb:
            return None
        if word.dep in ("aux", "auxpass"):
            auxiliaries.append(word)
        elif word.dep == "neg" and word.text.lower() in NOT:
            adverbs.append(word)
        elif word.dep == "advmod" and word.tag == "RB" and len(tree.subtree(word.index)) == 1:
            if word.text.lower() in SCOPED:
                return None
            adverbs.append(word)
        else:
            return None
    return Group(tuple(auxiliaries), tuple(adverbs))


class Number(NamedTuple):
    """What a verb agrees with."""

    plural: bool
    person: int = 3


def number_of(tree: Tree, head: int) -> Number | None:
    """What a verb agrees with after a subject; None where that is in doubt."""
    word = tree.words[head]
    text = word.text.lower()
    if tree.children(head, "conj"):
        joined = [one.text.lower() for one in tree.words[head : max(tree.subtree(head)) + 1] if one.tag == "CC"]
        return Number(True) if "and" in joined and "or" not in joined else None
    if text in ("i", "me"):
        return Number(False, 1)
    if text in ("we", "us", "you", "they", "them") or text in PLURAL:
        return Number(True)
    if word.tag == "CD":
        return Number(text not in ("one", "zero"))
    if text in ("much", "he", "him", "she", "her", "it", "this", "that"):
        return Number(False)
    named = tree.mention_at(head) is not None
    if word.tag == "NNS":
        return None if named else Number(True)
    if word.tag == "NN" and text not in (
        "number",
        "lot",
        "couple",
        "majority",
        "half",
        "rest",
        "range",
        "%",
        "percent",
        "part",
    ):
        return Number(False)
    if word.tag == "NNP" or (
        word.tag == "NNPS" and named and tree.words[min(tree.subtree(head))].text.lower() != "the"
    ):
        return Number(False)
    return None


def to_be(tense: str, number: Number) -> str:
    """The form of `be`: was, were, am, is, are."""
    if tense == "past":
        return "were" if number.plural else "was"
    if number.plural:
        return "are"
    return "am" if number.person == 1 else "is"


def passive_group(group: Group, verb: Word, number: Number) -> tuple[str, ...] | None:
    """The verb group in the passive: `has not written` becomes `has not been written`; None for other forms."""
    done = participle(verb.lemma.lower(), verb.text, verb.tag)
    if done is None:
        return None
    chain = _passive_chain(group, verb, number)
    if chain is None:
        return None
    adverbs = [one.text for one in group.adverbs]
    adverbs = _ordered(adverbs)
    if chain[0] in ("will", "would", "can", "could") and "n't" in adverbs:
        chain = ({"will": "wo", "can": "ca"}.get(chain[0], chain[0]), *chain[1:])
    return (chain[0], *adverbs, *chain[1:], done)


def _ordered(adverbs: list[str]) -> list[str]:
    """`not` next to the finite verb."""
    return sorted(adverbs, key=lambda text: text not in ("not", "n't", "n’t"))


def _passive_chain(group: Group, verb: Word, number: Number) -> tuple[str, ...] | None:
    """Auxiliaries of the passive, the finite one first."""
    words = [one.text.lower() for one in group.auxiliaries]
    lemmas = [_lemma(one) for one in group.auxiliaries]
    match (lemmas, verb.tag):
        case ([], "VBD"):
            return (to_be("past", number),)
        case ([], "VBZ" | "VBP" | "VB"):
            return (to_be("present", number),)
        case (["have"], "VBN"):
            return (_have(words[0], number), "been")
        case (["be"], "VBG"):
            return (to_be("past" if words[0] in ("was", "were") else "present", number), "being")
        case (["modal"], "VB"):
            return (words[0], "be")
        case (["modal", "have"], "VBN"):
            return (words[0], words[1], "been")
        case (["do"], "VB"):
            return (to_be("past" if words[0] == "did" else "present", number),)
    return None


def _lemma(word: Word) -> str:
    text = word.text.lower()
    if text in MODALS and word.tag == "MD":
        return "modal"
    for lemma, forms in (("have", "have has had"), ("be", "am is are was were"), ("do", "do does did")):
        if text in forms.split():
            return lemma
    return "?"


def _have(text: str, number: Number) -> str:
    if text == "had":
        return text
    return "have" if number.plural or number.person == 1 else "has"


def active_group(group: Group, verb: Word, number: Number) -> tuple[str, ...] | None:
    """The verb group in the active: `was not written` becomes `did not write`; None for other forms."""
    words = [one.text.lower() for one in group.auxiliaries]
    lemmas = [
        _lemma(one) if one.text.lower() not in ("be", "been", "being") else one.text.lower()
        for one in group.auxiliaries
    ]
    lemma = verb.lemma.lower()
    adverbs = _ordered([one.text for one in group.adverbs])
    base = number.plural or number.person == 1
    match lemmas:
        case ["be"]:
            before = words[0] in ("was", "were")
            if any(one in ("not", "n't", "n’t") for one in adverbs):
                return ("did" if before else "do" if base else "does", *adverbs, lemma)
            return (*adverbs, past(lemma) if before else lemma if base else third(lemma))
        case ["modal", "be"]:
            return (words[0], *adverbs, lemma)
        case ["have", "been"]:
            return (_have(words[0], number), *adverbs, verb.text.lower())
        case ["modal", "have", "been"]:
            return (words[0], *adverbs, words[1], verb.text.lower())
    return None
