"""Making a dictionary out of what builders give: a file, written whole or not at all, or one in memory."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from nerquake.core.errors import UsageError, guarded
from nerquake.knowledge.digest import content_digest
from nerquake.knowledge.draft import Draft
from nerquake.knowledge.duck import LIMITS, MEMORY, Limits, connect, rows, writing
from nerquake.knowledge.merge import merge
from nerquake.knowledge.meta import Filter, Meta, Source, write_meta
from nerquake.knowledge.roots import Root
from nerquake.knowledge.schema import TABLES

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class Builder(Protocol):
    """Gives rows. A plug-in is a frozen dataclass; its fields are its options."""

    def fill(self, draft: Draft) -> Sequence[Source]:
        """Put rows into a draft, in any order, and say where they come from.

        Raises:
            InputError: its source cannot be read; what is wrong, all of it.
        """
        ...


@dataclass(frozen=True, slots=True)
class Choices:
    """What is settled for the dictionary as a whole.

    languages        in which items are drawn; by default those that the builders' names are in
    limit_per_class  how many items of a class are drawn from, those with the smallest hash; 0: all; by default what
                     the builders ask for
    seed             of that choice, and of the order of items; None: that of a filtered dictionary that is read back,
                     else 0
    roots            root classes with their name types, for classes that no builder gives a type
    """

    languages: tuple[str, ...] = ()
    limit_per_class: int | None = None
    seed: int | None = None
    roots: tuple[Root, ...] = ()

    def __post_init__(self) -> None:
        for language in self.languages:
            if not language.replace("-", "").isalnum() or not language.isascii():
                raise UsageError(f"{language!r} is no language code: en, de, hi, ...")


CHOICES = Choices()


def build(builders: Sequence[Builder], path: str | Path, choices: Choices = CHOICES, limits: Limits = LIMITS) -> Meta:
    """Write a dictionary; what stood in its place is replaced at the end.

    Raises:
        InputError: a builder's source cannot be read.
        OutputError: the file cannot be written.
        OSError: the folder cannot be made, or the file put in its place.
    """
    with _beside(Path(path)) as (temporary, scratch), writing(str(path)):
        connection = connect(str(temporary), replace(limits, temporary=limits.temporary or str(scratch)))
        try:
            meta = _make(connection, builders, choices)
            connection.execute("CHECKPOINT")
        finally:
            connection.close()
    return meta


def build_in_memory(
    builders: Sequence[Builder], choices: Choices = CHOICES, limits: Limits = LIMITS
) -> tuple[DuckDBPyConnection, Meta]:
    """The same without a file; with one thread, since little data gain nothing from more."""
    connection = connect(MEMORY, replace(limits, threads=limits.threads or 1))
    try:
        return connection, _make(connection, builders, choices)
    except BaseException:
        connection.close()
        raise


def _make(connection: DuckDBPyConnection, builders: Sequence[Builder], choices: Choices) -> Meta:
    draft = Draft(connection)
    sources: list[Source] = []
    for builder in builders:
        with guarded(f"{type(builder).__name__}, giving rows"):
            sources += builder.fill(draft)
    languages = choices.languages or tuple(sorted({code for source in sources for code in source.languages}))
    limit = choices.limit_per_class
    if limit is None:
        limit = max((source.limit_per_class for source in sources), default=0)
    seed = _seed(draft, choices, limit)
    removed = merge(draft, languages, limit, seed, choices.roots)
    draft.drop()
    meta = Meta(
        languages=languages,
        digest=content_digest(connection, languages, limit, seed),
        seed=seed,
        limit_per_class=limit,
        sources=tuple(sources),
        filters=tuple(Filter(f"limit_per_class={limit}, {what}", counts) for what, counts in removed.items()),
        rows={name: _count(connection, name) for name in TABLES if name != "meta"},
        nerquake=_version("nerquake"),
        duckdb=_version("duckdb"),
    )
    write_meta(connection, meta)
    return meta


def _seed(draft: Draft, choices: Choices, limit: int) -> int:
    """The seed; refused, as the limit is, where filters would not have seen what it makes drawable."""
    seen = draft.seen
    seed = choices.seed if choices.seed is not None else seen.seed if seen else 0
    if seen is not None and (seed, limit) != (seen.seed, seen.limit):
        raise UsageError(
            f"{seen.where} was filtered with seed {seen.seed} and limit-per-class {seen.limit}; with seed {seed} and "
            f"limit {limit} entities would be drawn that its filters have not seen: leave both out, or build and "
            "filter anew"
        )
    return seed


def _count(connection: DuckDBPyConnection, table: str) -> int:
    (found,) = rows(connection, f"SELECT count(*) FROM {table}")
    return int(found[0])


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


@contextmanager
def _beside(path: Path) -> Iterator[tuple[Path, Path]]:
    """A temporary file beside the target that takes its place at the end, and a folder for what memory cannot hold."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    stem = f".nerquake-{os.getpid()}-{secrets.token_hex(4)}"
    temporary, scratch = target.parent / f"{stem}.tmp", target.parent / f"{stem}.scratch"
    try:
        yield temporary, scratch
        with temporary.open("rb") as stream:
            os.fsync(stream.fileno())
        temporary.replace(target)
    finally:
        for rest in (temporary, temporary.with_name(temporary.name + ".wal")):
            with suppress(OSError):
                rest.unlink(missing_ok=True)
        shutil.rmtree(scratch, ignore_errors=True)
