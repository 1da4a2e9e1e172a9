"""Whatever stands in a field of a record: the reader names it or reads it, and never fails in another way."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nerquake.core.errors import NerquakeError
from nerquake.core.protocols import ReadOptions
from nerquake.io.doccano import Doccano
from nerquake.io.labelstudio import LabelStudio
from nerquake.io.prodigy import Prodigy
from nerquake.io.spacy_json import SpacyJson
from nerquake.io.standoff_file import StandoffRecords

VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 20), st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", " ", "Bo", "accept", "reject", "B-PER", "🙂", "\n"]),
    st.sampled_from([[], {}, [[]], [{}], [0, 2, "PER"], [[0, 2, "PER"]], {"start": 0, "end": 2}, [None], ["x"]]),
)  # fmt: skip

TASK = {
    "id": 1,
    "data": {"text": "Bo lebt", "token_offsets": [[[0, 2], [3, 7]]], "sentence_ids": ["s"]},
    "meta": {"k": "v"},
    "annotations": [
        {
            "completed_by": 1,
            "was_cancelled": False,
            "result": [
                {"id": "a", "type": "labels", "value": {"start": 0, "end": 2, "text": "Bo", "labels": ["PER"]}},
                {"from_id": "a", "to_id": "a", "type": "relation"},
            ],
        }
    ],
    "predictions": [{"result": []}],
}
RECORDS: dict[str, tuple[StandoffRecords, Any]] = {
    "doccano": (
        Doccano(),
        {
            "id": 1,
            "text": "Bo lebt",
            "entities": [{"id": 1, "label": "PER", "start_offset": 0, "end_offset": 2, "user": 1}],
            "relations": [],
            "meta": {"k": "v"},
            "token_offsets": [[[0, 2], [3, 7]]],
            "sentence_ids": ["s"],
        },
    ),
    "prodigy": (
        Prodigy(),
        {
            "id": "r",
            "text": "Bo lebt",
            "tokens": [{"text": "Bo", "start": 0, "end": 2, "ws": True}, {"text": "lebt", "start": 3, "end": 7}],
            "spans": [{"start": 0, "end": 2, "token_start": 0, "token_end": 0, "label": "PER", "text": "Bo"}],
            "meta": {"k": "v"},
            "answer": "accept",
        },
    ),
    "labelstudio": (LabelStudio(), TASK),
    "spacy-json": (SpacyJson(), ["Bo lebt", {"entities": [[0, 2, "PER"]], "words": ["Bo", "lebt"], "spaces": [True]}]),
    "spacy documents": (
        SpacyJson(),
        {
            "id": 1,
            "paragraphs": [
                {
                    "raw": "Bo lebt",
                    "sentences": [{"tokens": [{"orth": "Bo", "ner": "U-PER"}, {"orth": "lebt", "ner": "O"}]}],
                }
            ],
        },
    ),
}


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value inside a value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, held in inside for found in places(held, (*path, key)))]


def damaged(record: Any, path: tuple[Any, ...], value: Any, drop: bool) -> Any:
    """The record with another value at a place, or without the field."""
    if not path:
        return value
    made = deepcopy(record)
    held = made
    for key in path[:-1]:
        held = held[key]
    if drop:
        del held[path[-1]]
    else:
        held[path[-1]] = value
    return made


@pytest.mark.parametrize("name", RECORDS)
def test_a_damaged_field_is_read_or_named(name: str) -> None:
    form, record = RECORDS[name]
    where = places(record)
    wrap: Callable[[list[Any]], str] = json.dumps if form.array else lambda all_: "\n".join(map(json.dumps, all_))

    @settings(max_examples=80)
    @given(st.lists(st.tuples(st.sampled_from(where), VALUES, st.booleans()), min_size=1, max_size=2))
    def body(changes: list[tuple[Any, Any, bool]]) -> None:
        bad = record
        for path, value, drop in changes:
            try:
                bad = damaged(bad, path, value, drop)
            except (KeyError, IndexError, TypeError):
                continue
        data = wrap([bad]).encode()
        for options in (ReadOptions(), ReadOptions(lenient=True, align="expand", flatten="outer")):
            found = None
            try:
                found = form.examine("x", data, options)
            except NerquakeError:
                continue
            assert all(problem.message for problem in found.problems)
            if found.dataset is None:
                assert found.problems
                continue
            written = "".join(form.lines(found.dataset))
            again = form.read_bytes("x", written.encode(), ReadOptions())
            assert [(s.tokens, s.spans) for s in again] == [(s.tokens, s.spans) for s in found.dataset]

    body()
