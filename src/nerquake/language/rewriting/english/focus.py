"""Clefts of an object or a phrase: "It was in Lima that ministers met ."; where nothing plainer moves much."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.clause import Clause, balanced, clauses, noun_range, texts, whole_mentions
from nerquake.language.rewriting.english.nominal import label_at
from nerquake.language.rewriting.english.passive import ADRIFT
from nerquake.language.rewriting.english.words import FOCUSING, NEGATIVE, OBJECT_FORM, REFERRING
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

LONGEST_REST = 22
LONGEST_FOCUS = 9
PREPOSITIONS = frozenset({
    "in", "at", "on", "to", "from", "with", "near", "during", "after", "against", "under", "by", "beside", "between",
    "into", "for", "across", "over", "outside", "within", "around", "about", "beneath", "above", "beyond", "off",
    "through", "along",
})  # fmt: skip
NO_CLEFT = frozenset({
    "have", "be", "become", "seem", "remain", "cost", "weigh", "mean", "let", "want", "like", "need", "take", "make",
    "get", "say", "tell", "think", "smell", "taste", "lack", "name", "call", "belong", "look", "act", "feel",
    "resemble", "equal", "keep", "set", "lose", "date", "count", "give", "hope", "wait",
})  # fmt: skip
INSIDE = ("relcl", "acl", "advcl", "ccomp", "appos", "parataxis", "dep", "pcomp")


class ObjectCleft(Rule):
    """`Engineers closed the bridge` becomes `it was the bridge that engineers closed`."""

    name = "cleft-object"
    kind: RuleKind = "structure"
    reserve = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One rewriting for each clause with a definite object."""
        for clause in clauses(tree):
            things = tree.children(clause.verb, "dobj")
            if (
                not _fits(tree, clause)
                or len(things) != 1
                or tree.children(clause.verb, "dative", "oprd", "prt", "xcomp")
            ):
                continue
            reach = noun_range(tree, things[0].index)
            if reach is not None and reach[0] == clause.verb + 1 and _definite(tree, things[0], reach):
                if reach[1] < clause.end and tree.words[reach[1]].text.lower() in ADRIFT:
                    continue
                yield _made(tree, self.name, clause, reach)


class PhraseCleft(Rule):
    """`Accountants flew to Chicago` becomes `it was to Chicago that accountants flew`."""

    name = "cleft-phrase"
    kind: RuleKind = "structure"
    reserve = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One rewriting for each phrase of the verb that names something."""
        for clause in clauses(tree):
            if not _fits(tree, clause) or tree.children(clause.verb, "attr", "acomp"):
                continue
            for phrase in tree.children(clause.verb, "prep", "agent"):
                noun, reach = tree.child(phrase.index, "pobj"), tree.reach(phrase.index)
                if noun is None or reach is None or reach[0] <= clause.verb or phrase.text.lower() not in PREPOSITIONS:
                    continue
                if _known(tree, noun) and _plain(tree, reach) and _stays(tree, clause, reach):
                    yield _made(tree, self.name, clause, reach)


def _known(tree: Tree, noun: Word) -> bool:
    return tree.mention_at(noun.index) is not None or (
        tree.words[noun.head].text.lower() != "by"
        and any(one.text.lower() == "the" for one in tree.children(noun.index, "det"))
    )


def _fits(tree: Tree, clause: Clause) -> bool:
    """Whether a clause is the whole sentence, begins with its subject, has a tense, and denies nothing."""
    verb = tree.words[clause.verb]
    words = texts(tree, clause.start, clause.end)
    if (
        tree.words[0].tag in ("IN", "RB", "TO", "WRB")
        or clause.place != "main"
        or clause.start
        or min(tree.subtree(clause.subject))
        or verb.lemma.lower() in NO_CLEFT
    ):
        return False
    if any(char.isalnum() for word in tree.words[clause.end :] for char in word.text) or len(words) > LONGEST_REST:
        return False
    if set(words) & (NEGATIVE | {"i", "you", "there", "only", "even", "also", "just"}) or words[0] in (
        "it",
        "this",
        "that",
    ):
        return False
    if not before_now(tree, clause) or any(one.dep == "advcl" for one in tree.children(verb.index)):
        return False
    if verb.pos != "VERB" or any(one.text in (",", ";", ":") for one in tree.words[clause.start : clause.verb]):
        return False
    return not tree.children(verb.index, "conj", "dep", "parataxis", "ccomp") and balanced(tree, 0, clause.end)


def _definite(tree: Tree, thing: Word, reach: tuple[int, int]) -> bool:
    words = texts(tree, *reach)
    named = tree.mention_at(thing.index) is not None and tree.mention_at(reach[0]) is not None
    return (named or words[0] == "the") and _plain(tree, reach) and thing.pos in ("NOUN", "PROPN")


def _plain(tree: Tree, reach: tuple[int, int]) -> bool:
    """Whether a phrase is short, holds no clause and refers to nothing before it."""
    words = texts(tree, *reach)
    if len(words) > LONGEST_FOCUS or set(words) & (REFERRING | NEGATIVE | FOCUSING | set(OBJECT_FORM.values())):
        return False
    listed = any(tree.words[at].dep == "conj" for at in range(*reach))
    if ("," in words and not listed) or any(tree.words[at].dep in INSIDE for at in range(*reach)):
        return False
    if tree.words[reach[1] - 1].tag in ("CC", "IN", "TO") or any(
        label_at(tree, at) == "language" for at in range(*reach)
    ):
        return False
    return whole_mentions(tree, *reach) and balanced(tree, *reach)


def _stays(tree: Tree, clause: Clause, reach: tuple[int, int]) -> bool:
    """Whether the rest is whole without the phrase: no comma beside it."""
    behind = tree.words[reach[1]].text if reach[1] < clause.end else ""
    return tree.words[reach[0] - 1].text != "," and behind not in (",", "and", "or", ";")


def before_now(tree: Tree, clause: Clause) -> bool:
    """Whether a clause tells of what has been: in another tense a cleft may make a habit of a plan."""
    finite = next(iter(tree.children(clause.verb, "aux", "auxpass")), tree.words[clause.verb])
    return finite.tag in ("VBD", "VBN") or finite.text.lower() in ("had", "was", "were", "did")


def _made(tree: Tree, name: str, clause: Clause, reach: tuple[int, int]) -> Rewriting:
    parts: list[tuple[int, int] | str] = ["it", "was", reach, "that", (clause.start, reach[0])]
    if reach[1] < clause.end:
        parts.append((reach[1], clause.end))
    return Rewriting(name, clause.start, clause.end, tuple(parts))
