"""What linkers implement: which item of a dictionary each mention stands for.

`knowledge/link_ids.py` is the plainest of them. A plug-in is a frozen dataclass: its fields are its options.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from nerquake.core.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Mentioned:
    """A mention that is to be linked.

    index     its place among the sentence's mentions
    text      as it stands: with the file's own blanks where they are known, else with one between tokens
    type      its label
    language  of the sentence, a two-letter code; empty where it is not known
    """

    sentence: Sentence
    index: int
    text: str
    type: str
    language: str = ""


class LinkCandidate(NamedTuple):
    """An item that a mention may stand for.

    item      its id; empty where only the title of its Wikipedia article is known, which is then looked up
    title     of the item, to read; empty: its name in the dictionary is put in
    score     only differences within one mention mean something
    language  of the Wikipedia that has the title; empty: the mention's
    """

    item: str
    title: str = ""
    score: float = 0.0
    language: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A mention's link.

    start, end  its tokens, half-open
    accepted    the item that it stands for; None: none
    text, type  the mention as it stands, and its label: what a reader needs; empty where a file does not say it
    """

    sentence: str
    start: int
    end: int
    candidates: tuple[LinkCandidate, ...] = ()
    accepted: str | None = None
    text: str = ""
    type: str = ""


class Known(NamedTuple):
    """A mention whose item is known, as in a training set with ids; None: it is known to have none."""

    mention: Mentioned
    item: str | None


class Linker(Protocol):
    """Finds items for mentions."""

    def link(self, mentions: Sequence[Mentioned]) -> Sequence[Sequence[LinkCandidate]]:
        """For each mention its candidates, best first; the first one is taken. None for a mention: no link.

        A mention's candidates do not depend on the other mentions that are asked about, beyond their labels.
        """
        ...

    def about(self) -> tuple[str, ...]:
        """Lines for the outputs: what links, and how; the same each time."""
        ...

    def fingerprint(self) -> str:
        """A text that changes whenever its answers may change, the dictionary apart."""
        ...


@runtime_checkable
class LooksUp(Protocol):
    """A linker that looks names up in the dictionary."""

    def looking_in(self, dictionary: Any) -> Linker:
        """The linker over an open dictionary (`knowledge.dictionary.Dictionary`)."""
        ...


@runtime_checkable
class Learns(Protocol):
    """A linker that learns from mentions whose items are known."""

    def learned(self, known: Sequence[Known]) -> Linker:
        """The linker with what it takes from them."""
        ...
