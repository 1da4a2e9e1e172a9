"""Label Studio's JSON: an array of tasks with their annotations (`completions` in old exports) or predictions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.io.standoff import Book, TextRecord
from nerquake.io.standoff_file import StandoffRecords, known_ids, record_id, whole_offsets, written_id
from nerquake.io.standoff_json import Element
from nerquake.io.standoff_place import Mention
from nerquake.io.standoff_write import Group, Place

_ANNOTATED = ("annotations", "completions")
_TOTALS = {"total_annotations": "annotations", "total_predictions": "predictions", "cancelled_annotations": ""}
"""Fields that count a task's lists; none that is written for a changed text was cancelled."""


_NAMING = ("id", "from_id", "to_id", "parentID")
"""Fields by which a result belongs to a region: a choice on a region has the region's own id."""


class _Answer(NamedTuple):
    """Where in a task the results stand that are taken: the field and the place in its list."""

    field: str
    place: int


@dataclass(frozen=True, slots=True)
class LabelStudio(StandoffRecords):
    """Reads and writes Label Studio's JSON of tasks with labelled text.

    Of each task the first annotation that was not cancelled is taken; a task that several people annotated is counted.
    Tasks without annotations are read by their first prediction, which is counted, unless an annotator is asked for;
    tasks with neither, and those that every annotator cancelled, are left out and counted. Results other than labels
    (relations, choices) are no mentions and are counted; they stay in the file as long as the mentions that they name
    or belong to. Other annotations and predictions of a task, whose offsets are of its text, are counted too; they go
    where its text changes.

    text         the field of `data` that holds the text; where it is missing, the only field that is a text
    annotator    whose annotations to take, by a number from 1 in the order of the file; 0: of each task the first
    source       annotations, predictions, or auto: predictions where there are no annotations
    """

    text: str = "text"
    annotator: int = 0
    source: Literal["auto", "annotations", "predictions"] = "auto"

    name: ClassVar[str] = "labelstudio"
    extension: ClassVar[str] = "json"
    array: ClassVar[bool] = True
    holds: ClassVar[frozenset[str]] = frozenset({"spaces", "meta"})
    names: ClassVar[frozenset[str]] = frozenset(
        {
            "completed_by", "updated_by", "created_by", "created_username", "reviewed_by", "annotator", "annotators",
            "reviews", "reviewers", "comment_authors", "last_created_by", "email", "user", "username", "drafts",
        }
    )  # fmt: skip
    users_data: ClassVar[frozenset[str]] = frozenset({"data", "meta", "value"})

    def _chosen(self, element: Element, book: Book) -> Any:
        """The annotations of the annotator that is asked for."""
        task = element.value
        field = next((f for f in _ANNOTATED if isinstance(task, dict) and isinstance(task.get(f), list)), None)
        if field is None or not all(isinstance(one, dict) for one in task[field]):
            return task
        people = [_person(one) for one in task[field]]
        numbers = [book.number_of(person) if person is not None else 0 for person in people]
        if not self.annotator:
            return task
        kept = [one for one, number in zip(task[field], numbers, strict=True) if number == self.annotator]
        return task if len(kept) == len(numbers) else {**task, field: kept}

    def _parse(self, element: Element, book: Book) -> TextRecord | None:
        task, line = element.value, element.number
        data = task.get("data") if isinstance(task, dict) else None
        if not isinstance(data, dict):
            hint = "each task has data and annotations: export as JSON, not as JSON_MIN"
            book.wrong("wrong-type", line, "the task has no data", element.raw[:40], hint)
            return None
        field = self._text_field(data, line, book)
        answer = self._answer(task, line, book)
        if field is None or answer is None:
            return None
        _count_others(task, answer, book)
        results = task[answer.field][answer.place].get("result")
        text = data[field]
        pairs = task.get("meta").items() if isinstance(task.get("meta"), dict) else ()
        rest = {"task": {**task, "data": {**data, field: None}}, "answer": answer, "text": field}
        return TextRecord(
            line, text, _mentions(results, line, book), record_id(task, "id", line, book),
            meta=tuple((k, v) for k, v in pairs if isinstance(v, str)),
            sentences=self.known_tokens(data, text, line, book), ids=known_ids(data, line, book),
            rest=rest, raw=element.raw, between=element.between,
        )  # fmt: skip

    def _text_field(self, data: Mapping[str, Any], line: int, book: Book) -> str | None:
        if isinstance(data.get(self.text), str):
            return self.text
        fields = [key for key, value in data.items() if isinstance(value, str)]
        if len(fields) == 1 and self.text not in data:
            return fields[0]
        known = f"its texts are: {', '.join(fields)}" if fields else "it has no text"
        book.wrong("wrong-type", line, f"data has no text named {self.text}; {known}", hint="name it: text=FIELD")
        return None

    def _answer(self, task: Mapping[str, Any], line: int, book: Book) -> _Answer | None:
        """The results to take; None where there are none, which is counted, or after a problem."""
        field = next((f for f in _ANNOTATED if task.get(f)), None)
        for one in (field, "predictions"):
            given = task.get(one) or [] if one else []
            if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
                book.wrong("wrong-type", line, f"{one} must be a list of objects")
                return None
        if field is not None and self.source != "predictions":
            open_ones = [i for i, one in enumerate(task[field]) if not _is_cancelled(one)]
            book.counts["task{s} with several annotations: the first is taken"] += len(open_ones) > 1
            if open_ones:
                return _Answer(field, open_ones[0])
            book.counts["task{s} left out: skipped by the annotator"] += 1
            return None
        asked = self.source == "predictions" or (self.source == "auto" and not self.annotator)
        if task.get("predictions") and asked:
            if self.source == "auto":
                book.counts["task{s} without annotations: the first prediction is taken"] += 1
            return _Answer("predictions", 0)
        book.counts[f"task{{s}} left out: no {'predictions' if self.source == 'predictions' else 'annotations'}"] += 1
        return None

    def _render(self, group: Group, dataset: Dataset) -> Any:
        rest = group.rest or {
            "task": {"data": {"text": None}, "annotations": [{}]},
            "answer": ["annotations", 0],
            "text": "text",
        }
        task, (field, index) = dict(rest["task"]), rest["answer"]
        first = group.sentences[0]
        given = task.get("id")
        task["data"] = {**task["data"], rest["text"]: group.text}
        for key in ("token_offsets", "sentence_ids"):
            task["data"].pop(key, None)
        kept = written_id(group, given)
        if given is not None and kept != given:
            del task["id"]  # Label Studio numbers tasks itself; the sentence's own id stands in data
        own = str(task["id"]) if "id" in task else None
        task["data"] |= self.said(group, dataset, own)
        answers = list(task[field])
        same = _text_before(group, rest["text"]) == group.text
        made = {**answers[index], "result": _results(group, self, answers[index].get("result") or [], same)}
        if same:
            task[field] = [*answers[:index], made, *answers[index + 1 :]]
        else:
            task |= {other: [] for other in (*_ANNOTATED, "predictions") if other in task} | {field: [made]}
            task |= {key: len(task.get(of) or ()) for key, of in _TOTALS.items() if key in task}
        if first.meta:
            task["meta"] = {**(task.get("meta") or {}), **dict(first.meta)}
        return task


