"""Opening DuckDB with limits, and its errors as messages that say what is wrong with which file."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nerquake.core.errors import InputError, OutputError, UsageError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MEMORY = ":memory:"
_SIZE = re.compile(r"\d+(?:\.\d+)?\s*(?:[KMGT]i?B|B)", re.IGNORECASE)
_FOREIGN = (
    (b"SQLite format 3\0", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"PK\x03\x04", "a zip archive"),
    (b"BZh", "a bzip2 archive"),
)
_EXPECTED = "expected a file that `nerquake dictionary build` wrote"


@dataclass(frozen=True, slots=True)
class Limits:
    """What DuckDB may use.

    memory    as `512MB` or `2GiB`; what needs more goes to files in `temporary`
    threads   0: as many as there are processors, four at most
    temporary a folder; by default one of this process in the system's
    """

    memory: str = "512MiB"
    threads: int = 0
    temporary: str = ""

    def __post_init__(self) -> None:
        if not _SIZE.fullmatch(self.memory):
            raise UsageError(f"{self.memory!r} is no size of memory: 512MB, 2GiB, ...")

    def config(self) -> dict[str, str | bool | int | float | list[str]]:
        """As DuckDB's settings. Nothing is ever fetched over the network."""
        return {
            "memory_limit": self.memory,
            "threads": self.threads or min(4, os.cpu_count() or 1),
            "temp_directory": self.temporary or f"{tempfile.gettempdir()}/nerquake-duckdb-{os.getpid()}",
            "preserve_insertion_order": True,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }


LIMITS = Limits()


def connect(path: str, limits: Limits, *, read_only: bool = False) -> DuckDBPyConnection:
    """A connection; whatever keeps a file from being opened stays DuckDB's own error."""
    import duckdb

    connection = duckdb.connect(path, read_only=read_only, config=limits.config())
    connection.execute("SET enable_progress_bar = false")
    return connection


def open_file(path: str, limits: Limits) -> DuckDBPyConnection:
    """Open a dictionary for reading.

    Raises:
        InputError: there is no such file, it is no DuckDB file, or it is damaged or newer.
    """
    _sniff(path)
    with reading(path, opening=True):
        return connect(path, limits, read_only=True)


def _sniff(path: str) -> None:
    """Refuse what is no DuckDB file, by its first bytes: DuckDB would take some of them for its own."""
    try:
        with Path(path).open("rb") as stream:
            head = stream.read(16)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; `nerquake dictionary build -o {path}` makes one") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder, not a dictionary; {_EXPECTED}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if head[8:12] == b"DUCK":
        return
    what = next((what for magic, what in _FOREIGN if head.startswith(magic)), "")
    if not what:
        text = head and all(byte >= 32 or byte in b"\t\r\n" for byte in head)
        what = "a text file" if text else "another kind of file" if head else "an empty file"
    raise InputError(f"{path}: this is no dictionary but {what}; {_EXPECTED}")


@contextmanager
def reading(path: str, *, opening: bool = False) -> Iterator[None]:
    """Whatever DuckDB says while a dictionary is read, as one message about the file.

    A wrong query is a fault of nerquake's own and stays as it is, unless the file is only being opened.
    """
    import duckdb

    try:
        yield
    except duckdb.ProgrammingError as error:
        if not opening:
            raise
        raise InputError(_about(path, _first_line(error))) from error
    except (duckdb.OutOfMemoryException, MemoryError) as error:
        raise InputError(f"{path}: the memory limit is too low for this: {_first_line(error)}") from error
    except duckdb.Error as error:
        raise InputError(_about(path, _first_line(error))) from error


def _about(path: str, said: str) -> str:
    lower = said.lower()
    if "version number" in lower or "newer version" in lower:
        return f"{path} was written by a newer DuckDB than the one installed: pip install -U duckdb ({said})"
    if "set lock" in lower or "conflicting lock" in lower:
        return f"{path} is being written by another program; try again when it has ended ({said})"
    if "different configuration" in lower:
        return f"{path} is already open here with other limits; close it first ({said})"
    return f"{path} is damaged: {said}; build it again or take a fresh copy"


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Whatever DuckDB says while a dictionary is written; a full disk and the like become an OutputError."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise OutputError(
            f"{path} cannot be written: the memory limit is too low, or there is no room for temporary files "
            f"(--memory sets the limit): {_first_line(error)}"
        ) from error
    except duckdb.ProgrammingError:
        raise
    except duckdb.Error as error:
        raise OutputError(f"{path} cannot be written: {_first_line(error)}") from error


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n", 1)[0]


def rows(connection: DuckDBPyConnection, sql: str, values: Any = None) -> list[tuple[Any, ...]]:
    """All rows of a query."""
    found: list[tuple[Any, ...]] = connection.execute(sql, values).fetchall()
    return found


def quoted(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"
