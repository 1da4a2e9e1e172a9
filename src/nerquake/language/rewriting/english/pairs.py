"""Two phrases joined by `and`: "comes from tax and from gifts" becomes "comes from gifts and from tax"."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.clause import balanced, texts, whole_mentions
from nerquake.language.rewriting.english.nominal import NOUNS, closes, text_at
from nerquake.language.rewriting.english.words import FOCUSING, NEGATIVE, REFERRING, THIRD
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree

Range = tuple[int, int]
JOINING = frozenset({"and", "or"})
POINTING = REFERRING | THIRD | NEGATIVE | FOCUSING | {
    "then", "those", "these", "that", "this", "such", "same", "later", "back", "them", "him", "her", "finally", "again",
    "than", "who", "which", "where", "when", ",", ";", ":", "and", "or",
}  # fmt: skip
"""Words in a phrase that may point to the other, and joints of more than two."""
ADVERBS = frozenset({"partly", "sometimes", "mostly", "chiefly", "mainly"})
LONGEST = 8


class PhrasesTurned(Rule):
    """Two phrases with the same preposition, or two things each with a phrase of its own, in the opposite order."""

    name = "phrases-turned"
    kind: RuleKind = "structure"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each `and` or `or` between two such phrases at the end of a clause."""
        for joint in tree.words:
            if joint.text.lower() not in JOINING or joint.index < 2 or tree.mention_at(joint.index) is not None:
                continue
            found = _phrases(tree, joint.index) or _things(tree, joint.index)
            if found is not None and _plain(tree, *found):
                left, right = found
                parts = (right, (joint.index, joint.index + 1), left)
                yield Rewriting(self.name, left[0], right[1], parts)


def _phrases(tree: Tree, joint: int) -> tuple[Range, Range] | None:
    """`from tax and from gifts`, with an adverb before both or neither."""
    start = joint + 1
    adverb = texts(tree, start, start + 1)[0] if start < len(tree.words) else ""
    start += adverb in ADVERBS
    if (
        start >= len(tree.words)
        or tree.words[start].tag not in ("IN", "TO")
        or tree.words[start].dep
        not in (
            "prep",
            "conj",
        )
    ):
        return None
    end = max(tree.subtree(start)) + 1
    for word in tree.words[:joint]:
        if word.dep != "prep" or word.text != tree.words[start].text or tree.child(word.index, "pobj") is None:
            continue
        own = {at for at in tree.subtree(word.index) if at < joint}
        before = texts(tree, word.index - 1, word.index)[0] if word.index else ""
        if max(own) == joint - 1 and len(own) == joint - word.index and (before in ADVERBS) == (adverb in ADVERBS):
            first = word.index - (before in ADVERBS)
            return (first, joint), (joint + 1, end)
    return None


def _things(tree: Tree, joint: int) -> tuple[Range, Range] | None:
    """`dancers from Rome and a choir from Oslo`: each has its own phrase, with the same preposition."""
    second = next(
        (one for one in tree.words[joint + 1 :] if one.dep == "conj" and min(tree.subtree(one.index)) == joint + 1),
        None,
    )
    if second is None or second.pos not in NOUNS:
        return None
    phrase = tree.child(second.index, "prep")
    end = max(tree.subtree(second.index)) + 1
    for first in tree.words[:joint]:
        if first.dep != "dobj" or first.pos not in NOUNS or phrase is None:
            continue
        start = min(tree.subtree(first.index))
        behind = first.index + 1
        if behind < joint and tree.words[behind].dep == "prep" and tree.words[behind].text == phrase.text:
            return (start, joint), (joint + 1, end)
    return None


def _plain(tree: Tree, left: Range, right: Range) -> bool:
    """Whether both are short and whole, and nothing behind goes on with the second."""
    after = text_at(tree, right[1])
    if not closes(tree, right[1]) or after in (",", "-", "--") or max(left[1] - left[0], right[1] - right[0]) > LONGEST:
        return False
    if POINTING.intersection((*texts(tree, *left), *texts(tree, *right))):
        return False
    return whole_mentions(tree, *left, *right) and balanced(tree, *left) and balanced(tree, *right)
