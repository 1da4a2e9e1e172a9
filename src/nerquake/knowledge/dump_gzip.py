"""Text from gzip files of many members.

The published dump is some 2,000 members one after another. Each can be read without those before it, so that a
worker takes the members that begin in its range of bytes. What separates them is found by trying.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

from nerquake.knowledge.dump_access import Access
from nerquake.knowledge.dump_lines import Break, Part, Piece

MAGIC = b"\x1f\x8b\x08"
READ, OUT = 1 << 16, 1 << 20
"""Bytes that are read and made at a time. For more, memory is fetched anew each time, at twice the cost."""
_WINDOW, _TRIAL, _HEADER = 1 << 20, 1 << 14, 1 << 12
_HAS_CRC, _EXTRA, _NAME, _COMMENT, _RESERVED = 2, 4, 8, 16, 0xE0


def header_length(data: bytes) -> int:
    """How long the header of a member is; 0 if there is none here."""
    if len(data) < 10 or not data.startswith(MAGIC) or data[3] & _RESERVED or data[8] not in {0, 2, 4}:
        return 0
    flags, at = data[3], 10
    if data[9] > 13 and data[9] != 255:
        return 0
    if flags & _EXTRA:
        at += 2 + int.from_bytes(data[at : at + 2], "little")
    for text in (_NAME, _COMMENT):
        if flags & text:
            at = data.find(b"\0", at) + 1
            if not at:
                return 0
    at += 2 if flags & _HAS_CRC else 0
    return at if at < len(data) else 0


class Members:
    """The members of a gzip file."""

    def __init__(self, access: Access) -> None:
        from isal import igzip_lib

        self.access, self.library = access, igzip_lib
        self.error: Any = igzip_lib.IsalError

    def parts(self, start: int, end: int) -> Iterator[Part]:
        """The text of the members that begin in a range of bytes, and of those behind it as long as it is asked for."""
        at = self.find(start, end) if start else 0
        while at >= 0 and (head := self.access.read_at(at, _HEADER)):
            if at < end or self._accepted(at):
                at = yield from self._member(at, beyond=at >= end)
            elif not head.strip(b"\0"):  # zeros fill the last block of a tape or a disk
                return
            else:
                yield Break(at, "damaged-member" if header_length(head) else "no-member")
                at = self.find(at + 1)

    def find(self, start: int, end: int = 1 << 62) -> int:
        """Where the first member at or after a place begins, if before `end`; else -1."""
        at = start
        while at < end and len(window := self.access.read_at(at, _WINDOW)) > len(MAGIC):
            found = window.find(MAGIC)
            while 0 <= found < end - at:
                if self._accepted(at + found):
                    return at + found
                found = window.find(MAGIC, found + 1)
            at += len(window) - len(MAGIC) + 1
        return -1

    def _accepted(self, at: int) -> bool:
        """Whether a member begins here: a header, and compressed data behind it. All chunks must judge alike."""
        data = self.access.read_at(at, _TRIAL)
        length = header_length(data)
        if not length:
            return False
        try:
            self._decompressor().decompress(data[length:], OUT)
        except self.error:
            return False
        return True

    def _decompressor(self) -> Any:
        """For what follows the header. Checksums are compared here, since the library would keep the last text back."""
        return self.library.IgzipDecompressor(flag=self.library.DECOMP_GZIP_NO_HDR)

    def _member(self, at: int, beyond: bool) -> Generator[Part, None, int]:
        """The text of a member; returns where the next begins, or -1."""
        data = self.access.read_at(at, READ)
        length = header_length(data)
        if not length:
            if data.strip(b"\0"):
                yield Break(at, "no-member" if len(data) >= 10 else "cut-member", beyond=beyond)
                return self.find(at + 1)
            return -1
        made, place, data, size = self._decompressor(), at + length, data[length:], 0
        while data:
            try:
                text = made.decompress(data, OUT)
                while text:
                    size += len(text)
                    yield Piece(text, at, beyond)
                    text = b"" if made.eof or made.needs_input else made.decompress(b"", OUT)
            except self.error as error:
                yield Break(at, "damaged-member", f"{error}, at byte {place:,} or a little later", beyond=beyond)
                return self._behind(at)
            place += len(data)
            if made.eof:
                place -= len(made.unused_data)
                return (yield from self._trailer(at, place, made.crc, size, beyond))
            data = self.access.read_at(place, READ)
        return (yield from self._ended(at, place, beyond))

    def _ended(self, at: int, place: int, beyond: bool) -> Generator[Part, None, int]:
        """The file ended inside a member: it is cut off, or it was damaged and has run into those behind it."""
        behind = self._behind(at)
        yield Break(at, "cut-member" if behind < 0 else "damaged-member", f"at byte {place:,}", beyond=beyond)
        return behind

    def _trailer(self, at: int, place: int, crc: int, size: int, beyond: bool) -> Generator[Part, None, int]:
        trailer = self.access.read_at(place, 8)
        if len(trailer) < 8:
            return (yield from self._ended(at, place + len(trailer), beyond))
        if trailer == crc.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little"):
            return place + 8
        behind = self._behind(at)
        if behind == place + 8 or (behind < 0 and not self.access.read_at(place + 8, _HEADER).strip(b"\0")):
            yield Break(at, "crc", cut=False, beyond=beyond)
            return place + 8
        yield Break(at, "damaged-member", f"its text seems to end at byte {place:,}", beyond=beyond)
        return behind

    def _behind(self, at: int) -> int:
        """Where the first member behind a damaged one begins. What seems to be its end may be that of another."""
        return self.find(max(at + 1, self.access.earliest))
