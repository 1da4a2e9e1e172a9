"""What another format cannot hold is listed, and how JSON formats are told apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.runner import nerquake

from nerquake.core.dataset import Dataset
from nerquake.core.errors import UsageError
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.io.conversion import losses
from nerquake.io.detect import json_format
from nerquake.io.doccano import Doccano
from nerquake.io.load import load, save
from nerquake.io.prodigy import Prodigy

FULL = Dataset(
    "x.conll",
    (
        Sentence("s1", ("Bonn", "."), (Span(0, 1, "LOC"),), (False, False), "d1", (("N",), ("P",)), (("k", "v"),)),
        Sentence("s2", ("Bo",)),
    ),
)


@pytest.mark.parametrize(
    ("target", "lost"),
    [
        ("jsonl", set()),
        ("doccano", {"documents", "other columns"}),
        ("labelstudio", {"documents", "other columns"}),
        ("prodigy", {"documents", "other columns"}),
        ("brat", {"other columns", "meta data"}),
        ("spacy-json", {"documents", "other columns", "meta data", "their ids"}),
    ],
)
def test_what_a_target_cannot_hold_is_listed(target: str, lost: set[str]) -> None:
    found = losses(FULL, target)
    assert {line.partition(" has no place for ")[2] for line in found} == lost
    assert all(line.startswith(("1 sentence: ", "2 sentences: ")) for line in found)


def test_spacing_and_other_fields_of_records() -> None:
    data = b'{"text": "Bo  lebt", "label": [], "rank": 1, "page": null}\n{"text": "Bo.\\n", "label": []}\n'
    found = Doccano().read_bytes("x", data, ReadOptions())
    assert losses(found, "doccano") == []
    assert losses(found, "prodigy") == ["1 sentence: prodigy has no place for the other fields of doccano (rank)"]
    lost = losses(found, "jsonl")
    assert [line.split(": ", 1)[1].split(" (")[0] for line in lost] == [
        "jsonl has no place for blanks other than one between tokens",
        "jsonl has no place for the other fields of doccano",
    ]
    bare = Prodigy().read_bytes("x", b'{"text": "Bo lebt", "spans": []}\n', ReadOptions())
    assert losses(bare, "spacy-json") == []


def test_an_unknown_target_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        losses(FULL, "doccanno")


def test_convert_lists_what_is_lost_and_refuses_with_strict(tmp_path: Path) -> None:
    save(FULL, tmp_path / "a.jsonl")
    ran = nerquake("convert", tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--to", "doccano")
    assert ran.code == 0
    assert f"not in {tmp_path / 'b.jsonl'}: 1 sentence: doccano has no place for documents" in ran.err
    assert len(load(str(tmp_path / "b.jsonl"))) == 2
    ran = nerquake("convert", tmp_path / "a.jsonl", tmp_path / "c.jsonl", "--to", "doccano", "--strict")
    assert ran.code == 2
    assert "doccano has no place for other columns" in ran.err
    assert not (tmp_path / "c.jsonl").exists()
    assert nerquake("convert", tmp_path / "b.jsonl", tmp_path / "d.jsonl", "--to", "doccano", "--strict").code == 0
    assert (tmp_path / "d.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


@pytest.mark.parametrize("form", ["doccano", "prodigy", "labelstudio", "spacy-json", "jsonl", "conll"])
@pytest.mark.parametrize("other", ["doccano", "prodigy", "labelstudio", "brat", "spacy-json"])
def test_tokens_and_mentions_survive_any_way_through_two_formats(tmp_path: Path, form: str, other: str) -> None:
    save(FULL, tmp_path / "first", form)
    save(load(str(tmp_path / "first"), form), tmp_path / "second", other)
    found = load(str(tmp_path / "second"), other)
    assert [(s.tokens, s.spans) for s in found] == [(s.tokens, s.spans) for s in FULL]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"tokens": ["a"], "spans": []}, "jsonl"),
        ({"format": "nerquake.dataset/1"}, "jsonl"),
        ({"text": "a"}, "jsonl"),
        ({"tokens": ["a"], "text": "a", "label": []}, "jsonl"),
        ({"text": "a", "spans": []}, "prodigy"),
        ({"text": "a", "tokens": [{"text": "a"}], "_task_hash": 1}, "prodigy"),
        ({"text": "a", "label": []}, "doccano"),
        ({"text": "a", "entities": [], "relations": []}, "doccano"),
        ({"data": {"text": "a"}, "annotations": []}, "labelstudio"),
        ([{"data": {"text": "a"}, "predictions": []}], "labelstudio"),
        ([{"id": 1, "paragraphs": []}], "spacy-json"),
        ([["a", {"entities": []}]], "spacy-json"),
        ([{"x": 1}], "json"),
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_json_formats_are_told_by_their_first_record(record: object, expected: str, indent: int | None) -> None:
    lines = not isinstance(record, list) and expected != "labelstudio"
    text = json.dumps(record, indent=None if lines else indent)
    assert json_format(b"\xef\xbb\xbf\n" + text.encode() + b"\n") == expected


@pytest.mark.parametrize("data", [b"", b"{\tO\n", b"[\tO\nBonn\tB-LOC\n", b"[ O\n", b"Bonn O\n", b"\xff\xfe"])
def test_what_is_no_json_is_not_taken_for_it(data: bytes) -> None:
    assert json_format(data) == ""


def test_json_that_cannot_be_told_asks_for_the_format(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[{"words": []}]')
    with pytest.raises(UsageError, match=r"a\.json.*--input labelstudio"):
        load(str(tmp_path / "a.json"))


def test_documents_that_brat_reads_in_another_order_are_listed() -> None:
    def named(*docs: str | None) -> Dataset:
        return Dataset("m", tuple(Sentence(f"s{at}", ("Bo",), doc_id=doc) for at, doc in enumerate(docs)))

    assert losses(named("a", "a", "b", "c"), "brat") == []
    assert losses(named(*[None, "n"] * 12), "brat") != []
    assert losses(named("c", "a", "b", "b", "d"), "brat") == [
        "4 sentences: brat reads documents in the order of their names, which is another one"
    ]
