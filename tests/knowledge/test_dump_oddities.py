"""Everything odd that occurs in dumps, planted: what becomes of it, and that it is reported with its line."""

from __future__ import annotations

import bz2
import io
import json
import os
import sys
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.knowledge import synthetic_dump as synthetic
from tests.knowledge.dump_parts import gz, need_extra, noted, rows

from nerquake.core.errors import InputError, MissingExtra, UsageError
from nerquake.knowledge.dump import extract
from nerquake.knowledge.dump_folder import Extraction
from nerquake.knowledge.dump_notes import CODES, Level
from nerquake.knowledge.dump_options import DENIED, DumpOptions

need_extra()


def entity(number: int, **parts: Any) -> bytes:
    """The line of an item that has an English label and a class, unless it is said otherwise."""
    found = {
        "type": "item",
        "id": f"Q{number}",
        "labels": text(f"name {number}"),
        "claims": claims("P31", 515),
        **parts,
    }
    return json.dumps(found, ensure_ascii=False).encode("utf-8", "surrogatepass")


def text(value: str, code: str = "en") -> dict[str, Any]:
    return {code: {"language": code, "value": value}}


def claims(name: str, *values: int, rank: str = "normal") -> dict[str, Any]:
    return {name: [json.loads(synthetic.statement(name, value, "Q1", rank)) for value in values]}


def snak(name: str, **parts: Any) -> dict[str, Any]:
    return {name: [{"mainsnak": {"snaktype": "value", "property": name, **parts}, "rank": "normal"}]}


def read(folder: Path, data: bytes, options: DumpOptions | None = None) -> Extraction:
    file = folder / "dump.json"
    file.write_bytes(data)
    return extract(str(file), folder / "shards", options)


def lines(*entities: bytes) -> bytes:
    """A dump whose second line is the first entity, and so on."""
    return synthetic.plain(entities)


def names(found: Extraction) -> list[tuple[int, str, int, str]]:
    return [(row["id"], row["lang"], row["kind"], row["name"]) for row in rows(found, "names")]


def seen(found: Extraction, code: str) -> list[int]:
    return [note.line for note in noted(found, code)]


def ids(found: Extraction) -> list[int]:
    return [row["id"] for row in rows(found, "items")]


def test_empty_lists_stand_for_objects(tmp_path: Path) -> None:
    found = read(tmp_path, lines(
        entity(1),
        entity(2, labels=[], aliases={"en": [{"value": "other"}]}),
        entity(3, aliases=[], descriptions=[], claims=[], sitelinks=[]),
    ), DumpOptions(descriptions=True))  # fmt: skip
    assert names(found) == [(1, "en", 0, "name 1"), (2, "en", 1, "other"), (3, "en", 0, "name 3")]
    assert [(note.line, note.detail) for note in noted(found, "empty-list")] == [
        (3, "labels"), (4, "aliases"), (4, "claims"), (4, "descriptions"), (4, "sitelinks")
    ]  # fmt: skip
    assert not found.faults


def test_lines_without_comma_and_commas_without_a_line(tmp_path: Path) -> None:
    data = b"[\n" + entity(1) + b"\n" + entity(2) + b",\n,\n" + entity(3) + b" , \r\n\n" + entity(4) + b",\n]\n"
    found = read(tmp_path, data)
    assert ids(found) == [1, 2, 3, 4]
    assert seen(found, "no-comma") == [2]
    assert seen(found, "comma-line") == [4]
    assert found.counts["lines"] == 8
    assert not found.faults


def test_json_lines_need_no_commas(tmp_path: Path) -> None:
    found = read(tmp_path, b"\n".join(entity(number) for number in (1, 2, 3)))
    assert ids(found) == [1, 2, 3]
    assert not found.notes


@pytest.mark.parametrize("bracket", [b"[", b"]"])
def test_brackets_inside_the_file(bracket: bytes, tmp_path: Path) -> None:
    data = b"[\n" + entity(1) + b",\n" + bracket + b"\n" + entity(2) + b"\n]\n"
    found = read(tmp_path, data)
    assert ids(found) == [1, 2]
    assert seen(found, "bracket") == [3]


def test_brackets_beside_an_entity(tmp_path: Path) -> None:
    found = read(tmp_path, b"[" + entity(1) + b",\n[" + entity(2) + b",\n" + entity(3) + b"]\n")
    assert ids(found) == [1, 2, 3]
    assert seen(found, "bracket") == [1, 2, 3]


