"""Files that are no dictionary, or no whole one, are one clear message each."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import duckdb
import pytest
from tests.knowledge.given import CITIES, Given

from nerquake.core.errors import InputError, OutputError, UsageError
from nerquake.knowledge.build import build
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.duck import Limits, reading, writing
from nerquake.knowledge.figures import figures
from nerquake.knowledge.schema import TABLES


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("store") / "d"
    build([Given(CITIES)], path)
    return path.read_bytes()


def message(path: Path) -> str:
    """What opening and reading a file says."""
    with pytest.raises(InputError) as caught, Dictionary.open(str(path)) as dictionary:
        dictionary.verify()
    text = str(caught.value)
    assert str(path) in text
    assert "\n" not in text
    return text


def foreign(path: Path, kind: str) -> None:
    if kind == "sqlite":
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE meta (key, value)")
        connection.close()
    elif kind == "duckdb":
        with duckdb.connect(str(path)) as database:
            database.execute("CREATE TABLE cities (name VARCHAR)")
    elif kind == "meta":
        with duckdb.connect(str(path)) as database:
            database.execute("CREATE TABLE meta AS SELECT 'format' AS key, '\"other/1\"' AS value")
    elif kind == "odd meta":
        with duckdb.connect(str(path)) as database:
            database.execute("CREATE TABLE meta AS SELECT 1 AS one")
    else:
        path.write_bytes({"text": b"Berlin\nParis, a longer line\n", "empty": b"", "bytes": bytes(range(200)),
                          "gzip": b"\x1f\x8b\x08\0" * 9, "parquet": b"PAR1" * 9}[kind])  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("sqlite", "an SQLite database"),
        ("duckdb", "another DuckDB database"),
        ("meta", "another DuckDB database"),
        ("odd meta", "another DuckDB database"),
        ("text", "a text file"),
        ("empty", "an empty file"),
        ("bytes", "another kind of file"),
        ("gzip", "a gzip archive"),
        ("parquet", "a Parquet file"),
    ],
)
def test_a_foreign_file_is_called_what_it_is(tmp_path: Path, kind: str, said: str) -> None:
    foreign(tmp_path / "f", kind)
    text = message(tmp_path / "f")
    assert said in text
    assert "`nerquake dictionary build`" in text


def test_what_is_not_there_or_no_file(tmp_path: Path) -> None:
    assert "no such file" in message(tmp_path / "f")
    assert "is a folder" in message(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        Dictionary.open("a\0b")


def test_a_newer_format_says_to_update(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "d"
    for stated, advice in (("nerquake.dictionary/2", "update nerquake"), ("nerquake.dictionary/0", "build it again")):
        path.write_bytes(whole)
        with duckdb.connect(str(path)) as database:
            database.execute("UPDATE meta SET value = ? WHERE key = 'format'", [f'"{stated}"'])
        text = message(path)
        assert stated in text
        assert advice in text


def test_a_newer_duckdb_says_to_update(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="pip install -U duckdb"), reading("f"):
        raise duckdb.IOException("Trying to read a database file with version number 9999, but we can only read 64")


@pytest.mark.parametrize("share", [0.0005, 0.3, 0.99])
def test_a_truncated_file_is_damaged(tmp_path: Path, whole: bytes, share: float) -> None:
    (tmp_path / "d").write_bytes(whole[: int(len(whole) * share)])
    assert "damaged" in message(tmp_path / "d")


def everything(dictionary: Dictionary) -> dict[str, list[tuple[object, ...]]]:
    return {name: dictionary.ask(f"FROM {name} ORDER BY ALL") for name in TABLES}


def test_whatever_bytes_change_is_found_or_changes_nothing(tmp_path: Path, whole: bytes) -> None:
    rng = random.Random(5)
    path = tmp_path / "d"
    path.write_bytes(whole)
    with Dictionary.open(str(path)) as dictionary:
        before = everything(dictionary)
    found = 0
    places = range(rng.randrange(4096), len(whole), len(whole) // 40)
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= rng.randrange(1, 256)
        path.write_bytes(damaged)
        try:
            with Dictionary.open(str(path)) as dictionary:
                dictionary.verify()
                figures(dictionary)
        except InputError as error:
            found += 1
            assert str(path) in str(error)
        else:
            with Dictionary.open(str(path)) as dictionary:
                assert everything(dictionary) == before
    assert found


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DROP TABLE members", "members is missing"),
        ("ALTER TABLE names RENAME COLUMN lang TO language", "names is missing or has other columns"),
        ("DELETE FROM meta WHERE key = 'sources'", "meta is not whole"),
        ("UPDATE meta SET value = '{' WHERE key = 'seed'", "another DuckDB database"),
        ("UPDATE names SET name = 'Bonn' WHERE name = 'Berlin'", "digest"),
        ("INSERT INTO item_class VALUES (1, 2, '', '')", "digest"),
        ("UPDATE members SET called = 'Bonn' WHERE place = 0", "the table members"),
        ("UPDATE members SET class = class + 1 WHERE place = 0", "the table members"),
        ("DELETE FROM members WHERE place = 0", "the table members has"),
        ("UPDATE class_index SET start = start + 1", "the table class_index"),
        ("INSERT INTO faults VALUES ('f', 1, 'broken', '')", "the table faults has"),
    ],
)
def test_a_changed_dictionary_is_found(tmp_path: Path, whole: bytes, change: str, said: str) -> None:
    path = tmp_path / "d"
    path.write_bytes(whole)
    with duckdb.connect(str(path)) as database:
        database.execute(change)
    assert said in message(path)


def test_a_file_may_be_read_twice_and_not_written(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "d"
    path.write_bytes(whole)
    with Dictionary.open(str(path)) as one, Dictionary.open(str(path)) as other:
        assert one.meta == other.meta
        with pytest.raises(duckdb.Error):
            one.connection.execute("DELETE FROM names")
    assert path.read_bytes() == whole


def test_other_limits_while_it_is_open_are_explained(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "d"
    path.write_bytes(whole)
    with Dictionary.open(str(path)), pytest.raises(InputError, match="other limits"):
        Dictionary.open(str(path), Limits("64MB", 1))


def test_limits_and_full_disks(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="512MB"):
        Limits("much")
    with pytest.raises(OutputError, match="memory limit"), writing("f"):
        raise duckdb.OutOfMemoryException("could not allocate block")
    with pytest.raises(OutputError, match="No space left"), writing("f"):
        raise duckdb.IOException("Could not write file: No space left on device")
    with pytest.raises(InputError, match="memory limit"), reading("f"):
        raise duckdb.OutOfMemoryException("could not allocate block")


def test_a_wrong_query_is_no_damaged_file(tmp_path: Path, whole: bytes) -> None:
    (tmp_path / "d").write_bytes(whole)
    with Dictionary.open(str(tmp_path / "d")) as dictionary, pytest.raises(duckdb.ProgrammingError):
        dictionary.ask("SELECT nothing FROM nowhere")
