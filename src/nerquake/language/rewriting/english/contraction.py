"""`is n't` and `is not`, `they 're` and `they are`, with the clitics as tokens of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.nominal import text_at
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

STEMS = {"wo": "will", "ca": "can", "sha": "shall"}
"""What stands before `n't` for a longer auxiliary."""
CONTRACTED = {"will": "wo", "can": "ca"}
AUXILIARIES = frozenset({
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "would", "could", "should", "will", "can",
    "must",
})  # fmt: skip
CLITICS = {"'re": "are", "'m": "am", "'ve": "have", "'ll": "will"}
"""Clitics with one reading."""
HOSTS = {
    "are": ("'re", {"they", "we", "you"}),
    "am": ("'m", {"i"}),
    "have": ("'ve", {"they", "we", "you", "i"}),
    "will": ("'ll", {"they", "we", "you", "i", "he", "she", "it"}),
    "is": ("'s", {"he", "she", "it", "that", "there"}),
}
"""Verbs, their clitics, and the pronouns that these lean on."""
STAYING_FULL = frozenset({"not", "n't", "n", "to", "that", "because"})
"""What follows a full form that stays full."""
LEADING = frozenset({"than", "as", "what", "how", "where", "who"})
"""What stands before a pronoun whose verb bears the stress."""
JOINED = {
    f"{stem}n't": (full, "not")
    for stem, full in [*((one, one) for one in AUXILIARIES - {"will", "can"}), ("wo", "will"), ("ca", "can")]
}  # fmt: skip
"""Contractions that a data set leaves in one token."""


def _straight(text: str) -> str:
    return text.lower().replace("’", "'")


def _clitic(tree: Tree, clitic: str) -> str:
    """A clitic with the apostrophe that the sentence uses."""
    return clitic.replace("'", "’") if any("’" in word.text for word in tree.words) else clitic


def _free(tree: Tree, *places: int) -> bool:
    """Whether no mention owns one of these tokens, and only the first of the sentence has a capital: no title."""
    if any(tree.mention_at(at) is not None for at in places):
        return False
    return all(_plain(tree.words[at]) for at in places)


def _plain(word: Word) -> bool:
    return word.text.islower() or word.text == "I" or (word.index == 0 and word.text.istitle())


def _states(tree: Tree, negation: Word, auxiliary: Word) -> bool:
    """Whether a negation stands in a statement or an order: in questions the two words do not stay together."""
    verb = tree.words[negation.head]
    subject = tree.child(verb.index, "nsubj", "nsubjpass", "expl", "csubj")
    if subject is None:
        return auxiliary.text.lower() == "do" and "?" not in (word.text for word in tree.words)
    return subject.index < auxiliary.index


@dataclass(frozen=True, slots=True)
class Expansion(Rule):
    """Contractions in full."""

    name: str = "expansion"
    kind: RuleKind = "lexical"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each clitic that has one reading."""
        for word in tree.words:
            at, text = word.index, _straight(word.text)
            if "'" not in text:
                continue
            if text == "n't" and at > 0 and _free(tree, at - 1, at):
                yield from self._negation(tree, word)
            elif text in CLITICS and tree.words[at - 1].tag == "PRP" and _free(tree, at - 1, at):
                yield Rewriting(self.name, at, at + 1, (CLITICS[text],), self.kind)
            elif text == "'s" and word.pos == "AUX" and _is(tree, word) and _free(tree, at - 1, at):
                yield Rewriting(self.name, at, at + 1, ("is",), self.kind)
            elif text in JOINED and _free(tree, at) and self._one_token(tree, word):
                yield Rewriting(self.name, at, at + 1, JOINED[text], self.kind)

    def _one_token(self, tree: Tree, word: Word) -> bool:
        """Whether a contraction in one token follows its subject in a statement."""
        if word.index == 0 or any(one.text == "?" for one in tree.words):
            return False
        return tree.words[word.index - 1].pos in ("PRON", "NOUN", "PROPN")

    def _negation(self, tree: Tree, word: Word) -> Iterator[Rewriting]:
        before = tree.words[word.index - 1]
        full = STEMS.get(before.text.lower(), before.text.lower())
        if word.dep == "neg" and full in AUXILIARIES | {"might", "need", "shall"} and _states(tree, word, before):
            first = (before.index, word.index) if full == before.text.lower() else full
            yield Rewriting(self.name, before.index, word.index + 1, (first, "not"), self.kind)


def _is(tree: Tree, word: Word) -> bool:
    """Whether `'s` after a pronoun is `is`: a copula with a complement behind, or before a verb in -ing."""
    if word.index == 0 or text_at(tree, word.index - 1) not in {"he", "she", "it", "that", "there"}:
        return False
    if word.dep == "aux":
        return tree.words[word.head].tag == "VBG" and tree.words[word.head].index > word.index
    complements = tree.children(word.index, "attr", "acomp", "prep")
    return word.dep not in ("auxpass", "case") and any(
        one.index > word.index and one.tag not in ("VBN", "VBD", "WP", "WRB", "WDT") for one in complements
    )


@dataclass(frozen=True, slots=True)
class Contraction(Rule):
    """Full forms as contractions."""

    name: str = "contraction"
    kind: RuleKind = "lexical"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each `not` behind an auxiliary, and each auxiliary behind its pronoun."""
        for word in tree.words:
            at, text = word.index, word.text
            if at == 0 or (text != "not" and text not in HOSTS) or not _free(tree, at - 1, at):
                continue
            before = tree.words[at - 1]
            if text == "not" and word.dep == "neg" and self._joins(tree, word, before):
                first = CONTRACTED.get(before.text, (before.index, at))
                yield Rewriting(self.name, before.index, at + 1, (first, _clitic(tree, "n't")), self.kind)
            elif text in HOSTS and self._leans(tree, before, word):
                yield Rewriting(self.name, at, at + 1, (_clitic(tree, HOSTS[text][0]),), self.kind)

    def _joins(self, tree: Tree, word: Word, before: Word) -> bool:
        if (
            before.text not in AUXILIARIES
            or before.pos not in ("AUX", "VERB")
            or text_at(tree, word.index + 1) == "only"
        ):
            return False
        return _states(tree, word, before)

    def _leans(self, tree: Tree, before: Word, word: Word) -> bool:
        if before.text.lower() not in HOSTS[word.text][1] or before.dep not in ("nsubj", "nsubjpass", "expl"):
            return False
        if word.pos != "AUX" or (word.text == "have" and word.dep != "aux") or before.tag in ("WDT", "IN"):
            return False
        after = text_at(tree, word.index + 1)
        if not after[:1].isalnum() or after in STAYING_FULL or tree.words[word.index + 1].pos == "CCONJ":
            return False
        return text_at(tree, before.index - 1) not in LEADING
