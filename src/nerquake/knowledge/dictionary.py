"""Reading a dictionary: what attacks and linkers ask, always many things at once.

Nothing here changes a dictionary, and every answer is a function of the question and the dictionary's content alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from nerquake.core.errors import InputError
from nerquake.knowledge.build import build_in_memory
from nerquake.knowledge.builders import builders_of
from nerquake.knowledge.digest import content_digest, what_is_wrong
from nerquake.knowledge.duck import LIMITS, Limits, open_file, quoted, reading, rows
from nerquake.knowledge.ids import LOCAL, number_of, order_of, text_sql
from nerquake.knowledge.meta import Meta, read_meta
from nerquake.knowledge.schema import ALIAS, LABEL, TABLES
from nerquake.knowledge.text import ANY, fits_sql

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

STARTER = "starter"
"""The name of the dictionary that is shipped, in a path's place."""


class Instance(NamedTuple):
    """An item drawn from a class, and its name in the language that was asked for."""

    item: str
    name: str


class Names(NamedTuple):
    """An item's names in a language; the label is empty where it has none that fits."""

    label: str
    aliases: tuple[str, ...]


class PersonNames(NamedTuple):
    """Given and family names of a language, sorted."""

    given: tuple[str, ...]
    family: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dictionary:
    """An open dictionary. `path` is what messages call it."""

    path: str
    connection: DuckDBPyConnection
    meta: Meta

    @classmethod
    def open(cls, path: str, limits: Limits = LIMITS) -> Self:
        """Open a file for reading; other processes may read it at the same time.

        Raises:
            InputError: there is no such file, or it is foreign, damaged or newer; one message says what to do.
        """
        connection = open_file(path, limits)
        try:
            with reading(path):
                meta = read_meta(connection, path)
                _check_tables(connection, path)
        except BaseException:
            connection.close()
            raise
        return cls(path, connection, meta)

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def verify(self) -> None:
        """Read everything and compare it with the digest that the dictionary states.

        Raises:
            InputError: a part is damaged, or the rows are not those that were written.
        """
        with reading(self.path):
            found = content_digest(self.connection, self.meta.languages, self.meta.limit_per_class, self.meta.seed)
            wrong = what_is_wrong(self.connection, self.meta.rows)
        if found != self.meta.digest:
            wrong = f"its rows have the digest {found[:12]}, it states {self.meta.digest[:12]}"
        if wrong:
            raise InputError(f"{self.path} is damaged or was changed: {wrong}; build it again or take a fresh copy")

    def classes_of(self, items: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Every item's direct classes, sorted; items that the dictionary does not have are left out."""
        found = self._joined(
            items, f"SELECT asked.n, {text_sql('class', 'text')} FROM asked JOIN item_class USING (id) "
            "LEFT JOIN local_ids ON local_ids.id = class",
        )  # fmt: skip
        return {item: tuple(sorted(set(classes), key=order_of)) for item, classes in found.items()}

    def types_of(self, classes: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Every class's name types, sorted; classes without any are left out."""
        found = self._joined(
            classes, "SELECT DISTINCT asked.n, type FROM asked JOIN class_type ON class = asked.id ORDER BY ALL"
        )
        return {one: tuple(types) for one, types in found.items()}

    def class_titles(self, classes: Iterable[str], language: str = "en") -> dict[str, str]:
        """Every class's title in a language, else in any language, else in English, else the first there is."""
        found = self._joined(
            classes, "SELECT asked.n, arg_min(name, (lang <> $1, lang <> $2, lang <> 'en', lang)) "
            "FROM asked JOIN class_names ON class = asked.id GROUP BY asked.n", [language, ANY],
        )  # fmt: skip
        return {one: titles[0] for one, titles in found.items()}

    def classes_of_type(self, type_: str, language: str) -> dict[str, int]:
        """The classes of a name type that have instances in a language, with their number, in the order of ids."""
        found = self._rows(
            f"""
            SELECT {text_sql("class", "text")}, n FROM class_index JOIN class_type USING (class)
            LEFT JOIN local_ids ON local_ids.id = class
            WHERE lang = $1 AND class_type.type = $2 AND class_index.type IN ('', $2) GROUP BY ALL
            """,
            [language, type_],
        )
        return dict(sorted(((one, int(n)) for one, n in found), key=lambda pair: order_of(pair[0])))

    def sizes(self, classes: Iterable[str], language: str, type_: str) -> dict[str, int]:
        """How many instances every class has to draw from, for a language and a name type; 0 where there are none."""
        asked = list(dict.fromkeys(classes))
        found = self._joined(
            asked, "SELECT asked.n, class_index.n FROM asked JOIN class_index ON class = asked.id "
            "WHERE lang = $1 AND type IN ('', $2)", [language, type_],
        )  # fmt: skip
        return {one: int(found[one][0]) if one in found else 0 for one in asked}

    def instances(self, places: Sequence[tuple[str, int]], language: str, type_: str) -> list[Instance]:
        """The instances at places of classes, counted from 0 in the class's fixed random order (see `sizes`).

        Raises:
            IndexError: a class has no such place.
        """
        labels = _labels_sql(language, "SELECT id FROM drawn")
        found = dict.fromkeys(range(len(places)), Instance("", ""))
        with self._asking([one for one, _ in places], place=np.array([at for _, at in places], np.int64)):
            drawn = self._rows(
                f"""
                WITH drawn AS (
                    SELECT asked.n, members.id, members.called FROM asked
                    JOIN class_index ON class_index.class = asked.id AND class_index.lang = $1
                        AND class_index.type IN ('', $2) AND asked.place BETWEEN 0 AND class_index.n - 1
                    JOIN members ON members.place = class_index.start + asked.place),
                labels AS ({labels})
                SELECT drawn.n, {text_sql("drawn.id", "text")}, CASE WHEN called <> '' THEN called ELSE name END
                FROM drawn JOIN labels USING (id) LEFT JOIN local_ids USING (id)
                """,
                [language, type_],
            )
        found |= {n: Instance(item, name) for n, item, name in drawn}
        if len(drawn) < len(places):
            one, at = places[next(n for n, instance in found.items() if not instance.item)]
            raise IndexError(f"{self.path}: the class {one} has no instance {at} in {language} for {type_}")
        return list(found.values())

    def names(self, items: Iterable[str], language: str) -> dict[str, Names]:
        """Every item's names that may stand in a sentence of a language; items without any are left out."""
        found = self._joined(
            items, f"SELECT asked.n, (kind, lang, name) FROM asked JOIN names USING (id) "
            f"WHERE lang IN ($1, '{ANY}') AND {fits_sql(language)} ORDER BY kind, lang <> $1, name", [language],
        )  # fmt: skip
        return {item: _names(those) for item, those in found.items()}

    def person_names(self, language: str) -> PersonNames:
        """Given and family names that may stand in a sentence of a language."""
        found = self._rows(
            f"SELECT DISTINCT kind, name FROM person_names WHERE lang IN ($1, '{ANY}') AND {fits_sql(language)}"
            " ORDER BY ALL", [language],
        )  # fmt: skip
        return PersonNames(*(tuple(name for kind, name in found if kind == one) for one in ("given", "family")))

    def items_titled(self, titles: Iterable[str], language: str) -> dict[str, str]:
        """The items of Wikipedia articles by title (`Berlin`, `New_York_City`); unknown titles are left out."""
        asked = {title: title.replace("_", " ").strip() for title in titles}
        columns = {"title": np.array(list({*asked.values()}), np.object_)}
        with self._registered(columns):
            found = dict(self._rows(
                f"SELECT title, min({text_sql('titles.id', 'text')}) FROM titles JOIN asked USING (title) "
                "LEFT JOIN local_ids USING (id) WHERE lang = $1 GROUP BY title", [language],
            ))  # fmt: skip
        return {title: found[plain] for title, plain in asked.items() if plain in found}

    def class_id(self, text: str) -> str:
        """The id of a class as a user may write it: `city-uk` for `local:city-uk`.

        Raises:
            InputError: there is no such class.
        """
        for one in (text, LOCAL + text):
            known = "SELECT class FROM class_type UNION ALL SELECT class FROM class_index"
            if self._rows(f"SELECT 1 FROM ({known}) WHERE class = $1 LIMIT 1", [number_of(one)]):
                return one
        raise InputError(f"{self.path}: there is no class {text}; `nerquake dictionary stats` lists them (--classes)")

    def ask(
        self, sql: str, columns: Mapping[str, np.ndarray[Any, Any]] | None = None, **values: object
    ) -> list[tuple[Any, ...]]:
        """The rows of a query.

        columns   of a table `asked` that the query may join
        values    of its parameters `$name`
        """
        if columns is None:
            return self._rows(sql, values or None)
        with self._registered(columns):
            return self._rows(sql, values or None)

    def _rows(self, sql: str, values: Sequence[Any] | Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        with reading(self.path):
            return rows(self.connection, sql, values)

    def _joined(self, ids: Iterable[str], sql: str, values: Sequence[Any] | None = None) -> dict[str, list[Any]]:
        """A query that joins `asked` (n, id) and gives n and one value a row, as values by id."""
        asked = list(dict.fromkeys(ids))
        found: dict[str, list[Any]] = {}
        with self._asking(asked):
            for n, value in self._rows(sql, values):
                found.setdefault(asked[n], []).append(value)
        return found

    @contextmanager
    def _asking(self, ids: Sequence[str], **more: np.ndarray[Any, Any]) -> Iterator[None]:
        """Ids as the table `asked`, as long as it lasts."""
        numbers = np.array([number_of(text) for text in ids], np.int64)
        with self._registered({"n": np.arange(len(ids), dtype=np.int64), "id": numbers, **more}):
            yield

    @contextmanager
    def _registered(self, columns: Mapping[str, np.ndarray[Any, Any]]) -> Iterator[None]:
        self.connection.register("asked", dict(columns))
        try:
            yield
        finally:
            self.connection.unregister("asked")


@cache
def starter() -> Dictionary:
    """The dictionary that is shipped, made in memory; the same one however often it is asked for."""
    connection, meta = build_in_memory(builders_of([STARTER]))
    return Dictionary(STARTER, connection, meta)


def _labels_sql(language: str, ids: str) -> str:
    """The name by which every item of a query is written in a language: its label there, else the one for any."""
    return (
        f"SELECT id, arg_min(name, lang <> {quoted(language)}) AS name FROM names WHERE kind = {LABEL} "
        f"AND lang IN ({quoted(language)}, '{ANY}') AND {fits_sql(language)} AND id IN ({ids}) GROUP BY id"
    )


def _names(found: Sequence[tuple[int, str, str]]) -> Names:
    label = next((name for kind, _, name in found if kind == LABEL), "")
    others = dict.fromkeys(name for kind, _, name in found if kind == ALIAS or name != label)
    others.pop(label, None)
    return Names(label, tuple(others))


def _check_tables(connection: DuckDBPyConnection, path: str) -> None:
    found: dict[str, set[str]] = {}
    for table, column in rows(connection, "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal"):
        found.setdefault(table, set()).add(column)
    for table in TABLES.values():
        if found.get(table.name) != set(table.column_names):
            what = f"the table {table.name} is missing or has other columns"
            raise InputError(f"{path} is damaged: {what}; build it again")
