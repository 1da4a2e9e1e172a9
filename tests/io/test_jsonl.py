"""JSON Lines lose nothing, and everything wrong in them is said by line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.strategies import datasets

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.errors import FormatError, InputError, OutputError
from nerquake.core.protocols import ReadOptions
from nerquake.core.scheme import SCHEMES
from nerquake.core.sentence import Sentence, token_hash
from nerquake.core.span import Span
from nerquake.io.jsonl import Jsonl

DATA = Path(__file__).parent.parent / "data"
FILE = (
    '{"format": "nerquake.dataset/1", "language": "de", "made_by": "x"}\n\n'
    '{"tokens":["Bonn","."],"id":"s1",  "spans":[[0,1,"LOC",0.5]],"extra":{"a":[1]},"spaces":[false,false]}\n'
    '{"id": 7, "tokens": ["\\u00e4", "b\u2028"], "tags": ["B-X", "I-X"], "meta": {"domain": "news"}, "doc_id": "d"}\r\n'
    '{"tokens": ["a"], "columns": [["X", ""]], "meta": {"n": 1}, "source": "s1"}'
)


def read(text: str, **options: object) -> Dataset:
    return Jsonl().read_bytes("x.jsonl", text.encode(), ReadOptions(**options))  # type: ignore[arg-type]


def write(dataset: Dataset) -> str:
    return "".join(Jsonl().lines(dataset))


def test_records_are_read_with_everything_that_they_say() -> None:
    found = read(FILE)
    first, second, third = found.sentences
    assert found.language == "de"
    assert (first.id, first.spans, first.spaces) == ("s1", (Span(0, 1, "LOC"),), (False, False))
    assert first.spans[0].score == 0.5
    assert (second.id, second.tokens, second.spans) == ("7", ("ä", "b\u2028"), (Span(0, 2, "X"),))
    assert (second.meta, second.doc_id) == ((("domain", "news"),), "d")
    assert (third.id, third.hashed, third.columns) == (token_hash(("a",)), True, (("X", ""),))
    assert third.source == "s1"
    assert found.scheme is not None


def test_what_still_says_the_same_is_written_byte_for_byte() -> None:
    assert write(read(FILE)) == FILE.replace("\r\n", "\n")


def test_what_says_something_else_is_written_anew_with_unknown_keys() -> None:
    found = read(FILE)
    edited = apply_edits(found.sentences[0], [Edit(0, 1, ("Köln",), "mention")], "s1~swap").sentence
    relabelled = found.sentences[1].with_spans([Span(0, 1, "Y")])
    written = write(replace(found, sentences=(edited, relabelled, found.sentences[2]))).split("\n")
    assert json.loads(written[0])["made_by"] == "x"
    first, second = json.loads(written[2]), json.loads(written[3])
    assert (first["id"], first["tokens"], first["extra"]) == ("s1~swap", ["Köln", "."], {"a": [1]})
    assert second["tags"] == ["B-Y", "O"]
    assert "spans" not in second
    assert "Köln" in written[2]
    assert json.loads(written[4])["meta"] == {"n": 1}


def test_another_scheme_encodes_tags_anew() -> None:
    found = replace(read('{"tokens": ["a"], "tags": ["B-X"]}\n'), scheme=SCHEMES["bioes"])
    assert json.loads(write(found))["tags"] == ["S-X"]


@settings(max_examples=80)
@given(datasets(laid_out=True))
def test_any_data_set_survives(dataset: Dataset) -> None:
    text = write(replace(dataset, language="xx"))
    found = read(text)
    assert found.sentences == dataset.sentences
    assert found.language == "xx"
    assert write(found) == text


def test_repeated_names_in_meta_survive() -> None:
    sentence = Sentence("a", ("b",), meta=(("k", "1"), ("k", "2")))
    assert read(write(Dataset("x", (sentence,)))).sentences == (sentence,)


def test_every_fault_is_named_by_its_line() -> None:
    with pytest.raises(FormatError) as caught:
        Jsonl().read(str(DATA / "broken.jsonl"), ReadOptions())
    found = [(problem.line, problem.code) for problem in caught.value.problems]
    assert found == [
        (2, "bad-span"), (3, "overlapping-spans"), (4, "no-tokens"), (5, "empty-token"), (6, "duplicate-id"),
        (7, "lone-surrogate"), (8, "bad-json"), (9, "wrong-type"), (10, "bad-json"), (11, "wrong-type"),
        (12, "wrong-type"), (13, "bad-tag"), (14, "wrong-type"), (15, "bad-json"), (16, "bad-json"), (17, "wrong-type"),
    ]  # fmt: skip
    lenient = Jsonl().read(str(DATA / "broken.jsonl"), ReadOptions(lenient=True))
    assert [sentence.id for sentence in lenient] == ["s1"]
    assert any("16 records" in note for note in lenient.notes)


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ({"tokens": ["a"], "spans": [[0, 1, "X"]], "tags": ["B-X"]}, "wrong-type"),
        ({"tokens": ["a"], "tags": ["B-X", "O"]}, "wrong-type"),
        ({"tokens": ["a"], "spans": [[1, 1, "X"]]}, "bad-span"),
        ({"tokens": ["a"], "spans": [[-1, 1, "X"]]}, "bad-span"),
        ({"tokens": ["a"], "spans": [[0, 1, ""]]}, "wrong-type"),
        ({"tokens": ["a"], "spans": [[0, 1, "X", "high"]]}, "wrong-type"),
        ({"tokens": ["a"], "spans": {"start": 0}}, "wrong-type"),
        ({"tokens": ["a", 1]}, "wrong-type"),
        ({"tokens": ["a"], "columns": [["x"], ["y"]]}, "wrong-type"),
        ({"tokens": ["a", "b"], "columns": [["x"], []]}, "mixed-columns"),
        ({"tokens": ["a"], "doc_id": 1}, "wrong-type"),
        ({"tokens": ["a"], "id": ""}, "wrong-type"),
        ({"format": "nerquake.dataset/9"}, "wrong-format"),
        ({"format": "nerquake.variants/1"}, "wrong-format"),
    ],
)
def test_a_wrong_field_is_one_problem(record: dict[str, object], code: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(json.dumps(record) + "\n")
    assert code in [problem.code for problem in caught.value.problems]
    assert all(problem.line == 1 for problem in caught.value.problems)


def test_a_header_stands_in_the_first_line_only() -> None:
    with pytest.raises(FormatError, match="first line"):
        read('{"tokens": ["a"]}\n{"format": "nerquake.dataset/1"}\n')


def test_ill_formed_tags_are_problems_or_repaired() -> None:
    text = '{"tokens": ["a", "b", "c"], "tags": ["B-X", "O", "I-X"]}\n'
    with pytest.raises(FormatError, match="I-X -> B-X"):
        read(text)
    assert len(read(text, repair="conlleval").sentences[0].spans) == 2
    assert len(read(text, repair="discard").sentences[0].spans) == 1
    tags = Jsonl().tags_of("x", text.encode(), ReadOptions())
    assert tags.tags == (("B-X", "O", "I-X"),)


def test_spans_are_handed_out_as_tags() -> None:
    text = '{"tokens": ["a", "b"], "spans": [[0, 1, "X"], [1, 2, "X"]]}\n'
    assert Jsonl().tags_of("x", text.encode(), ReadOptions()).tags == (("B-X", "B-X"),)


@pytest.mark.parametrize("data", [b"", b"\n", b"\x00", b'{"format": "nerquake.dataset/1"}\n', b'{"tokens": ["\xff"]}'])
def test_files_without_sentences_are_refused(data: bytes) -> None:
    with pytest.raises(InputError, match=r"x\.jsonl"):
        Jsonl().read_bytes("x.jsonl", data, ReadOptions())


def test_an_empty_token_cannot_be_written() -> None:
    with pytest.raises(OutputError, match="'a'"):
        write(Dataset("x", (Sentence("a", ("",)),)))


def test_a_deep_record_is_a_problem_not_a_crash() -> None:
    with pytest.raises(FormatError, match="no JSON"):
        read("[" * 100_000 + "\n")