def _person(answer: Mapping[str, Any]) -> Any:
    who = answer.get("completed_by", answer.get("created_username"))
    return who.get("id", who) if isinstance(who, dict) else who


def _is_cancelled(answer: Mapping[str, Any]) -> bool:
    return bool(answer.get("was_cancelled") or answer.get("skipped"))


def _count_others(task: Mapping[str, Any], taken: _Answer, book: Book) -> None:
    """Say how many annotations and predictions with results there are besides those that are taken."""
    for field in (*_ANNOTATED, "predictions"):
        given = task.get(field)
        for place, one in enumerate(given if isinstance(given, list) else ()):
            other = (field, place) != taken and isinstance(one, dict) and bool(one.get("result"))
            what = "prediction" if field == "predictions" else "annotation"
            book.counts[f"other {what}{{s}} not taken: kept only in tasks whose text does not change"] += other


def _text_before(group: Group, field: str) -> Any:
    """The text of a task as it stood; None where it was edited or is new."""
    return json.loads(group.raw)["data"].get(field) if group.raw else None


def _labels_of(one: Mapping[str, Any]) -> Any:
    """The labels of a result; None where it is no labelled text."""
    value = one.get("value")
    if one.get("type", "labels") not in ("labels", "hypertextlabels") or not isinstance(value, dict):
        return None
    return value.get("labels", value.get("hypertextlabels"))


