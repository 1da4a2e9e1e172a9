"""Two clauses side by side change places: "Tea is hot ; ice is cold ." becomes "Ice is cold ; tea is hot ."."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.clause import Clause, balanced, clauses, texts, whole_mentions
from nerquake.language.rewriting.english.words import NEGATIVE, OBJECT_FORM, REFERRING, THIRD
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree

LOOKING_BACK = REFERRING | THIRD | NEGATIVE | frozenset(OBJECT_FORM.values()) | {
    "so", "then", "still", "also", "too", "yet", "thus", "therefore", "instead", "that", "this", "these", "those",
    "there", "now", "later", "afterwards", "even", "only", "same", "both", "such", "again", "already", "always", "mine",
    "half", "rest", "some", "others", "here", "however", "meanwhile", "do", "does", "did", "two", "more", "less",
    "ever", "consequently",
}  # fmt: skip
"""Words of a second clause that may look back at the first."""
STANDING = ("VBZ", "VBP", "MD")


class ClausesSwapped(Rule):
    """Two statements in the present, joined by `and` or a semicolon, of which the second does not look back."""

    name = "clauses-swapped"
    kind: RuleKind = "structure"
    turns = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One rewriting where a sentence is two such clauses and nothing else."""
        main = [one for one in clauses(tree) if one.place == "main"]
        if len(main) != 2 or len(tree.roots) != 1:
            return
        first, second = sorted(main, key=lambda one: one.start)
        between = texts(tree, first.end, second.start)
        if between not in ((",", "and"), (";",), ("and",)) or not all(_stands(tree, one) for one in main):
            return
        if set(texts(tree, second.start, second.end)) & LOOKING_BACK or _alone(tree, first, second):
            return
        parts: list[Part] = [(second.start, second.end), (first.end, second.start), (first.start, first.end)]
        yield Rewriting(self.name, first.start, second.end, tuple(parts))


def _stands(tree: Tree, clause: Clause) -> bool:
    """Whether a clause tells of a state, begins with its subject and is one verb phrase."""
    if min(tree.subtree(clause.subject)) != clause.start or clause.end - clause.start < 3:
        return False
    finite = next(iter(tree.children(clause.verb, "aux", "auxpass")), tree.words[clause.verb])
    joined = [
        one
        for one in tree.children(clause.verb, "conj", "parataxis", "ccomp")
        if clause.start <= one.index < clause.end
    ]
    whole = whole_mentions(tree, clause.start, clause.end) and balanced(tree, clause.start, clause.end)
    return (
        whole
        and finite.tag in STANDING
        and not joined
        and finite.text.lower() not in ("would", "could", "should", "might")
    )


def _alone(tree: Tree, first: Clause, second: Clause) -> bool:
    """Whether a clause is not alone in its sentence: words stand before the first that belong to both."""
    before = tree.words[first.start - 1] if first.start else None
    behind = tree.words[second.end] if second.end < len(tree.words) else None
    before_fits = before is None or before.text in (".", "!", "?")
    return not before_fits or (behind is not None and any(char.isalnum() for char in behind.text))
