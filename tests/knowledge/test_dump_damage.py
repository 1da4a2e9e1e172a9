"""Damaged members and blocks: reported with their place, and nothing else is lost."""

from __future__ import annotations

import bz2
from pathlib import Path

import pytest
from tests.knowledge import synthetic_dump as synthetic
from tests.knowledge.dump_parts import chunk_lines, gz, need_extra

from nerquake.knowledge.dump_gzip import header_length
from nerquake.knowledge.dump_notes import Note

need_extra()
BATCH = 6
ITEMS = [synthetic.item(number) for number in range(6 * BATCH)]
MEMBERS = list(synthetic.members(ITEMS, BATCH))
"""A bracket, then batches with joints between them, then a bracket: the batches are 1, 3, 5, ..."""


def place(number: int) -> int:
    """Where a member begins."""
    return sum(map(len, MEMBERS[:number]))


def read(file: Path, data: bytes, chunk: int) -> tuple[list[bytes], list[Note]]:
    """All lines and notes, with lines counted from the begin of the dump."""
    file.write_bytes(data)
    lines, notes, before = [], [], 0
    for found, noted in chunk_lines(file, chunk):
        lines += found
        notes += [Note(before + note.line, note.offset, note.code, note.detail) for note in noted.in_order]
        before += noted.line
    return lines, notes


def flipped(data: bytes, at: int, size: int = 1) -> bytes:
    """The data with some bytes changed."""
    return data[:at] + bytes(byte ^ 0xFF for byte in data[at : at + size]) + data[at + size :]


CHUNKS = (1, 2, 3, 5)
DAMAGE = {"crc", "damaged-member", "cut-member", "no-member"}
"""Decompressing may find its way again behind a damage, so that only the checksum shows it."""


@pytest.mark.parametrize("parts", CHUNKS)
@pytest.mark.parametrize("batch", [1, 5, 11])
def test_a_wrong_checksum_loses_nothing(batch: int, parts: int, tmp_path: Path) -> None:
    data = flipped(b"".join(MEMBERS), place(batch + 1) - 7)
    lines, notes = read(tmp_path / "dump", data, -(-len(data) // parts))
    assert lines == ITEMS
    assert [(note.code, note.offset) for note in notes] == [("crc", place(batch))]


@pytest.mark.parametrize("parts", CHUNKS)
@pytest.mark.parametrize("batch", [1, 5, 11])
@pytest.mark.parametrize("where", ["begin", "middle", "end"])
def test_a_damaged_member_is_reported_once_and_the_others_are_read(
    batch: int, where: str, parts: int, tmp_path: Path
) -> None:
    at = {"begin": place(batch) + 12, "middle": place(batch) + len(MEMBERS[batch]) // 2, "end": place(batch + 1) - 60}
    data = flipped(b"".join(MEMBERS), at[where], 40)
    lines, notes = read(tmp_path / "dump", data, -(-len(data) // parts))
    first = (batch - 1) // 2 * BATCH
    others = [*ITEMS[:first], *ITEMS[first + BATCH :]]
    assert [line for line in lines if line in others] == others
    faults = [note for note in notes if note.code in DAMAGE]
    assert [note.offset for note in faults] == [place(batch)]
    assert where != "begin" or faults[0].code == "damaged-member"


@pytest.mark.parametrize("parts", CHUNKS)
def test_a_member_without_its_header_is_skipped(parts: int, tmp_path: Path) -> None:
    data = flipped(b"".join(MEMBERS), place(5), 3)
    lines, notes = read(tmp_path / "dump", data, -(-len(data) // parts))
    others = [*ITEMS[: 2 * BATCH], *ITEMS[3 * BATCH :]]
    assert [line for line in lines if line in others] == others
    assert [(note.code, note.offset) for note in notes if note.code == "no-member"] == [("no-member", place(5))]


@pytest.mark.parametrize("parts", CHUNKS)
@pytest.mark.parametrize("left", [5, 15, 400])
def test_a_file_that_ends_too_early(left: int, parts: int, tmp_path: Path) -> None:
    data = b"".join(MEMBERS)[: place(11) + left]
    _, notes = read(tmp_path / "dump", data, -(-len(data) // parts))
    cut = [note for note in notes if note.code in {"cut-member", "no-member"}]
    assert [note.offset for note in cut] == [place(11)]


@pytest.mark.parametrize("parts", CHUNKS)
def test_zeros_at_the_end_are_no_fault(parts: int, tmp_path: Path) -> None:
    data = b"".join(MEMBERS) + bytes(512)
    lines, notes = read(tmp_path / "dump", data, -(-len(data) // parts))
    assert (lines, notes) == (ITEMS, [])


@pytest.mark.parametrize("parts", CHUNKS)
def test_garbage_at_the_end_is_reported(parts: int, tmp_path: Path) -> None:
    data = b"".join(MEMBERS) + b"garbage" * 90
    lines, notes = read(tmp_path / "dump", data, -(-len(data) // parts))
    assert lines == ITEMS
    assert [(note.code, note.offset) for note in notes] == [("no-member", place(len(MEMBERS)))]


@pytest.mark.parametrize("parts", CHUNKS)
def test_a_damaged_block_of_bzip2(parts: int, tmp_path: Path) -> None:
    data = bz2.compress(synthetic.plain(ITEMS), 1)
    damaged = flipped(data, len(data) // 2, 3)
    lines, notes = read(tmp_path / "dump", damaged, -(-len(data) // parts))
    blocks = [note for note in notes if note.code == "damaged-block"]
    assert len(blocks) == 1
    assert 0 < blocks[0].offset < len(data) // 2
    whole = [line for line in lines if line in ITEMS]
    assert len(ITEMS) - len(whole) <= 10
    assert whole == [line for line in ITEMS if line in whole]


def test_a_bzip2_file_that_ends_too_early(tmp_path: Path) -> None:
    data = bz2.compress(synthetic.plain(ITEMS), 1)
    lines, notes = read(tmp_path / "dump", data[: len(data) * 2 // 3], len(data))
    assert "damaged-block" in {note.code for note in notes}
    assert lines[:10] == ITEMS[:10]


@pytest.mark.parametrize(
    "extra", [b"\x04\x06\x00BC\x02\x00\x1b\x00", b"\x08name\0", b"\x10remark\0", b"\x1e\x02\0xxn\0r\0cc"]
)
def test_headers_of_members(extra: bytes) -> None:
    plain = gz(b"text")
    head = plain[:3] + extra[:1] + plain[4:10] + extra[1:]
    assert header_length(head + plain[10:]) == len(head)
    assert header_length(head) == 0
    assert header_length(plain[:8] + b"\x09" + plain[9:]) == 0