def _mentions(results: Any, line: int, book: Book) -> tuple[Mention, ...]:
    if not isinstance(results, list) or not all(isinstance(one, dict) for one in results):
        book.wrong("wrong-type", line, "result must be a list of objects")
        return ()
    made = []
    for index, one in enumerate(results):
        kind = one.get("type", "labels")
        if kind not in ("labels", "hypertextlabels"):
            book.counts[f"result{{s}} of the type {kind}: no mentions"] += 1
            continue
        name = f"result {one.get('id', index)}"
        value, labels = one.get("value"), _labels_of(one)
        if not isinstance(value, dict) or not _are_labels(labels):
            book.wrong("wrong-type", line, f"{name}: a value with start, end and a list of labels is expected")
        elif not whole_offsets((value.get("start"), value.get("end"))):
            hint = "annotations of HTML have paths for offsets; nerquake reads plain text"
            book.wrong("wrong-type", line, f"{name}: start and end must be whole numbers", hint=hint)
        else:
            surface = value.get("text")
            place = ((value["start"], value["end"]),)
            score = one.get("score")
            sure = float(score) if isinstance(score, int | float) and not isinstance(score, bool) else None
            made += [
                Mention(place, label, surface if isinstance(surface, str) else None, name, score=sure)
                for label in labels
            ]
    return tuple(made)


def _are_labels(labels: Any) -> bool:
    return isinstance(labels, list) and bool(labels) and all(isinstance(one, str) and one for one in labels)


def _results(group: Group, form: LabelStudio, before: Sequence[Mapping[str, Any]], same_text: bool) -> list[Any]:
    """The results of a task: mentions that are unchanged as they stood, then the others, then what is no mention."""
    labelled = [one for one in before if _labels_of(one) is not None]
    names = [(one.get("from_name", "label"), one.get("to_name", "text")) for one in labelled] or [("label", "text")]
    taken = {str(one["id"]) for one in before if "id" in one}
    kept: list[Any] = []
    held: list[Mapping[str, Any]] = []
    for number, (place, counted) in enumerate(zip(group.mentions, group.counted(form.counting), strict=True), 1):
        same = next((one for one in labelled if _is_same(one, counted)), None)
        value = {
            "start": counted.start,
            "end": counted.end,
            "text": group.text[place.start : place.end],
            "labels": [place.label],
        }
        if same is not None and (same_text or same["value"].get("text", value["text"]) == value["text"]):
            held.append(same)
            kept.append({**same, "value": {**same["value"], **value}})
            continue
        from_name, to_name = names[0]
        fresh = {"id": _free_id(number, taken), "from_name": from_name, "to_name": to_name, "type": "labels"}
        score = {} if place.score is None else {"score": place.score}
        kept.append({**fresh, "value": value, **score})
    gone = _ids(one for one in labelled if not any(one is other for other in held)) - _ids(held)
    return [*kept, *_others(before, gone, same_text)]


def _others(before: Sequence[Mapping[str, Any]], gone: set[str], same_text: bool) -> list[Mapping[str, Any]]:
    """Results that are no mentions, without those of mentions that are gone, or of places in a text that changed."""
    others = [one for one in before if _labels_of(one) is None]
    lost = set(gone)
    if not same_text:
        places = [one for one in others if isinstance(one.get("value"), dict) and "start" in one["value"]]
        mentions = _ids(one for one in before if _labels_of(one) is not None) - gone
        lost |= _ids(places) - mentions
        others = [one for one in others if one not in places]
    return [one for one in others if not {str(one[key]) for key in _NAMING if key in one} & lost]


def _ids(results: Iterable[Mapping[str, Any]]) -> set[str]:
    return {str(one["id"]) for one in results if "id" in one}


def _free_id(number: int, taken: set[str]) -> str:
    """An id that nothing in the task has or had, so that nothing comes to belong to a mention that it was not of."""
    while (made := f"mention-{number}") in taken:
        number += 1
    taken.add(made)
    return made


def _is_same(one: Mapping[str, Any], place: Place) -> bool:
    value = one["value"]
    return (value.get("start"), value.get("end"), value.get("labels")) == (place.start, place.end, [place.label])
