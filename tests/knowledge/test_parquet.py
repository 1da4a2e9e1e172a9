"""Parquet files of a dictionary, and shards that builders give."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.knowledge.given import CITIES, Row, made
from tests.knowledge.test_build import ROWS, content

from nerquake.core.errors import InputError
from nerquake.knowledge.build import Choices, build_in_memory
from nerquake.knowledge.builders import builders_of
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.draft import Draft
from nerquake.knowledge.meta import Source
from nerquake.knowledge.parquet import read_meta_file, write


def exported(dictionary: Dictionary, folder: Path) -> Path:
    assert list(write(dictionary.connection, dictionary.meta, folder))[-1] == "meta.json"
    return folder


@settings(max_examples=8)
@given(rows=st.lists(ROWS, max_size=20), limit=st.integers(0, 2), seed=st.integers(0, 1))
def test_what_is_written_is_read_back(
    rows: list[Row], limit: int, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("parquet")
    with made(rows, Choices(seed=seed), limit) as dictionary:
        exported(dictionary, folder)
        connection, meta = build_in_memory(builders_of([f"import:{folder}"]), Choices(seed=seed))
        again = Dictionary("again", connection, meta)
        assert meta.digest == dictionary.meta.digest
        assert content(again) == content(dictionary)
        assert [source.builder for source in meta.sources] == ["given", "import"]
        again.close()


def test_equal_dictionaries_give_equal_files(tmp_path: Path) -> None:
    files: list[dict[str, bytes]] = []
    for name, rows in (("a", CITIES), ("b", CITIES[::-1])):
        with made(rows) as dictionary:
            folder = exported(dictionary, tmp_path / name)
        files.append({file.name: file.read_bytes() for file in folder.iterdir()})
    assert files[0] == files[1]
    assert len(files[0]) == 14


def test_an_export_that_is_not_whole(tmp_path: Path) -> None:
    with made(CITIES) as dictionary:
        exported(dictionary, tmp_path)
    meta = json.loads((tmp_path / "meta.json").read_text("utf-8"))
    names = (tmp_path / "names.parquet").read_bytes()
    for break_, said in (
        ((tmp_path / "names.parquet").unlink, "names.parquet is missing"),
        (lambda: (tmp_path / "names.parquet").write_bytes(names[:200]), "names.parquet is damaged"),
        (lambda: (tmp_path / "names.parquet").write_bytes(b"x"), "names.parquet is damaged"),
        (lambda: (tmp_path / "names.parquet").write_bytes(names[:20] + b"12345678" + names[28:]), "is damaged"),
        (lambda: (tmp_path / "meta.json").write_text("[]"), "expected what"),
        (lambda: (tmp_path / "meta.json").write_text("{"), "cannot be read"),
        (lambda: (tmp_path / "meta.json").write_text(json.dumps(meta | {"format": "nerquake.dictionary/2"})), "update"),
    ):
        break_()
        with pytest.raises(InputError, match=said):
            build_in_memory(builders_of([f"import:{tmp_path}"]))
    with pytest.raises(InputError):
        read_meta_file(str(tmp_path / "nowhere"))


@dataclass(frozen=True)
class Shards:
    """Parquet shards beside rows."""

    folder: Path

    def fill(self, draft: Draft) -> list[Source]:
        for table in ("items", "names", "item_class"):
            draft.parquet(table, sorted(self.folder.glob(f"{table}-*.parquet")))
        draft.class_type("Q515", "GPE", "test")
        draft.name("Q3", "en", "Rome")
        draft.member("Q3", "Q515")
        return [Source("shards", languages=("en",))]


def test_shards_are_merged_with_rows_and_with_one_another(tmp_path: Path) -> None:
    """An item that stands in two shards has two labels: the first stays one."""
    folder = tmp_path / "with [brackets] and 'quotes' *"
    folder.mkdir()
    write_shards = {
        "items-1": "SELECT 1::BIGINT AS id, 5 AS sitelinks UNION ALL SELECT 2, 1",
        "items-2": "SELECT 1::BIGINT AS id, 9 AS sitelinks",
        "names-1": "SELECT 7::UBIGINT AS key, 1::BIGINT AS id, 'en' AS lang, 0 AS kind, 'B' AS name UNION ALL "
                   "SELECT 8, 2, 'en', 0, 'Two'",
        "names-2": "SELECT 'A' AS name, 1::BIGINT AS id, 'en' AS lang, 0 AS kind, 6::UBIGINT AS key UNION ALL "
                   "SELECT 'B', 1, 'en', 0, 7",
        "item_class-1": "SELECT 1::BIGINT AS id, 515::BIGINT AS class UNION ALL SELECT 2, 515",
        "item_class-2": "SELECT 1::BIGINT AS id, 515::BIGINT AS class",
    }  # fmt: skip
    for name, query in write_shards.items():
        duckdb.execute(f"COPY ({query}) TO '{tmp_path}/shard' (FORMAT parquet)")
        (tmp_path / "shard").rename(folder / f"{name}.parquet")
    connection, meta = build_in_memory([Shards(folder)])
    dictionary = Dictionary("test", connection, meta)
    assert dictionary.ask("FROM items") == [(1, 9), (2, 1), (3, 0)]
    assert dictionary.names(["Q1", "Q2", "Q3"], "en") == {"Q1": ("A", ("B",)), "Q2": ("Two", ()), "Q3": ("Rome", ())}
    assert dictionary.sizes(["Q515"], "en", "GPE") == {"Q515": 3}
    dictionary.verify()
    changed = replace(dictionary, meta=replace(meta, digest="0" * 64))
    with pytest.raises(InputError, match="damaged or was changed"):
        changed.verify()


def test_shards_without_a_column_are_refused(tmp_path: Path) -> None:
    duckdb.execute(f"COPY (SELECT 1 AS id) TO '{tmp_path}/names-1.parquet' (FORMAT parquet)")
    with pytest.raises(InputError, match="there is no column key, lang, kind, name"):
        build_in_memory([Shards(tmp_path)])
