"""Reporting clauses: "Critics say the maps are old ." and "The maps are old , critics say ."; with quotes as well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nerquake.language.rewriting.english.clause import (
    CLOSING_QUOTES,
    OPENING_QUOTES,
    STRAIGHT,
    balanced,
    texts,
    whole_mentions,
)
from nerquake.language.rewriting.english.nominal import is_person
from nerquake.language.rewriting.english.words import NEGATIVE, SAYING
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree, Word

TELLING = frozenset({"tell", "remind", "assure", "inform", "promise", "warn", "advise"})
"""Verbs that name whom they speak to."""
LONGEST_BLOCK = 14


class Report(NamedTuple):
    """Who says it: tokens [start, end) hold the verb and its subject [first, last)."""

    verb: int
    first: int
    last: int
    start: int
    end: int


class Reporting(Rule):
    """The clause that tells who says a thing moves behind it, or before it."""

    name = "reporting-clause"
    kind: RuleKind = "structure"
    turns = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One rewriting for each sentence whose main verb reports a statement."""
        for word in tree.words:
            if word.lemma.lower() not in SAYING or word.tag not in ("VBD", "VBZ", "VBP", "VBN"):
                continue
            if tree.children(word.index, "aux", "auxpass", "neg", "conj", "cc"):
                continue
            for made in (self._before(tree, word), self._behind(tree, word), self._within(tree, word)):
                if made is not None:
                    yield made

    def _behind(self, tree: Tree, verb: Word) -> Rewriting | None:
        """X said Y -> Y , X said."""
        said = next((one for one in tree.children(verb.index, "ccomp") if one.index > verb.index), None)
        subject = next((one for one in tree.children(verb.index, "nsubj") if one.index < verb.index), None)
        reach = tree.reach(verb.index)
        if said is None or subject is None or reach is None or verb.dep != "ROOT" or verb.tag == "VBN":
            return None
        start, end = reach[0], _without_stop(tree, reach)
        below = tree.subtree(said.index)
        first, last = min(below), max(below) + 1
        while last > end:
            last -= 1
        if last != end or first <= verb.index or not _is_statement(tree, said, first, last):
            return None
        names = tree.subtree(subject.index)
        if start != min(names) or not _speaks(tree, min(names), verb.index):
            return None
        report = Report(verb.index, start, _last_of(tree, subject), start, first)
        if report.end - report.start > LONGEST_BLOCK or any(
            tree.words[at].pos == "PUNCT" for at in range(verb.index, first)
        ):
            return None
        if not (balanced(tree, first, last) and balanced(tree, start, first) and whole_mentions(tree, first, last)):
            return None
        body = first + (tree.words[first].text.lower() == "that")
        return Rewriting(self.name, start, end, ((body, last), ",", *_behind_parts(tree, report)))

    def _before(self, tree: Tree, verb: Word) -> Rewriting | None:
        """Y , said X -> X said that Y; "Y , " said X -> X said , "Y ."."""
        said = next((one for one in tree.children(verb.index, "ccomp") if one.index < verb.index), None)
        reach = tree.reach(verb.index)
        subject = tree.child(verb.index, "nsubj")
        if said is None or reach is None or subject is None or verb.dep != "ROOT":
            return None
        start, end = reach[0], _without_stop(tree, reach)
        block = _block_start(tree, verb, subject)
        report = _report(tree, verb, subject, block, end)
        if report is None or not _speaks(tree, report.first, report.last):
            return None
        if any(one.tag in ("WRB", "WP", "WDT") and one.index < said.index for one in tree.children(said.index)):
            return None
        if tree.words[block - 1].text == ",":
            return self._plain(tree, start, report)
        return self._quoted(tree, start, report, reach[1])

    def _plain(self, tree: Tree, start: int, report: Report) -> Rewriting | None:
        body = (start, report.start - 1)
        opens = {tree.words[at].text for at in range(start, report.start)} & {
            *OPENING_QUOTES,
            *CLOSING_QUOTES,
            STRAIGHT,
        }
        if opens or not whole_mentions(tree, *body) or body[0] >= body[1] or _asks(tree, *body):
            return None
        return Rewriting(self.name, start, report.end, (*_before_parts(tree, report), "that", body))

    def _quoted(self, tree: Tree, start: int, report: Report, behind: int) -> Rewriting | None:
        close, comma = report.start - 1, report.start - 2
        opening, closing = tree.words[start].text, tree.words[close].text
        fits = (closing in CLOSING_QUOTES and opening in OPENING_QUOTES) or opening == closing == STRAIGHT
        if not fits or comma <= start or tree.words[comma].text != "," or not balanced(tree, start + 1, comma):
            return None
        if any(tree.words[at].text in ("?", "!", *OPENING_QUOTES) for at in range(start + 1, behind)):
            return None
        stop: list[Part] = [(report.end, report.end + 1)] if report.end < behind else ["."]
        parts = (*_before_parts(tree, report), ",", (start, comma), *stop, (close, close + 1))
        if not whole_mentions(tree, start + 1, comma, report.start, report.end):
            return None
        return Rewriting(self.name, start, report.end + (report.end < behind), parts)

    def _within(self, tree: Tree, verb: Word) -> Rewriting | None:
        """A , X says , B -> X says that A B."""
        subject, at = tree.child(verb.index, "nsubj"), verb.index
        if verb.dep not in ("parataxis", "ccomp") or subject is None:
            return None
        block = sorted({*tree.subtree(subject.index), at})
        start, end = block[0], block[-1] + 1
        if end - start != len(block) or start < 2 or end + 1 >= len(tree.words):
            return None
        if tree.words[start - 1].text != "," or tree.words[end].text != "," or tree.words[verb.head].dep != "ROOT":
            return None
        reach = tree.reach(verb.head)
        if reach is None or not reach[0] < start < end < reach[1] or not balanced(tree, reach[0], start):
            return None
        before = texts(tree, reach[0], start - 1)
        first = tree.words[reach[0]]
        if "," in before or first.pos in ("CCONJ", "ADP", "SCONJ", "ADV") or not _speaks(tree, start, end):
            return None
        last = _without_stop(tree, reach)
        if not whole_mentions(tree, reach[0], start, end, last) or _asks(tree, reach[0], last):
            return None
        report = Report(at, min(tree.subtree(subject.index)), _last_of(tree, subject), start, end)
        parts = (*_before_parts(tree, report), "that", (reach[0], start - 1), (end + 1, last))
        return Rewriting(self.name, reach[0], last, parts)


