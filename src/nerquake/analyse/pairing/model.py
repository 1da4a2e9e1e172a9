"""What an audit of a pair of files speaks of: sentences with their lines, faults, and what counts as damage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from nerquake.core.span import Span

Kind = Literal["entity", "context", "both", "any"]
KINDS: tuple[Kind, ...] = ("entity", "context", "both", "any")

CODES: dict[str, str] = {
    "sentence-lost": "a sentence of ORIGINAL has no partner in ATTACKED",
    "sentence-added": "a sentence of ATTACKED has no partner in ORIGINAL",
    "sentence-moved": "a sentence stands at another place",
    "mention-lost": "a mention's words, or what took their place, have no label any more",
    "mention-gained": "a label stands on words that were no mention",
    "mention-shortened": "the label covers only a part of the mention",
    "mention-detached": "the label slid off the mention, reaches into the context, or was torn into pieces",
    "mention-retyped": "the mention has another label",
    "mention-text-changed": "the mention's text is another, though only the context was to change",
    "context-changed": "words outside mentions are others, though only mentions were to change",
    "orphan-inside": "an inside tag continues no mention",
    "subword-piece": "a token is a piece that a model's tokenizer made",
    "empty-token": "a token is empty or invisible",
    "comment-as-token": "a comment line became tokens",
    "label-name-differs": "a label has another name in the whole of ATTACKED",
    "unchanged": "a sentence stands as it stood",
}
"""Every code in the order in which they are shown, and what it says."""

_HARMLESS = frozenset({"sentence-moved", "unchanged"})


def damaging(kind: Kind) -> frozenset[str]:
    """The codes that are findings for an attack of this kind.

    All but `sentence-moved` and `unchanged`; a changed mention text is one for context attacks only, a changed context
    for entity attacks only.
    """
    allowed = set(_HARMLESS)
    if kind != "context":
        allowed.add("mention-text-changed")
    if kind != "entity":
        allowed.add("context-changed")
    return frozenset(CODES) - allowed


@dataclass(frozen=True, slots=True)
class Side:
    """One sentence as the comparison sees it.

    id, source   as the file gives them, None where it does not
    tokens       without the tokens of a comment line and with word pieces joined, where that makes words again
    spans        mentions over `tokens`
    lines        for each token its line in the file
    first_line   the line of the sentence's first token
    text         the whole sentence as it stands, for people
    wild         tokens that stand for any text: empty ones and word pieces
    orphans      starts of mentions that begin with an inside tag
    """

    id: str | None
    source: str | None
    tokens: tuple[str, ...]
    spans: tuple[Span, ...]
    lines: tuple[int | None, ...]
    first_line: int | None
    text: str
    wild: frozenset[int] = frozenset()
    orphans: frozenset[int] = frozenset()

    def surface(self, span: Span) -> str:
        """The text of a mention."""
        return " ".join(self.tokens[span.start : span.end])

    def owners(self) -> list[int]:
        """For each token the index of its mention, -1 outside."""
        found = [-1] * len(self.tokens)
        for index, span in enumerate(self.spans):
            found[span.start : span.end] = [index] * span.width
        return found

    def frame(self) -> tuple[str | None, ...]:
        """The words outside mentions; None stands for a mention."""
        words: list[str | None] = []
        at = 0
        for span in self.spans:
            words += self.tokens[at : span.start]
            words.append(None)
            at = span.end
        return (*words, *self.tokens[at:])


class Seen(NamedTuple):
    """Something seen in a pair of sentences; offsets of tokens, None where a side has no such token."""

    code: str
    original: int | None
    attacked: int | None
    message: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: the line, None for formats without lines, and the sentence's text."""

    line: int | None
    sentence: str

    def to_json(self) -> dict[str, Any]:
        """As `check-pair --format json` shows it."""
        return {"line": self.line, "sentence": self.sentence}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing found; None for a side that has no such sentence."""

    code: str
    original: Place | None
    attacked: Place | None
    message: str

    def to_json(self) -> dict[str, Any]:
        """As `check-pair --format json` shows it."""
        sides = {"original": self.original, "attacked": self.attacked}
        shown = {name: place.to_json() if place else None for name, place in sides.items()}
        return {"code": self.code, **shown, "message": self.message}


@dataclass(frozen=True, slots=True)
class PairAudit:
    """What comparing two files found.

    faults   in the order of CODES, then of the attacked file
    pairs    how many sentences have a partner
    notes    what was settled while reading, and lines that could not be read
    unread   how many lines of the attacked file could not be read as they stand, besides empty tokens
    """

    kind: Kind
    faults: tuple[Fault, ...]
    pairs: int
    original: int
    attacked: int
    notes: tuple[str, ...] = ()
    unread: int = 0

    @property
    def counts(self) -> Mapping[str, int]:
        """How often each code occurs, in the order of CODES; codes that do not occur are left out."""
        found = Counter(fault.code for fault in self.faults)
        return {code: found[code] for code in CODES if found[code]}

    @property
    def damaged(self) -> bool:
        """Whether anything found is damage for an attack of this kind."""
        return bool(self.unread) or bool(damaging(self.kind) & set(self.counts))
