"""A dictionary as Parquet files, a file a table, with what it says about itself in `meta.json`.

Equal dictionaries give equal digests again when they are read back. Only tables that builders give are written; what is
drawn from is made from them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from nerquake.core.errors import InputError
from nerquake.knowledge.draft import Draft, Seen
from nerquake.knowledge.duck import quoted, reading, rows
from nerquake.knowledge.meta import Meta, Source, meta_of
from nerquake.knowledge.schema import GIVEN

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

META = "meta.json"
LIMIT = "limit_per_class="


def is_export(folder: str) -> bool:
    """Whether a folder is what `write` leaves."""
    return (Path(folder) / META).is_file()


def read_meta_file(folder: str) -> Meta:
    """What an exported dictionary says about itself.

    Raises:
        InputError: it cannot be read, or is of another format.
    """
    file = Path(folder) / META
    try:
        values = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read: {error}") from None
    if not isinstance(values, dict):
        raise InputError(f"{file}: expected what `nerquake dictionary export` wrote")
    return meta_of({key: json.dumps(value) for key, value in values.items()}, str(file))


def fill(folder: str, draft: Draft) -> list[Source]:
    """Give all rows of an exported dictionary; its sources stay its sources.

    Raises:
        InputError: a file is missing or cannot be read.
    """
    meta = read_meta_file(folder)
    for table in GIVEN:
        file = Path(folder) / f"{table.name}.parquet"
        if not file.is_file():
            raise InputError(f"{folder}: {file.name} is missing; export the dictionary again")
        draft.parquet(table.name, [file])
        with reading(str(file), opening=True):  # here, where a damaged page can be told from other troubles
            lengths = ", ".join(f"sum(strlen({name}::VARCHAR))" for name in table.column_names)
            rows(draft.connection, f"SELECT {lengths} FROM {draft.sharded(table.name)}")
    if meta.rows.get("withheld") and meta.limit_per_class:
        draft.seen = Seen(folder, meta.seed, meta.limit_per_class)
    filters = tuple(found for found in meta.filters if not found.name.startswith(LIMIT))
    own = Source("import", meta.digest, meta.languages, filters=filters, limit_per_class=meta.limit_per_class)
    return [*(replace(source, limit_per_class=0) for source in meta.sources), own]


def write(connection: DuckDBPyConnection, meta: Meta, folder: Path) -> Iterator[str]:
    """Write all files, each whole or not at all, `meta.json` last; gives their names as they are finished."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / META).unlink(missing_ok=True)
    for table in GIVEN:
        temporary = folder / f".{table.name}-{os.getpid()}.tmp"
        try:
            connection.execute(
                f"COPY (FROM {table.name} ORDER BY {table.sort}) TO {quoted(str(temporary))} "
                "(FORMAT parquet, COMPRESSION zstd)"
            )
            temporary.replace(folder / f"{table.name}.parquet")
        finally:
            temporary.unlink(missing_ok=True)
        yield f"{table.name}.parquet"
    temporary = folder / f".{META}-{os.getpid()}.tmp"
    temporary.write_text(json.dumps(meta.to_json(), ensure_ascii=False, indent=2, sort_keys=True) + "\n", "utf-8")
    temporary.replace(folder / META)
    yield META
