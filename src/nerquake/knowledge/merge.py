"""From a draft to the finished tables: repeats merged, everything sorted, members in their fixed random order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from nerquake.core.errors import InputError
from nerquake.knowledge.draft import Draft
from nerquake.knowledge.duck import rows
from nerquake.knowledge.members import draw_up
from nerquake.knowledge.roots import Root, assign
from nerquake.knowledge.schema import ALIAS, LABEL, TABLES

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_PLAIN = ("local_ids", "titles", "descriptions", "country", "subclass", "withheld", "faults")
"""Tables whose rows only have to be sorted and rid of repeats."""
NAME_CLASSES: Mapping[str, tuple[int, ...]] = {
    "given": (202444, 12308941, 11879590, 3409032),
    "family": (101352,),
}
"""Wikidata's classes of given names (all, male, female, unisex) and family names; their items' labels are names."""


def merge(
    draft: Draft, languages: Sequence[str], limit: int, seed: int, roots: Sequence[Root]
) -> dict[str, dict[str, int]]:
    """Fill the tables of the draft's database; returns what the limit removed, by what.

    Raises:
        InputError: two local ids cannot be told apart.
    """
    connection = draft.connection
    draft.flush()
    for table in TABLES.values():
        connection.execute(f"CREATE TABLE {table.name} ({table.definition})")
    for name in filter(draft.has, _PLAIN):
        insert_sorted(connection, name, f"FROM {draft.source(name)}")
    _check_local_ids(connection)
    _items(draft)
    _names(draft)
    _classes(draft, roots)
    _person_names(draft)
    return draw_up(connection, languages, limit, seed)


def insert_sorted(connection: DuckDBPyConnection, name: str, query: str, ignoring: str = "") -> None:
    """Sort rows into a table, each once; `ignoring` is a column that does not make two rows different.

    Repeats are neighbours after the sort, so that neither memory nor a second pass is needed to find them.
    """
    table = TABLES[name]
    columns = ", ".join(table.column_names)
    telling = [column for column in table.column_names if column != ignoring]
    before = ", ".join(f"lag({column}) OVER () AS {column}_before" for column in telling)
    same = " AND ".join(f"{column} = {column}_before" for column in telling)
    connection.execute(
        f"INSERT INTO {name} SELECT {columns} FROM (SELECT {columns}, {before} FROM "
        f"(SELECT {columns} FROM ({query}) ORDER BY {table.sort})) WHERE NOT coalesce({same}, false)"
    )


def _check_local_ids(connection: DuckDBPyConnection) -> None:
    clash = rows(
        connection, "SELECT min(text), max(text) FROM local_ids GROUP BY id HAVING count(*) > 1 ORDER BY 1 LIMIT 1"
    )
    if clash:
        first, second = clash[0]
        raise InputError(f"the ids {first!r} and {second!r} fall on the same number: change one of them")


def _items(draft: Draft) -> None:
    """One row an item; those that rows only mention have no sitelinks."""
    mentioned = ("names", "item_class", "titles", "descriptions", "country")
    others = " UNION ALL ".join(f"SELECT id, 0 FROM raw_{name}" for name in mentioned)
    draft.connection.execute(
        f"INSERT INTO items SELECT id, max(sitelinks) FROM (SELECT id, sitelinks FROM {draft.source('items')} "
        f"UNION ALL {others}) GROUP BY id ORDER BY id"
    )


def _names(draft: Draft) -> None:
    """All names. Where an item has several labels in a language, all but the first become aliases.

    In shards that can only be where an item stands twice, so that few of them have to be looked at.
    """
    names = draft.source("names")
    draft.connection.execute(
        f"""
        CREATE TEMP TABLE relabelled AS SELECT id, lang, min(name) AS label FROM {names}
        WHERE kind = {LABEL} AND id IN (
            SELECT id FROM raw_names UNION ALL
            SELECT id FROM {draft.sharded("items")} GROUP BY id HAVING count(*) > 1)
        GROUP BY id, lang HAVING count(DISTINCT name) > 1
        """
    )
    kind = f"CASE WHEN label <> name THEN {ALIAS} ELSE kind END AS kind"
    query = f"SELECT key, id, lang, {kind}, name FROM {names} LEFT JOIN relabelled USING (id, lang)"
    insert_sorted(draft.connection, "names", query, ignoring="kind")
    draft.connection.execute("DROP TABLE relabelled")


def _classes(draft: Draft, roots: Sequence[Root]) -> None:
    """Name types, memberships and titles of classes."""
    connection = draft.connection
    connection.execute(
        f"""
        CREATE TEMP TABLE known_classes AS
        SELECT DISTINCT class FROM (SELECT class FROM {draft.source("item_class")}
                                    UNION ALL SELECT class FROM {draft.source("class_type")})
        """
    )
    given = f"SELECT class, type, source FROM {draft.source('class_type')}"
    insert_sorted(connection, "class_type", f"{given} UNION ALL {assign(connection, given, roots)}")
    _memberships(draft)
    connection.execute(
        f"""
        INSERT INTO class_names
        WITH given AS (SELECT class, lang, min(name) AS name FROM {draft.source("class_names")} GROUP BY class, lang),
        labels AS (SELECT id AS class, lang, name FROM names
                   WHERE kind = {LABEL} AND id IN (SELECT class FROM known_classes))
        SELECT class, lang, coalesce(given.name, labels.name)
        FROM given FULL JOIN labels USING (class, lang) ORDER BY ALL
        """
    )
    connection.execute("DROP TABLE known_classes")


def _memberships(draft: Draft) -> None:
    """Items' classes. In a class that has items for one name type alone, the others stand for each of its types."""
    given = draft.source("item_class")
    connection = draft.connection
    connection.execute(f"CREATE TEMP TABLE typed AS SELECT DISTINCT class FROM {given} WHERE type <> ''")
    (special,) = rows(connection, f"SELECT EXISTS (FROM typed) OR EXISTS (SELECT 1 FROM {given} WHERE called <> '')")
    if not special[0]:
        insert_sorted(connection, "item_class", f"FROM {given}")
    else:
        connection.execute(
            f"""
            INSERT INTO item_class
            WITH all_types AS (
                SELECT id, class, type, called FROM {given}
                WHERE type <> '' OR class NOT IN (FROM typed)
                UNION ALL
                SELECT id, class, class_type.type, called FROM {given} AS found JOIN class_type USING (class)
                WHERE found.type = '' AND class IN (FROM typed)),
            once AS (SELECT id, class, type, max(called) AS called FROM all_types GROUP BY ALL),
            labels AS (SELECT DISTINCT id, name AS called FROM names WHERE kind = {LABEL}
                       AND id IN (SELECT id FROM once WHERE called <> ''))
            SELECT id, class, type, CASE WHEN labels.id IS NULL THEN called ELSE '' END
            FROM once LEFT JOIN labels USING (id, called) ORDER BY id, class, type
            """
        )
    connection.execute("DROP TABLE typed")


def _person_names(draft: Draft) -> None:
    """Given and family names: those given as such, and the labels of items of Wikidata's classes of names."""
    kinds = " ".join(
        f"WHEN class IN ({', '.join(map(str, classes))}) THEN '{kind}'" for kind, classes in NAME_CLASSES.items()
    )
    of_classes = f"""
        SELECT CASE {kinds} END AS kind, lang, name
        FROM item_class JOIN (SELECT id, lang, name FROM names WHERE kind = {LABEL}) USING (id)
        WHERE class IN ({", ".join(str(one) for classes in NAME_CLASSES.values() for one in classes)})
    """
    insert_sorted(draft.connection, "person_names", f"FROM {draft.source('person_names')} UNION ALL {of_classes}")
