"""`quickly opened the door` and `opened the door quickly`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.nominal import ends, plain_phrase, quoted, whole
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

MANNER = frozenset({
    "quickly", "slowly", "quietly", "carefully", "gently", "firmly", "gladly", "loudly", "softly", "suddenly",
    "rapidly", "swiftly", "secretly", "openly", "publicly", "privately", "politely", "rudely", "angrily", "calmly",
    "bravely", "eagerly", "hastily", "nervously", "patiently", "cheerfully", "repeatedly", "briefly", "temporarily",
    "voluntarily", "unanimously", "formally", "officially", "successfully", "easily", "properly", "thoroughly",
    "recently", "regularly", "occasionally", "frequently", "sharply", "dramatically", "illegally", "deliberately",
    "accidentally", "immediately",
})  # fmt: skip
"""Adverbs that may stand before the verb and after its object."""
LONGEST = 5
"""Tokens of an object that the adverb moves over."""


@dataclass(frozen=True, slots=True)
class AdverbMoved(Rule):
    """An adverb of manner goes from before the verb to the end of the sentence, or back."""

    name: str = "adverb"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each such adverb at a verb with a short object and nothing else behind it."""
        for word in tree.words:
            if word.dep == "advmod" and word.text.lower() in MANNER and not tree.children(word.index):
                found = self._move(tree, word, tree.words[word.head])
                if found is not None:
                    yield found

    def _move(self, tree: Tree, adverb: Word, verb: Word) -> Rewriting | None:
        if verb.pos != "VERB" or tree.child(verb.index, "neg", "prt", "conj", "cc", "auxpass") is not None:
            return None
        thing = tree.child(verb.index, "dobj")
        found = plain_phrase(tree, thing.index) if thing is not None else None
        if found is None or found[0] != verb.index + 1 or found[1] - found[0] > LONGEST or quoted(tree, *found):
            return None
        own = (adverb.index, adverb.index + 1)
        if tree.mention_at(adverb.index) is not None or not whole(tree, verb.index, found[1]):
            return None
        if own[1] == verb.index and adverb.index > 0 and ends(tree, found[1]):
            return Rewriting(self.name, own[0], found[1], ((verb.index, found[1]), own), self.kind)
        if own[0] == found[1] and ends(tree, own[1]) and verb.tag in ("VBD", "VBZ", "VBP", "VBN", "VBG"):
            return Rewriting(self.name, verb.index, own[1], (own, (verb.index, found[1])), self.kind)
        return None
