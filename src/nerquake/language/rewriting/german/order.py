"""A main clause written with something else before its finite verb."""

from __future__ import annotations

from nerquake.language.rewriting.german.clause import COMMA, Clause, Range, base, in_doubt, moved, phrase
from nerquake.language.rewriting.tree import Part, Tree, Word

CLITICS = frozenset({
    "sich", "mich", "dich", "ihn", "sie", "es", "uns", "euch", "mir", "dir", "ihm", "ihr", "ihnen",
})  # fmt: skip
GOALS = frozenset({"nach", "zu", "zum", "zur", "ins", "aufs", "ans"})
"""Prepositions of what belongs to a verb of movement and stands at the end, before participles."""
ADVERBIAL = frozenset({
    "beispiel", "zeit", "glück", "teil", "anfang", "schluss", "schluß", "ende", "beginn", "start", "auftakt",
})  # fmt: skip
"""Nouns behind `zum` or `zur` that do not say where to."""
EITHER = frozenset({"in", "an", "auf", "über", "unter", "vor", "hinter", "neben", "zwischen"})
"""Prepositions that say where to with the accusative, and where with the dative."""


def inverted(tree: Tree, clause: Clause, front: Range) -> tuple[Part, ...] | None:
    """The clause with `front` before the verb, and the subject that stood there behind it."""
    if not clause.finite < front[0] < front[1] <= clause.end:
        return None
    behind = subject_behind(tree, clause, front)
    return None if behind is None else (front, (clause.finite, clause.finite + 1), *behind)


def subject_behind(tree: Tree, clause: Clause, without: Range) -> tuple[Part, ...] | None:
    """What stands behind the verb when the subject, which stood before it, goes there; `without` is left out.

    A pronoun stands next to the verb, a noun behind a reflexive.
    """
    at = clause.finite + 1
    if tree.words[clause.subject].pos != "PRON" and at < clause.end and tree.words[at].text.lower() == "sich":
        at += 1
    return _behind(tree, clause, without, at)


def straight(tree: Tree, clause: Clause, front: Range) -> tuple[Part, ...] | None:
    """The clause with its subject `front` before the verb, and what stood there where it belongs behind it."""
    if not clause.finite < front[0] < front[1] <= clause.end:
        return None
    behind = _behind(tree, clause, front, _slot(tree, clause, front))
    return None if behind is None else (front, (clause.finite, clause.finite + 1), *behind)


def _slot(tree: Tree, clause: Clause, front: Range) -> int:
    """The token before which the old first part goes: behind pronouns; what says where to stands at the end."""
    if is_goal(tree, clause.first_of):
        return bracket(tree, clause)
    at = clause.finite + 1
    while at < clause.end:
        if at == front[0]:
            at = front[1]
        elif tree.words[at].text.lower() in CLITICS and tree.words[at].pos == "PRON":
            at += 1
        else:
            break
    return at


def _behind(tree: Tree, clause: Clause, without: Range, at: int) -> tuple[Part, ...] | None:
    """The tokens behind the verb without a range, the old first part put in before token `at`."""
    if without[0] < at < without[1] or in_doubt(tree, clause.first[0]):
        return None
    old = clause.first
    inner = _has_clause(tree, old)
    if inner != (tree.words[old[1]].text == COMMA):
        return None  # a comma that no clause inside the first part explains
    parts: list[Part] = []
    for part in _cut((clause.finite + 1, clause.end), without, at):
        if part is not None:
            parts.append(part)
        else:
            parts += [*moved(tree, old), *([COMMA] if inner else [])]
    return tuple(parts)


def _cut(whole: Range, without: Range, at: int) -> list[Range | None]:
    """The ranges of a whole without a part, with None where something is put in."""
    cuts = sorted({whole[0], whole[1], without[0], without[1], at})
    found: list[Range | None] = []
    for start, end in zip(cuts, [*cuts[1:], None], strict=True):
        if start == at:
            found.append(None)
        if end is not None and not without[0] <= start < without[1]:
            found.append((start, end))
    return found


def _has_clause(tree: Tree, part: Range) -> bool:
    return any(tree.words[at].text == COMMA for at in range(*part)) and any(
        base(tree.words[at].dep) in ("acl", "advcl", "ccomp", "appos") for at in range(*part)
    )


def is_goal(tree: Tree, word: Word) -> bool:
    """Whether a phrase says where to: it stays close to the end of its clause."""
    cases = tree.children(word.index, "case")
    if base(word.dep) != "obl" or not cases:
        return False
    preposition = cases[0].text.lower()
    if preposition in EITHER:
        return word.morph.get("Case") == "Acc"
    if preposition == "nach":
        return word.pos == "PROPN"
    return preposition in GOALS and word.lemma.lower() not in ADVERBIAL


def bracket(tree: Tree, clause: Clause) -> int:
    """Where the middle of a clause ends: before participles, infinitives and prefixes, or a clause behind a comma."""
    verbs = [
        word.index
        for word in (tree.words[clause.head], *tree.children(clause.head))
        if word.index > clause.finite
        and (word.pos in ("VERB", "AUX") or word.dep == "compound:prt")
        and base(word.dep) in ("root", "ROOT", "conj", "aux", "cop", "compound")
    ]
    commas = [at for at in range(clause.finite + 1, clause.end) if tree.words[at].text == COMMA]
    return min([*verbs, *commas, clause.end])


def middle_phrase(tree: Tree, clause: Clause, word: Word) -> Range | None:
    """The range of a dependent that stands behind the finite verb, in one piece."""
    part = phrase(tree, word.index)
    return part if part is not None and clause.finite < part[0] and part[1] <= clause.end else None
