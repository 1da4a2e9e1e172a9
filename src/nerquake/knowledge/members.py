"""What attacks draw from: the items of every class, for each language, in a random order that never changes.

The order is that of splitmix64 over the id and the seed, so that a draw is a position. Below a limit the first items
in this order are kept: those with the smallest hash of (seed, id), whatever the order or the number of workers in
which they were read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nerquake.knowledge.duck import quoted, rows
from nerquake.knowledge.schema import LABEL
from nerquake.knowledge.text import ANY, fits_sql

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_MASK = 2**64 - 1
_STEP, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def mix64(number: int, seed: int = 0) -> int:
    """splitmix64 of a number, after adding splitmix64 of the seed; negative numbers as two's complements."""
    if seed:
        number += mix64(seed)
    mixed = (number + _STEP) & _MASK
    mixed = ((mixed ^ (mixed >> 30)) * _FIRST) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * _SECOND) & _MASK
    return mixed ^ (mixed >> 31)


def mix64_sql(number: str, seed: int = 0) -> str:
    """The same as an SQL expression over a column of numbers."""
    mask = f"{_MASK}::UHUGEINT"
    start = ((mix64(seed) if seed else 0) + _STEP) & _MASK
    steps = f"((({number}::HUGEINT & {_MASK}::HUGEINT)::UHUGEINT + {start}::UHUGEINT) & {mask})"
    for shift, factor in ((30, _FIRST), (27, _SECOND)):  # DuckDB works out equal parts once
        steps = f"((xor({steps}, {steps} >> {shift}) * {factor}::UHUGEINT) & {mask})"
    return f"xor({steps}, {steps} >> 31)::UBIGINT"


def draw_up(
    connection: DuckDBPyConnection, languages: Sequence[str], limit: int, seed: int
) -> dict[str, dict[str, int]]:
    """Fill `members` and `class_index`; returns what a limit removed, by what."""
    if not languages:
        return {}
    (called,) = rows(connection, "SELECT count(*) FROM item_class WHERE called <> ''")
    listed = " UNION ALL ".join(_listed(language, bool(called[0])) for language in languages)
    connection.execute(f"CREATE TEMP TABLE listed AS SELECT *, {mix64_sql('id', seed)} AS mix FROM ({listed})")
    connection.execute(
        "CREATE TEMP TABLE sizes AS SELECT class, type, lang, count(*) AS n FROM listed GROUP BY class, type, lang"
    )
    if not limit:
        _rank(connection, "FROM listed", 0)
    elif not _rank(connection, _likely(limit), limit):
        _rank(connection, "FROM listed", limit)
    _withhold(connection)
    connection.execute(
        """
        INSERT INTO class_index SELECT class, type, lang, min(place), count(*) FROM members
        GROUP BY class, type, lang ORDER BY class, type, lang
        """
    )
    removed = _removed(connection, limit) if limit else {}
    connection.execute("DROP TABLE listed; DROP TABLE sizes")
    return removed


def _likely(limit: int) -> str:
    """Rows among which those below the limit are, unless hashes are spread very unevenly: the rest need no sort."""
    share = f"{limit + 10 * math.isqrt(limit) + 10}::DOUBLE / n"
    return (
        "SELECT listed.* FROM listed JOIN sizes USING (class, type, lang) "
        f"WHERE n <= {limit} OR mix::DOUBLE <= {share} * {2.0**64}::DOUBLE"
    )


def _rank(connection: DuckDBPyConnection, query: str, limit: int) -> bool:
    """Fill `members` in order; False, and nothing in it, where the query left too little of a class."""
    ordered = f"SELECT class, type, lang, id, called FROM ({query}) ORDER BY class, type, lang, mix, id"
    if not limit:
        connection.execute(f"INSERT INTO members SELECT row_number() OVER () - 1, * FROM ({ordered})")
        return True
    connection.execute(f"CREATE TEMP TABLE ranked AS SELECT row_number() OVER () - 1 AS place, * FROM ({ordered})")
    connection.execute(
        f"""
        INSERT INTO members SELECT row_number() OVER () - 1, * FROM (
            SELECT ranked.class, ranked.type, ranked.lang, id, called FROM ranked
            JOIN (SELECT class, type, lang, min(place) AS start FROM ranked GROUP BY class, type, lang)
            USING (class, type, lang) WHERE place < start + {limit} ORDER BY place)
        """
    )
    connection.execute("DROP TABLE ranked")
    whole = rows(
        connection, f"SELECT (SELECT sum(least(n, {limit})) FROM sizes) IS NOT DISTINCT FROM "
        "nullif((SELECT count(*) FROM members), 0)",
    )  # fmt: skip
    if not whole[0][0]:
        connection.execute("DELETE FROM members")
    return bool(whole[0][0])


def _withhold(connection: DuckDBPyConnection) -> None:
    """Take out what filters have withheld. They saw what a limit had left, so that nothing takes its place."""
    (any_withheld,) = rows(connection, "SELECT EXISTS (FROM withheld)")
    if not any_withheld[0]:
        return
    connection.execute("CREATE TEMP TABLE ranked AS FROM members ANTI JOIN withheld USING (class, type, lang, id)")
    connection.execute("DELETE FROM members")
    connection.execute(
        "INSERT INTO members SELECT row_number() OVER () - 1, class, type, lang, id, called "
        "FROM (FROM ranked ORDER BY place)"
    )
    connection.execute("DROP TABLE ranked")


def _listed(language: str, with_called: bool) -> str:
    """All items of classes with a label that may stand in a sentence of the language and is not the item's id."""
    fits, spoken = fits_sql(language), quoted(language)
    labelled = (
        f"SELECT id FROM names WHERE kind = {LABEL} AND lang IN ({spoken}, '{ANY}') AND {fits} AND name <> 'Q' || id"
    )
    called = "''"
    if with_called:
        written = f"SELECT id, name FROM names WHERE lang = {spoken} AND {fits}"
        called = f"CASE WHEN called <> '' AND (id, called) IN ({written}) THEN called ELSE '' END"
    return f"SELECT class, type, {spoken} AS lang, id, {called} AS called FROM item_class WHERE id IN ({labelled})"


def _removed(connection: DuckDBPyConnection, limit: int) -> dict[str, dict[str, int]]:
    cut = rows(
        connection,
        f"SELECT lang, count(*), sum(n - {limit})::BIGINT FROM sizes WHERE n > {limit} GROUP BY lang ORDER BY lang",
    )
    return {
        "classes cut": {language: classes for language, classes, _ in cut},
        "entities": {language: entities for language, _, entities in cut},
    }
