"""What a dictionary is made of, gathered row by row or as Parquet shards, in any order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nerquake.core.errors import InputError
from nerquake.knowledge.duck import quoted, reading, rows
from nerquake.knowledge.ids import number_of
from nerquake.knowledge.schema import ALIAS, GIVEN, LABEL, TABLES, Table
from nerquake.knowledge.text import key_of, storable

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_BUFFER = 50_000
_NUMPY = {"BIGINT": np.int64, "UBIGINT": np.uint64, "INTEGER": np.int32, "UTINYINT": np.uint8, "VARCHAR": np.object_}
_DEFAULTS = {"sitelinks": "0", "type": "''", "called": "''", "line": "0"}
"""What stands for columns that a shard may leave out."""
_GLOB = re.compile(r"[*?\[]")


class Seen(NamedTuple):
    """What filters of a dictionary that is read back have seen: what its seed and limit left to be drawn."""

    where: str
    seed: int
    limit: int


class Draft:
    """Rows of the tables that builders give (`schema.GIVEN`); repeats are merged when the dictionary is finished.

    Ids are texts (`Q64`, `local:city-uk/leeds`); items and classes need no row of their own to be named. Texts that
    cannot be stored (`text.storable`) and empty ids and names are refused: a builder reports them with their line.
    """

    def __init__(self, connection: DuckDBPyConnection) -> None:
        self.connection = connection
        self._buffers: dict[str, list[tuple[Any, ...]]] = {table.name: [] for table in GIVEN}
        self._local: set[str] = set()
        self._filled: set[str] = set()
        self.shards: dict[str, list[str]] = {}
        self.seen: Seen | None = None
        for table in GIVEN:
            connection.execute(f"CREATE TEMP TABLE raw_{table.name} ({table.definition})")

    def item(self, item: str, sitelinks: int = 0) -> None:
        """An item; the largest number of sitelinks that is given counts."""
        self._add("items", self._number(item), sitelinks)

    def name(self, item: str, language: str, name: str, *, alias: bool = False) -> None:
        """A name. Of several labels in a language the first in code point order stays one, others become aliases."""
        self._add("names", key_of(name), self._number(item), language, ALIAS if alias else LABEL, _whole(name))

    def member(self, item: str, class_id: str, type_: str = "", called: str = "") -> None:
        """An item's direct class.

        type_    the name type that it is listed for, where not for every one that the class has
        called   the name that it is listed by, where that is not its label
        """
        self._add("item_class", self._number(item), self._number(class_id), type_, _stored(called))

    def class_type(self, class_id: str, type_: str, source: str) -> None:
        """A name type of a class, and what says so; a class may have several."""
        self._add("class_type", self._number(class_id), _whole(type_), source)

    def class_name(self, class_id: str, language: str, name: str) -> None:
        """A title of a class, empty where it is to have none. Others get the labels of the item with their id."""
        self._add("class_names", self._number(class_id), language, _stored(name))

    def subclass(self, class_id: str, parent: str) -> None:
        """A class is a part of another."""
        self._add("subclass", self._number(class_id), self._number(parent))

    def country(self, item: str, country: str) -> None:
        """An item's country, an item too."""
        self._add("country", self._number(item), self._number(country))

    def title(self, item: str, language: str, title: str) -> None:
        """The title of an item's Wikipedia article."""
        self._add("titles", language, _whole(title), self._number(item))

    def description(self, item: str, language: str, text: str) -> None:
        """An item's description."""
        self._add("descriptions", self._number(item), language, _whole(text))

    def person_name(self, kind: str, language: str, name: str) -> None:
        """A given name or a family name."""
        self._add("person_names", kind, language, _whole(name))

    def withhold(self, class_id: str, type_: str, language: str, item: str) -> None:
        """Something that is not to be drawn, though it can be linked; `type_` as for the item's membership."""
        self._add("withheld", self._number(class_id), type_, language, self._number(item))

    def fault(self, source: str, line: int, code: str, message: str) -> None:
        """Something that could not be read; `line` is 0 where it is about the whole."""
        safe = message.encode("utf-8", "backslashreplace").decode()
        self._add("faults", source, line, code, safe)

    def parquet(self, table: str, files: Sequence[str | Path]) -> None:
        """Shards with the columns of a table, ids as numbers (`ids.number_of`).

        Shards of names hold keys (`text.key_of`); every item that shards name has a row in shards of `items`.

        Raises:
            InputError: a file is no Parquet file or lacks a column.
        """
        for file in map(str, files):
            with reading(file, opening=True):
                found = {name for name, *_ in rows(self.connection, f"DESCRIBE FROM read_parquet({_escaped(file)})")}
            missing = [name for name in TABLES[table].column_names if name not in found and name not in _DEFAULTS]
            if missing:
                raise InputError(f"{file}: there is no column {', '.join(missing)}; expected those of {table}: "
                                 f"{', '.join(TABLES[table].column_names)}")  # fmt: skip
            columns = (n if n in found else f"{_DEFAULTS[n]} AS {n}" for n in TABLES[table].column_names)
            self.shards.setdefault(table, []).append(f"SELECT {', '.join(columns)} FROM read_parquet({_escaped(file)})")

    def source(self, table: str) -> str:
        """A query for all rows of a table that were given."""
        return "(" + " UNION ALL ".join([f"FROM raw_{table}", *self.shards.get(table, [])]) + ")"

    def has(self, table: str) -> bool:
        """Whether there are rows of a table, or shards."""
        return table in self._filled or bool(self._buffers[table]) or table in self.shards

    def sharded(self, table: str) -> str:
        """A query for the rows that shards hold."""
        return "(" + " UNION ALL ".join([f"FROM raw_{table} WHERE false", *self.shards.get(table, [])]) + ")"

    def flush(self) -> None:
        """Put everything that is still in buffers into the tables."""
        for table in GIVEN:
            self._flush(table)

    def drop(self) -> None:
        """Remove what was gathered."""
        for table in GIVEN:
            self.connection.execute(f"DROP TABLE raw_{table.name}")

    def _number(self, text: str) -> int:
        number = number_of(text)
        if number < 0 and text not in self._local:
            self._local.add(_whole(text))
            self._add("local_ids", number, text)
        return number

    def _add(self, table: str, *values: object) -> None:
        buffer = self._buffers[table]
        buffer.append(values)
        if len(buffer) >= _BUFFER:
            self._flush(TABLES[table])

    def _flush(self, table: Table) -> None:
        buffer = self._buffers[table.name]
        if not buffer:
            return
        arrays = {
            name: np.array(values, dtype=_NUMPY[kind])
            for (name, kind), values in zip(table.columns, zip(*buffer, strict=True), strict=True)
        }
        self.connection.register("gathered", arrays)
        self.connection.execute(f"INSERT INTO raw_{table.name} SELECT {', '.join(arrays)} FROM gathered")
        self.connection.unregister("gathered")
        buffer.clear()
        self._filled.add(table.name)


def _stored(text: str) -> str:
    if not storable(text):
        raise ValueError(f"{text!r} holds half of a surrogate pair, which cannot be stored")
    return text


def _whole(text: str) -> str:
    if not text:
        raise ValueError("an id or a name is empty")
    return _stored(text)


def _escaped(file: str) -> str:
    """A path as an SQL literal, without the meaning that `*`, `?` and `[` have in DuckDB's paths."""
    return quoted(_GLOB.sub(lambda found: f"[{found.group()}]", file))
