"""Main clauses of German with the finite verb in second place: what stands before it, and what can go there.

Reads Universal Dependencies: nsubj, obl, advmod, obj, advcl, mark, ccomp, aux, cop, compound:prt, conj, punct.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nerquake.language.rewriting.german.words import ASKING
from nerquake.language.rewriting.tree import Part, Tree, Word

COMMA = ","
PAIRS = {"„": "“", "“": "”", "``": "''", "»": "«", "«": "»", "(": ")", "[": "]", "-LRB-": "-RRB-", "‚": "‘"}
STRAIGHT = '"'
ENDINGS = frozenset({".", "!", "?", "...", "…"})
Range = tuple[int, int]


class Clause(NamedTuple):
    """A main clause with the finite verb in second place.

    head      the word that its parts depend on: the verb, or what is said of the subject
    finite    the finite verb
    subject   the subject's head
    first     what stands before the finite verb, commas at its edges left out
    first_of  the dependent that this is
    start     where the clause begins
    end       where it ends: before a full stop, or before what is joined to it
    shares    whether another verb is joined to it that has the same subject
    """

    head: int
    finite: int
    subject: int
    first: Range
    first_of: Word
    start: int
    end: int
    shares: bool


def base(dep: str) -> str:
    """A relation without its subtype."""
    return dep.partition(":")[0]


def clauses(tree: Tree) -> tuple[Clause, ...]:
    """The main clauses of a sentence that the rules can work on."""
    if clauses not in tree.memo:
        tree.memo[clauses] = tuple(clause for head in _heads(tree) if (clause := _clause(tree, head)) is not None)
    found: tuple[Clause, ...] = tree.memo[clauses]
    return found


def _heads(tree: Tree) -> Iterator[int]:
    for root in tree.roots:
        yield root
        yield from (word.index for word in tree.children(root, "conj") if subject_of(tree, word.index) is not None)


def subject_of(tree: Tree, head: int) -> Word | None:
    """The subject of a verb; a clause as a subject does not count."""
    return next((word for word in tree.children(head) if base(word.dep) == "nsubj"), None)


def finite_of(tree: Tree, head: int) -> int | None:
    """The only finite verb of a predicate; None where there is none, or more than one."""
    group = [tree.words[head], *(word for word in tree.children(head) if base(word.dep) in ("aux", "cop"))]
    found = [word.index for word in group if is_finite(word)]
    return found[0] if len(found) == 1 else None


def is_finite(word: Word) -> bool:
    """Whether a word is a finite verb, and no imperative."""
    if word.pos not in ("VERB", "AUX") or word.morph.get("Mood") == "Imp":
        return False
    return word.morph.get("VerbForm") == "Fin" or word.tag in ("VVFIN", "VAFIN", "VMFIN")


def _clause(tree: Tree, head: int) -> Clause | None:
    finite, subject = finite_of(tree, head), subject_of(tree, head)
    if finite is None or subject is None:
        return None
    joined = [word for word in tree.children(head, "conj") if word.pos in ("VERB", "AUX") or _is_clause(tree, word)]
    whole = _stripped(tree, _own(tree, head, joined))
    if whole is None or not whole[0] < finite < whole[1] or _asks(tree, whole):
        return None
    start, end = whole
    first = _first(tree, head, (start, finite))
    if first is None:
        return None
    shares = any(subject_of(tree, word.index) is None for word in joined)
    return Clause(head, finite, subject.index, _trimmed(tree, (start, finite)), first, start, end, shares)


def _is_clause(tree: Tree, word: Word) -> bool:
    """Whether a word that is joined to a verb is a clause of its own, and no second noun or adjective."""
    return any(base(one.dep) in ("nsubj", "aux", "cop") for one in tree.children(word.index))


def _own(tree: Tree, head: int, joined: list[Word]) -> set[int]:
    """The tokens of a clause without those joined to it and what joins it to others."""
    own = set(tree.subtree(head))
    for word in [*joined, *tree.children(head, "cc"), *tree.children(head, "parataxis", "discourse", "vocative")]:
        own -= tree.subtree(word.index)
    return own


def _stripped(tree: Tree, places: set[int]) -> Range | None:
    """A set of tokens as a range, punctuation at its edges left out; None where it has gaps."""
    solid = [at for at in places if not is_mark(tree, at)]
    if not solid:
        return None
    start, end = min(solid), max(solid) + 1
    closing = set(PAIRS.values()) | {STRAIGHT}
    while (
        end in places and end < len(tree.words) and tree.words[end].text in closing and not balanced(tree, (start, end))
    ):
        end += 1
    while start - 1 in places and tree.words[start - 1].text in PAIRS and not balanced(tree, (start, end)):
        start -= 1
    between = set(range(start, end)) - places
    return None if any(not is_mark(tree, at) for at in between) else (start, end)


def is_mark(tree: Tree, at: int) -> bool:
    """Whether a token is punctuation."""
    word = tree.words[at]
    return word.pos == "PUNCT" or not any(char.isalnum() for char in word.text)


def _asks(tree: Tree, whole: Range) -> bool:
    """Whether a clause is a question or an exclamation."""
    start, end = whole
    behind = next((word.text for word in tree.words[end:] if word.text in ENDINGS), "")
    opener = tree.words[start].text.lower()
    return behind in ("?", "!") or opener in ASKING


def _first(tree: Tree, head: int, before: Range) -> Word | None:
    """The one dependent that stands before the finite verb."""
    trimmed = _trimmed(tree, before)
    for word in tree.children(head):
        if before[0] <= word.index < before[1] and phrase(tree, word.index) == trimmed:
            return word
    return None


def _trimmed(tree: Tree, part: Range) -> Range:
    start, end = part
    while start < end and tree.words[start].text == COMMA:
        start += 1
    while start < end and tree.words[end - 1].text == COMMA:
        end -= 1
    return start, end


def phrase(tree: Tree, index: int) -> Range | None:
    """The range of a word with all that depends on it, commas at its edges left out; None where it has gaps."""
    places = tree.subtree(index)
    start, end = _trimmed(tree, (min(places), max(places) + 1))
    gaps = [at for at in range(start, end) if at not in places and not is_mark(tree, at)]
    return (start, end) if start < end and not gaps and balanced(tree, (start, end)) else None


def balanced(tree: Tree, part: Range) -> bool:
    """Whether quotation marks and brackets that open in a range close in it."""
    texts = [tree.words[at].text for at in range(*part)]
    expected: list[str] = []
    for text in texts:
        if expected and text == expected[-1]:
            expected.pop()
        elif text == STRAIGHT:
            expected.append(STRAIGHT)
        elif text in PAIRS:
            expected.append(PAIRS[text])
        elif text in PAIRS.values():
            return False
    return not expected


def texts_of(tree: Tree, part: Range) -> list[str]:
    """The tokens of a range in small letters."""
    return [tree.words[at].text.lower() for at in range(*part)]


def moved(tree: Tree, part: Range) -> tuple[Part, ...]:
    """A range that goes somewhere else: a noun at the start of a sentence keeps its capital as a token of its own.

    What mends capitals afterwards would write the first word small, as other languages do.
    """
    start, end = part
    word = tree.words[start]
    if _opens(tree, start) and keeps_capital(word) and tree.mention_at(start) is None:
        return (word.text, (start + 1, end)) if end - start > 1 else (word.text,)
    return (part,)


def _opens(tree: Tree, at: int) -> bool:
    """Whether a word begins a sentence, or stands behind a full stop or a quotation mark."""
    before = tree.words[at - 1].text if at else ""
    return not any(map(str.isalnum, before)) and before != COMMA


def keeps_capital(word: Word) -> bool:
    """Whether a word has its capital inside a sentence: nouns, polite forms, adjectives from places (Berliner)."""
    if word.pos == "NOUN" or "Form" in (word.morph.get("Polite"), word.morph.get("Polite[psor]")):
        return word.text[:1].isupper()
    return word.pos == "ADJ" and word.text.endswith("er") and word.lemma[:1].isupper() and word.lemma == word.text


def in_doubt(tree: Tree, at: int) -> bool:
    """Whether nobody can say how the start of a sentence is written when a word goes elsewhere.

    `Sie` is you, or they; and behind a figure it does not show whether the sentence begins with a capital.
    """
    word = tree.words[at]
    if not _opens(tree, at):
        return False
    if not word.text[:1].isalpha():
        return at == next((one.index for one in tree.words if any(map(str.isalnum, one.text))), -1)
    return word.text == "Sie" and word.morph.get("Number") != "Sing" and not keeps_capital(word)
