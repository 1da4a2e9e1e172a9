"""Lines of CoNLL-U files: ids of words, ranges and empty nodes, and the items of the column MISC."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from nerquake.io.borders import MARK, Border
from nerquake.io.conll_comments import document_of

NOTHING = "_"
WIDTH = 10
ID, FORM, HEAD, DEPREL, DEPS, MISC = 0, 1, 6, 7, 8, 9
EXTRA = MARK + "extra\n"
"""Begins an entry of Layout.before that holds the line of a multiword token or an empty node."""
WORDS = MARK + "words\n"
"""Begins the entry that holds the number of words that the sentence had in its file."""
OTHER_TEXT = MARK + "text"
"""The `# text` line never fitted the words, so it is not brought up to date."""
NO_SPACE = "SpaceAfter=No"
_WORD = re.compile(r"[1-9][0-9]*")
_RANGE = re.compile(r"([1-9][0-9]*)-([1-9][0-9]*)")
_EMPTY = re.compile(r"(0|[1-9][0-9]*)\.([1-9][0-9]*)")


def border_of(line: str) -> Border:
    """What a line says of documents."""
    return Border.NONE if document_of(line) is None else Border.OPENS


def is_word(cell: str) -> bool:
    """Whether a cell is the id of a word."""
    return _WORD.fullmatch(cell) is not None


def range_of(cell: str) -> tuple[int, int] | None:
    """First and last word of a multiword token; None for another id."""
    match = _RANGE.fullmatch(cell)
    return None if match is None else (int(match[1]), int(match[2]))


def empty_node(cell: str) -> tuple[int, int] | None:
    """The word in front of an empty node, and its number behind that word; None for another id."""
    match = _EMPTY.fullmatch(cell)
    return None if match is None else (int(match[1]), int(match[2]))


def items_of(misc: str) -> list[str]:
    """The items of a MISC cell."""
    return [] if misc == NOTHING else misc.split("|")


def misc_of(items: Iterable[str]) -> str:
    """The MISC cell of items."""
    return "|".join(items) or NOTHING


class Named(NamedTuple):
    """A MISC cell without the entity's item: the tag, the rest, and where the item stood.

    slot   "" where there was none, else its position, with O behind it where it said O
    """

    tag: str
    rest: str
    slot: str


def take_tag(misc: str, key: str) -> Named | None:
    """Take the entity's item out of a MISC cell; None where it stands there twice."""
    items = items_of(misc)
    at = [index for index, item in enumerate(items) if item.startswith(f"{key}=")]
    if not at:
        return Named("O", misc, "")
    if len(at) > 1:
        return None
    tag = items.pop(at[0]).partition("=")[2]
    return Named(tag, misc_of(items), f"{at[0]}O" if tag == "O" else str(at[0]))


def put_tag(items: list[str], key: str, tag: str, slot: str) -> list[str]:
    """The items with the entity's among them, where it stood; O is written where it was."""
    if tag == "O" and not slot.endswith("O"):
        return items
    at = int(slot.rstrip("O") or 0)
    return [*items[:at], f"{key}={tag}", *items[at:]]


def with_space(items: list[str], space: bool) -> list[str]:
    """The items, saying that no blank follows, or not saying so."""
    if space:
        return [item for item in items if item != NO_SPACE]
    return items if NO_SPACE in items else [*items, NO_SPACE]


class Renumbered:
    """Ids after words were put in or taken out: the words that stayed, by their old ids."""

    def __init__(self, ids: Sequence[str], words: int) -> None:
        self._new: dict[int, int] = {0: 0}
        for at, cell in enumerate(ids, 1):
            if is_word(cell):
                self._new.setdefault(int(cell), at)
        same = len(ids) == words and all(cell == str(at) for at, cell in enumerate(ids, 1))
        self.changed = not same

    def word(self, cell: str) -> str:
        """The new id of a head; `_` where that word is gone."""
        if not cell.isdecimal() or int(cell) not in self._new:
            return NOTHING
        return str(self._new[int(cell)])

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """First and last word of a multiword token; None where one of its words is gone or moved away."""
        new = [self._new.get(at) for at in range(first, last + 1)]
        if new[0] is None or new != list(range(new[0], new[0] + len(new))):
            return None
        return new[0], new[0] + len(new) - 1

    def node(self, before: int, number: int) -> str | None:
        """The new id of an empty node; None where the word in front of it is gone."""
        return None if before not in self._new else f"{self._new[before]}.{number}"

    def graph(self, deps: str) -> str:
        """The DEPS cell; `_` where a word in it is gone."""
        made = []
        for item in items_of(deps):
            head, colon, relation = item.partition(":")
            node = empty_node(head)
            new = self.node(*node) if node else self.word(head)
            if new is None or new == NOTHING:
                return NOTHING
            made.append(f"{new}{colon}{relation}")
        return misc_of(made)


def text_of(forms: Sequence[str], spaces: Sequence[bool], whole: Mapping[int, tuple[int, str]]) -> str:
    """The sentence's text, without blanks at its end.

    whole   multiword tokens by the position of their first word: position behind their last word, and form
    """
    parts: list[str] = []
    at = 0
    while at < len(forms):
        end, form = whole.get(at, (at + 1, forms[at]))
        parts += (form, " " if spaces[end - 1] else "")
        at = end
    return "".join(parts).rstrip(" ")
