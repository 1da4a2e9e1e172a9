"""A dump read in chunks has the same lines as the whole, however it is compressed and cut."""

from __future__ import annotations

import bz2
import io
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.knowledge import synthetic_dump as synthetic
from tests.knowledge.dump_parts import all_lines, chunk_lines, gz, need_extra

from nerquake.knowledge import dump_lines
from nerquake.knowledge.dump_access import FileAccess, StreamAccess
from nerquake.knowledge.dump_gzip import Members
from nerquake.knowledge.dump_lines import Lines, Piece
from nerquake.knowledge.dump_notes import Notes
from nerquake.knowledge.dump_source import ENDLESS, TextChunks, source_of

need_extra()
ITEMS = [synthetic.item(number) for number in range(40)]
TEXT = synthetic.plain(ITEMS)
Packing = Callable[[random.Random], bytes]


def _ragged(rng: random.Random) -> bytes:
    """Members that begin anywhere in a line."""
    cuts = sorted({0, *(rng.randrange(len(TEXT)) for _ in range(30)), len(TEXT)})
    return b"".join(gz(TEXT[start:end]) for start, end in pairwise(cuts))


def _streams(rng: random.Random) -> bytes:
    cut = rng.randrange(len(TEXT))
    return bz2.compress(TEXT[:cut], 1) + bz2.compress(TEXT[cut:], 2)


PACKINGS: dict[str, Packing] = {
    "plain": lambda rng: TEXT,
    "batches": lambda rng: b"".join(synthetic.members(ITEMS, rng.randrange(1, 15))),
    "ragged members": _ragged,
    "bzip2": lambda rng: bz2.compress(TEXT, 1),
    "two bzip2 streams": _streams,
    "a bzip2 stream a line": lambda rng: b"".join(bz2.compress(line) for line in TEXT.splitlines(keepends=True)),
}


@pytest.mark.parametrize("packing", PACKINGS)
def test_chunks_have_the_lines_of_the_whole(packing: str, tmp_path: Path) -> None:
    for seed in range(4):
        rng = random.Random(seed)
        file = tmp_path / "dump"
        file.write_bytes(PACKINGS[packing](rng))
        size = file.stat().st_size
        for chunk in (size, rng.randrange(size // 2, size), rng.randrange(size // 20, size // 3)):
            assert all_lines(file, chunk) == ITEMS


def test_lines_are_counted_over_all_chunks(tmp_path: Path) -> None:
    file = tmp_path / "dump"
    for data in (TEXT, b"".join(synthetic.members(ITEMS, 3)), bz2.compress(TEXT, 1)):
        file.write_bytes(data)
        parts = [notes for _, notes in chunk_lines(file, len(data) // 5)]
        assert len(parts) >= 5
        assert sum(notes.line for notes in parts) == len(ITEMS) + 2
        assert not any(notes.counts for notes in parts)


@given(pieces=st.lists(st.lists(st.sampled_from([b"{1}", b",", b"\n", b"{22}", b"[", b"\r"])).map(b"".join)))
def test_where_text_is_cut_makes_no_difference(pieces: list[bytes]) -> None:
    def read(parts: list[bytes]) -> tuple[list[bytes], Notes]:
        notes = Notes()
        return [bytes(line) for line in Lines(notes, first=True).of(Piece(part, 0) for part in parts)], notes

    whole, cut = read([b"".join(pieces)]), read(pieces)
    assert whole[0] == cut[0]
    assert (whole[1].line, whole[1].in_order) == (cut[1].line, cut[1].in_order)


@settings(max_examples=30)
@given(lines=st.lists(st.integers(0, 40)), chunk=st.integers(1, 120), cuts=st.lists(st.integers(1, 30), min_size=1))
def test_chunks_of_a_stream_begin_with_a_line(lines: list[int], chunk: int, cuts: list[int]) -> None:
    text = b"".join(b"x" * length + b"\n" for length in lines)
    parts, at = [], 0
    for size in cuts * (len(text) + 1):
        if at < len(text):
            parts.append(Piece(text[at : at + size], at))
        at += size
    chunks, made = TextChunks(iter(parts), chunk), []
    while chunks.rest is not None:
        made.append(b"".join(part.data for part in chunks.chunk() if isinstance(part, Piece)))
    assert b"".join(made) == text
    assert all(part.endswith(b"\n") and len(part) >= chunk for part in made[:-1])
    assert all(part.rfind(b"\n", 0, -1) < chunk for part in made)


def test_a_stream_is_read_like_a_file() -> None:
    data = b"".join(synthetic.members(ITEMS, 4))
    parts = Members(StreamAccess(io.BytesIO(data), "test")).parts(0, ENDLESS)
    assert [bytes(line) for line in Lines(Notes(), first=True).of(parts)] == ITEMS


def test_a_stream_keeps_what_it_may_be_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StreamAccess, "KEPT", 100)
    data = bytes(random.Random(1).randrange(256) for _ in range(5000))
    stream, file = StreamAccess(io.BytesIO(data), "test"), FileAccess(io.BytesIO(data), "test")
    for place in range(0, 5000, 37):
        for back in (0, 50, 100):
            start = max(0, place - back)
            assert stream.read_at(start, 60) == file.read_at(start, 60)
    assert len(stream.buffer) <= 400
    with pytest.raises(ValueError, match="is gone"):
        stream.read_at(0, 1)


def test_a_line_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dump_lines, "MAX_LINE", 100)
    notes = Notes()
    lines = Lines(notes, first=True)
    pieces = [Piece(b"x" * 60, 0), Piece(b"x" * 60, 0), Piece(b"x" * 60, 0), Piece(b'x\n{"a":1},\n', 0)]
    assert [bytes(line) for line in lines.of(pieces)] == [b'{"a":1}']
    assert [(note.line, note.code) for note in notes.listed] == [(1, "long-line")]


def test_a_gzip_file_of_one_member_is_read_in_one_go(tmp_path: Path) -> None:
    file = tmp_path / "dump.gz"
    for data, whole in ((gz(TEXT, 1), True), (b"".join(synthetic.members(ITEMS, 10)), False)):
        file.write_bytes(data)
        with source_of(str(file), len(data) // 4) as (source, _):
            assert source.whole is whole
