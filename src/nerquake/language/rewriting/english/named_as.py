"""What stands for a name until it comes: `the one who`, `the team that`, `the Irish broadcaster that`."""

from __future__ import annotations

from typing import NamedTuple

from nerquake.language.rewriting.english.clause import Clause, texts
from nerquake.language.rewriting.english.nominal import is_person, label_at, text_at
from nerquake.language.rewriting.english.words import FOCUSING, NEGATIVE
from nerquake.language.rewriting.tree import Part, Tree

Range = tuple[int, int]

KINDS = {
    "org": ("organisation", "that"), "law": ("law", "that"), "event": ("event", "that"),
    "work_of_art": ("work", "that"), "product": ("one", "that"),
}  # fmt: skip
"""What a name of a label is, where that is beyond doubt."""
OF_TEAMS = frozenset({"lose", "win", "draw", "play", "score", "beat", "concede", "blow", "squeeze", "pip", "qualify"})
"""What teams do; `organisation` would be stiff."""
OF_PLACES = frozenset({"have", "owe", "lie", "stand", "boast", "hold", "smell", "host", "be"})
"""What is said of a place itself, rather than of those who live there."""
DEFINITE = frozenset({"the", "my", "our", "your", "his", "her", "its", "their"})
VAGUE = NEGATIVE | FOCUSING | {"some", "half", "many", "several", "who", "that"}
LONGEST, LONGEST_IN_ALL = 9, 16
PERSON = ("the", "one", "who")


class Named(NamedTuple):
    """The words that stand for a name, the name with what belongs to it, and what a comma adds to it."""

    head: tuple[Part, ...]
    name: Range
    addition: Range

    @property
    def plural(self) -> bool:
        """Whether it asks for `were`."""
        return self.head[0] == "those"


def named_as(tree: Tree, clause: Clause, names: Range) -> Named | None:
    """How a subject can be pointed to before it is named; None where that is in doubt."""
    added = has_addition(tree, clause, names)
    own = own_part(tree, names) if added else names
    if added and names[1] - names[0] > LONGEST_IN_ALL:
        return None
    words = texts(tree, *own)
    if len(words) > LONGEST or "," in words or VAGUE.intersection(words) or tree.children(clause.subject, "conj"):
        return None
    if not added and tree.child(clause.subject, "relcl") is not None:
        return None
    addition = (own[1], names[1])
    kind = _kind(tree, own)
    if kind[0] < kind[1] and not _of_team(tree, clause):
        return Named(("the", kind, "that"), (kind[1], own[1]), addition)
    head = _by_addition(tree, clause, own) if added else ()
    head = head or _by_label(tree, clause, own) or _by_person(tree, clause, own)
    return Named(head, own, addition) if head else None


def own_part(tree: Tree, names: Range) -> Range:
    """A subject up to the comma of its addition."""
    return names[0], next((at for at in range(*names) if tree.words[at].text == ","), names[1])


def has_addition(tree: Tree, clause: Clause, names: Range) -> bool:
    """Whether an apposition or a relative clause, between commas, ends the subject."""
    added = tree.children(clause.subject, "appos", "relcl")
    closed = text_at(tree, names[1]) == ","
    return closed and len(added) == 1 and "," in texts(tree, clause.subject, min(tree.subtree(added[0].index)) + 1)


def _kind(tree: Tree, own: Range) -> Range:
    """What an organisation is, where that stands before its name; an empty range where it does not."""
    name = tree.mention_at(own[1] - 1)
    if name is None or name[1] != own[1] or name[0] <= own[0] or label_at(tree, name[0]) != "org":
        return own[0], own[0]
    before = tree.words[own[0] : name[0]]
    plain = all(one.pos in ("NOUN", "ADJ") or label_at(tree, one.index) == "norp" for one in before)
    return (own[0], name[0] if plain and before[-1].tag == "NN" else own[0])


def _of_team(tree: Tree, clause: Clause) -> bool:
    return tree.words[clause.verb].lemma.lower() in OF_TEAMS


def _by_addition(tree: Tree, clause: Clause, own: Range) -> tuple[str, ...]:
    """By the name that a comma adds: `her employer , the museum ,`."""
    label = next((label_at(tree, one.index) for one in tree.children(clause.subject, "appos")), "")
    if label_at(tree, clause.subject) or tree.words[own[0]].text.lower() not in DEFINITE:
        return ()
    if label in ("person", "per"):
        return PERSON
    return ("the", *KINDS[label]) if label in ("org", "product") else ()


def _by_label(tree: Tree, clause: Clause, own: Range) -> tuple[str, ...]:
    """By the label of a subject that is one name."""
    label, verb = label_at(tree, clause.subject), tree.words[clause.verb]
    if own not in tree.mentions or tree.words[clause.subject].tag != "NNP":
        return ()
    if label == "org" and _of_team(tree, clause):
        return ("the", "team", "that") if tree.child(clause.verb, "xcomp") is None else ()
    if label == "gpe":
        fits = verb.lemma.lower() in OF_PLACES and verb.tag in ("VBZ", "VBD")
        return ("the", "place", "that") if fits else ()
    return ("the", *KINDS[label]) if label in KINDS else ()


def _by_person(tree: Tree, clause: Clause, own: Range) -> tuple[str, ...]:
    """For a person by name, `my cousin`, or people in the past who were not counted."""
    subject, words = tree.words[clause.subject], texts(tree, *own)
    if not is_person(tree, subject.index):
        return ()
    if label_at(tree, subject.index) or (words[0] in DEFINITE and subject.tag == "NN"):
        return PERSON
    counted = words[0] in DEFINITE or any(one.tag == "CD" for one in tree.words[own[0] : own[1]])
    return ("those", "who") if subject.tag == "NNS" and not counted and is_past(tree, clause) else ()


def is_past(tree: Tree, clause: Clause) -> bool:
    """Whether the finite verb of a clause is in the past tense."""
    finite = next(iter(tree.children(clause.verb, "aux", "auxpass")), tree.words[clause.verb])
    return finite.tag in ("VBD", "VBN") or finite.text.lower() in ("had", "was", "were", "did")
