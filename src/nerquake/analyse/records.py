"""Cases as lines of `cases.jsonl`: a header, then one JSON record a case."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from nerquake.analyse.cases import with_outcomes
from nerquake.core.errors import FormatError, Problem
from nerquake.core.results import Case
from nerquake.core.span import Span
from nerquake.core.variant import STATUSES

FORMAT = "nerquake.cases/1"
T = TypeVar("T")


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
        "status": case.status,
        "reason": case.reason,
        "original": case.original,
        "attacked": case.attacked,
        "original_spans": _write_spans(case.original_spans),
        "attacked_spans": _write_spans(case.attacked_spans),
        "edits": list(map(dict, case.edits)),
        "mentions": list(enumerate(case.mentions)),
        "predicted": {
            tagger: {"original": _write_spans(before), "attacked": _write_spans(after)}
            for tagger, (before, after) in case.predicted.items()
        },
        "fell": dict(case.fell),
        "rose": dict(case.rose),
        "outcomes": dict(case.outcomes),
        "spurious": dict(case.spurious),
        "meta": dict(case.meta),
        "doc_id": case.doc_id,
        "source": dict(case.source),
    }


class _Shared:
    """What cases of one file have in common, kept once."""

    def __init__(self) -> None:
        self.words: dict[str, str] = {}
        self.tuples: dict[tuple[Any, ...], Any] = {}
        self.mappings: dict[tuple[Any, ...], Any] = {}
        self.spans_of: dict[tuple[Any, ...], tuple[Span, ...]] = {}

    def text(self, value: Any) -> str:
        """A text; of equal ones the first."""
        text = str(value)
        return self.words.setdefault(text, text)

    def texts(self, values: Iterable[Any]) -> tuple[str, ...]:
        """Texts; of equal rows the first."""
        words = self.words
        return self.row([words.setdefault(text, text) for text in map(str, values)])

    def row(self, values: Iterable[T]) -> tuple[T, ...]:
        """A row of values; of equal ones the first."""
        made = tuple(values)
        found: tuple[T, ...] = self.tuples.setdefault(made, made)
        return found

    def spans(self, records: Iterable[Sequence[Any]]) -> tuple[Span, ...]:
        """Spans from `[start, end, label]`; of equal lists the first."""
        key = tuple([(start, end, label) for start, end, label in records])
        found = self.spans_of.get(key)
        if found is None:
            key = tuple([(start, end, self.text(label)) for start, end, label in key])
            found = self.spans_of[key] = read_spans(key)
        return found

    def edit(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """An edit with its words shared."""
        return {
            **record,
            "old": [self.text(word) for word in record["old"]],
            "new": [self.text(word) for word in record["new"]],
            "kind": self.text(record["kind"]),
            "source": self.mapping(dict(record["source"])),
        }

    def mapping(self, values: dict[str, T]) -> dict[str, T]:
        """A mapping; of equal ones the first."""
        found: dict[str, T] = self.mappings.setdefault(tuple(values.items()), values)
        return found

    def rows(self, by_tagger: Mapping[str, Iterable[Any]]) -> dict[str, tuple[Any, ...]]:
        """A row of values for each model."""
        return self.mapping({tagger: tuple(values) for tagger, values in by_tagger.items()})


def case_from_record(record: Mapping[str, Any], shared: _Shared | None = None) -> Case:
    """Read what `case_record` wrote. Where a record has no outcomes, as earlier ones have not, they are found anew.

    Raises:
        KeyError, TypeError, ValueError: the record is not one of a case.
    """
    shared = shared or _Shared()
    predicted = {
        tagger: (shared.spans(both["original"]), shared.spans(both["attacked"]))
        for tagger, both in record["predicted"].items()
    }
    status, doc_id = record.get("status", "changed"), record.get("doc_id")
    if status not in STATUSES:
        raise ValueError(f"there is no status {status!r}")
    told = {tagger: map(tuple, pairs) for tagger, pairs in record.get("outcomes", {}).items()}
    case = Case(
        set=shared.text(record["set"]),
        parent=shared.text(record["parent"]),
        id=str(record["id"]),
        original=shared.texts(record["original"]),
        attacked=shared.texts(record["attacked"]),
        original_spans=shared.spans(record["original_spans"]),
        attacked_spans=shared.spans(record["attacked_spans"]),
        edits=tuple([shared.edit(edit) for edit in record["edits"]]),
        mentions=shared.row([new for _, new in record["mentions"]]),
        predicted=predicted,
        fell=shared.rows(record["fell"]),
        rose=shared.rows(record["rose"]),
        meta=shared.mapping(dict(record["meta"])),
        source=dict(record["source"]),
        status=status,
        reason=shared.text(record.get("reason", "")),
        doc_id=None if doc_id is None else shared.text(doc_id),
        outcomes=shared.rows(told),
        spurious=shared.rows(record.get("spurious", {})),
    )
    return case if "outcomes" in record else with_outcomes(case)


def read_cases(lines: Iterable[str], name: str = "cases.jsonl") -> tuple[Case, ...]:
    """The cases of a `cases.jsonl`.

    Raises:
        FormatError: no header of this format, or lines that hold no case; every such line is named.
    """
    cases: list[Case] = []
    shared = _Shared()
    problems: list[Problem] = []
    number = 0
    for number, line in enumerate(lines, start=1):
        if number > 1 and not line.strip():
            continue
        try:
            record = json.loads(line)
            if number > 1:
                cases.append(case_from_record(record, shared))
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
