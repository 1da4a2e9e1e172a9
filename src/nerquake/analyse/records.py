"""Cases as lines of `cases.jsonl`: a header, then one JSON record a case."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from nerquake.core.errors import FormatError, Problem
from nerquake.core.results import Case
from nerquake.core.span import Span

FORMAT = "nerquake.cases/1"


def case_lines(cases: Iterable[Case], header: Mapping[str, Any] | None = None) -> Iterator[str]:
    """The lines of `cases.jsonl`, each with its line end: first the header, then every case in its order."""
    yield _line({"format": FORMAT, **(header or {})})
    for case in cases:
        yield _line(case_record(case))


def case_record(case: Case) -> dict[str, Any]:
    """A case as JSON values; `case_from_record` reads it back."""
    return {
        "set": case.set,
        "parent": case.parent,
        "id": case.id,
        "original": list(case.original),
        "attacked": list(case.attacked),
        "original_spans": _write_spans(case.original_spans),
        "attacked_spans": _write_spans(case.attacked_spans),
        "edits": [dict(edit) for edit in case.edits],
        "mentions": [[old, new] for old, new in enumerate(case.mentions)],
        "predicted": {
            tagger: {"original": _write_spans(before), "attacked": _write_spans(after)}
            for tagger, (before, after) in case.predicted.items()
        },
        "fell": {tagger: list(indices) for tagger, indices in case.fell.items()},
        "rose": {tagger: list(indices) for tagger, indices in case.rose.items()},
        "meta": dict(case.meta),
        "source": dict(case.source),
    }


def case_from_record(record: Mapping[str, Any]) -> Case:
    """Read what `case_record` wrote.

    Raises:
        KeyError, TypeError, ValueError: the record is not one of a case.
    """
    return Case(
        set=str(record["set"]),
        parent=str(record["parent"]),
        id=str(record["id"]),
        original=tuple(map(str, record["original"])),
        attacked=tuple(map(str, record["attacked"])),
        original_spans=read_spans(record["original_spans"]),
        attacked_spans=read_spans(record["attacked_spans"]),
        edits=tuple(dict(edit) for edit in record["edits"]),
        mentions=tuple(new for _, new in record["mentions"]),
        predicted={
            tagger: (read_spans(both["original"]), read_spans(both["attacked"]))
            for tagger, both in record["predicted"].items()
        },
        fell={tagger: tuple(indices) for tagger, indices in record["fell"].items()},
        rose={tagger: tuple(indices) for tagger, indices in record["rose"].items()},
        meta=dict(record["meta"]),
        source=dict(record["source"]),
    )


def read_cases(lines: Iterable[str], name: str = "cases.jsonl") -> tuple[Case, ...]:
    """The cases of a `cases.jsonl`.

    Raises:
        FormatError: no header of this format, or lines that hold no case; every such line is named.
    """
    cases: list[Case] = []
    problems: list[Problem] = []
    number = 0
    for number, line in enumerate(lines, start=1):
        if number > 1 and not line.strip():
            continue
        try:
            record = json.loads(line)
            if number > 1:
                cases.append(case_from_record(record))
            elif record["format"] != FORMAT:
                problems.append(Problem("bad-header", 1, f"the format is {record['format']!r}, expected {FORMAT!r}"))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            what = "no header of a case file" if number == 1 else f"no case ({type(error).__name__}: {error})"
            problems.append(Problem("bad-header" if number == 1 else "bad-case", number, what))
    if not number:
        problems.append(Problem("bad-header", 0, f"the file is empty, expected a header with the format {FORMAT!r}"))
    if problems:
        raise FormatError(name, problems, "Run the audit again to write the file anew.")
    return tuple(cases)


def _line(record: Mapping[str, Any]) -> str:
    text = json.dumps(record, ensure_ascii=False, allow_nan=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half of a surrogate pair has no UTF-8 form; escaped it has
        text = json.dumps(record, allow_nan=False)
    return text + "\n"


def _write_spans(spans: Sequence[Span]) -> list[list[Any]]:
    return [[span.start, span.end, span.label] for span in spans]


def read_spans(records: Iterable[Sequence[Any]]) -> tuple[Span, ...]:
    """Spans from `[start, end, label]`."""
    return tuple(Span(start, end, label) for start, end, label in records)
