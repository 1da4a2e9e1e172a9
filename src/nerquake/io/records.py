"""JSON Lines: one JSON object a line, read with every fault named by its line, and written always alike."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, NoReturn

from nerquake.core.errors import Problem
from nerquake.core.span import Span

_SURROGATE = re.compile("[\ud800-\udfff]")


class Record(NamedTuple):
    """A JSON object, its line's number and text, and the blank lines in front of it."""

    number: int
    raw: str
    data: dict[str, Any]
    before: tuple[str, ...] = ()


def dump(data: Mapping[str, Any]) -> str:
    """A JSON object on one line, keys in the order given, other than ASCII characters as they are."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


class _TwiceError(ValueError):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise _TwiceError(next(key for key in keys if keys.count(key) > 1))
    return found


def load_record(number: int, raw: str) -> Record | Problem:
    """Read one line."""
    try:
        data = json.loads(raw, parse_constant=_no_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        what = f"this is no JSON: {error.msg} in column {error.colno}"
        return Problem("bad-json", number, what, raw[:40], "each line holds one whole JSON object")
    except _TwiceError as error:
        return Problem("bad-json", number, f"the key {str(error)!r} stands twice in one object")
    except (ValueError, RecursionError) as error:
        return Problem("bad-json", number, f"this is no JSON: {error}", raw[:40])
    if not isinstance(data, dict):
        return Problem("bad-json", number, "a JSON object is expected", raw[:40], 'such as {"tokens": [...]}')
    if "\\u" in raw and _SURROGATE.search(json.dumps(data, ensure_ascii=False)):
        return Problem("lone-surrogate", number, "an escape such as \\ud83d without its other half is no character")
    return Record(number, raw, data)


def load_records(lines: Iterable[str], skip: str = "") -> Iterator[Record | Problem]:
    """Read lines; blank ones are kept with the record behind them. Lines that are `skip` are left out."""
    before: list[str] = []
    for number, raw in enumerate(lines, 1):
        if skip and raw == skip:
            continue
        if not raw.strip(" \t\r"):
            before.append(raw)
            continue
        found = load_record(number, raw)
        if isinstance(found, Record) and before:
            found = found._replace(before=tuple(before))
        before = []
        yield found


def spans_json(spans: Iterable[Span]) -> list[list[Any]]:
    """Mentions as `[start, end, label]`, with the score where there is one."""
    return [[s.start, s.end, s.label, *([] if s.score is None else [s.score])] for s in spans]
