"""Who says it, read off the tokens: "It is late , says Ana , and dark ." becomes "It is late and dark , says Ana ."."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.english.clause import texts
from nerquake.language.rewriting.english.nominal import NOUNS, is_person, keeps, quoted
from nerquake.language.rewriting.english.words import NEGATIVE, SAYING
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree

LONGEST = 8
JOINTS = frozenset({"and", "but", "or", "that"})


class ReportMoved(Rule):
    """`says Ana Ruiz` between two commas moves to the end; at the end it moves to the start, where a parse failed."""

    name = "report-moved"
    kind: RuleKind = "structure"
    turns = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for a sentence with one such clause of a named speaker."""
        last = len(tree.words) - 1
        commas = [at for at, word in enumerate(tree.words) if word.text == ","]
        if last < 5 or tree.words[last].text != "." or quoted(tree, 0, last):
            return
        for at, comma in enumerate(commas):
            end = commas[at + 1] if at + 1 < len(commas) else last
            if comma < 3 or not _speaks(tree, comma + 1, end) or not _finite(tree, 0, comma):
                continue
            block = (comma + 1, end)
            if end == last:
                yield from self._first(tree, block)
            elif last - end > 2 and not _opens(tree, end + 1):
                joint: tuple[Part, ...] = () if texts(tree, end + 1, end + 2)[0] in JOINTS else (",",)
                parts: tuple[Part, ...] = ((0, comma), *joint, (end + 1, last), ",", block)
                if keeps(tree, 0, last, parts):
                    yield Rewriting(self.name, 0, last, parts)

    def _first(self, tree: Tree, block: tuple[int, int]) -> Iterator[Rewriting]:
        """A , said X -> X said that A."""
        verb, end = block
        parts: tuple[Part, ...] = ((verb + 1, end), (verb, verb + 1), "that", (0, verb - 1))
        if _says(tree, verb) and keeps(tree, 0, end, parts):
            yield Rewriting(self.name, 0, end, parts)


def _says(tree: Tree, at: int) -> bool:
    word = tree.words[at]
    return word.lemma.lower() in SAYING and word.tag in ("VBD", "VBZ", "VBP")


def _speaks(tree: Tree, start: int, end: int) -> bool:
    """Whether a range is a verb of saying and a person's name, with what the person is before it."""
    if not 2 <= end - start <= LONGEST or not (_says(tree, start) or _says(tree, end - 1)):
        return False
    verb = start if _says(tree, start) else end - 1
    who = [word for word in tree.words[start:end] if word.index != verb]
    if not is_person(tree, who[-1].index) or tree.mention_at(who[-1].index) is None:
        return False
    plain = all(one.pos in (*NOUNS, "ADJ") or tree.mention_at(one.index) is not None for one in who)
    return plain and not set(texts(tree, start, end)) & NEGATIVE


def _finite(tree: Tree, start: int, end: int) -> bool:
    """Whether a range begins like a statement: no question word, no conjunction, no quotation."""
    first = tree.words[start]
    return first.tag not in ("WRB", "WP", "WDT", "CC", "IN", "VBG", "VBN", "TO") and end - start > 2


def _opens(tree: Tree, at: int) -> bool:
    """Whether something that belongs to the speaker follows: who, which, where."""
    return tree.words[at].tag in ("WP", "WDT", "WRB") or tree.words[at].text.lower() in ("a", "an", "the", "adding")
