"""Reading the bytes of a dump: a file at any place, or a stream forwards; and what kind of file it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import BinaryIO, Protocol

from nerquake.core.errors import InputError

STDIN = "-"
HEAD = 1 << 16
"""Bytes that are looked at to tell what a file is."""
_EXPECTED = "expected a Wikidata JSON dump (.json, .json.gz or .json.bz2)"
_SPREAD = re.compile(rb"(?:\[\s*)?\{[ \t\r]*\n")
_FOREIGN = (
    (b"\x28\xb5\x2f\xfd", "zstd-compressed"),
    (b"\xfd7zXZ", "xz-compressed"),
    (b"PK\x03\x04", "a zip archive"),
    (b"PAR1", "a Parquet file"),
    (b"<?xml", "XML"),
    (b"<", "HTML or XML"),
    (b"@prefix", "RDF"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
)


class Kind(Enum):
    """How a dump is compressed, by its first bytes: the value is the suffix that such a file should have."""

    PLAIN = ".json"
    GZIP = ".gz"
    BZIP2 = ".bz2"


class Access(Protocol):
    """The bytes of a source."""

    @property
    def earliest(self) -> int:
        """The first place that can still be read."""
        ...

    def read_at(self, place: int, size: int) -> bytes:
        """Up to so many bytes from a place on: fewer only where the source ends."""
        ...


class FileAccess:
    """A file, read at any place. `name` is what messages call it."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self.stream, self.name = stream, name
        self.earliest = 0

    def read_at(self, place: int, size: int) -> bytes:
        """Up to so many bytes from a place on."""
        with _reading(self.name):
            self.stream.seek(place)
            return self.stream.read(size)


class StreamAccess:
    """A stream that can only be read forwards, with what was read last kept for going back a little."""

    KEPT = 1 << 22

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self.stream, self.name = stream, name
        self.earliest = 0
        self.buffer = bytearray()

    def read_at(self, place: int, size: int) -> bytes:
        """Up to so many bytes from a place on."""
        if place < self.earliest:
            raise ValueError(f"byte {place} of the stream is gone: it begins at {self.earliest}")
        drop = place - self.earliest - self.KEPT
        if drop > self.KEPT:
            del self.buffer[:drop]
            self.earliest += drop
        start = place - self.earliest
        with _reading(self.name):
            while len(self.buffer) < start + size and (more := self.stream.read(1 << 16)):
                self.buffer += more
        return bytes(memoryview(self.buffer)[start : start + size])


def kind_of(head: bytes, name: str) -> Kind:
    """What kind of dump begins with these bytes, whatever its name.

    Raises:
        InputError: none; says what it looks like.
    """
    if head[:2] == b"\x1f\x8b":
        return Kind.GZIP
    if head[:3] == b"BZh" and head[3:4] in b"123456789":
        return Kind.BZIP2
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if _SPREAD.match(text):
        raise InputError(f"{name} is one JSON document over several lines: {_EXPECTED}, which has an entity a line")
    if text[:1] in {b"[", b"{", b","}:
        return Kind.PLAIN
    what = next((what for magic, what in _FOREIGN if text.startswith(magic)), "")
    what = what or ("something else" if text else "empty")
    raise InputError(f"{name} is {what}: {_EXPECTED}")


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """A file, for reading at any place.

    Raises:
        InputError: it cannot be opened.
    """
    with _reading(path):
        stream = Path(path).open("rb", buffering=0)  # noqa: SIM115
    with stream:
        yield stream


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Whatever keeps a source from being read, as an InputError."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{name}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"{name} is a folder; {_EXPECTED}") from None
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror or error}") from error