def test_what_is_no_item_is_counted(tmp_path: Path) -> None:
    found = read(tmp_path, lines(
        b'{"entity":"Q7","redirect":"Q1"}',
        b'{"type":"property","id":"P31","labels":{"en":{"value":"instance of"}}}',
        b'{"type":"lexeme","id":"L1","lexicalCategory":"Q4","claims":[],"forms":[]}',
        b'{"type":"mediainfo","id":"M1","labels":{},"statements":[]}',
        b'{"type":"form","id":"L1-F1"}',
        b'{"id":"M9","missing":""}',
        b'{"error":{"code":"no-such-entity"}}',
        entity(1),
    ))  # fmt: skip
    assert ids(found) == [1]
    kinds = ["redirect", "property", "lexeme", "mediainfo", "other-type", "missing"]
    assert [seen(found, kind) for kind in kinds] == [[2], [3], [4], [5], [6], [7, 8]]
    assert noted(found, "redirect")[0].detail == "Q7 -> Q1"
    assert found.notes == dict.fromkeys(kinds, 1) | {"missing": 2}


def test_ranks(tmp_path: Path) -> None:
    ranked = [
        *claims("P17", 10, rank="deprecated")["P17"],
        *claims("P17", 11, 12)["P17"],
        *claims("P17", 13, rank="preferred")["P17"],
    ]
    found = read(tmp_path, lines(
        entity(1, claims={"P17": ranked, **claims("P279", 20, rank="preferred")}),
        entity(2, claims={"P17": ranked[:3], **claims("P31", 5, 5, 6)}),
        entity(3, claims={"P17": [ranked[1], {"mainsnak": {"snaktype": "novalue"}, "rank": "preferred"}]}),
    ))  # fmt: skip
    best = [(row["id"], row["country"], row["best"]) for row in rows(found, "country")]
    assert best == [(1, 11, False), (1, 12, False), (1, 13, True), (2, 11, True), (2, 12, True), (3, 11, False)]
    assert rows(found, "subclass") == [{"class": 1, "parent": 20, "best": True}]
    assert [(row["id"], row["class"]) for row in rows(found, "item_class")] == [(2, 5), (2, 6)]
    assert [seen(found, code) for code in ("deprecated", "preferred", "novalue")] == [[2, 3], [2, 2, 4], [4]]


def test_values_that_are_unknown_none_or_known_by_number(tmp_path: Path) -> None:
    by_number = {"value": {"entity-type": "item", "numeric-id": 515}, "type": "wikibase-entityid"}
    other = {"value": {"entity-type": "property", "numeric-id": 31}, "type": "wikibase-entityid"}
    found = read(tmp_path, lines(
        entity(1, claims=snak("P31", datavalue=by_number)),
        entity(2, claims=snak("P31", snaktype="somevalue")),
        entity(3, claims=snak("P31", snaktype="novalue")),
        entity(4, claims=snak("P31", datavalue=other)),
        entity(5, claims=snak("P31", datavalue={"value": "text", "type": "string"})),
        entity(6, claims=snak("P31", datavalue={"value": {"id": "P31"}})),
        entity(7, claims=snak("P31")),
    ))  # fmt: skip
    assert [(row["id"], row["class"]) for row in rows(found, "item_class")] == [(1, 515)]
    assert ids(found) == [1, 2, 3, 4, 5, 6, 7]
    assert [seen(found, code) for code in ("numeric-id", "somevalue", "novalue")] == [[2], [3], [4]]
    assert seen(found, "field") == [5, 6, 7, 8]


def test_default_labels_of_all_languages_are_kept(tmp_path: Path) -> None:
    found = read(tmp_path, lines(
        entity(1, labels={**text("Ada", "mul"), **text("Аda", "ru")}, aliases={"mul": [{"value": "A. L."}]}),
        entity(2, labels=text("nobody", "fr")),
    ))  # fmt: skip
    assert names(found) == [(1, "mul", 0, "Ada"), (1, "mul", 1, "A. L.")]
    assert found.counts["nameless"] == 1


def test_lone_surrogates_and_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    odd = {**text("whole", "de"), "en": {"value": "half \ud800"}}
    bad = entity(3, labels={**text("fine", "de"), **text("b@d")}).replace(b"@", b"\xff")
    elsewhere = entity(4, labels={**text("fine"), **text("b@d", "fr")}).replace(b"@", b"\xff")
    data = lines(entity(1, labels=odd).replace(b"\xed\xa0\x80", b"\\ud800"), entity(2), bad, elsewhere)
    found = read(tmp_path, data)
    assert names(found) == [(1, "de", 0, "whole"), (2, "en", 0, "name 2"), (3, "de", 0, "fine"), (4, "en", 0, "fine")]
    assert seen(found, "surrogate") == [2]
    assert seen(found, "utf8") == [4]
    assert seen(found, "text") == [2, 4]
    assert "\\ud800" in noted(found, "text")[0].message


