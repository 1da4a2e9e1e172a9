"""Label Studio's JSON: annotations, completions, predictions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, apply_edits
from nerquake.core.errors import FormatError
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.io.labelstudio import LabelStudio
from nerquake.io.load import inspect, load, save

TEXT = "Rosa Lind in Bonn"
STUDIO = LabelStudio()


def result(start: int, end: int, label: str, **more: Any) -> dict[str, Any]:
    value = {"start": start, "end": end, "text": TEXT[start:end], "labels": [label]}
    return {"id": f"r{start}", "from_name": "ner", "to_name": "text", "type": "labels", "value": value, **more}


def task(*results: Any, key: str = "annotations", **more: Any) -> dict[str, Any]:
    answer = {"id": 1, "completed_by": {"id": 3, "email": "ida@x.org"}, "was_cancelled": False, "result": list(results)}
    return {"id": 7, "data": {"text": TEXT, "user": "author of the text"}, key: [answer], **more}


RELATION = {"from_id": "r0", "to_id": "r13", "type": "relation", "direction": "right"}
TASK = task(result(0, 9, "PER"), result(13, 17, "LOC"), RELATION)


def file(*tasks: Any, indent: int | None = None) -> bytes:
    return json.dumps(tasks, ensure_ascii=False, indent=indent).encode()


def read(data: bytes, form: LabelStudio = STUDIO, **options: Any) -> Dataset:
    return form.read_bytes("x.json", data, ReadOptions(**options))


def nameless(given: Any) -> Any:
    return json.loads(json.dumps(given).replace('"completed_by": {"id": 3, "email": "ida@x.org"}, ', ""))


@pytest.mark.parametrize("indent", [None, 2, 4])
@pytest.mark.parametrize("key", ["annotations", "completions"])
def test_annotations_are_read_and_written_without_names(key: str, indent: int | None) -> None:
    given = [task(result(0, 9, "PER"), RELATION, key=key), {**task(key=key), "id": 8}]
    found = read(file(*given, indent=indent))
    assert [s.id for s in found] == ["7", "8"]
    assert found.sentences[0].spans == (Span(0, 2, "PER"),)
    assert "1 result of the type relation: no mentions" in found.notes
    assert "".join(STUDIO.lines(found)).encode() == file(*nameless(given), indent=indent)
    assert "ida" not in repr(found) + repr([s.layout for s in found])
    assert any("completed_by in 2" in note for note in found.notes)


def test_a_changed_task_keeps_names_of_controls_and_what_still_holds() -> None:
    found = read(file(TASK))
    edited = apply_edits(found.sentences[0], [Edit(0, 2, ("Bo",), "mention")]).sentence
    (made,) = json.loads("".join(STUDIO.lines(found.with_sentences([edited]))))
    assert made["data"] == {"text": "Bo in Bonn", "user": "author of the text"}
    first, second = made["annotations"][0]["result"]
    assert first["value"] == {"start": 0, "end": 2, "text": "Bo", "labels": ["PER"]}
    assert (first["from_name"], first["to_name"]) == ("ner", "text")
    assert second["value"]["text"] == "Bonn"
    same = found.with_sentences([found.sentences[0].with_spans([*found.sentences[0].spans, Span(2, 3, "X")])])
    (made,) = json.loads("".join(STUDIO.lines(same)))
    assert RELATION in made["annotations"][0]["result"]


def test_several_annotators() -> None:
    two = task(result(0, 9, "PER"))
    two["annotations"].insert(0, {"completed_by": 5, "was_cancelled": True, "result": []})
    two["annotations"].append({"completed_by": 4, "result": [result(13, 17, "LOC")]})
    found = read(file(two))
    assert found.sentences[0].spans == (Span(0, 2, "PER"),)
    assert "1 task with several annotations: the first is taken" in found.notes
    third = read(file(two), LabelStudio(annotator=3))
    assert third.sentences[0].spans == (Span(3, 4, "LOC"),)
    assert "annotator=3" in third.reader
    assert "".join(LabelStudio(annotator=3).lines(third)).count('"result"') == 1
    first = LabelStudio(annotator=1)
    with pytest.raises(FormatError, match="1 task left out: skipped by the annotator"):
        read(file(two), first)


def test_tasks_without_annotations_follow_a_stated_rule() -> None:
    predicted = {**task(key="predictions"), "id": 8}
    predicted["predictions"] = [{"model_version": "m", "result": [result(0, 9, "PER", score=0.5)]}]
    bare = {"id": 9, "data": {"text": TEXT}, "annotations": [], "predictions": []}
    found = read(file(TASK, predicted, bare))
    assert [s.id for s in found] == ["7", "8"]
    assert found.sentences[1].spans[0].score == 0.5
    assert "1 task without annotations: the first prediction is taken" in found.notes
    assert "1 task left out: no annotations" in found.notes
    assert [s.id for s in read(file(TASK, predicted), LabelStudio(source="annotations"))] == ["7"]
    assert [s.id for s in read(file(TASK, predicted), LabelStudio(annotator=1))] == ["7"]
    assert [s.id for s in read(file(TASK, predicted), LabelStudio(source="predictions"))] == ["8"]


def test_the_text_is_the_named_field_or_the_only_one() -> None:
    other = {**TASK, "data": {"body": TEXT, "page": 3}}
    assert read(file(other)).sentences[0].tokens[0] == "Rosa"
    several = {**TASK, "data": {"body": TEXT, "title": "x"}}
    with pytest.raises(FormatError, match="its texts are: body, title"):
        read(file(several))
    assert read(file(several), LabelStudio(text="body")).sentences[0].tokens[0] == "Rosa"


def test_offsets_of_the_browser_are_found_by_the_surface() -> None:
    text = "🙂 Anna lebt"
    value = {"start": 3, "end": 7, "text": "Anna", "labels": ["PER"]}
    data = file({"id": 1, "data": {"text": text}, "annotations": [{"result": [{"type": "labels", "value": value}]}]})
    with pytest.raises(FormatError, match="with offset_unit=utf16 it is 'Anna'"):
        read(data)
    assert read(data, LabelStudio(offset_unit="utf16")).sentences[0].spans == (Span(1, 2, "PER"),)


def value(**fields: Any) -> dict[str, Any]:
    return task({**result(0, 9, "PER"), "value": {**result(0, 9, "PER")["value"], **fields}})


MALFORMED = [
    (["x"], "wrong-type", "the task has no data"),
    ({"text": TEXT, "label": [{"start": 0, "end": 9}]}, "wrong-type", "not as JSON_MIN"),
    ({**TASK, "id": [1]}, "wrong-type", "id must be"),
    ({**TASK, "data": {"text": 7}}, "wrong-type", "no text"),
    ({**TASK, "annotations": {"result": []}}, "wrong-type", "annotations must be"),
    (task("x"), "wrong-type", "result must be"),
    (value(labels=[]), "wrong-type", "a list of labels"),
    (value(labels="PER"), "wrong-type", "a list of labels"),
    (value(start="/p[1]/text()[1]"), "wrong-type", "plain text"),
    (value(end=99), "offset-outside", "'Rosa Lind' stands at [0, 9]"),
    (value(text="Rosa Link"), "surface-differs", "'Rosa Link' stands there"),
    (value(end=7, text="Rosa Li"), "cuts-token", "inside the word 'Lind'"),
    (value(labels=["PER", "ORG"]), "nested", "same words"),
]


@pytest.mark.parametrize(("given", "code", "message"), MALFORMED)
def test_a_malformed_task_is_one_problem_of_its_line(given: Any, code: str, message: str) -> None:
    data = b"[\n" + b",\n".join(json.dumps(one).encode() for one in (TASK, given, {**TASK, "id": 9})) + b"\n]\n"
    with pytest.raises(FormatError) as caught:
        read(data)
    (problem,) = caught.value.problems
    assert (problem.code, problem.line) == (code, 3)
    assert message in str(problem)
    assert [s.id for s in read(data, lenient=True)] == ["7", "9"]


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"[\n{}\n", 3),
        (b"[\n{},\n]", 3),
        (b"[{}\n{}]", 2),
        (b"[{}]\nx", 2),
        (b'[\n{"a": 1, "a": 2}]', 2),
        (b"[1, 2", 1),
        (b'{"data"\n: 1} x', 2),
        (b'[\n{"data": {"text": "\xff"}}]', 2),
        (b"[" * 100_000, 1),
        (b"[]", 0),
    ],
)
def test_a_file_that_is_no_array_names_the_line(data: bytes, line: int) -> None:
    with pytest.raises(FormatError) as caught:
        read(data)
    assert line in [problem.line for problem in caught.value.problems]


def test_one_task_alone_is_a_file_too() -> None:
    data = json.dumps(nameless(TASK), indent=2).encode() + b"\n"
    found = read(data)
    assert "".join(STUDIO.lines(found)).encode() == data
    two = found.with_sentences([found.sentences[0], Sentence("z", ("Bo",))])
    assert len(json.loads("".join(STUDIO.lines(two)))) == 2


def test_ids_and_tokens_of_other_formats_stand_in_the_data(tmp_path: Path) -> None:
    one = Sentence("s1", ("AT&T", "Bonn"), (Span(0, 1, "ORG"),), spaces=(True, False), meta=(("d", "x"),))
    save(Dataset("x", (one,)), tmp_path / "a.json", "labelstudio")
    (made,) = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert made["data"] == {"text": "AT&T Bonn", "token_offsets": [[[0, 4], [5, 9]]], "sentence_ids": ["s1"]}
    found = load(str(tmp_path / "a.json"))
    assert (found.reader, found.sentences) == ("labelstudio", (one,))


def test_the_real_sample_has_an_offset_that_its_surface_tells(shared: Path) -> None:
    found = inspect(str(shared / "data" / "labelstudio_json" / "sample_predictions.json"))
    assert found.reader == "labelstudio"
    (problem,) = found.problems
    assert (problem.code, problem.line) == ("offset-outside", 2)
    assert "'john.smith@example.com' stands at [62, 84]" in str(problem)


def written(found: Dataset, *edits: Edit, form: LabelStudio = STUDIO) -> dict[str, Any]:
    """The first task, written after its sentence was edited."""
    edited = apply_edits(found.sentences[0], list(edits)).sentence
    made: dict[str, Any] = json.loads("".join(form.lines(found.with_sentences([edited]))))[0]
    return made


TO_BO = Edit(0, 2, ("Bo",), "mention")
TO_ULM = Edit(3, 4, ("Ulmen",), "mention")


def test_unchanged_results_without_an_id_stay() -> None:
    bare = [{key: part for key, part in one.items() if key != "id"} for one in (result(0, 9, "PER"), RELATION)]
    found = read(file(task(*bare)))
    (first, relation) = written(found, Edit(3, 4, ("Ulm",), "context"))["annotations"][0]["result"]
    assert (first, relation) == tuple(bare)


def test_what_belongs_to_a_mention_goes_with_it() -> None:
    def choice(start: int) -> dict[str, Any]:
        value = {"start": start, "end": start + 4, "choices": ["sure"]}
        return {"id": f"r{start}", "from_name": "c", "to_name": "text", "type": "choices", "value": value}

    inner = {"id": "n", "parentID": "r13", "type": "number", "value": {"number": 3}}
    whole = {"id": "w", "type": "choices", "value": {"choices": ["news"]}}
    found = read(file(task(result(0, 9, "PER"), result(13, 17, "LOC"), choice(0), choice(13), inner, whole, RELATION)))
    made = written(found, TO_ULM)["annotations"][0]["result"]
    assert [one["id"] for one in made] == ["r0", "mention-2", "w"]
    relabelled = found.with_sentences([found.sentences[0].with_spans([Span(0, 2, "PER")])])
    (same,) = json.loads("".join(STUDIO.lines(relabelled)))
    assert same["annotations"][0]["result"] == [result(0, 9, "PER"), choice(0), whole]


def test_a_new_mention_never_takes_the_id_of_one_that_is_gone() -> None:
    first = {**result(0, 9, "PER"), "id": "mention-1"}
    relation = {"from_id": "mention-1", "to_id": "r13", "type": "relation"}
    found = read(file(task(first, result(13, 17, "LOC"), relation)))
    made = written(found, TO_BO)["annotations"][0]["result"]
    assert len(made) == len({one["id"] for one in made}) == 2
    assert "mention-1" not in [one["id"] for one in made]


def test_other_annotations_and_predictions_go_where_the_text_changes() -> None:
    answers = [{"id": at, "result": [result(13, 17, "LOC")]} for at in (1, 2)]
    totals = {"total_annotations": 2, "total_predictions": 1, "cancelled_annotations": 0}
    given = {"id": 7, "data": {"text": TEXT}, "annotations": answers, "predictions": [{"result": [result(0, 4, "X")]}]}
    found = read(file({**given, **totals}))
    assert "1 other annotation not taken: kept only in tasks whose text does not change" in found.notes
    assert "1 other prediction not taken: kept only in tasks whose text does not change" in found.notes
    made = written(found, Edit(0, 2, ("Bo",), "context"))
    assert [one["result"][0]["value"]["start"] for one in made["annotations"]] == [6]
    assert made["predictions"] == []
    assert (made["total_annotations"], made["total_predictions"]) == (1, 0)
    relabelled = found.with_sentences([found.sentences[0].with_spans([Span(3, 4, "GPE")])])
    (same,) = json.loads("".join(STUDIO.lines(relabelled)))
    assert same["annotations"][1] == answers[1]
    assert same["predictions"] == given["predictions"]
