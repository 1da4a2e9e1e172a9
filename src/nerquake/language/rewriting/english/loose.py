"""Additions at the end of a sentence that its start can carry as well: purposes, and what a comma sets off."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.adjunct import LONGEST, POINTING, Adjunct, keeps_reference
from nerquake.language.rewriting.english.clause import Clause, balanced, texts, whole_mentions
from nerquake.language.rewriting.english.words import THIRD
from nerquake.language.rewriting.tree import Tree, Word

SET_OFF = frozenset({
    "with", "without", "despite", "unlike", "like", "thanks", "because", "during", "after", "before", "in", "on", "at",
    "throughout", "under", "amid", "near", "by", "among",
})  # fmt: skip
"""Prepositions of phrases that a comma sets off, and that may come first."""
OF_RESULT = frozenset({
    "leave", "make", "cause", "create", "force", "give", "allow", "bring", "end", "send", "raise", "push", "reduce",
    "kill", "prompt", "lead", "result", "become", "turn", "let", "include", "mean", "say", "add", "follow", "cut",
    "drive", "help", "suggest", "show", "put", "set", "take", "lift", "double", "win", "lose", "compare", "accord",
    "range", "date", "depend", "consist", "involve", "concern", "go", "judge",
})  # fmt: skip
"""Verbs whose participle tells what came of it, or what it belongs to; it stays behind."""
NO_PURPOSE = frozenset({
    "be", "use", "need", "want", "help", "have", "seem", "appear", "tend", "fail", "begin", "start", "continue", "get",
    "live", "grow", "go", "come", "wake", "survive", "return", "turn", "prove", "ask", "force", "oblige", "allow",
    "teach", "learn", "urge", "cause", "lead", "take", "remain", "hope", "expect", "refuse", "agree", "offer", "decide",
    "plan", "promise", "try", "manage", "dare", "wish", "like", "love", "hate", "happen", "rise", "fall", "let", "make",
    "enable", "choose", "threaten", "wait", "prepare", "stand", "stay", "seek", "schedule", "design", "set",
})  # fmt: skip
"""Verbs whose infinitive is a complement, or tells what came of it."""


def loose(tree: Tree, clause: Clause) -> Iterator[Adjunct]:
    """What ends a clause and may come first: `to settle a bet`, `, beating a rival`, `, with one eye shut`."""
    for child in (*tree.children(clause.verb), *_delights(tree, clause)):
        if child.index < clause.verb:
            continue
        reach = tree.reach(child.index)
        if reach is None or not _in_place(tree, clause, reach):
            continue
        set_off = tree.words[reach[0] - 1].text == ","
        found = Adjunct(child.index, *reach, "clause" if child.dep == "advcl" else "phrase")
        if (
            child.dep == "advcl"
            and (_purpose(tree, clause, child) if not set_off else _participle(tree, child, reach[0]))
        ) or (set_off and _aside(tree, child, reach) and keeps_reference(tree, clause, found)):
            yield found


def _delights(tree: Tree, clause: Clause) -> Iterator[Word]:
    """`, to the delight of fans`, where the parse hangs it on another word than the verb."""
    for word in tree.words[clause.verb + 2 : clause.end]:
        if (
            word.text == "to"
            and word.dep == "prep"
            and word.head != clause.verb
            and tree.words[word.index - 1].text == ","
        ):
            yield word


def _in_place(tree: Tree, clause: Clause, reach: tuple[int, int]) -> bool:
    """Whether a range ends the clause, and can be moved as it is."""
    start, end = reach
    if POINTING.intersection(texts(tree, start, end)):
        return False
    if end != clause.end or start <= clause.verb or end - start > LONGEST:
        return False
    return whole_mentions(tree, start, end) and balanced(tree, start, end)


def _purpose(tree: Tree, clause: Clause, verb: Word) -> bool:
    """`to restore the mosaics`, of a verb that somebody does on purpose."""
    first = min(tree.subtree(verb.index))
    main = tree.words[clause.verb]
    if tree.words[first].tag != "TO" or tree.words[first].head != verb.index or verb.tag != "VB":
        return False
    if (
        main.lemma.lower() in NO_PURPOSE
        or main.pos != "VERB"
        or verb.lemma.lower() in ("be", "become", "find", "watch")
    ):
        return False
    if (
        tree.children(main.index, "auxpass", "acomp", "attr", "oprd", "xcomp")
        or tree.words[clause.subject].dep != "nsubj"
    ):
        return False
    before = tree.words[first - 1]
    if before.text.lower() in ("only", "enough", "so", "as", "not", "how", "what", "where") or before.pos in (
        "ADJ",
        "VERB",
    ):
        return False
    thing = tree.child(main.index, "dobj")
    if thing is None and tree.child(main.index, "prep", "prt", "advmod") is None:
        return False
    return thing is None or thing.text.lower() not in (
        "way",
        "chance",
        "time",
        "right",
        "need",
        "attempt",
        "power",
        "plan",
    )


def _participle(tree: Tree, verb: Word, start: int) -> bool:
    """`, beating a rival` and `, having won`: at the same time as the rest, or before it; `, as they say` too."""
    words = texts(tree, start, start + 2)
    if tree.child(verb.index, "nsubj", "nsubjpass", "expl") is not None:
        subject = tree.child(verb.index, "nsubj", "nsubjpass")
        return (
            words[0] == "as"
            and subject is not None
            and verb.lemma not in ("do", "be", "have")
            and subject.index < verb.index
        )
    if words[0] == "having":
        return True
    if verb.tag == "VBN" and tree.child(tree.words[verb.head].index, "dobj", "attr", "acomp") is None:
        return verb.index == start and tree.child(verb.index, "prep", "agent") is not None
    if verb.tag == "VBG":
        return verb.index == start and verb.lemma.lower() not in OF_RESULT
    return False


def _aside(tree: Tree, child: Word, reach: tuple[int, int]) -> bool:
    """`, with a quartet on board`, `, to the delight of fans`, `, apart from one`."""
    words = texts(tree, *reach)
    if words[:2] == ("apart", "from") and child.dep in ("prep", "advmod"):
        return True
    if child.dep not in ("prep", "advcl") or any(word in THIRD | {"them", "him"} for word in words):
        return False
    if words[0] == "to":
        return len(words) > 3 and words[1] == "the" and words[3] == "of"
    return child.dep == "prep" and words[0] in SET_OFF and tree.child(child.index, "pobj", "pcomp") is not None
