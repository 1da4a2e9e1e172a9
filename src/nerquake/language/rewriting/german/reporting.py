"""What somebody says, before or behind the verb of saying; `dass` clauses keep their verb at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nerquake.language.rewriting.german.clause import (
    COMMA,
    ENDINGS,
    STRAIGHT,
    Range,
    balanced,
    base,
    finite_of,
    in_doubt,
    moved,
    phrase,
    subject_of,
    texts_of,
)
from nerquake.language.rewriting.german.subclauses import to_the_end, to_the_front
from nerquake.language.rewriting.german.words import ASKING, BEARING, LOOKING_BACK, SAYING
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree

QUOTES = {"„": "“", "“": "”", "``": "''", "»": "«", "«": "»", STRAIGHT: STRAIGHT}
COLON = ":"


class Said(NamedTuple):
    """`Anna sagte am Montag`, in one order or the other.

    verb     the finite verb of saying
    subject  who says it
    rest     what else stands there
    """

    verb: int
    subject: Range
    rest: Range


class Reporting(Rule):
    """`Anna sagte , dass ..` and `Dass .. , sagte Anna`; `Anna sagte : ..` and `.. , sagte Anna`."""

    name = "reporting-clause"
    kind: RuleKind = "structure"
    turns = True

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each verb of saying whose clause is the whole sentence."""
        yield from to_the_front(tree, self.name, "ccomp")
        yield from to_the_end(tree, self.name, "ccomp")
        end = _end(tree)
        for word in tree.words[:end]:
            if word.lemma.lower() not in SAYING or finite_of(tree, word.index) != word.index:
                continue
            parts = self._speech_first(tree, word.index, end) or self._speech_last(tree, word.index, end)
            if parts is not None:
                yield Rewriting(self.name, 0, len(tree.words), parts)

    def _speech_first(self, tree: Tree, verb: int, end: int) -> tuple[Part, ...] | None:
        """`Anna sagte : ..` as `.. , sagte Anna`."""
        mark = next((at for at in range(verb + 1, end) if tree.words[at].text in (COLON, COMMA)), None)
        subject = _subject(tree, verb)
        if mark is None or subject is None or subject != (0, verb) or in_doubt(tree, 0):
            return None
        speech = _speech(tree, (mark + 1, len(tree.words)))
        if speech is None or not _may_lead(tree, verb, speech, tree.words[mark].text):
            return None
        said = Said(verb, subject, (verb + 1, mark))
        who: tuple[Part, ...] = ((verb, verb + 1), *moved(tree, said.subject), *_some(said.rest))
        return (*speech.open, speech.inner, *_asking(speech), *speech.close, COMMA, *who, *_stop(tree, end))

    def _speech_last(self, tree: Tree, verb: int, end: int) -> tuple[Part, ...] | None:
        """`.. , sagte Anna` as `Anna sagte : ..`, without quotation marks with a comma."""
        subject = _subject(tree, verb)
        if subject is None or subject[0] != verb + 1 or verb < 2 or tree.words[verb - 1].text != COMMA:
            return None
        speech = _speech(tree, (0, verb - 1))
        rest = (subject[1], end)
        if speech is None or not _may_follow(tree, verb, speech, rest):
            return None
        who: tuple[Part, ...] = (subject, (verb, verb + 1), *_some(rest))
        if not speech.open:
            return (*who, COMMA, *moved(tree, speech.inner), *_stop(tree, end))
        stop = _asking(speech) or _stop(tree, end)
        return (*who, COLON, *speech.open, speech.inner, *stop, *speech.close)


class Speech(NamedTuple):
    """What is said: quotation marks where there are any, and the full stop inside them apart."""

    open: tuple[Range, ...]
    inner: Range
    stop: str
    at: int
    close: tuple[Range, ...]


def _end(tree: Tree) -> int:
    """The place of the full stop that ends the sentence, or its length."""
    size = len(tree.words)
    return size - 1 if size and tree.words[-1].text in ENDINGS else size


