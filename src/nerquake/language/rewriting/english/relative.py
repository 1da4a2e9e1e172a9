"""`the company , which was founded in 1990 ,` and `the company , founded in 1990 ,`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.nominal import (
    THING_LABELS,
    determiner,
    is_person,
    is_plural,
    keeps,
    label_at,
    quoted,
    reach,
    text_at,
)
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

BE = frozenset({"is", "are", "was", "were", "'s", "'re"})
NOT_REDUCED = frozenset({
    "go", "suppose", "use", "bind", "mean", "able", "have", "be", "do", "get", "name", "call", "schedule", "set",
    "due", "say", "tell", "allege", "report", "force", "oblige", "require", "ask", "concern", "involve", "give",
})  # fmt: skip
"""Verbs, by lemma, that change their meaning or do not follow a noun without their auxiliary."""
EVENTS = frozenset({
    "founded", "built", "written", "published", "born", "killed", "released", "established", "created", "designed",
    "invented", "discovered", "painted", "composed", "directed", "produced", "recorded", "constructed", "elected",
    "appointed", "signed", "launched", "introduced", "formed", "opened", "wounded", "injured", "arrested", "bought",
    "acquired", "developed", "drawn", "carved", "cast", "stolen", "erected", "commissioned", "shot", "filmed",
    "premiered", "issued", "rescued", "planted", "planned", "lit", "beaten", "chosen", "abandoned", "inspired",
})  # fmt: skip
"""Participles for what happened once."""
STATES = frozenset({
    "based", "located", "situated", "owned", "run", "operated", "surrounded", "covered", "listed", "made",
    "sponsored", "led", "ruled", "populated", "inhabited", "considered", "regarded", "used", "equipped", "stacked",
    "filled", "wrapped", "spoken", "played", "worn", "kept", "held", "connected", "bounded",
})  # fmt: skip
"""Participles for what lasts, in the tense of the sentence."""


@dataclass(frozen=True, slots=True)
class RelativeReduced(Rule):
    """`who`, `which` or `that` and a form of `be` go before a participle with something after it."""

    name: str = "relative-reduced"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each such clause."""
        for word in tree.words:
            if word.dep == "relcl" and word.tag in ("VBN", "VBG") and word.lemma not in NOT_REDUCED:
                found = self._reduce(tree, word)
                if found is not None:
                    yield found

    def _reduce(self, tree: Tree, verb: Word) -> Rewriting | None:
        pronoun = tree.child(verb.index, "nsubj", "nsubjpass")
        clause = reach(tree, verb.index)
        if pronoun is None or clause is None or pronoun.index != clause[0] or pronoun.tag not in ("WDT", "WP"):
            return None
        be = clause[0] + 1
        between = range(be + 1, verb.index)
        if text_at(tree, be) not in BE or tree.words[be].head != verb.index or clause[1] <= verb.index + 1:
            return None
        if any(tree.words[at].dep != "advmod" or not tree.words[at].text.endswith("ly") for at in between):
            return None
        if any(child.dep in ("conj", "cc", "neg") for child in tree.children(verb.index)) or verb.text in {"born"}:
            return None
        if quoted(tree, *clause) or not _filled(tree, clause) or not keeps(tree, *clause, ((be + 1, clause[1]),)):
            return None
        if tree.words[verb.head].pos not in ("NOUN", "PROPN") or not _after_noun(tree, verb.head, clause[0]):
            return None
        return Rewriting(self.name, clause[0], clause[1], ((be + 1, clause[1]),), self.kind)


def _after_noun(tree: Tree, noun: int, start: int) -> bool:
    """Whether nothing or a comma stands between a noun and its clause."""
    return start == noun + 1 or (start == noun + 2 and text_at(tree, noun + 1) == ",")


def _filled(tree: Tree, clause: tuple[int, int]) -> bool:
    """Whether a clause does not break off after a preposition or a participle."""
    return tree.words[clause[1] - 1].tag not in ("IN", "TO", "DT", "CC", "VBN")


@dataclass(frozen=True, slots=True)
class RelativeExpanded(Rule):
    """A participle after its noun becomes a relative clause, in a tense that is beyond doubt."""

    name: str = "relative-expanded"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each such participle."""
        for word in tree.words:
            if word.dep == "acl" and word.tag == "VBN":
                found = self._expand(tree, word)
                if found is not None:
                    yield found

    def _expand(self, tree: Tree, verb: Word) -> Rewriting | None:
        clause, noun = reach(tree, verb.index), tree.words[verb.head]
        if clause is None or clause[0] != verb.index or clause[1] == verb.index + 1:
            return None
        if noun.pos not in ("NOUN", "PROPN") or not _after_noun(tree, noun.index, clause[0]):
            return None
        if any(child.dep in ("conj", "cc", "neg", "aux", "auxpass") for child in tree.children(verb.index)):
            return None
        if any(child.dep in ("conj", "cc") for child in tree.children(noun.index)) or noun.dep == "conj":
            return None
        be, pronoun = _be(tree, verb, noun), _pronoun(tree, noun, comma=clause[0] == noun.index + 2)
        if be is None or pronoun is None or quoted(tree, *clause) or not _filled(tree, clause):
            return None
        return Rewriting(self.name, *clause, (pronoun, be, clause), self.kind)


def _be(tree: Tree, verb: Word, noun: Word) -> str | None:
    """The form of `be`: past for what happened, the sentence's tense for what lasts."""
    past = verb.text in EVENTS
    if past and determiner(tree, noun.index) in ("", "a", "an") and noun.pos == "NOUN":
        if _tense(tree, verb.head) != "past":
            return None  # "she wants limits written into law": they are not written yet
    elif not past and verb.text in STATES:
        tense = _tense(tree, verb.head)
        if tense is None:
            return None
        past = tense == "past"
    elif not past:
        return None
    plural = is_plural(noun)
    if noun.text.endswith("s") and noun.tag != "NNS":
        return None
    return ("were" if plural else "was") if past else ("are" if plural else "is")


def _tense(tree: Tree, index: int) -> str | None:
    """The tense of the finite verb above a word; None for modals and where there is none."""
    word = tree.words[index]
    while word.pos not in ("VERB", "AUX"):
        if word.head == word.index:
            return None
        word = tree.words[word.head]
    tags = [child.tag for child in tree.children(word.index, "aux", "auxpass")] + [word.tag]
    if "MD" in tags or tags[0] not in ("VBD", "VBZ", "VBP"):
        return None
    return "past" if tags[0] == "VBD" else "present"


def _pronoun(tree: Tree, noun: Word, *, comma: bool) -> str | None:
    """`that` without a comma; with one `who` or `which`, where a label or the noun tells which."""
    if noun.pos == "PROPN" and not comma:
        return None
    if not comma:
        return "who" if is_person(tree, noun.index) else "that"
    if is_person(tree, noun.index):
        return "who"
    return "which" if label_at(tree, noun.index) in THING_LABELS else None
