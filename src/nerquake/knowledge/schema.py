"""The tables of a dictionary.

No column is ever NULL: an absent text is empty. Every table is sorted by its columns as listed under `order`, and
there are no indexes: sort order and DuckDB's minima and maxima of blocks do their work.
"""

from __future__ import annotations

from dataclasses import dataclass

FORMAT = "nerquake.dictionary/1"
FAMILY = FORMAT.partition("/")[0]
LABEL, ALIAS = 0, 1
"""Values of `names.kind`."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: columns with their types, and the columns that its rows are sorted by.

    given     whether builders give its rows; others are made when a dictionary is finished
    content   whether its rows count for the digest
    """

    name: str
    columns: tuple[tuple[str, str], ...]
    order: tuple[str, ...] = ()
    given: bool = True
    content: bool = True

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(name for name, _ in self.columns)

    @property
    def sort(self) -> str:
        """What follows ORDER BY: all columns, so that equal contents have equal order."""
        rest = [name for name in self.column_names if name not in self.order]
        return ", ".join((*self.order, *rest))

    @property
    def definition(self) -> str:
        """What stands between the brackets of CREATE TABLE."""
        return ", ".join(f"{name} {kind}" for name, kind in self.columns)


def _table(name: str, columns: str, order: str = "", *, given: bool = True, content: bool = True) -> tuple[str, Table]:
    pairs = tuple((part.split()[0], part.split()[1]) for part in columns.split(","))
    return name, Table(name, pairs, tuple(order.split()), given, content)


TABLES: dict[str, Table] = dict((
    _table("meta", "key VARCHAR, value VARCHAR", "key", given=False, content=False),
    # what there is
    _table("items", "id BIGINT, sitelinks INTEGER", "id"),
    _table("local_ids", "id BIGINT, text VARCHAR", "id"),
    _table("names", "key UBIGINT, id BIGINT, lang VARCHAR, kind UTINYINT, name VARCHAR", "key id lang name"),
    _table("titles", "lang VARCHAR, title VARCHAR, id BIGINT", "lang title id"),
    _table("descriptions", "id BIGINT, lang VARCHAR, text VARCHAR", "id"),
    _table("country", "id BIGINT, country BIGINT", "id"),
    # an item's direct classes; `type` where a file listed it for one name type alone, `called` where by another name
    _table("item_class", "id BIGINT, class BIGINT, type VARCHAR, called VARCHAR", "id class type"),
    _table("subclass", "class BIGINT, parent BIGINT", "class"),
    _table("class_names", "class BIGINT, lang VARCHAR, name VARCHAR", "class"),
    _table("class_type", "class BIGINT, type VARCHAR, source VARCHAR", "class"),
    _table("person_names", "kind VARCHAR, lang VARCHAR, name VARCHAR", "kind lang"),
    # what filters keep from being drawn; linking still finds it
    _table("withheld", "class BIGINT, type VARCHAR, lang VARCHAR, id BIGINT", "class type lang id"),
    # what attacks draw from: items of a class with a name in a language, in a fixed random order; `place` counts rows
    _table("members", "place BIGINT, class BIGINT, type VARCHAR, lang VARCHAR, id BIGINT, called VARCHAR", "place",
           given=False, content=False),
    _table("class_index", "class BIGINT, type VARCHAR, lang VARCHAR, start BIGINT, n BIGINT", "class type lang",
           given=False, content=False),
    # what could not be read where the rows come from
    _table("faults", "source VARCHAR, line BIGINT, code VARCHAR, message VARCHAR", "source line", content=False),
))  # fmt: skip
"""All tables by name."""
GIVEN: tuple[Table, ...] = tuple(table for table in TABLES.values() if table.given)
CONTENT: tuple[Table, ...] = tuple(table for table in TABLES.values() if table.content)
