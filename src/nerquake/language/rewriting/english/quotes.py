"""Direct speech behind its speaker: "`` Stop ! '' shouted Ana ." becomes "Ana shouted , `` Stop ! ''".

Read off the tokens: what stands between quotation marks often makes the parse of its sentence wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nerquake.language.rewriting.english.clause import balanced, texts, whole_mentions
from nerquake.language.rewriting.english.nominal import NOUNS, is_person
from nerquake.language.rewriting.english.words import NEGATIVE, SAYING
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree

PAIRS = {"``": "''", "“": "”", '"': '"'}
CALLING = SAYING | {"cry", "yell", "murmur", "ask", "mutter", "sigh", "exclaim"}
LONGEST = 14


class Speaker(NamedTuple):
    """Who speaks: tokens [start, end) around the verb, the subject [first, last) among them."""

    verb: int
    first: int
    last: int
    start: int
    end: int


class QuoteMoved(Rule):
    """A sentence that opens with a quotation: the speaker comes first; a quotation in two parts is joined."""

    name = "quote-moved"
    kind: RuleKind = "structure"
    turns = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for a sentence that is a quotation, its speaker, and perhaps the rest of the quotation."""
        opening = tree.words[0].text if tree.words else ""
        close = next((at for at, word in enumerate(tree.words) if at and word.text == PAIRS.get(opening)), 0)
        if close < 3 or not balanced(tree, 0, close + 1):
            return
        mark, rest = tree.words[close - 1].text, close + 1
        stop = next((at for at in range(rest, len(tree.words)) if tree.words[at].text in (".", ",", "!", "?")), 0)
        speaker = _speaker(tree, rest, stop) if rest < stop <= rest + LONGEST else None
        if speaker is None or mark not in (",", "!", "?") or not whole_mentions(tree, rest, stop, speaker.last):
            return
        parts = _who(speaker)
        if tree.words[stop].text == "." and stop == len(tree.words) - 1:
            spoken: list[Part] = [(0, close - 1), "."] if mark == "," else [(0, close)]
            parts += [",", *spoken, (close, close + 1)]
        elif mark == "," and _resumes(tree, stop, opening):
            parts += [",", (0, close), (stop + 2, len(tree.words))]
        else:
            return
        yield Rewriting(self.name, 0, len(tree.words), tuple(parts))


def _resumes(tree: Tree, stop: int, opening: str) -> bool:
    """Whether a comma is followed by the rest of the quotation, which goes on in the same sentence."""
    if tree.words[stop].text != "," or stop + 3 > len(tree.words) or tree.words[stop + 1].text != opening:
        return False
    first, rest = tree.words[stop + 2], texts(tree, stop + 2, len(tree.words))
    return first.text.islower() and rest[-1] == PAIRS[opening] and rest.count(PAIRS[opening]) == 1


def _speaker(tree: Tree, start: int, end: int) -> Speaker | None:
    """`said Ana Ruiz in May`, `analyst Ana Ruiz reminded clients`."""
    verb = next((at for at in range(start, end) if tree.words[at].lemma.lower() in CALLING), -1)
    if verb < 0 or tree.words[verb].tag not in ("VBD", "VBZ", "VBP"):
        return None
    if verb > start:
        first, last = start, verb
    else:
        name = next((span for span in tree.mentions if start < span[0] and span[1] <= end), None)
        if name is None or not is_person(tree, name[0]):
            return None
        first, last = start + 1, name[1]
    subject = tree.words[first:last]
    if not any(is_person(tree, one.index) for one in subject) or set(texts(tree, first, last)) & NEGATIVE:
        return None
    if any(one.pos not in (*NOUNS, "ADJ", "DET", "PRON") and tree.mention_at(one.index) is None for one in subject):
        return None
    if any(word in ("as", "who", "when", "while") for word in texts(tree, max(last, verb + 1), end)):
        return None
    return Speaker(verb, first, last, start, end)


def _who(speaker: Speaker) -> list[Part]:
    rest = max(speaker.last, speaker.verb + 1)
    parts: list[Part] = [(speaker.first, speaker.last), (speaker.verb, speaker.verb + 1)]
    return [*parts, (rest, speaker.end)] if rest < speaker.end else parts
