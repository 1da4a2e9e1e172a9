"""Finite English clauses in a parse with spaCy's labels: subject, verb group and the range of their tokens."""

from __future__ import annotations

from typing import Literal, NamedTuple

from nerquake.language.rewriting.english.verbs import past
from nerquake.language.rewriting.tree import Tree, Word

SUBJECTS = ("nsubj", "nsubjpass", "expl", "csubj", "csubjpass")
FINITE = ("VBD", "VBP", "VBZ", "MD")
CLOSING = frozenset({".", "!", "?", "…", "...", "''", '"', "”", ")", ";", ":", ",", "--", "-", "–", "—"})
OPENING_QUOTES = frozenset({"``", "“", "„", "«"})
CLOSING_QUOTES = frozenset({"''", "”", "»"})
STRAIGHT = '"'

Place = Literal["main", "reported", "below"]


class Clause(NamedTuple):
    """A finite clause whose subject stands before its verb.

    verb     its head: the verb, or the copula
    subject  the head of its subject
    start    its first token, a conjunction (and, that, because) before it left out
    end      behind its last token; closing punctuation and clauses joined to it left out
    place    main: the sentence's own, or one joined to it; reported: what somebody says; below: any other
    """

    verb: int
    subject: int
    start: int
    end: int
    place: Place


def clauses(tree: Tree) -> tuple[Clause, ...]:
    """Every finite clause that stands in one piece and is a statement, in order of their verbs."""
    if clauses not in tree.memo:
        made = (_clause(tree, word) for word in tree.words if word.pos in ("VERB", "AUX"))
        tree.memo[clauses] = tuple(one for one in made if one is not None)
    found: tuple[Clause, ...] = tree.memo[clauses]
    return found


def _clause(tree: Tree, verb: Word) -> Clause | None:
    subject = next((one for one in tree.children(verb.index, *SUBJECTS) if one.index < verb.index), None)
    if subject is None or subject.tag in ("WP", "WDT") or not is_finite(tree, verb):
        return None
    reach = _own_range(tree, verb.index)
    if reach is None:
        return None
    start, end = reach
    if any(_is_markup(tree.words[at].text) for at in range(max(start - 2, 0), end)):
        return None
    if not start <= subject.index < verb.index < end or is_question(tree, verb.index):
        return None
    return Clause(verb.index, subject.index, start, end, _place(tree, verb))


def _is_markup(text: str) -> bool:
    """Whether a token belongs to no sentence: an address, a hash sign, what was cut off."""
    return text in ("@", "#", "…", "*", "_", "|", ">", "<") or text.startswith(("http://", "https://", "www."))


def is_finite(tree: Tree, verb: Word) -> bool:
    """Whether a verb has tense: itself, or its first auxiliary."""
    before = [one for one in tree.children(verb.index, "aux", "auxpass") if one.index < verb.index]
    if not before and verb.tag == "VB" and verb.text.lower() == verb.lemma.lower():
        subject = tree.child(verb.index, "nsubj")  # "Teachers drop apples": taggers take some of them for infinitives
        if subject is not None and subject.tag in ("NNP", "NN"):  # "let" and "put" are their own past
            return past(verb.lemma.lower()) == verb.text.lower() and verb.dep == "ROOT" and subject.index < verb.index
        return subject is not None and subject.tag in ("NNS", "NNPS") and subject.index < verb.index
    if not before and verb.tag == "VBN" and verb.dep == "ROOT" and past(verb.lemma.lower()) == verb.text.lower():
        subject = tree.child(verb.index, "nsubj")  # the same for "burned up", taken for a participle
        return subject is not None and texts(tree, subject.index, verb.index).count(",") % 2 == 0
    return (before[0].tag if before else verb.tag) in FINITE


