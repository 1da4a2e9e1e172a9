"""Text from bzip2 files, block by block.

Blocks of up to 900 kB of text begin with 48 known bits, at any bit. A block is cut out, made a file of its own and
decompressed without those before it. That a block's data hold the same bits by chance is to be expected once in some
hundred dumps; it would be reported as two damaged blocks.
"""

from __future__ import annotations

import bz2
from collections.abc import Iterator
from itertools import pairwise

from nerquake.knowledge.dump_access import Access
from nerquake.knowledge.dump_lines import Break, Part, Piece

BLOCK, END = 0x314159265359, 0x177245385090
"""What a block begins with, and what stands behind the last one; 48 bits each."""
_WINDOW = 1 << 20
_MAX_BLOCK = 1 << 24
"""Bits; no compressed block has more."""


def _patterns() -> list[tuple[bytes, int, int]]:
    """For each mark and each bit that it can begin at: whole bytes in its middle, the mark, the bit."""
    return [((mark >> bit & (1 << 40) - 1).to_bytes(5, "big"), mark, bit) for mark in (BLOCK, END) for bit in range(8)]


_PATTERNS = _patterns()


class Blocks:
    """The blocks of a bzip2 file, of one stream or of several."""

    def __init__(self, access: Access) -> None:
        self.access = access

    def parts(self, start: int, end: int) -> Iterator[Part]:
        """The text of the blocks that begin in a range of bytes, and of those behind it as long as it is asked for."""
        for (bit, mark), (stop, _) in pairwise(self._marks(start)):
            if mark == BLOCK:
                yield self._block(bit, stop, beyond=bit // 8 >= end)

    def _marks(self, start: int) -> Iterator[tuple[int, int]]:
        """The marks from a byte on, as pairs of bit and mark; at the end of the source a pair with 0 for the mark."""
        at = start
        while len(window := self.access.read_at(at, _WINDOW)) > 6:
            yield from ((at * 8 + bit, mark) for bit, mark in _found(window))
            at += len(window) - 6
        yield (at + len(window)) * 8, 0

    def _block(self, bit: int, stop: int, beyond: bool) -> Part:
        size, place = stop - bit, bit // 8
        if size > _MAX_BLOCK:
            return Break(place, "damaged-block", f"{size // 8:,} bytes without a mark", beyond=beyond)
        data = self.access.read_at(place, -(-stop // 8) - place)
        bits = (int.from_bytes(data, "big") >> (-stop % 8)) & ((1 << size) - 1)
        checksum = bits >> max(0, size - 80) & 0xFFFFFFFF
        bits = bits << 80 | END << 32 | checksum
        spare = -(size + 80) % 8
        made = bz2.BZ2Decompressor()
        try:
            text = made.decompress(b"BZh9" + (bits << spare).to_bytes((size + 80 + spare) // 8, "big"))
        except (OSError, ValueError, EOFError) as error:
            return Break(place, "damaged-block", str(error), beyond=beyond)
        if not made.eof:
            return Break(place, "damaged-block", "it is cut off", beyond=beyond)
        return Piece(text, place, beyond)


def _found(window: bytes) -> list[tuple[int, int]]:
    """The marks that begin in some bytes, but for the last six, as pairs of bit and mark, in order."""
    found = []
    for middle, mark, bit in _PATTERNS:
        at = window.find(middle, 1)
        while at >= 0:
            begin = at - 1  # the byte that the mark begins in stands before its middle
            if begin + 7 <= len(window):
                seen = int.from_bytes(window[begin : begin + 7], "big") >> (8 - bit) & (1 << 48) - 1
                if seen == mark:
                    found.append((begin * 8 + bit, mark))
            at = window.find(middle, at + 1)
    return sorted(found)
