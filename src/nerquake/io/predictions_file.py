"""`predictions.jsonl`: one model's answer for one set, one record a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nerquake.core.errors import InputError
from nerquake.core.results import Predictions
from nerquake.core.sentence import Sentence, check_spans
from nerquake.core.span import Span
from nerquake.io.output import write_whole
from nerquake.io.records import Record, spans_json
from nerquake.io.stages import StageFile, StageKey, read_stage, stage_lines

FORMAT = "nerquake.predictions/1"


def write_predictions(path: str | Path, predictions: Predictions, key: StageKey, set_name: str = "original") -> None:
    """Write a model's answer for a set.

    Raises:
        OutputError: it cannot be written.
    """
    header = {
        **key.header(FORMAT),
        "tagger": predictions.tagger,
        "set": set_name,
        "invalid_transitions": predictions.invalid,
        "left_out": dict(sorted(predictions.left_out.items())),
    }
    write_whole(path, stage_lines(header, _records(predictions)))


def _records(predictions: Predictions) -> Iterator[dict[str, Any]]:
    for sentence_id, spans, unseen in zip(predictions.ids, predictions.spans, predictions.unseen, strict=True):
        notes = predictions.notes.get(sentence_id, ())
        record = {"id": sentence_id, "spans": spans_json(spans), "unseen": unseen}
        yield {**record, "notes": notes} if notes else record


def read_predictions(
    path: str | Path, sentences: Sequence[Sentence], key: StageKey | None = None, set_name: str | None = None
) -> Predictions | None:
    """The answer for a set's sentences; None where the file is not there, or was made from something else.

    Raises:
        InputError: the file is damaged, or does not fit the sentences.
    """
    stage = read_stage(path, FORMAT, key)
    if stage is None or (set_name is not None and stage.header.get("set") != set_name):
        return None
    if len(stage.records) != len(sentences):
        raise stage.damaged(1, f"it has {len(stage.records)} answers for {len(sentences)} sentences")
    answers = [_answer(stage, record, sentence) for record, sentence in zip(stage.records, sentences, strict=True)]
    header = stage.header
    try:
        return Predictions(
            tagger=header["tagger"],
            ids=tuple(sentence.id for sentence in sentences),
            spans=tuple(spans for spans, _ in answers),
            unseen=tuple(unseen for _, unseen in answers),
            invalid=header["invalid_transitions"],
            left_out=header["left_out"],
            notes={str(record.data["id"]): _notes(stage, record) for record in stage.records if "notes" in record.data},
        )
    except KeyError as error:
        raise stage.damaged(1, f"{error} is missing") from None


def _notes(stage: StageFile, record: Record) -> tuple[str, ...]:
    notes = record.data["notes"]
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        raise stage.damaged(record.number, "notes are a list of texts")
    return tuple(notes)


def _answer(stage: StageFile, record: Record, sentence: Sentence) -> tuple[tuple[Span, ...], tuple[int, ...]]:
    data = record.data
    try:
        if data["id"] != sentence.id:
            raise InputError(f"the sentence {data['id']!r} stands where {sentence.id!r} is expected")
        spans = tuple(Span(*one) for one in data["spans"])
        check_spans(spans, len(sentence.tokens), sentence.id)
        return spans, tuple(int(at) for at in data["unseen"])
    except KeyError as error:
        raise stage.damaged(record.number, f"{error} is missing") from None
    except (TypeError, ValueError, InputError) as error:
        raise stage.damaged(record.number, str(error)) from None
