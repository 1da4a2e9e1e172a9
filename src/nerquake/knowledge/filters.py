"""Filters: a dictionary without entities that attacks shall not draw. What they withhold can still be linked.

A filter withholds an item in a class and a language by the name that it would be drawn by. The filtered dictionary says
which filters ran and how many entities of each name type they withheld, every language counted on its own.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from nerquake.core.errors import UsageError
from nerquake.knowledge import parquet
from nerquake.knowledge.build import Choices, build
from nerquake.knowledge.class_types import Typed
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.draft import Draft
from nerquake.knowledge.duck import LIMITS, Limits, quoted, writing
from nerquake.knowledge.meta import Filter, Meta, Source
from nerquake.knowledge.schema import GIVEN, LABEL, TABLES
from nerquake.knowledge.text import ANY, fits_sql

NO_TYPE = "no type"
"""What entities are counted under whose class has no name type."""
Columns = Mapping[str, "np.ndarray[Any, Any]"]


@dataclass(frozen=True, slots=True)
class Condition:
    """What a filter withholds: a condition on `drawn` (class, type, lang, id, name), and columns of the table `asked`.

    people  a condition on `person_names` (kind, lang, name); "" where names of people all stay
    """

    sql: str
    columns: Columns | None = None
    people: str = ""


class DictionaryFilter(Protocol):
    """Chooses what is withheld."""

    @property
    def name(self) -> str:
        """What the dictionary calls it, with what it was told."""
        ...

    def condition(self, drawn: Drawn) -> Condition:
        """What is withheld of what earlier filters have left."""
        ...


@dataclass(frozen=True, slots=True)
class Drawn:
    """What can be drawn from a dictionary: the table `drawn`; what was taken out of it stands in `gone`.

    languages  those whose names filters look at
    sources    what else says something about the classes: the mentions that give them types
    """

    dictionary: Dictionary
    languages: tuple[str, ...]
    filters: list[Filter] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)

    def retype(self, typed: Typed) -> None:
        """Give classes the name types that mentions say, in the place of those that they have.

        The table stands before the dictionary's own of this name, for filters and for what is written.
        """
        self.sources.append(typed.source)
        if not typed.counts:
            return
        self.dictionary.ask(
            "CREATE OR REPLACE TEMP TABLE class_type AS SELECT class, type, source FROM class_type "
            "ANTI JOIN asked USING (class) UNION ALL SELECT class, type, source FROM asked",
            typed.columns,
        )

    def names(self) -> list[tuple[str, str]]:
        """Names with the types of the classes in which they can be drawn, sorted."""
        return self.dictionary.ask(
            "SELECT DISTINCT name, class_type.type FROM drawn JOIN class_type ON class_type.class = drawn.class "
            "AND drawn.type IN ('', class_type.type) ORDER BY ALL"
        )

    def apply(self, chosen: DictionaryFilter) -> Filter:
        """Take out what a filter withholds, and count it."""
        condition = chosen.condition(self)
        ask = self.dictionary.ask
        ask(
            f"CREATE TEMP TABLE newly AS SELECT class, type, lang, id FROM drawn WHERE {condition.sql}",
            condition.columns,
        )
        counts = ask(
            f"SELECT coalesce(class_type.type, '{NO_TYPE}') AS counted, count(DISTINCT (lang, id)) FROM newly "
            "LEFT JOIN class_type ON class_type.class = newly.class AND newly.type IN ('', class_type.type) "
            "GROUP BY counted ORDER BY counted"
        )
        ask("INSERT INTO gone FROM newly")
        ask("DELETE FROM drawn WHERE (class, type, lang, id) IN (SELECT (class, type, lang, id) FROM newly)")
        ask("DROP TABLE newly")
        made = Filter(chosen.name, {**dict(counts), **self._without_people(condition.people)})
        self.filters.append(made)
        return made

    def _without_people(self, condition: str) -> dict[str, int]:
        if not condition:
            return {}
        spoken = ", ".join(map(quoted, (*self.languages, ANY)))
        self.people.append(f"(lang IN ({spoken}) AND {condition})")
        found = self.dictionary.ask(
            f"SELECT kind, count(*) FROM person_names WHERE {self.people[-1]} GROUP BY kind ORDER BY kind"
        )
        return {f"{kind} names": count for kind, count in found}


@contextmanager
def drawing(dictionary: Dictionary, languages: Sequence[str] = ()) -> Iterator[Drawn]:
    """What can be drawn from a dictionary, as filters take from it; by default in all its languages.

    Raises:
        UsageError: the dictionary has no names of a language.
    """
    known = dictionary.meta.languages
    strange = [code for code in languages if code not in known]
    if strange:
        raise UsageError(f"{dictionary.path} draws in {', '.join(known)}, not in {', '.join(strange)}")
    chosen = tuple(languages) or known
    kinds = "class BIGINT, type VARCHAR, lang VARCHAR, id BIGINT"
    try:
        dictionary.ask(f"CREATE TEMP TABLE gone ({kinds})")
        dictionary.ask(f"CREATE TEMP TABLE drawn ({kinds}, name VARCHAR)")
        for language in chosen:
            dictionary.ask(_drawn_sql(language))
        yield Drawn(dictionary, chosen)
    finally:
        for table in ("gone", "drawn", "newly", "class_type"):
            dictionary.ask(f"DROP TABLE IF EXISTS temp.{table}")


def _drawn_sql(language: str) -> str:
    """Members of classes under the name that they are drawn by, as `Dictionary.instances` gives it."""
    spoken = quoted(language)
    return f"""
        INSERT INTO drawn
        WITH labels AS (
            SELECT id, arg_min(name, lang <> {spoken}) AS name FROM names
            WHERE kind = {LABEL} AND lang IN ({spoken}, '{ANY}') AND {fits_sql(language)} GROUP BY id)
        SELECT class, type, {spoken}, id, CASE WHEN called <> '' THEN called ELSE name END
        FROM members JOIN labels USING (id) WHERE lang = {spoken}
    """


def write_filtered(drawn: Drawn, path: str, limits: Limits = LIMITS) -> Meta:
    """Write the dictionary with what filters have withheld.

    Raises:
        OutputError: the file cannot be written.
        OSError: the folder cannot be made, or the file put in its place.
    """
    dictionary, meta = drawn.dictionary, drawn.dictionary.meta
    target = Path(path).resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".nerquake-", dir=target.parent) as folder, writing(path):
        for _ in parquet.write(dictionary.connection, meta, Path(folder)):
            pass
        _rewrite(dictionary, folder, "withheld", "FROM withheld UNION FROM gone")
        if drawn.people:
            _rewrite(dictionary, folder, "person_names", f"FROM person_names WHERE NOT ({' OR '.join(drawn.people)})")
        choices = Choices(meta.languages, meta.limit_per_class, meta.seed)
        return build([Filtered(folder, meta, tuple(drawn.filters), tuple(drawn.sources))], path, choices, limits)


def _rewrite(dictionary: Dictionary, folder: str, table: str, query: str) -> None:
    file = quoted(str(Path(folder) / f"{table}.parquet"))
    columns = ", ".join(TABLES[table].column_names)
    dictionary.connection.execute(
        f"COPY (SELECT {columns} FROM ({query}) ORDER BY {TABLES[table].sort}) TO {file} "
        "(FORMAT parquet, COMPRESSION zstd)"
    )


@dataclass(frozen=True, slots=True)
class Filtered:
    """Gives the rows of a dictionary that was written to a folder, and says which filters ran.

    more  other sources than the dictionary's own
    """

    folder: str
    meta: Meta
    filters: tuple[Filter, ...]
    more: tuple[Source, ...] = ()

    def fill(self, draft: Draft) -> list[Source]:
        """Give all rows; the dictionary's sources stay its sources."""
        for table in GIVEN:
            draft.parquet(table.name, [Path(self.folder) / f"{table.name}.parquet"])
        before = tuple(found for found in self.meta.filters if not found.name.startswith(parquet.LIMIT))
        own = Source("filter", self.meta.digest, self.meta.languages, filters=(*before, *self.filters))
        return [*(replace(source, limit_per_class=0) for source in self.meta.sources), *self.more, own]
