"""A dictionary from a dump holds what reading its lines one by one gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.knowledge import synthetic_dump as synthetic
from tests.knowledge.dump_parts import need_extra
from tests.knowledge.given import Given, Row

from nerquake.core.errors import SpecError, UsageError
from nerquake.core.options import instance
from nerquake.core.spec import Spec
from nerquake.knowledge.build import build_in_memory
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.dump_merge import WikidataDump
from nerquake.knowledge.schema import TABLES

need_extra()
ITEMS = 120


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lines = [*synthetic.items(ITEMS), b"{broken", b'{"entity":"Q7","redirect":"Q1"}']
    return synthetic.write(tmp_path_factory.mktemp("dump") / "dump.gz", lines, batch=30)


def by_hand(lines: Iterator[bytes]) -> Iterator[Row]:
    """The rows of items, as a plain reading of their JSON gives them."""
    denied = {f"Q{number}" for number in synthetic.DENIED}
    for found in map(json.loads, lines):
        item = found["id"]
        classes = [value["id"] for value in values(found, "P31")]
        if denied.isdisjoint(classes):
            yield ("item", item, len(found["sitelinks"]))
            yield from (("member", item, one) for one in classes)
            yield from (("subclass", item, value["id"]) for value in values(found, "P279"))
            countries = list(statements(found, "P17"))
            best = [one for one in countries if one["rank"] == "preferred"] or countries
            yield from (("country", item, one["mainsnak"]["datavalue"]["value"]["id"]) for one in best)
            for code in ("en", "de", "hi", "mul"):
                if code in found["labels"]:
                    yield ("name", item, code, found["labels"][code]["value"])
                yield from (("alias", item, code, one["value"]) for one in found["aliases"].get(code, []))
                if f"{code}wiki" in found["sitelinks"]:
                    yield ("title", item, code, found["sitelinks"][f"{code}wiki"]["title"])


def statements(found: Any, name: str) -> Iterator[Any]:
    yield from found["claims"].get(name, [])


def values(found: Any, name: str) -> Iterator[Any]:
    yield from (one["mainsnak"]["datavalue"]["value"] for one in statements(found, name))


def content(dictionary: Dictionary) -> dict[str, list[Row]]:
    return {name: dictionary.ask(f"FROM {name}") for name in TABLES if name not in {"meta", "faults"}}


def made(builder: Any) -> Dictionary:
    connection, meta = build_in_memory([builder])
    return Dictionary("test", connection, meta)


def test_a_dump_gives_what_its_lines_hold(dump: Path, tmp_path: Path) -> None:
    expected = made(Given(list(by_hand(synthetic.items(ITEMS))), limit=1000))
    found = made(WikidataDump(file=str(dump), shards=str(tmp_path / "shards")))
    assert content(found) == content(expected)
    assert found.meta.digest == expected.meta.digest
    assert len(found.ask("FROM item_class")) > ITEMS // 2


def test_what_a_dictionary_says_about_a_dump(dump: Path, tmp_path: Path) -> None:
    found = made(WikidataDump(file=str(dump), shards=str(tmp_path / "shards")))
    (source,) = found.meta.sources
    assert (source.builder, source.languages, source.limit_per_class) == ("wikidata-dump", ("en", "de", "hi"), 1000)
    filters = {one.name: one.removed for one in source.filters}
    assert sum(filters["deny"].values()) == ITEMS // 5
    assert filters["deny"]["scholarly article"] == ITEMS // 25 + 1
    assert filters["no item"] == {"redirect": 1}
    assert filters["faults"] == {"broken": 1}
    ((where, line, code, message),) = found.ask("FROM faults")
    assert (where, line, code) == ("wikidata-dump", ITEMS + 2, "broken")
    assert "{broken" in message


def test_shards_and_processes_make_no_difference(dump: Path, tmp_path: Path) -> None:
    one = made(WikidataDump(file=str(dump), shards=str(tmp_path / "one")))
    again = made(WikidataDump(file=str(dump), shards=str(tmp_path / "one")))
    two = made(WikidataDump(file=str(dump), shards=str(tmp_path / "two"), jobs=2))
    assert one.meta.digest == again.meta.digest == two.meta.digest


def test_options(dump: Path, tmp_path: Path) -> None:
    params = (("", str(dump)), ("deny", "none"), ("languages", "de"), ("descriptions", "yes"), ("limit-per-class", "1"))
    builder = instance(WikidataDump, Spec("wikidata-dump", (*params, ("shards", str(tmp_path / "shards")))))
    found = made(builder)
    assert found.meta.languages == ("de",)
    assert len(found.ask("FROM items")) == ITEMS
    assert {lang for (lang,) in found.ask("SELECT DISTINCT lang FROM names")} == {"de", "mul"}
    assert found.ask("FROM descriptions")
    assert found.ask("SELECT max(n) FROM class_index") == [(1,)]


def test_shards_stand_beside_the_dump(dump: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved.gz"
    moved.write_bytes(dump.read_bytes())
    made(WikidataDump(file=str(moved)))
    assert (tmp_path / "moved.gz.shards" / "summary.json").exists()


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(UsageError, match="shards=FOLDER"):
        made(WikidataDump(file="-"))
    with pytest.raises(SpecError, match="jobs is at least 1"):
        instance(WikidataDump, Spec("wikidata-dump", (("", "x"), ("jobs", "0"))))
