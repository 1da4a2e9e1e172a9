"""From pieces of text to the lines of a chunk.

A chunk is a range of the source. A line belongs to the chunk in which the line before it ends: every chunk but the
first passes over its text up to the first line end, and every chunk goes on behind its range up to the first line end.
So it makes no difference whether gzip members, bzip2 blocks or ranges of bytes begin with a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nerquake.knowledge.dump_notes import Notes

MAX_LINE = 1 << 26
"""Bytes; Wikidata's largest entities are some 4 MB."""
BARE = 10
"""Lines without comma that are remembered."""
_COMMA, _BRACE = b",}"


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text.

    offset  of the gzip member or bzip2 block that it is from, or of the text itself, in the source
    beyond  it stands behind the chunk's range
    """

    data: bytes
    offset: int
    beyond: bool = False


@dataclass(frozen=True, slots=True)
class Break:
    """Something in the source could not be read.

    cut     text is missing here, so that a line that was begun cannot go on
    beyond  it is for the next chunk to report
    """

    offset: int
    code: str
    detail: str = ""
    cut: bool = True
    beyond: bool = False


Part = Piece | Break


def owned(parts: Iterable[Part], first: bool) -> Iterator[Part]:
    """The text whose lines belong to a chunk. `first`: it is the first of the source."""
    skip = not first
    for part in parts:
        if isinstance(part, Break):
            if part.beyond:
                if part.cut:
                    return
                continue
            skip = skip and not part.cut
            yield part
            continue
        data = part.data
        if skip:
            end = data.find(b"\n")
            if part.beyond:
                return
            if end < 0:
                continue
            skip, data = False, data[end + 1 :]
        if part.beyond and (end := data.find(b"\n")) >= 0:
            yield Piece(data[: end + 1], part.offset)
            return
        if data:
            yield Piece(data, part.offset)


class Lines:
    """Splits the text of a chunk into its entities' lines, and notes what is odd about commas and brackets."""

    def __init__(self, notes: Notes, first: bool) -> None:
        self.notes, self.first = notes, first
        self.bytes = 0
        self.commas = 0
        self.bare: list[int] = []
        self.bare_count = 0
        self.pending = 0
        self.closed = 0
        self.carry: list[bytes] = []
        self.carried = 0

    def of(self, parts: Iterable[Part]) -> Iterator[memoryview]:
        """The entities' lines, without comma and line end; what is yielded is gone after the next step."""
        for part in parts:
            if isinstance(part, Break):
                if part.cut:
                    yield from self._rest(b"")
                self.notes.offset = part.offset
                self.notes.add(part.code, part.detail, self.notes.line + 1)
                continue
            self.notes.offset = part.offset
            yield from self._split(part.data)
        yield from self._rest(b"")
        if self.commas and self.bare:  # a file without any commas is JSON Lines
            for line in self.bare:
                self.notes.add("no-comma", line=line)
            self.notes.counts["no-comma"] += self.bare_count - len(self.bare)

    def _split(self, data: bytes) -> Iterator[memoryview]:
        self.bytes += len(data)
        start, find, view = 0, data.find, memoryview(data)
        if self.carried:
            end = find(b"\n")
            if end < 0:
                self._keep(data)
                return
            yield from self._rest(data[:end])
            start = end + 1
        while (end := find(b"\n", start)) >= 0:
            stop = self._stop(data, start, end)
            if stop > start:
                yield view[start:stop]
            start = end + 1
        if start < len(data):
            self._keep(data[start:])

    def _keep(self, data: bytes) -> None:
        """Keep the begin of a line; of one that is too long only that there was one."""
        self.carried += len(data)
        if self.carried <= MAX_LINE:
            self.carry.append(data)
        else:
            self.carry.clear()

    def _rest(self, data: bytes) -> Iterator[memoryview]:
        """The line that was begun, with its end."""
        if not self.carried:
            return
        if self.carried > MAX_LINE:
            self.notes.line += 1
            self.notes.add("long-line", f"over {MAX_LINE:,} bytes")
        else:
            line = b"".join([*self.carry, data])
            stop = self._stop(line, 0, len(line))
            if stop:
                yield memoryview(line)[:stop]
        self.carry.clear()
        self.carried = 0

    def _stop(self, data: bytes, start: int, end: int) -> int:
        """Where the entity in a line ends; `start` if there is none."""
        self.notes.line += 1
        last = data[end - 1] if end > start else 0
        if last == _COMMA and end - start > 2:
            self._follow()
            self.commas += 1
            return end - 1
        if last == _BRACE:
            self._follow()
            self.pending = self.notes.line
            return end
        return start + self._odd(data[start:end])

    def _odd(self, line: bytes) -> int:
        """How many bytes of a line that ends unusually are its entity."""
        text = line.rstrip()
        match text.strip():
            case b"":
                return 0
            case b"[" | b"[,":
                if not self.first or self.notes.line > 1:
                    self.notes.add("bracket")
                return 0
            case b"]" | b"],":
                self.closed = self.notes.line
                return 0
            case b",":
                self.notes.add("comma-line")
                self.pending = 0
                return 0
        self._follow()
        if text.endswith(b","):
            self.commas += 1
            return len(text) - 1
        self.pending = self.notes.line
        return len(text)

    def _follow(self) -> None:
        """An entity comes: the line before should have had a comma, and the file should not have been closed."""
        if self.closed:
            self.notes.add("bracket", line=self.closed)
            self.closed = 0
        if self.pending:
            self.bare_count += 1
            if len(self.bare) < BARE:
                self.bare.append(self.pending)
            self.pending = 0
