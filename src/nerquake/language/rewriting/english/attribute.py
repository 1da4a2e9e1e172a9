"""What is said of a subject moves before it: "Venus , hot as lead , shone ." becomes "Hot as lead , Venus shone .".

And the other way: "Signed in 1987 , the treaty works ." becomes "The treaty , signed in 1987 , works .".
"""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.clause import Clause, balanced, clauses, texts, whole_mentions
from nerquake.language.rewriting.english.words import NEGATIVE, OBJECT_FORM
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

LONGEST = 16


class AttributeFronted(Rule):
    """A participle, an adjective, a phrase of place or `a` with a noun, between commas behind the subject."""

    name = "attribute-fronted"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One rewriting for each sentence that begins with a subject and such an addition."""
        for clause in clauses(tree):
            if clause.place != "main":
                continue
            found = _addition(tree, clause)
            if found is not None:
                start, end = found
                parts = ((start, end), ",", (clause.start, start - 1), (end + 1, clause.end))
                yield Rewriting(self.name, clause.start, clause.end, parts)


class AttributeInserted(Rule):
    """A participle at the start of a sentence, which stands for the subject, moves behind it."""

    name = "attribute-inserted"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One rewriting for each sentence that begins with a participle."""
        for clause in clauses(tree):
            opener = next((one for one in tree.children(clause.verb, "advcl") if one.index < clause.subject), None)
            reach = tree.reach(opener.index) if opener is not None else None
            if opener is None or reach is None or reach[0] != clause.start or clause.place != "main":
                continue
            names = tree.reach(clause.subject)
            if opener.index != reach[0] or opener.tag not in ("VBN", "VBG") or tree.words[reach[1]].text != ",":
                continue
            if names is None or names[0] != reach[1] + 1 or not _short_name(tree, clause, names):
                continue
            if _movable(tree, reach) and balanced(tree, *names) and whole_mentions(tree, *names):
                yield Rewriting(self.name, clause.start, names[1], (names, ",", reach, ","))


def _short_name(tree: Tree, clause: Clause, names: tuple[int, int]) -> bool:
    words = texts(tree, *names)
    return len(words) <= 7 and "," not in words and tree.words[clause.subject].pos in ("NOUN", "PROPN") \
        and words[0] not in NEGATIVE  # fmt: skip


def _addition(tree: Tree, clause: Clause) -> tuple[int, int] | None:
    """The only addition of a subject, between two commas."""
    names = tree.subtree(clause.subject)
    commas = [at for at in sorted(names | {max(names) + 1}) if at < len(tree.words) and tree.words[at].text == ","]
    if not commas or min(names) != clause.start or tree.words[clause.subject].pos not in ("NOUN", "PROPN"):
        return None
    beside = (*tree.children(clause.subject), *tree.children(clause.verb, "advcl", "prep"))
    child = next((one for one in beside if one.pos != "PUNCT" and _start_of(tree, one) == commas[0] + 1), None)
    reach = tree.reach(child.index) if child is not None else None
    if child is None or reach is None or not clause.subject < reach[0] < reach[1] <= clause.verb:
        return None
    start, end = commas[0] + 1, reach[1]
    if tree.words[end - 1].text == ",":
        end -= 1
    if tree.words[end].text != "," or any(at > end for at in names) or tree.children(clause.subject, "conj"):
        return None
    return (start, end) if _kind_fits(tree, child, clause, start) and _movable(tree, (start, end)) else None


def _start_of(tree: Tree, word: Word) -> int:
    """The first token below a word, a comma left out."""
    start = min(tree.subtree(word.index))
    return start + (tree.words[start].text == ",")


def _kind_fits(tree: Tree, child: Word, clause: Clause, start: int) -> bool:
    opener = tree.words[start]
    if child.dep in ("acl", "advcl"):
        return child.index == start and child.tag in ("VBN", "VBG")
    if child.dep in ("amod", "acomp"):
        return child.index == start and child.tag == "JJ" and len(tree.subtree(child.index)) > 1
    if child.dep == "prep":
        return opener.text.lower() in ("at", "in", "on", "deep", "high", "near", "like", "unlike", "along", "with")
    named = tree.mention_at(clause.subject) is not None
    if child.dep == "appos" and child.index == start and child.tag == "NN":  # "Ada , daughter of a poet ,"
        of = tree.child(child.index, "prep")
        return named and of is not None and of.text == "of"
    return (
        child.dep == "appos"
        and opener.text.lower() in ("a", "an")
        and named
        and tree.words[clause.start].pos == "PROPN"
    )


def _movable(tree: Tree, reach: tuple[int, int]) -> bool:
    words = texts(tree, *reach)
    if len(words) > LONGEST or ";" in words or any(word in NEGATIVE for word in words[:1]):
        return False
    pronouns = {*OBJECT_FORM, *OBJECT_FORM.values(), "who", "whom", "whose"}
    seen = [word for word in words if word in pronouns - {"you", "it"}]
    return (
        balanced(tree, *reach) and whole_mentions(tree, *reach) and (not seen or "what" in words or "before" in words)
    )
