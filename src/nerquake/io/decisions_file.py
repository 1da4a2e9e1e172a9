"""`decisions.jsonl`: what a reviewer decided on a review page (docs/review.md).

```
{"format": "nerquake-decisions", "version": 1, "fingerprint": .., "reviewer": .., "items": 100, "undecided": [ids]}
{"id": "s00042~swap", "decision": "reject", "reason": "meaning lost", "spans": null, "reviewer": .., ..}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from nerquake.core.decisions import CHOICES, REASONS, Decision, DecisionsFile
from nerquake.core.errors import FormatError, InputError, Problem
from nerquake.core.sentence import check_spans
from nerquake.core.span import Span
from nerquake.io.files import base_name, read_bytes
from nerquake.io.records import Record, load_records

FORMAT = "nerquake-decisions"
VERSION = 1
_ADVICE = "Save the file again from its review page; the page keeps a draft of every decision."
_HEAD: Mapping[str, tuple[type, str]] = {
    "fingerprint": (str, "a text"),
    "reviewer": (str, "a text"),
    "items": (int, "a whole number"),
}


class Expected(NamedTuple):
    """The audit that decisions are to be about.

    folder       its name, for messages
    fingerprint  of its attacked sentences
    sizes        tokens of each attacked sentence, by `<parent>~<set>`
    """

    folder: str
    fingerprint: str
    sizes: Mapping[str, int]


def read_decisions(path: str, expected: Expected) -> DecisionsFile:
    """The decisions in a file; of several about one sentence the last one counts, as undoing leaves it.

    Raises:
        FormatError: lines that hold no decision; every one is named.
        InputError: it cannot be read, or it is about another audit.
    """
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            path, [Problem("not-decodable", 0, f"byte {error.start} is no UTF-8 text")], _ADVICE
        ) from None
    found = list(load_records(text.split("\n")))
    if not found:
        raise FormatError(path, [Problem("bad-header", 0, f"the file is empty, expected a header {FORMAT!r}")], _ADVICE)
    first, *rest = found
    head = first.data if isinstance(first, Record) else {}
    faults = [first] if isinstance(first, Problem) else list(_head_faults(head))
    if faults:
        raise FormatError(path, faults, _ADVICE)
    if head["fingerprint"] != expected.fingerprint:
        raise InputError(
            f"{path} holds decisions of {head['reviewer'] or 'a reviewer'} about another audit: its fingerprint is "
            f"{head['fingerprint'][:12]}, that of {expected.folder} is {expected.fingerprint[:12]}. Name the "
            "audit that its review page was made from"
        )
    return _collected(path, head, rest, expected.sizes)


def _head_faults(head: Mapping[str, Any]) -> Iterator[Problem]:
    if head.get("format") != FORMAT:
        yield Problem("bad-header", 1, f"the format is {head.get('format')!r}, expected {FORMAT!r}")
        return
    if head.get("version") != VERSION:
        yield Problem("bad-header", 1, f"version {head.get('version')!r} is not known; this program reads {VERSION}")
    for key, (kind, words) in _HEAD.items():
        if not isinstance(head.get(key), kind) or isinstance(head.get(key), bool):
            yield Problem("bad-header", 1, f"{key} must be {words}, not {head.get(key)!r}")
    left = head.get("undecided", [])
    if not isinstance(left, list) or not all(isinstance(one, str) for one in left):
        yield Problem("bad-header", 1, "undecided must be a list of ids")


def _collected(
    path: str, head: Mapping[str, Any], records: list[Record | Problem], sizes: Mapping[str, int]
) -> DecisionsFile:
    decisions: dict[str, Decision] = {}
    repeated: dict[str, None] = {}
    unknown: dict[str, None] = {}
    problems: list[Problem] = []
    for record in records:
        if isinstance(record, Problem):
            problems.append(record)
            continue
        try:
            key = _text(record.data, "id")
            if key not in sizes:
                unknown[key] = None
                continue
            if key in decisions:
                repeated[key] = None
            decisions[key] = _decision(record.data, key, sizes[key], head["reviewer"])
        except (TypeError, ValueError) as error:
            problems.append(Problem("bad-decision", record.number, str(error)))
    if problems:
        raise FormatError(path, problems, _ADVICE)
    left = head.get("undecided")
    return DecisionsFile(
        name=base_name(path),
        reviewer=head["reviewer"],
        items=head["items"],
        decisions=decisions,
        repeated=tuple(repeated),
        unknown=tuple(unknown),
        undecided=None if left is None else tuple(key for key in left if key not in decisions),
        settles=head.get("settles") is True,
    )


def _decision(data: Mapping[str, Any], key: str, size: int, reviewer: str) -> Decision:
    choice = next((one for one in CHOICES if one == data.get("decision")), None)
    if choice is None:
        raise ValueError(f"{key}: decision is {data.get('decision')!r}, expected one of {', '.join(CHOICES)}")
    reason = data.get("reason") or ""
    if reason and reason not in REASONS:
        raise ValueError(f"{key}: reason is {reason!r}, expected one of {', '.join(REASONS)}")
    spans: tuple[Span, ...] = ()
    if choice == "relabel":
        if not isinstance(data.get("spans"), list):
            raise ValueError(f'{key}: a relabelled sentence needs its spans, such as [[1, 2, "LOC"]]')
        spans = tuple(sorted(_span(key, one) for one in data["spans"]))
        check_spans(spans, size, key)
    seconds = data.get("seconds")
    return Decision(
        id=key,
        choice=choice,
        reason=reason if choice == "reject" else "",
        spans=spans,
        reviewer=str(data.get("reviewer") or reviewer),
        seen_predictions=data.get("seen_predictions") is True,
        seconds=float(seconds) if isinstance(seconds, int | float) and not isinstance(seconds, bool) else None,
    )


def _span(key: str, value: Any) -> Span:
    if not isinstance(value, list) or len(value) != 3 or not isinstance(value[2], str) or not value[2]:
        raise ValueError(f'{key}: a span is [start, end, "label"], not {value!r}')
    if not all(isinstance(place, int) and not isinstance(place, bool) for place in value[:2]):
        raise ValueError(f"{key}: the ends of a span are whole numbers, not {value[:2]!r}")
    return Span(value[0], value[1], value[2])


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise ValueError(f"{key} must be a text, not {value!r}")
    return value