def test_lines_that_nothing_can_read(tmp_path: Path) -> None:
    found = read(tmp_path, lines(
        entity(1),
        entity(2)[:-9],
        b'{"type":"item",,"id":"Q3"}',
        b'"text"',
        b"null",
        b"\x00\x00\x00\x00",
        b'{"type":"item","id":"Q4","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"type":"item","id":"Q5","n":' + b"9" * 5000 + b"x}",
        entity(6),
    ))  # fmt: skip
    assert ids(found) == [1, 6]
    assert seen(found, "cut-line") == [3]
    assert seen(found, "broken") == [4, 5, 6, 7, 9]
    assert seen(found, "nested") == [8]
    assert len(found.faults) == 7


def test_a_truncated_last_line(tmp_path: Path) -> None:
    found = read(tmp_path, b"[\n" + entity(1) + b",\n" + entity(2)[:40])
    assert ids(found) == [1]
    assert [(note.line, note.code) for note in found.faults] == [(3, "cut-line")]


def test_numbers_that_only_some_call_json(tmp_path: Path) -> None:
    found = read(tmp_path, lines(entity(1, lat=float("nan")), entity(2)))
    assert ids(found) == [1, 2]
    assert seen(found, "odd-json") == [2]


def test_entities_inside_other_objects(tmp_path: Path) -> None:
    envelope = b'{"entities":{"Q1":' + entity(1) + b',"Q6":{"id":"Q6","missing":""}},"success":1}'
    found = read(tmp_path, lines(b'{"Q2":' + entity(2) + b"}", envelope, b'{"x":{}}'))
    assert ids(found) == [2, 1]
    assert seen(found, "wrapped") == [2, 3]
    assert seen(found, "bad-id") == [4]


@pytest.mark.parametrize("key", ["Q0", "Q01", "Q", "q5", "Q1_0", "Q१", "P5", "Q1234567890123456789", ""])
def test_ids_that_are_none(key: str, tmp_path: Path) -> None:
    found = read(tmp_path, lines(entity(1), entity(2, id=key)))
    assert ids(found) == [1]
    assert seen(found, "bad-id") == [3]


@pytest.mark.parametrize(
    "parts",
    [
        {"labels": "x"}, {"labels": {"en": "x"}}, {"labels": {"en": {"value": 1}}}, {"labels": [1]},
        {"aliases": {"en": {"value": "x"}}}, {"aliases": {"en": [{"en": "x"}]}}, {"claims": 5},
        {"claims": {"P31": {}}}, {"claims": {"P31": [{"rank": "normal"}]}}, {"claims": {"P31": [5]}},
        {"claims": {"P31": [{"mainsnak": {}, "rank": 5}]}}, {"claims": {"P31": [{"mainsnak": {"datavalue": 5}}]}},
        {"sitelinks": {"enwiki": 5}}, {"sitelinks": {"enwiki": {"title": 5}}}, {"sitelinks": 5},
    ],
)  # fmt: skip
def test_a_part_of_another_form_is_left_out(parts: dict[str, Any], tmp_path: Path) -> None:
    base = {"labels": {**text("kept", "de")}, "sitelinks": {"dewiki": {"title": "T"}}}
    found = read(tmp_path, lines(entity(1, **base), entity(2, **{**base, **parts})))
    assert 1 in ids(found)
    assert seen(found, "field") == [3]
    assert [note.line for note in found.faults] == [3]


def test_items_of_denied_classes_are_left_out(tmp_path: Path) -> None:
    data = lines(entity(1), *(entity(n, claims=claims("P31", 5, int(key[1:]))) for n, key in enumerate(DENIED, 2)))
    found = read(tmp_path, data)
    assert ids(found) == [1]
    assert found.counts["denied"] == len(DENIED)
    assert found.denied == dict.fromkeys(DENIED, 1)
    assert len(ids(extract(str(tmp_path / "dump.json"), tmp_path / "all", DumpOptions(deny=())))) == len(DENIED) + 1


def test_what_is_taken_of_an_item(tmp_path: Path) -> None:
    item = entity(
        64,
        labels={**text("Berlin"), **text("बर्लिन", "hi"), **text("Berlino", "it"), **text("", "de")},
        aliases={"en": [{"value": "Berlin, Germany"}, {"value": " \t"}]},
        descriptions={**text("capital"), **text("capitale", "it")},
        claims={**claims("P31", 515), **claims("P279", 7), **claims("P17", 183), **claims("P18", 1)},
        sitelinks={
            site: {"site": site, "title": f"{site} title"} for site in ("enwiki", "hiwiki", "itwiki", "enwikiquote")
        },
    )
    found = read(tmp_path, lines(item), DumpOptions(("en", "hi", "de"), descriptions=True))
    assert rows(found, "items") == [{"id": 64, "sitelinks": 4}]
    assert names(found) == [(64, "en", 0, "Berlin"), (64, "hi", 0, "बर्लिन"), (64, "en", 1, "Berlin, Germany")]
    assert rows(found, "titles") == [
        {"lang": "en", "title": "enwiki title", "id": 64}, {"lang": "hi", "title": "hiwiki title", "id": 64}
    ]  # fmt: skip
    assert rows(found, "descriptions") == [{"id": 64, "lang": "en", "text": "capital"}]
    assert rows(found, "item_class") == [{"id": 64, "class": 515, "best": True}]
    assert rows(found, "subclass") == [{"class": 64, "parent": 7, "best": True}]
    assert rows(found, "country") == [{"id": 64, "country": 183, "best": True}]


