"""Who did it comes last: "Wilson sent twelve frames ." becomes "The one who sent twelve frames was Wilson ."."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.clause import Clause, balanced, clauses, noun_range, texts
from nerquake.language.rewriting.english.named_as import Named, has_addition, is_past, named_as
from nerquake.language.rewriting.english.nominal import label_at
from nerquake.language.rewriting.english.words import FOCUSING, NEGATIVE, TIMES
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree

UNREAL = frozenset({"would", "could", "might", "should"})
LONGEST = 22
NO_VERB = frozenset({"become", "seem", "mean", "hope"})
BREAKING = frozenset({";", ":", "but", "so", "yet", "--", "each"})


class Identified(Rule):
    """A sentence with one name as its subject: what is done comes first, the name last."""

    name = "cleft-inverted"
    kind: RuleKind = "structure"
    reserve = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One rewriting for each sentence that is a subject and what it does, without commas."""
        for clause in clauses(tree):
            names = noun_range(tree, clause.subject)
            if names is None or names[0] != clause.start:
                continue
            rest = names[1] + has_addition(tree, clause, names)
            named = named_as(tree, clause, names) if _fits(tree, clause, rest) else None
            if named is not None:
                comma = (",",) if "," in texts(tree, rest, clause.end) else ()
                parts: list[Part] = [*named.head, (rest, clause.end), *comma, _be(tree, clause, named), named.name]
                if named.addition[0] < named.addition[1]:
                    parts.append(named.addition)
                yield Rewriting(self.name, clause.start, clause.end, tuple(parts))


def _fits(tree: Tree, clause: Clause, start: int) -> bool:
    verb = tree.words[clause.verb]
    rest = texts(tree, start, clause.end)
    if clause.place != "main" or clause.start or verb.lemma.lower() in NO_VERB or not 3 <= len(rest) <= LONGEST:
        return False
    if any(char.isalnum() for word in tree.words[clause.end :] for char in word.text) or not balanced(
        tree, 0, clause.end
    ):
        return False
    if tree.words[clause.end - 1].lemma == "be" or any(
        one.text.lower() in UNREAL for one in tree.children(verb.index, "aux")
    ):
        return False  # "left it where it was was"
    if "," in rest and not _closes(tree, clause, start):
        return False
    if BREAKING.intersection(rest) or rest[0] in NEGATIVE | FOCUSING:
        return False
    attribute = tree.child(verb.index, "attr")
    if verb.lemma == "be" and attribute is not None and attribute.lemma.lower() not in TIMES:
        return False
    beside = tree.children(verb.index, "conj", "parataxis", "dep", "ccomp", "advcl")
    return not any(one.dep in ("parataxis", "dep", "ccomp") for one in beside) and not _second_subject(tree, clause)


def _closes(tree: Tree, clause: Clause, start: int) -> bool:
    """Whether the first comma opens an addition to a name that reaches to the end, and is no list."""
    commas = [at for at in range(start, clause.end) if tree.words[at].text == ","]
    comma = next((at for at in commas if not _of_place(tree, at)), 0)
    if not comma:
        return True
    for word in tree.words[comma + 1 : clause.end]:
        below = tree.subtree(word.index)
        closed = max(below) + 1 == clause.end and comma + 1 in below and min(below) >= comma
        if closed and word.dep in ("appos", "relcl") and tree.mention_at(word.head) is not None:
            return word.dep == "appos" or tree.words[comma + 1].text.lower() in ("who", "where")
    return False


def _of_place(tree: Tree, comma: int) -> bool:
    """Whether a comma stands between or behind a town and its country."""
    labels = {label_at(tree, comma - 1), label_at(tree, comma + 1)}
    return labels == {"gpe"} or (
        label_at(tree, comma - 1) == "gpe" and label_at(tree, comma - 3) == "gpe" and tree.words[comma - 2].text == ","
    )


def _second_subject(tree: Tree, clause: Clause) -> bool:
    """Whether another clause than a relative one follows."""
    below = ("relcl", "acl", "pcomp", "advcl")
    found = (one for one in tree.words[clause.verb + 1 : clause.end] if one.dep in ("nsubj", "nsubjpass"))
    return any(one.tag not in ("WDT", "WP") and tree.words[one.head].dep not in below for one in found)


def _be(tree: Tree, clause: Clause, named: Named) -> str:
    if is_past(tree, clause):
        return "were" if named.plural else "was"
    return "are" if named.plural else "is"
