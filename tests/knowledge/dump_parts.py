"""What tests of reading dumps share: sources from bytes, their lines chunk by chunk, and the rows of shards."""

from __future__ import annotations

import gzip
import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nerquake.knowledge.dump_folder import Extraction
from nerquake.knowledge.dump_lines import Lines
from nerquake.knowledge.dump_notes import Note, Notes
from nerquake.knowledge.dump_source import source_of


def need_extra() -> None:
    """Skip a module where the extra `wikidata` is not installed, unless it was promised."""
    missing = [name for name in ("isal", "msgspec", "orjson", "pyarrow") if importlib.util.find_spec(name) is None]
    if missing:
        reason = f'{", ".join(missing)} not installed: pip install "nerquake[wikidata]"'
        if os.environ.get("NERQUAKE_TEST_ALL"):
            pytest.fail(f"NERQUAKE_TEST_ALL is set, but {reason}", pytrace=False)
        pytest.skip(reason, allow_module_level=True)


def chunk_lines(file: Path, chunk: int) -> Iterator[tuple[list[bytes], Notes]]:
    """The entities' lines of each chunk of a file, and what was noted."""
    with source_of(str(file), chunk) as (source, _):
        for number in range(source.chunks):
            notes = Notes()
            yield [bytes(line) for line in Lines(notes, first=number == 0).of(source.parts(number))], notes


def all_lines(file: Path, chunk: int) -> list[bytes]:
    """The entities' lines of a file, read in chunks."""
    return [line for lines, _ in chunk_lines(file, chunk) for line in lines]


def gz(text: bytes, level: int = 6) -> bytes:
    """A gzip member."""
    return gzip.compress(text, level, mtime=0)


def rows(found: Extraction, table: str) -> list[dict[str, Any]]:
    """The rows of a table, in the order of the dump."""
    from pyarrow import parquet

    return [row for shard in found.shards(table) for row in parquet.read_table(shard).to_pylist()]


def shard_bytes(folder: Path) -> dict[str, bytes]:
    """The bytes of all shards by their path."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*.parquet"))}


def noted(found: Extraction, code: str) -> list[Note]:
    """The listed notes of a code."""
    return [note for note in found.listed if note.code == code]
