"""Shards: a Parquet file a table for each chunk, written whole or not at all, the same bytes at any time."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from nerquake.core.errors import OutputError
from nerquake.knowledge.dump_columns import FEW, Columns
from nerquake.knowledge.dump_options import DumpOptions
from nerquake.knowledge.dump_rows import Rows


def shard_path(folder: Path, table: str, number: int) -> Path:
    """Where a shard is."""
    return folder / table / f"{number:06d}.parquet"


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Whatever keeps shards from being written, as an OutputError."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"{folder}: shards cannot be written there: {reason}; when that is mended, the same command goes on"
        ) from error


def write_json(path: Path, value: Any) -> None:
    """Write a small file whole or not at all, and see it on the disk."""
    temporary = _temporary(path)
    with temporary.open("wb") as stream:
        stream.write(json.dumps(value, indent=1, sort_keys=True).encode("ascii") + b"\n")
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(path)
    _sync_folder(path.parent)


def remove_temporary(folder: Path) -> None:
    """Remove what a killed run has left half-written."""
    for path in folder.rglob(".*.tmp"):
        path.unlink(missing_ok=True)


class ShardWriter:
    """Writes the shards of a chunk; `commit` gives them their names, and without it nothing stays."""

    def __init__(self, folder: Path, number: int, options: DumpOptions) -> None:
        self.folder, self.number = folder, number
        self.columns = Columns(options)
        self.files: dict[str, _TableFile] = {}

    def __enter__(self) -> ShardWriter:
        for table in self.columns.tables:
            self.files[table] = _TableFile(shard_path(self.folder, table, self.number))
        try:
            for table, file in self.files.items():
                file.begin(self.columns.schema(table))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for file in self.files.values():
            file.abandon()

    def write(self, rows: Rows) -> None:
        """Write rows as a row group of each table that has any."""
        for table, file in self.files.items():
            file.write(self.columns.of(rows, table))

    def commit(self) -> dict[str, dict[str, Any]]:
        """Close the files, see them on the disk and give them their names; rows, size and checksum of each table."""
        made = {table: file.close() for table, file in self.files.items()}
        for table, file in self.files.items():
            file.temporary.replace(file.path)
            _sync_folder(self.folder / table)
        return made


class _TableFile:
    """A Parquet file in the making."""

    def __init__(self, path: Path) -> None:
        self.path, self.temporary = path, _temporary(path)
        self.stream: _Hashing | None = None
        self.writer: Any = None
        self.rows = 0

    def begin(self, schema: Any) -> None:
        """Make the file."""
        from pyarrow.parquet import ParquetWriter

        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.stream = _Hashing(self.temporary.open("wb"))
        few = [name for name in schema.names if name in FEW]
        self.writer = ParquetWriter(
            self.stream,
            schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=few or False,
            store_schema=False,
        )

    def write(self, table: Any) -> None:
        """Add a row group, if there are rows."""
        if table.num_rows:
            self.writer.write_table(table, row_group_size=table.num_rows)
            self.rows += table.num_rows

    def close(self) -> dict[str, Any]:
        """Finish the file and see it on the disk."""
        assert self.stream is not None
        self.writer.close()
        self.stream.finish()
        return {"rows": self.rows, "bytes": self.stream.size, "sha256": self.stream.digest.hexdigest()}

    def abandon(self) -> None:
        """Remove it, unless it has got its name."""
        if self.stream is not None:
            self.stream.lost = True
        if self.writer is not None:
            with suppress(Exception):  # Arrow would complain of what could not be written again
                self.writer.close()
            self.writer.is_open = False
        with suppress(OSError):
            if self.stream is not None:
                self.stream.stream.close()
        with suppress(OSError):
            self.temporary.unlink(missing_ok=True)


class _Hashing:
    """A file that is written, with the checksum of what has been written; as much of a file as Arrow needs.

    lost  what is written now is not wanted any more
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.size = 0
        self.lost = False
        self.digest = hashlib.sha256()

    @property
    def closed(self) -> bool:
        """Whether it is closed."""
        return self.stream.closed

    def write(self, data: Any) -> int:
        """Write some bytes."""
        if self.lost:
            return len(data)
        self.digest.update(data)
        self.size += len(data)
        return self.stream.write(data)

    def flush(self) -> None:
        """Arrow calls it; the file is flushed at its end."""

    def finish(self) -> None:
        """See what was written on the disk, and close."""
        self.stream.flush()
        os.fsync(self.stream.fileno())
        self.stream.close()


def _temporary(path: Path) -> Path:
    """What a file is called while it is written; the process is named, so that two never write the same."""
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def _sync_folder(folder: Path) -> None:
    """See the names in a folder on the disk, where the system can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