def _stop(tree: Tree, end: int) -> tuple[Part, ...]:
    """The sentence's full stop; a new one where it stood inside quotation marks."""
    if end < len(tree.words):
        return ((end, end + 1),)
    inside = [word.text for word in tree.words[-2:-1] if word.text in ENDINGS]
    return (".",) if inside else ()


def _asking(speech: Speech) -> tuple[Part, ...]:
    """A question mark or an exclamation mark, which stays with what is said."""
    return ((speech.at, speech.at + 1),) if speech.stop in ("?", "!") else ()


def _some(part: Range) -> tuple[Part, ...]:
    return (part,) if part[0] < part[1] else ()


def _subject(tree: Tree, verb: int) -> Range | None:
    word = subject_of(tree, verb)
    if word is None or COMMA in texts_of(tree, phrase(tree, word.index) or (0, 0)):
        return None
    return phrase(tree, word.index)


def _speech(tree: Tree, part: Range) -> Speech | None:
    """What is said in a range, which ends with it or with the sentence's full stop."""
    start, end = part
    if end == len(tree.words):
        outer = _end(tree)
        closed = outer < end and tree.words[start].text in QUOTES and tree.words[outer - 1].text in QUOTES.values()
        end = outer if closed or (outer < end and tree.words[start].text not in QUOTES) else end
    if end - start < 2:
        return None
    mark = QUOTES.get(tree.words[start].text)
    if mark is None:
        whole = Speech((), (start, end), "", end, ())
        return whole if balanced(tree, part) else None
    if tree.words[end - 1].text != mark:
        return None
    inner = (start + 1, end - 1)
    last = tree.words[inner[1] - 1].text if inner[0] < inner[1] else ""
    if last in ENDINGS:
        inner = (inner[0], inner[1] - 1)
    if inner[1] - inner[0] < 2 or not balanced(tree, inner):
        return None
    stop = last if last in ENDINGS else ""
    return Speech(((start, start + 1),), inner, stop, inner[1], ((end - 1, end),))


def _may_lead(tree: Tree, verb: int, speech: Speech, mark: str) -> bool:
    """Whether what follows is said in its own words or as a main clause, so that it can stand first."""
    texts = texts_of(tree, speech.inner)
    if speech.open:
        return mark == COLON and tree.words[verb + 1].text.lower() not in BEARING
    heads = [word for word in tree.children(verb, "ccomp", "parataxis") if word.index in range(*speech.inner)]
    if mark == COLON or len(heads) != 1 or tree.children(heads[0].index, "mark"):
        return False
    finite, head = finite_of(tree, heads[0].index), heads[0].index
    if finite is None or texts[0] in ASKING or phrase(tree, head) != speech.inner:
        return False
    first = [word for word in tree.children(head) if phrase(tree, word.index) == (speech.inner[0], finite)]
    return len(first) == 1 and "nicht" not in texts_of(tree, (verb, speech.inner[0]))


def _may_follow(tree: Tree, verb: int, speech: Speech, rest: Range) -> bool:
    """Whether what stands first is what the verb reports, and only that."""
    tail = texts_of(tree, rest)
    if not {COMMA, COLON, "und", *QUOTES, *QUOTES.values()}.isdisjoint(tail) or not BEARING.isdisjoint(tail[:1]):
        return False
    if speech.open:
        return True
    word, texts = tree.words[verb], texts_of(tree, speech.inner)
    if texts[0] in ASKING or not set(LOOKING_BACK).isdisjoint(texts[:1]) or in_doubt(tree, speech.inner[0]):
        return False
    if base(word.dep) == "parataxis":
        head = word.head
    else:
        heads = [one.index for one in tree.children(verb, "ccomp") if not tree.children(one.index, "mark")]
        head = heads[0] if len(heads) == 1 else -1
    if head not in range(*speech.inner) or tree.children(head, "mark"):
        return False
    finite = finite_of(tree, head)
    return finite is not None and any(
        phrase(tree, one.index) == (speech.inner[0], finite) for one in tree.children(head)
    )  # fmt: skip
