"""doccano's JSON Lines in the forms of its versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.errors import FormatError
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.io.doccano import Doccano
from nerquake.io.load import inspect, load, save

OLD = {
    "id": 1,
    "text": "Anna in Bonn",
    "annotations": [
        {"label": "PER", "start_offset": 0, "end_offset": 4, "user": "ida@x.org"},
        {"label": "ORG", "start_offset": 8, "end_offset": 12, "user": "ulf@x.org"},
    ],
    "annotation_approver": "ulf@x.org",
}
NEW = {
    "id": 2,
    "text": "Anna in Bonn",
    "entities": [
        {"id": 9, "label": "PER", "start_offset": 0, "end_offset": 4},
        {"id": 4, "label": "LOC", "start_offset": 8, "end_offset": 12},
    ],
    "relations": [{"id": 1, "from_id": 9, "to_id": 4, "type": "lives"}],
    "Comments": [],
}


DOCCANO = Doccano()


def lines(*records: Any) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def read(data: bytes, form: Doccano = DOCCANO, **options: Any) -> Dataset:
    return form.read_bytes("x.jsonl", data, ReadOptions(**options))


@pytest.mark.parametrize("key", ["label", "labels", "entities", "annotations"])
@pytest.mark.parametrize("objects", [False, True])
def test_labels_under_every_key_and_in_both_forms(key: str, objects: bool) -> None:
    one: Any = {"label": "PER", "start_offset": 0, "end_offset": 4} if objects else [0, 4, "PER"]
    data = lines({"id": 5, "text": "Anna lebt", key: [one], "meta": {"source": "web", "page": 3}, "extra": [1]})
    found = read(data)
    assert found.sentences[0].spans == (Span(0, 1, "PER"),)
    assert (found.sentences[0].id, found.sentences[0].meta) == ("5", (("source", "web"),))
    assert "".join(Doccano().lines(found)).encode() == data


def test_other_fields_survive_a_change() -> None:
    found = read(lines({"id": 5, "text": "Anna lebt", "labels": [[0, 4, "PER"]], "meta": {"page": 3}, "extra": [1]}))
    made = json.loads("".join(Doccano().lines(found.with_sentences([found.sentences[0].with_spans([])]))))
    assert made == {"id": 5, "text": "Anna lebt", "labels": [], "meta": {"page": 3}, "extra": [1]}


def test_the_labels_of_one_annotator_are_taken_and_nobody_is_named() -> None:
    found = read(lines(OLD))
    assert found.sentences[0].spans == (Span(0, 1, "PER"),)
    assert "1 record annotated by several people: one of them is taken" in found.notes
    second = read(lines(OLD), Doccano(annotator=2))
    assert second.sentences[0].spans == (Span(2, 3, "ORG"),)
    assert second.reader == "doccano:annotator=2"
    with pytest.raises(FormatError, match="1 record without labels: left out"):
        read(lines(OLD), Doccano(annotator=3))
    for dataset in (found, second):
        assert "x.org" not in "".join(Doccano().lines(dataset)) + repr(dataset) + repr(dataset.sentences[0].layout)
        assert any("annotators' names are left out" in note for note in dataset.notes)
    empty = read(lines({**OLD, "annotation_approver": None, "annotations": []}))
    assert "".join(Doccano().lines(empty)).encode() == lines({**OLD, "annotation_approver": None, "annotations": []})


def test_relations_stay_while_their_mentions_do() -> None:
    found = read(lines(NEW))
    assert "".join(Doccano().lines(found)).encode() == lines(NEW)
    sentence = found.sentences[0]
    more = found.with_sentences([sentence.with_spans([*sentence.spans, Span(1, 2, "X")])])
    made = json.loads("".join(Doccano().lines(more)))
    assert [one["id"] for one in made["entities"]] == [9, 10, 4]
    assert made["relations"] == NEW["relations"]
    fewer = found.with_sentences([sentence.with_spans(sentence.spans[:1])])
    assert json.loads("".join(Doccano().lines(fewer)))["relations"] == []


def test_records_that_nobody_labelled_are_left_out_and_counted() -> None:
    found = read(
        lines({"text": "Anna"}, {"text": "Bo", "label": None}, {"text": "Cy", "label": []}, {"text": " ", "label": []})
    )
    assert [s.tokens for s in found] == [("Cy",)]
    assert "2 records without labels: left out, not annotated" in found.notes
    assert "1 text without a word: left out" in found.notes
    with pytest.raises(FormatError, match="holds no sentences: 1 record without labels"):
        read(lines({"text": "Anna"}))


def test_labels_that_are_numbers_are_read_and_said() -> None:
    found = read(lines({"text": "Anna", "label": [[0, 4, 12]]}))
    assert found.labels == ("12",)
    assert any("--map" in note for note in found.notes)


MALFORMED = [
    ({"text": "Anna", "label": ["positive"]}, "wrong-type", "classification"),
    ({"text": "Anna", "label": "positive"}, "wrong-type", "classification"),
    ({"text": "Anna", "label": [[0, 4]]}, "wrong-type", "is no mention"),
    ({"text": "Anna", "label": [[0, "4", "PER"]]}, "wrong-type", "is no mention"),
    ({"text": "Anna", "label": [[0, 4, ""]]}, "wrong-type", "is no mention"),
    ({"text": "Anna", "label": [[False, 4, "PER"]]}, "wrong-type", "is no mention"),
    ({"text": "Anna", "entities": [{"label": "PER", "start": 0, "end": 4}]}, "wrong-type", "start_offset"),
    ({"text": 7, "label": []}, "wrong-type", "text must be a text"),
    ({"label": [[0, 4, "PER"]]}, "wrong-type", "has no text"),
    ({"id": [], "text": "Anna", "label": []}, "wrong-type", "id must be"),
    ({"text": "Anna", "label": [[0, 40, "PER"]]}, "offset-outside", "4 code points"),
    ({"text": " ", "label": [[0, 1, "PER"]]}, "no-tokens", "no words"),
    ({"text": "Anna", "label": [], "token_offsets": [[[0, 9]]]}, "bad-token", "outside the text"),
    ({"text": "Anna", "label": [], "token_offsets": [[0, 4]]}, "bad-token", "a list of"),
    ({"text": "Anna", "label": [], "token_offsets": [[[2, 4], [0, 2]]]}, "bad-token", "out of order"),
    ({"text": "Anna", "label": [], "sentence_ids": ["a", "b"]}, "wrong-type", "sentence_ids"),
]


@pytest.mark.parametrize(("record", "code", "message"), MALFORMED)
def test_a_malformed_record_is_one_problem_of_its_line(record: Any, code: str, message: str) -> None:
    good = {"text": "Bo lebt", "label": [[0, 2, "PER"]]}
    with pytest.raises(FormatError) as caught:
        read(lines(good, record, good))
    (problem,) = caught.value.problems
    assert (problem.code, problem.line) == (code, 2)
    assert message in str(problem)
    assert str(caught.value).startswith("x.jsonl: 1 problem")
    left = read(lines(good, record, good), lenient=True)
    assert len(left) == 2, "nothing else is lost"
    assert "left out (lenient): 1 record" in left.notes


@pytest.mark.parametrize(
    "line",
    [b"{", b"[]", b'"x"', b'{"text": "a", "text": "b"}', b'{"text": "\xff"}', b'{"text": "\\ud83d", "label": []}'],
)
def test_a_line_that_is_no_record_is_one_problem(line: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        read(lines({"text": "Bo", "label": []}) + line + b"\n")
    assert [problem.line for problem in caught.value.problems] == [2]


def test_two_records_of_one_id_are_a_problem() -> None:
    with pytest.raises(FormatError, match=r"line 2: the id '1' stands for another sentence too \(line 1\)"):
        read(lines({"id": 1, "text": "a", "label": []}, {"id": 1, "text": "b", "label": []}))


@pytest.mark.parametrize("data", [lines(NEW), lines({"text": "Anna", "label": [[0, 4, "PER"]]})])
def test_the_format_is_found_by_content(tmp_path: Path, data: bytes) -> None:
    for name in ("a.jsonl", "a", "a.json"):
        (tmp_path / name).write_bytes(data)
        assert load(str(tmp_path / name)).reader == "doccano"


def test_compact_files_with_escapes_and_blank_lines_keep_their_style() -> None:
    data = b'\n{"text":"Gro\\u00df","label":[[0,4,"PER"]]}\n\n{"text":"Gro\\u00df","label":[[0,4,"LOC"]]}'
    found = read(data)
    assert "".join(Doccano().lines(found)).encode() == data
    changed = [s.with_spans([Span(0, 1, "ORG")]) for s in found]
    assert "".join(Doccano().lines(found.with_sentences(changed))).encode() == data.replace(b"PER", b"ORG").replace(
        b"LOC", b"ORG"
    )


def test_from_tokens_to_text_and_back(tmp_path: Path) -> None:
    one = Sentence("s1", ("Bonn", ".", "AT&T"), (Span(0, 1, "LOC"),), spaces=(False, True, False), meta=(("d", "x"),))
    save(Dataset("x", (one,)), tmp_path / "a.jsonl", "doccano")
    made = json.loads((tmp_path / "a.jsonl").read_text("utf-8"))
    assert made["text"] == "Bonn. AT&T"
    assert made["label"] == [[0, 4, "LOC"]]
    assert load(str(tmp_path / "a.jsonl")).sentences == (one,)


@pytest.mark.parametrize(
    ("path", "spec", "sizes", "codes"),
    [
        ("entomosci/sample.jsonl", "doccano", (39, 52), {"nested", "cuts-token"}),
        ("doccano-import-tests/example.jsonl", "doccano", (1, 0), {"cuts-token", "wrong-type", "no-mentions"}),
        ("doccano-transformer/labeling.jsonl", "doccano", (2, 11), set()),
        ("doccano-transformer/labeling_text_label.jsonl", "doccano:split=lines", (6, 11), set()),
    ],
)
def test_real_exports(shared: Path, path: str, spec: str, sizes: tuple[int, int], codes: set[str]) -> None:
    file = shared / "data" / "doccano_jsonl" / path
    found = inspect(str(file), spec)
    assert found.dataset is not None
    assert (len(found.dataset), sum(found.dataset.mentions.values())) == sizes
    assert {problem.code for problem in found.problems} == codes
    if not codes and "annotations" not in file.read_text("utf-8"):
        assert "".join(Doccano(split="lines").lines(found.dataset)).encode() == file.read_bytes()


def test_the_real_overlaps_are_flattened_and_counted(shared: Path) -> None:
    file = shared / "data" / "doccano_jsonl" / "entomosci" / "sample.jsonl"
    found = load(str(file), "doccano", ReadOptions(flatten="outer", align="expand"))
    assert len(found) == 49
    assert sum(found.mentions.values()) + 12 == 86
    assert "12 mentions nested or overlapping: left out" in found.notes
    assert "3 mentions widened to whole words" in found.notes
