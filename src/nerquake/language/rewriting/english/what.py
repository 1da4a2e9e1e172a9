"""What does it comes last: "Warm water worries sailors ." becomes "What worries sailors is warm water ."."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.clause import Clause, balanced, clauses, noun_range, texts
from nerquake.language.rewriting.english.nominal import is_person
from nerquake.language.rewriting.english.words import FOCUSING, NEGATIVE, REFERRING
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree

MOVING = frozenset({
    "worry", "surprise", "delight", "anger", "annoy", "puzzle", "please", "trouble", "slow", "delay", "hold", "keep",
    "stop", "save", "sink", "ruin", "hamper", "wake", "threaten", "shake", "divide", "unite", "help", "drive", "cause",
    "spark", "trigger", "block", "halt", "attract", "interest", "frighten", "scare", "amuse", "bother", "confuse",
    "silence", "fuel", "haunt", "impress", "inspire", "mar", "prompt", "scupper", "shock", "stun",
})  # fmt: skip
"""What things do to people and to things."""
LONGEST, LONGEST_REST = 9, 20


class WhatCleft(Rule):
    """A thing that worries, slows or saves something comes last, behind `what`."""

    name = "cleft-what"
    kind: RuleKind = "structure"
    reserve = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each sentence that is a thing, such a verb and its object, without commas."""
        for clause in clauses(tree):
            verb, thing = tree.words[clause.verb], noun_range(tree, clause.subject)
            if verb.lemma.lower() not in MOVING or thing is None or thing[0] or not _fits(tree, clause, thing):
                continue
            finite = next(iter(tree.children(verb.index, "aux", "auxpass")), verb)
            if finite.tag in ("VBZ", "VBD"):
                be = "was" if finite.tag == "VBD" and finite is verb else "is"
                parts = ("what", (thing[1], clause.end), be, thing)
                yield Rewriting(self.name, 0, clause.end, parts)


def _fits(tree: Tree, clause: Clause, thing: tuple[int, int]) -> bool:
    """Whether the clause is the whole sentence, about one thing that is no person and no name."""
    noun, words, rest = tree.words[clause.subject], texts(tree, *thing), texts(tree, thing[1], clause.end)
    if clause.place != "main" or clause.start or noun.tag != "NN" or is_person(tree, noun.index):
        return False
    if tree.mention_at(noun.index) is not None or not 2 <= len(words) <= LONGEST or len(rest) > LONGEST_REST:
        return False
    if {*words, *rest} & (NEGATIVE - {"any"} | {",", ";", ":", "but", "so"}) or set(words) & (REFERRING | FOCUSING):
        return False
    if any(char.isalnum() for word in tree.words[clause.end :] for char in word.text):
        return False
    beside = tree.children(clause.verb, "conj", "parataxis", "dep", "ccomp")
    return not beside and tree.child(clause.verb, "dobj") is not None and balanced(tree, 0, clause.end)