def test_classes_without_a_name_still_have_parents(tmp_path: Path) -> None:
    found = read(tmp_path, lines(entity(1, labels={}, claims=claims("P279", 2))))
    assert ids(found) == []
    assert rows(found, "subclass") == [{"class": 1, "parent": 2, "best": True}]


@pytest.mark.parametrize(("name", "pack"), [("a.bz2", gz), ("a.json", bz2.compress), ("a.gz", bytes), ("a", gz)])
def test_the_name_of_a_file_says_nothing(name: str, pack: Any, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(pack(lines(entity(1), entity(2))))
    found = extract(str(file), tmp_path / "shards")
    assert ids(found) == [1, 2]
    assert bool(found.remarks) is (name != "a")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "empty"), (b"\x28\xb5\x2f\xfd..", "zstd"), (b"<html>", "HTML"), (b"PK\x03\x04", "zip"),
        (b"P31 was here", "something else"), (b"\xff\xfe[\0", "UTF-16"),
    ],
)  # fmt: skip
def test_what_is_no_dump_is_refused(data: bytes, what: str, tmp_path: Path) -> None:
    file = tmp_path / "dump.json"
    file.write_bytes(data)
    with pytest.raises(InputError, match=rf"dump\.json is .*{what}.*expected a Wikidata JSON dump"):
        extract(str(file), tmp_path / "shards")
    assert not (tmp_path / "shards").exists()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        extract(str(tmp_path / "none.gz"), tmp_path / "shards")
    with pytest.raises(InputError, match="is a folder"):
        extract(str(tmp_path), tmp_path / "shards")


@pytest.mark.parametrize("pack", [bytes, gz, bz2.compress])
def test_standard_input(pack: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = pack(lines(*(entity(number) for number in range(1, 60))))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    found = extract("-", tmp_path / "shards", DumpOptions(chunk=3000))
    assert ids(found) == list(range(1, 60))
    assert found.chunks > 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_named_pipe(tmp_path: Path) -> None:
    pipe, data = tmp_path / "pipe", gz(lines(entity(1), entity(2)))
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(data,))
    writer.start()
    found = extract(str(pipe), tmp_path / "shards")
    writer.join()
    assert ids(found) == [1, 2]


def test_a_source_that_fails_in_the_middle_is_no_fault_of_the_shards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() > 0:
                raise OSError(5, "Input/output error")
            return super().read(size)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Failing(lines(*[entity(1)] * 1000))))
    with pytest.raises(InputError, match="standard input cannot be read: Input/output error"):
        extract("-", tmp_path / "shards")


def test_lines_of_later_chunks_count_from_the_begin_of_the_dump(tmp_path: Path) -> None:
    data = lines(*(entity(number) if number % 10 else b"{broken" for number in range(1, 60)))
    found = read(tmp_path, data, DumpOptions(chunk=len(data) // 7))
    assert found.chunks >= 7
    assert seen(found, "broken") == [11, 21, 31, 41, 51]
    assert found.counts["lines"] == 61


def test_no_more_faults_are_listed_than_one_can_read(tmp_path: Path) -> None:
    found = read(tmp_path, lines(*[b"{broken"] * 500))
    assert found.notes["broken"] == 500
    assert seen(found, "broken") == list(range(2, 2 + Level.FAULT.value))


@pytest.mark.parametrize("library", ["isal", "msgspec", "orjson", "pyarrow"])
def test_a_library_that_is_missing_is_named(library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "dump.gz"
    file.write_bytes(gz(lines(entity(1), b'{"entity":"Q7","redirect":"Q1"}')))
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=rf"needs {library}.*nerquake\[wikidata\]"):
        extract(str(file), tmp_path / "shards")
    assert not (tmp_path / "shards").exists()


@pytest.mark.parametrize(
    "options",
    [{"languages": ()}, {"languages": ("EN",)}, {"languages": ("en", "en")}, {"deny": ("scholarly",)}, {"chunk": -1}],
)
def test_options_that_cannot_be(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        DumpOptions(**options)


def test_every_code_can_be_listed() -> None:
    assert all(level.value > 0 and text for level, text in CODES.values())
