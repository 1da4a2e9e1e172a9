"""What a dictionary says about itself: where it comes from, what was left out, and the digest of its content."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from nerquake.core.errors import InputError
from nerquake.knowledge.duck import rows
from nerquake.knowledge.schema import FAMILY, FORMAT

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True, slots=True)
class Filter:
    """Something that left entries out: its name with its options, and how many of what it removed."""

    name: str
    removed: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Source:
    """What a builder says about the rows that it gave.

    builder          its registered name
    version          of its data: a file's hash, a package's version, ...
    languages        of names
    properties       what was read beside names: P31, P279, ...
    types            name types that it has, those without classes too
    attributions     lines that its licence asks for
    filters          what its own cleaning removed
    limit_per_class  how many items of a class it wants to be drawn from at most; 0: all
    """

    builder: str
    version: str = ""
    languages: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    attributions: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    limit_per_class: int = 0


@dataclass(frozen=True, slots=True)
class Meta:
    """The table `meta`, a JSON value a key.

    nerquake, duckdb  versions that wrote it
    seed              of the order in which items of a class stand, and of the choice below the limit
    filters           applied to the dictionary as a whole, in this order
    """

    languages: tuple[str, ...]
    digest: str = ""
    seed: int = 0
    limit_per_class: int = 0
    sources: tuple[Source, ...] = ()
    filters: tuple[Filter, ...] = ()
    rows: Mapping[str, int] = field(default_factory=dict)
    nerquake: str = ""
    duckdb: str = ""

    @property
    def attributions(self) -> tuple[str, ...]:
        """What the sources' licences ask for, each line once."""
        return tuple(dict.fromkeys(line for source in self.sources for line in source.attributions))

    @property
    def types(self) -> tuple[str, ...]:
        """Name types that the sources have, sorted."""
        return tuple(sorted({name for source in self.sources for name in source.types}))

    def to_json(self) -> dict[str, Any]:
        """As JSON values, the format first."""
        return {"format": FORMAT, **asdict(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Meta:
        """Read what `to_json` wrote.

        Raises:
            KeyError, TypeError, ValueError: something is missing or has another form.
        """
        values = {name: data[name] for name in cls.__dataclass_fields__}
        values["languages"] = tuple(data["languages"])
        values["sources"] = tuple(_source(source) for source in data["sources"])
        values["filters"] = tuple(Filter(**found) for found in data["filters"])
        return cls(**values)


def _source(data: Mapping[str, Any]) -> Source:
    lists = {name: tuple(data[name]) for name in ("languages", "properties", "types", "attributions")}
    return Source(**{**data, **lists, "filters": tuple(Filter(**found) for found in data["filters"])})


def write_meta(connection: DuckDBPyConnection, meta: Meta) -> None:
    """Fill the table."""
    for key, value in sorted(meta.to_json().items()):
        text = json.dumps(value, ensure_ascii=False, sort_keys=True)
        connection.execute("INSERT INTO meta VALUES (?, ?)", [key, text])


def read_meta(connection: DuckDBPyConnection, path: str) -> Meta:
    """Read the table.

    Raises:
        InputError: the database is no dictionary, is of a newer format, or is damaged.
    """
    tables = {name for (name,) in rows(connection, "SELECT table_name FROM duckdb_tables()")}
    if "meta" not in tables:
        raise InputError(_foreign(path))
    columns = {
        name for (name,) in rows(connection, "SELECT column_name FROM duckdb_columns() WHERE table_name = 'meta'")
    }
    if columns != {"key", "value"}:
        raise InputError(_foreign(path))
    return meta_of(dict(rows(connection, "SELECT key, value FROM meta")), path)


def meta_of(texts: Mapping[Any, Any], path: str) -> Meta:
    """The values from their JSON texts by key."""
    try:
        values = {str(key): json.loads(text) for key, text in texts.items()}
    except (ValueError, TypeError):
        raise InputError(_foreign(path)) from None
    found = str(values.get("format", ""))
    if found != FORMAT:
        family, _, version = found.partition("/")
        if family != FAMILY:
            raise InputError(_foreign(path))
        raise InputError(
            f"{path} is of the format {found}, this nerquake reads {FORMAT}: "
            + ("update nerquake" if version.isdecimal() and int(version) > 1 else "build it again")
        )
    try:
        return Meta.from_json(values)
    except (KeyError, TypeError, ValueError) as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"{path} is damaged: its table meta is not whole ({what}); build it again") from None


def _foreign(path: str) -> str:
    return (
        f"{path}: this is no dictionary but another DuckDB database; expected a file that `nerquake dictionary build`"
        " wrote"
    )
