"""Lines that stand between sentences of a table: comments, blank lines, and where documents begin and end.

A sentence keeps the lines in front of it in `Layout.before`, and in one marked entry the lines that opened its
document. So its document is opened in what is written even if the sentence that stood behind those lines is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from nerquake.core.errors import OutputError
from nerquake.core.sentence import Sentence
from nerquake.io.conll_comments import SOURCE_KEY, is_id_line, read_comments, with_id

MARK = "\x00"
"""Begins an entry of Layout.before that is no line of the file, which never holds this character."""
FIRST = MARK + "first"
"""The file's first sentence: blank lines in front of it separate nothing."""
OPENED = MARK + "document\n"
"""Begins the entry that holds the lines which opened the sentence's document."""


class Border(Enum):
    """What a line says of documents."""

    NONE = 0
    OPENS = 1
    CLOSES = 2


def marked(before: Sequence[str], mark: str) -> str | None:
    """What stands behind a mark in one of the entries; None where there is no such entry."""
    return next((entry[len(mark) :] for entry in before if entry.startswith(mark)), None)


def is_blank(line: str) -> bool:
    """Whether nothing but spaces, TABs and carriage returns stand in a line."""
    return not line.strip(" \t\r")


class Borders:
    """Gives the lines in front of each sentence, in the order of writing, with documents opened and closed rightly.

    kind      what a line says of documents
    close     the line that closes a document, or "" where the file has none
    laid_out  the sentences' layouts are of this format, so their own lines are written
    parted    blank lines or borders part the sentences
    """

    def __init__(self, kind: Callable[[str], Border], close: str, laid_out: bool, parted: bool = True) -> None:
        self._kind, self._close, self._laid_out, self._parted = kind, close, laid_out, parted
        self._open: str | None = None
        self._first = True

    def front(self, sentence: Sentence, fresh: Sequence[str]) -> list[str]:
        """The lines in front of the next sentence; `fresh` opens its document where its own lines are not known."""
        before = sentence.layout.before if self._laid_out and sentence.layout is not None else ()
        lines = self._with_borders(sentence, before, fresh)
        first, self._first = self._first, False
        if first and FIRST not in before:
            return lines[_text_at(lines) :]
        if (
            not first
            and self._parted
            and not any(is_blank(line) or self._kind(line) is Border.CLOSES for line in lines)
        ):
            return ["", *lines]
        return lines

    def _with_borders(self, sentence: Sentence, before: Sequence[str], fresh: Sequence[str]) -> list[str]:
        lines = [entry for entry in before if not entry.startswith(MARK)]
        at_hand, self._open = self._open, sentence.doc_id
        moves = at_hand != sentence.doc_id
        closes = moves and bool(self._close) and at_hand is not None
        opens = moves and sentence.doc_id is not None
        kinds = {self._kind(line) for line in lines}
        if (Border.CLOSES in kinds) == closes and (Border.OPENS in kinds) == opens:
            return lines
        rest = [line for line in lines if self._kind(line) is Border.NONE]
        known = marked(before, OPENED)
        opening = fresh if known is None else known.split("\n")
        at = _text_at(rest)
        blank = [""] if closes and not at and self._parted else []
        rest[at:at] = [*blank, *([self._close] if closes else []), *(opening if opens else [])]
        return rest

    def behind(self, after: str) -> str:
        """The text behind the last sentence, which closes the open document, and none besides."""
        lines = after.split("\n")
        closes = any(self._kind(line) is Border.CLOSES for line in lines)
        if closes and self._open is None:
            lines = [line for line in lines if self._kind(line) is not Border.CLOSES]
        elif self._close and self._open is not None and not closes:
            lines = ["", "", self._close, ""]
        return "\n".join(lines)


def _text_at(lines: Sequence[str]) -> int:
    """Position of the first line that is not blank, or the end."""
    return next((at for at, line in enumerate(lines) if not is_blank(line)), len(lines))


def with_own_id(sentence: Sentence, lines: Sequence[str], fresh: str) -> list[str]:
    """The comment lines with the sentence's own id in the id line, which is added where there is none.

    fresh   what a new line begins with, such as `# id `

    Raises:
        OutputError: the id would read back as another.
    """
    if sentence.hashed:
        return list(lines)
    made = list(lines)
    found = [at for at, line in enumerate(made) if is_id_line(line)]
    if found:
        at = found[-1]
        if read_comments([made[at]]).id != sentence.id:
            made[at] = with_id(made[at], sentence.id)
    else:
        at = len(made)
        source = f"\t{SOURCE_KEY}={sentence.source}" if sentence.source is not None else ""
        made.append(f"{fresh}{sentence.id}{source}")
    if read_comments([made[at]]).id != sentence.id or any(letter in made[at] for letter in "\n\x00"):
        raise OutputError(
            f"sentence {sentence.id!r}: this id cannot stand in a comment line; JSONL holds it: --to jsonl"
        )
    return made
