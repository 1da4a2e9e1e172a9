"""Every real item of the samples kept beside the project is read, the same both ways."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.knowledge.dump_parts import need_extra, rows

from nerquake.core.errors import InputError
from nerquake.knowledge.dump import extract
from nerquake.knowledge.dump_options import DumpOptions

need_extra()  # before what cannot be imported without it
from tests.knowledge.test_dump_paths import SHAPE, columns, walked  # noqa: E402

pytestmark = pytest.mark.shared
ALL = DumpOptions(deny=(), descriptions=True)


@pytest.fixture
def samples(shared: Path) -> Path:
    return shared / "data" / "wikidata_dump_samples"


def entities(value: Any) -> Iterator[dict[str, Any]]:
    """The items in a sample, whatever they are wrapped in."""
    if isinstance(value, dict):
        if str(value.get("id", "")).startswith("Q") and "missing" not in value:
            yield value
        elif "type" not in value:
            for inner in value.values():
                yield from entities(inner)


def documents(samples: Path) -> Iterator[tuple[str, Any]]:
    """All JSON values of all samples: one a line, or one a file."""
    for file in sorted(samples.rglob("*")):
        if not file.is_file() or file.suffix in {".md", ".txt"} or file.name in {"LICENSE", "package.json"}:
            continue
        text = file.read_text("utf-8")
        try:
            yield file.name, json.loads(text)
        except ValueError:
            for line in text.splitlines():
                if line.strip() not in {"[", "]", ""}:
                    yield file.name, json.loads(line.rstrip(" ,"))


def test_both_ways_agree_on_every_real_item(samples: Path) -> None:
    read = 0
    for name, document in documents(samples):
        for item in [
            one for part in (document if isinstance(document, list) else [document]) for one in entities(part)
        ]:
            line = json.dumps(item).encode()
            slow, _ = walked(line)
            found = columns(slow)
            assert found[0]["counts"]["items"] == 1, name
            read += 1
            try:
                fast = SHAPE.decode(memoryview(line))
            except SHAPE.errors:
                assert name.endswith(".jsonl"), f"{name}: only the kgtk samples have another form"
                continue
            if fast.type:
                assert columns([fast]) == found
    assert read == 241


@pytest.mark.parametrize(
    ("name", "items", "kept", "notes"),
    [
        ("kgtk/P100.jsonl", 9, 0, {"wrapped": 16, "property": 7}),
        ("kgtk/Q571604390.jsonl", 5, 1, {"wrapped": 17, "property": 12}),
        ("kgtk/ranked0.jsonl", 60, 0, {"wrapped": 277, "property": 217}),
        ("wikibase-dump-filter/entities", 49, 49, {"preferred": 7, "deprecated": 2}),
        ("wikidata-toolkit/mock-dump-for-testing.json", 2, 2, {"numeric-id": 3, "property": 1, "lexeme": 1}),
        ("wikidata-toolkit/mock-dump-for-long-testing.json", 55, 0, {"numeric-id": 119, "property": 46}),
        ("wikidata-toolkit/mock-dump-with-bugs.json", 55, 0, {"numeric-id": 119, "property": 46, "empty-list": 1}),
        ("wikidata-toolkit/wbgetentities-Q32063953.json", 1, 1, {"wrapped": 1, "preferred": 1}),
        ("wikidata-toolkit/wbgetentities-bogus.json", 0, 0, {"missing": 1}),
    ],
)
def test_real_files(samples: Path, tmp_path: Path, name: str, items: int, kept: int, notes: dict[str, int]) -> None:
    found = extract(str(samples / name), tmp_path / "shards", ALL)
    assert (found.counts["items"], found.counts["kept"], found.notes) == (items, kept, notes)
    assert not found.faults


def test_the_columns_of_real_items(samples: Path, tmp_path: Path) -> None:
    file = samples / "wikibase-dump-filter" / "entities"
    found = extract(str(file), tmp_path / "shards", ALL)
    expected = [json.loads(line.rstrip(b" ,\n")) for line in file.read_bytes().splitlines() if len(line) > 2]
    names = rows(found, "names")
    for code in ("en", "de", "hi", "mul"):
        labels = [(row["id"], row["name"]) for row in names if (row["kind"], row["lang"]) == (0, code)]
        assert labels == [(int(e["id"][1:]), e["labels"][code]["value"]) for e in expected if code in e["labels"]]
        aliases = [row["name"] for row in names if (row["kind"], row["lang"]) == (1, code)]
        assert aliases == [one["value"] for e in expected for one in e["aliases"].get(code, [])]
    assert [row["sitelinks"] for row in rows(found, "items")] == [len(e["sitelinks"]) for e in expected]
    titles = {(row["id"], row["lang"]): row["title"] for row in rows(found, "titles")}
    assert titles == {
        (int(e["id"][1:]), code): e["sitelinks"][f"{code}wiki"]["title"]
        for e in expected for code in ("en", "de", "hi") if f"{code}wiki" in e["sitelinks"]
    }  # fmt: skip


def test_a_document_over_several_lines_is_refused(samples: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="over several lines"):
        extract(str(samples / "qwikidata" / "wd_Q42.json"), tmp_path / "shards")