def _without_stop(tree: Tree, reach: tuple[int, int]) -> int:
    end = reach[1]
    while end > reach[0] and not any(char.isalnum() or char in "%$€£" for char in tree.words[end - 1].text):
        end -= 1
    return end


def _last_of(tree: Tree, subject: Word) -> int:
    """Behind the last token of a subject, a comma that closes it left out."""
    end = max(tree.subtree(subject.index)) + 1
    return end - (tree.words[end - 1].text == ",")


def _is_statement(tree: Tree, said: Word, first: int, last: int) -> bool:
    """Whether what is said could stand alone: a subject before its verb, no question, no conjunction but `that`."""
    subject = tree.child(said.index, "nsubj", "nsubjpass", "expl")
    opener = tree.words[first]
    if subject is None or subject.index > said.index or subject.tag in ("WP", "WDT"):
        return False
    if opener.dep == "mark" and opener.text.lower() != "that":
        return False
    if (opener.tag in ("WRB", "WP", "WDT") and opener.text.lower() != "that") or (
        opener.tag == "CC" and opener.text.lower() not in ("neither", "either", "both")
    ):
        return False
    finite = [one for one in tree.children(said.index, "aux", "auxpass") if one.index < said.index]
    return (finite[0].tag if finite else said.tag) in ("VBD", "VBZ", "VBP", "MD") and not _asks(tree, first, last)


def _asks(tree: Tree, start: int, end: int) -> bool:
    """Whether it is a question, or an exclamation."""
    behind = tree.words[end].text if end < len(tree.words) else ""
    return (behind == "!" and tree.words[start].text.lower() in ("what", "how")) or "?" in (
        behind,
        *(tree.words[at].text for at in range(start, end)),
    )


def _speaks(tree: Tree, start: int, end: int) -> bool:
    words = texts(tree, start, end)
    return not any(word in NEGATIVE for word in words) and words[0] not in (
        "who",
        "which",
        "what",
        "that",
        "so",
        "as",
        "if",
    )


def _block_start(tree: Tree, verb: Word, subject: Word) -> int:
    return min(verb.index, *tree.subtree(subject.index))


def _report(tree: Tree, verb: Word, subject: Word, block: int, end: int) -> Report | None:
    """The clause at the end of a sentence that tells who says it: `said X`, `X told Y`, with what follows."""
    names = tree.subtree(subject.index)
    first, last = min(names), min(max(names) + 1, end)
    if verb.index < first:  # "said the guide for the third time"
        last = next((at for at in range(subject.index + 1, last) if _how_often(tree, at)), last)
        last = next((span[1] for span in tree.mentions if span[0] == last and is_person(tree, last)), last)
        names = names | frozenset(range(subject.index, last))
    if block < 2 or last - first != len([at for at in names if at < last]) or end - block > LONGEST_BLOCK:
        return None
    if not (verb.index + 1 == first or last == verb.index):
        return None
    below = tree.subtree(verb.index)
    if verb.lemma.lower() not in TELLING and tree.child(verb.index, "dobj", "dative", "oprd", "attr") is not None:
        return None  # "I think 3 parts"
    rest = range(max(last, verb.index + 1), end)
    if any(at not in below for at in rest) or any(tree.words[at].text in (",", ";", ":") for at in rest if last < end):
        return None
    return Report(verb.index, first, last, block, end)


def _how_often(tree: Tree, at: int) -> bool:
    """Whether `for the third time` begins here, which belongs to the verb."""
    noun = tree.child(at, "pobj")
    return tree.words[at].text.lower() == "for" and noun is not None and noun.text.lower() == "time"


def _before_parts(tree: Tree, report: Report) -> tuple[Part, ...]:
    """Subject, verb and the rest of a report that comes first; a subject with an addition is closed by a comma."""
    rest = max(report.last, report.verb + 1)
    parts: list[Part] = [(report.first, report.last)]
    if "," in texts(tree, report.first, report.last) and _adds(tree, report.first, report.last):
        parts.append(",")
    parts.append((report.verb, report.verb + 1))
    if rest < report.end:
        parts.append((rest, report.end))
    return tuple(parts)


def _behind_parts(tree: Tree, report: Report) -> tuple[Part, ...]:
    """The report behind what is said; the verb first where the subject is long and nothing else depends on it."""
    long = report.last - report.first > 3 and tree.words[report.verb].lemma == "say"
    if long and report.end == report.verb + 1:
        return ((report.verb, report.verb + 1), (report.first, report.last))
    end = report.end
    return ((report.start, end),)


def _adds(tree: Tree, start: int, end: int) -> bool:
    return any(one.dep in ("appos", "relcl", "acl") for one in tree.words[start:end])
