"""doccano's JSON Lines: a text and its labels as character offsets.

The labels stand under `label` or `labels` (`[start, end, label]`), `entities` (objects with `start_offset`,
`end_offset` and `label`; relations beside them) or, in old exports, `annotations` (the same with `user`). Other fields
are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nerquake.core.dataset import Dataset
from nerquake.io.standoff import Book, TextRecord
from nerquake.io.standoff_file import (
    StandoffRecords,
    first_list,
    known_ids,
    record_id,
    text_of,
    whole_offsets,
    written_id,
)  # fmt: skip
from nerquake.io.standoff_json import Element
from nerquake.io.standoff_place import Mention
from nerquake.io.standoff_write import Group, Place

_KEYS = ("label", "labels", "entities", "annotations")


@dataclass(frozen=True, slots=True)
class Doccano(StandoffRecords):
    """Reads and writes doccano's JSON Lines of sequence labelling.

    Of records that several people annotated the labels of one are taken. Records without a field of labels, and those
    where only others than the annotator asked for set labels, are not annotated: they are left out and counted.

    annotator    whose labels to take, by a number from 1 in the order of the file; 0: of each record the first
    """

    annotator: int = 0

    name: ClassVar[str] = "doccano"
    extension: ClassVar[str] = "jsonl"
    holds: ClassVar[frozenset[str]] = frozenset({"spaces", "meta"})
    names: ClassVar[frozenset[str]] = frozenset(
        {"user", "annotation_approver", "annotator", "username", "approver", "approved_by", "created_by"}
    )
    users_data: ClassVar[frozenset[str]] = frozenset({"meta"})

    def _chosen(self, element: Element, book: Book) -> Any:
        """Old exports hold the labels of all annotators in one list."""
        data = element.value
        given = data.get("annotations")
        if not isinstance(given, list) or not all(isinstance(one, dict) and "user" in one for one in given):
            return data
        numbers = [book.number_of(one["user"]) for one in given]
        if not self.annotator and len(set(numbers)) < 2:
            return data
        taken = self.annotator or numbers[0]
        if set(numbers) - {taken}:
            book.counts["record{s} annotated by several people: one of them is taken"] += len(set(numbers)) > 1
        kept = [one for one, who in zip(given, numbers, strict=True) if who == taken]
        return {**data, "annotations": kept if kept or not given else None}

    def _parse(self, element: Element, book: Book) -> TextRecord | None:
        data, line = element.value, element.number
        key = "text" if "text" in data or "data" not in data else "data"
        text = text_of(data, key, line, book)
        found = first_list(data, _KEYS)
        if text is None:
            return None
        if found is None or found[1] is None:
            book.counts["record{s} without labels: left out, not annotated"] += 1
            return None
        mentions = _mentions(found[1], found[0], line, book)
        rest = {k: None if k == key else v for k, v in data.items()}
        meta = data.get("meta")
        pairs = list(meta.items()) if isinstance(meta, dict) else []
        return TextRecord(
            line, text, mentions, record_id(data, "id", line, book),
            meta=tuple((k, v) for k, v in pairs if isinstance(v, str)),
            sentences=self.known_tokens(data, text, line, book), ids=known_ids(data, line, book),
            rest=rest, raw=element.raw, between=element.between,
        )  # fmt: skip

    def _render(self, group: Group, dataset: Dataset) -> Any:
        held = group.rest or {}
        first = group.sentences[0]
        key = written_id(group, held.get("id"))
        field = next((field for field in ("text", "data") if field in held), "text")
        where = next((field for field in _KEYS if held.get(field) is not None), "label")
        made = {"id": key, **held, field: group.text}
        made["id"] = key
        if key is None:
            del made["id"]
        made[where] = _labels(group.counted(self.counting), where, held.get(where) or [])
        if "relations" in made and _lost(held.get(where) or [], made[where]):
            made["relations"] = []
        if first.meta:
            made["meta"] = {**(made.get("meta") or {}), **dict(first.meta)}
        made.pop("token_offsets", None)
        made.pop("sentence_ids", None)
        return {**made, **self.said(group, dataset, None if key is None else str(key))}


def _mentions(given: Any, key: str, line: int, book: Book) -> tuple[Mention, ...]:
    if not isinstance(given, list):
        what = f"{key} must be a list of [start, end, label], not {given!r}"
        book.wrong("wrong-type", line, what, hint="a record of text classification has no mentions")
        return ()
    made = []
    for one in given:
        if isinstance(one, str):
            what = f"{key} holds the text {one!r}, not [start, end, label]"
            book.wrong("wrong-type", line, what, hint="this is a record of text classification, which has no mentions")
        elif (triple := _triple(one)) is None:
            hint = "[start, end, label] is expected, or an object with start_offset, end_offset and label"
            book.wrong("wrong-type", line, f"{key}: {one!r} is no mention", hint=hint)
        else:
            if not isinstance(triple[2], str):
                book.counts["label{s} that are numbers: `--map 12=PER` names them"] += 1
            made.append(Mention(((triple[0], triple[1]),), str(triple[2]), name=key))
    return tuple(made)


def _triple(one: Any) -> tuple[int, int, Any] | None:
    """Start, end and label of either form."""
    if isinstance(one, Mapping):
        one = [one.get("start_offset"), one.get("end_offset"), one.get("label")]
    if not isinstance(one, list) or len(one) != 3 or not whole_offsets(one[:2]):
        return None
    named = isinstance(one[2], str) and one[2] != ""
    return (one[0], one[1], one[2]) if named or type(one[2]) is int else None


def _labels(places: Sequence[Place], where: str, before: Sequence[Any]) -> list[Any]:
    """The mentions in the record's own form; those that are unchanged as they stood."""
    old = [(triple, one) for one in before if (triple := _triple(one)) is not None]
    as_objects = where in ("entities", "annotations")
    numbers = [one["id"] for one in before if isinstance(one, dict) and type(one.get("id")) is int]
    following = max(numbers, default=0) + 1
    made: list[Any] = []
    for place in places:
        same = next((one for t, one in old if (t[0], t[1], str(t[2])) == place[:3]), None)
        if same is not None:
            made.append(same)
        elif not as_objects:
            made.append([place.start, place.end, place.label])
        else:
            fresh = {"label": place.label, "start_offset": place.start, "end_offset": place.end}
            made.append({"id": following, **fresh} if where == "entities" else fresh)
            following += 1
    return made


def _lost(before: Sequence[Any], after: Sequence[Any]) -> bool:
    """Whether a mention that a relation may name is gone."""
    return any(one not in after for one in before)
