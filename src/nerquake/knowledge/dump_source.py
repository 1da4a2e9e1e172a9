"""A dump as a source of text: what kind it is, how it is cut into chunks, and the text of a chunk."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nerquake.knowledge.dump_access import HEAD, STDIN, Access, FileAccess, Kind, StreamAccess, kind_of, opened
from nerquake.knowledge.dump_bzip2 import Blocks
from nerquake.knowledge.dump_gzip import Members
from nerquake.knowledge.dump_lines import Part, Piece, owned

CHUNK = {Kind.PLAIN: 1 << 29, Kind.GZIP: 1 << 26, Kind.BZIP2: 1 << 25}
"""Bytes of a source for a shard."""
TEXT_CHUNK = 1 << 29
"""Bytes of text for a shard, where a source can only be read in one go."""
_PROBE = 1 << 29
"""Where the second member of a gzip file would begin at the latest."""
_READ = 1 << 20
ENDLESS = 1 << 62


@dataclass(frozen=True, slots=True)
class Source:
    """A dump.

    size    in bytes; -1 for a stream
    whole   it can only be read in one go: a stream, or a gzip file of one member
    chunk   bytes of the source, or of its text where it is read in one go
    head    checksum of its first bytes; `tail` of its last ones, empty for a stream
    """

    path: str
    kind: Kind
    size: int
    whole: bool
    chunk: int
    head: str
    tail: str

    @property
    def chunks(self) -> int:
        """How many chunks it has; -1 where that shows at its end only."""
        return -1 if self.whole else -(-self.size // self.chunk)

    @property
    def remark(self) -> str:
        """What its name says wrongly; empty if nothing."""
        suffix = Path(self.path).suffix.lower()
        if self.path == STDIN or suffix == self.kind.value or suffix not in {kind.value for kind in Kind}:
            return ""
        return f"{self.path} is not what its name says: it was read as {self.kind.name.lower()}"

    def record(self) -> dict[str, Any]:
        """What makes it this source, as JSON values."""
        return {"bytes": self.size, "kind": self.kind.name.lower(), "head": self.head, "tail": self.tail,
                "chunk": self.chunk}  # fmt: skip

    def parts(self, number: int) -> Iterator[Part]:
        """The text of a chunk, read from the file.

        Raises:
            InputError: the file cannot be read.
        """
        start = number * self.chunk
        with opened(self.path) as stream:
            read = _parts(self.kind, FileAccess(stream, self.path), start, min(self.size, start + self.chunk))
            yield from owned(read, first=number == 0)


@contextmanager
def source_of(path: str, chunk: int) -> Iterator[tuple[Source, Iterator[Part]]]:
    """A dump, and its whole text where it can only be read in one go.

    chunk   bytes of a chunk; 0: what suits its kind

    Raises:
        InputError: it cannot be read, or is no dump.
    """
    if path == STDIN:
        yield _stream(StreamAccess(sys.stdin.buffer, "standard input"), STDIN, chunk)
        return
    with opened(path) as stream:
        if not Path(path).is_file():
            yield _stream(StreamAccess(stream, path), path, chunk)
            return
        access, size = FileAccess(stream, path), Path(path).stat().st_size
        head, tail = access.read_at(0, HEAD), access.read_at(max(0, size - HEAD), HEAD)
        kind = kind_of(head, path)
        step = chunk or CHUNK[kind]
        whole = kind is Kind.GZIP and size > step and Members(access).find(step, min(size, step + _PROBE)) < 0
        step = chunk or TEXT_CHUNK if whole else step
        yield Source(path, kind, size, whole, step, _checksum(head), _checksum(tail)), _parts(kind, access, 0, ENDLESS)


def _stream(access: StreamAccess, path: str, chunk: int) -> tuple[Source, Iterator[Part]]:
    head = access.read_at(0, HEAD)
    kind = kind_of(head, access.name)
    return Source(path, kind, -1, True, chunk or TEXT_CHUNK, _checksum(head), ""), _parts(kind, access, 0, ENDLESS)


def _parts(kind: Kind, access: Access, start: int, end: int) -> Iterator[Part]:
    match kind:
        case Kind.GZIP:
            return Members(access).parts(start, end)
        case Kind.BZIP2:
            return Blocks(access).parts(start, end)
        case Kind.PLAIN:
            return _plain(access, start, end)


def _plain(access: Access, start: int, end: int) -> Iterator[Part]:
    at = start
    while data := access.read_at(at, min(_READ, end - at) if at < end else _READ):
        yield Piece(data, at, beyond=at >= end)
        at += len(data)


class TextChunks:
    """Cuts text that can only be read in one go into chunks, at line ends."""

    def __init__(self, parts: Iterator[Part], size: int) -> None:
        self.parts, self.size = parts, size
        self.rest: Part | None = None
        self._next()

    def chunk(self) -> Iterator[Part]:
        """The text of the next chunk; to be used up before the next is asked for."""
        left = self.size
        while (part := self.rest) is not None:
            if isinstance(part, Piece):
                end = part.data.find(b"\n", max(0, left - 1)) + 1 if left <= len(part.data) else 0
                left -= len(part.data)
                if end:
                    yield Piece(part.data[:end], part.offset)
                    self.rest = Piece(part.data[end:], part.offset) if end < len(part.data) else self._next()
                    return
            yield part
            self._next()

    def _next(self) -> Part | None:
        self.rest = next(self.parts, None)
        return self.rest


def _checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
