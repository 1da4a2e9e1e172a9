"""A digest of a dictionary's content: equal for equal rows, however and in whatever order they were written."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from nerquake.knowledge.duck import rows
from nerquake.knowledge.schema import CONTENT, FORMAT, Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def content_digest(connection: DuckDBPyConnection, *settings: object) -> str:
    """SHA-256 over the settings and the rows of every table that counts as content.

    A DuckDB file is never the same bytes twice. Of each table the number of its rows and the sum of their MD5 hashes
    count: as rows do not repeat, that says as much as a hash over the sorted rows, and needs neither a sort nor memory.
    """
    digest = sha256("\n".join([FORMAT, *map(str, settings)]).encode())
    for table in CONTENT:
        hashed = f"SELECT md5_number(concat({', '.join(_columns(table))})) AS row FROM {table.name}"
        sums = f"sum((row & {2**64 - 1}::UHUGEINT)::UBIGINT), sum((row >> 64)::UBIGINT)"
        (found,) = rows(connection, f"SELECT count(*), {sums} FROM ({hashed})")
        digest.update(f"\n{table.name} {' '.join(str(int(number or 0)) for number in found)}".encode())
    return digest.hexdigest()


def _columns(table: Table) -> list[str]:
    """Columns as texts that cannot run into one another: numbers end in a blank, texts begin with their length.

    Keys follow from names and are left out.
    """
    telling = [column for column in table.columns if column[0] != "key"]
    return [f"strlen({name}), ':', {name}" if kind == "VARCHAR" else f"{name}, ' '" for name, kind in telling]