def _own_range(tree: Tree, verb: int) -> tuple[int, int] | None:
    """The clause without the conjunction before it, clauses joined to it, and punctuation at its ends."""
    below = set(tree.subtree(verb))
    for child in tree.children(verb):
        joined_before = (
            child.index < verb and child.dep in ("ccomp", "parataxis", "dep") and _semicolon(tree, child, verb)
        )
        joined_after = child.index > verb and is_joined(tree, child)
        if joined_before or joined_after:
            below -= tree.subtree(child.index)
        elif (child.dep == "cc" and any(is_joined(tree, one) for one in tree.children(verb, "conj"))) or (
            child.dep == "mark" and child.index == min(below)
        ):
            below.discard(child.index)
    start, end = min(below), max(below) + 1
    while start < verb and _at_edge(tree.words[start], verb):
        below.discard(start)
        start += 1
    while end - 1 > verb and _at_edge(tree.words[end - 1], verb):
        end -= 1
        below.discard(end)
    return (start, end) if end - start == len(below & set(range(start, end))) else None


def is_joined(tree: Tree, child: Word) -> bool:
    """Whether a word heads a clause of its own beside the one it hangs on."""
    if child.dep not in ("conj", "parataxis"):
        return False
    return any(one.index < child.index for one in tree.children(child.index, *SUBJECTS))


def _semicolon(tree: Tree, child: Word, verb: int) -> bool:
    return any(tree.words[at].text in (";", ":") for at in range(child.index, verb))


def _at_edge(word: Word, verb: int) -> bool:
    if (word.dep in ("cc", "mark", "preconj") and word.head == verb) or not word.text.strip():
        return True
    return (
        word.text in CLOSING
        or word.text in OPENING_QUOTES
        or not any(char.isalnum() or char in "%$€£" for char in word.text)
    )


def _place(tree: Tree, verb: Word) -> Place:
    if verb.dep == "ROOT":
        return "main"
    if verb.dep in ("conj", "parataxis") and is_joined(tree, verb):
        return _place(tree, tree.words[verb.head])
    if verb.dep == "ccomp":
        semicolon = _semicolon(tree, verb, verb.head) if verb.index < verb.head else False
        return _place(tree, tree.words[verb.head]) if semicolon else "reported"
    return "below"


def is_question(tree: Tree, verb: int) -> bool:
    """Whether the sentence that a verb stands in asks: a question mark follows, or a question word opens the clause."""
    for at in range(verb + 1, len(tree.words)):
        text = tree.words[at].text
        if text in (".", "!", "?") or (at in tree.roots and tree.words[at].pos in ("VERB", "AUX")):
            if text == "?":
                return True
            break
    return any(
        one.tag in ("WRB", "WP", "WDT") and one.index < verb and one.dep not in ("mark",)
        for one in tree.children(verb)
    )  # fmt: skip


def balanced(tree: Tree, start: int, end: int) -> bool:
    """Whether quotes and brackets inside a range are closed inside it."""
    depth = straight = brackets = 0
    for at in range(start, end):
        text = tree.words[at].text
        depth += (text in OPENING_QUOTES) - (text in CLOSING_QUOTES)
        straight += text == STRAIGHT
        brackets += (text in ("(", "-LRB-", "[")) - (text in (")", "-RRB-", "]"))
        if depth < 0 or brackets < 0:
            return False
    return depth == 0 and brackets == 0 and straight % 2 == 0


def whole_mentions(tree: Tree, *cuts: int) -> bool:
    """Whether no mention is cut in two at any of these places, each the index of the token behind the cut."""
    return not any(start < cut < end for start, end in tree.mentions for cut in cuts)


def noun_range(tree: Tree, head: int) -> tuple[int, int] | None:
    """A noun phrase in one piece, without punctuation at its end; None where it is broken up or cuts a mention."""
    reach = tree.reach(head)
    if reach is None:
        return None
    start, end = reach
    while (
        end - 1 > head and tree.words[end - 1].pos == "PUNCT" and tree.words[end - 1].text not in (")", "''", '"', "”")
    ):
        end -= 1
    if tree.mention_at(start) == (start, end):
        return (start, end)
    if any(tree.words[at].text == "," for at in range(start, head)) or tree.words[start].tag in (
        "IN",
        "RB",
        "CC",
        "WRB",
    ):
        return None  # something stands before the phrase that only seems to belong to it
    return (start, end) if whole_mentions(tree, start, end) and balanced(tree, start, end) else None


def texts(tree: Tree, start: int, end: int) -> tuple[str, ...]:
    """The words of a range in small letters."""
    return tuple(word.text.lower() for word in tree.words[start:end])
