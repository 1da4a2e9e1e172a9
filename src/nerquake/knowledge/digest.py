"""A digest of a dictionary's content: equal for equal rows, however and in whatever order they were written."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING

from nerquake.knowledge.duck import rows
from nerquake.knowledge.schema import CONTENT, FORMAT, TABLES, Table

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


def what_is_wrong(connection: DuckDBPyConnection, counts: Mapping[str, int]) -> str:
    """What does not fit in the tables that the digest leaves out: what is drawn, keys, faults. Empty if all does.

    Every column is read, so that DuckDB's own checksums of blocks are looked at.
    """
    for name, table in TABLES.items():
        (found,) = rows(connection, f"SELECT count(*), bit_xor(hash({', '.join(table.column_names)})) FROM {name}")
        if name != "meta" and found[0] != counts.get(name):
            return f"the table {name} has {found[0]} rows and should have {counts.get(name)}"
    for name, query in _DRAWN.items():
        if rows(connection, f"SELECT EXISTS ({query})")[0][0]:
            return f"the table {name} does not follow from the others"
    return ""


_COUNTED = "SELECT class, type, lang, min(place), count(*) FROM members GROUP BY class, type, lang"
_DRAWN = {
    "members": "SELECT 1 FROM members ANTI JOIN item_class AS given ON given.id = members.id "
    "AND given.class = members.class AND given.type = members.type AND members.called IN ('', given.called)",
    "class_index": f"({_COUNTED} EXCEPT FROM class_index) UNION ALL (FROM class_index EXCEPT {_COUNTED})",
}
"""Rows that there are none of in a dictionary that is whole."""


def _columns(table: Table) -> list[str]:
    """Columns as texts that cannot run into one another: numbers end in a blank, texts begin with their length.

    Keys follow from names and are left out.
    """
    telling = [column for column in table.columns if column[0] != "key"]
    return [f"strlen({name}), ':', {name}" if kind == "VARCHAR" else f"{name}, ' '" for name, kind in telling]
