"""JSON files as records with their own text: JSON Lines, or one array. What is not changed is written as it stood."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, NamedTuple

from nerquake.core.errors import Problem
from nerquake.io.files import UNREADABLE, Decoded
from nerquake.io.records import Record, load_record

_BLANKS = " \t\r\n"


class Style(NamedTuple):
    """How JSON is written: blanks behind commas and colons, escapes for other than ASCII characters, indentation.

    base   blanks in front of the lines behind a record's first
    """

    blank: bool = True
    ascii: bool = False
    indent: int | None = None
    base: int = 0

    def dump(self, value: Any) -> str:
        """JSON text of a value."""
        item, key = (", ", ": ") if self.blank else (",", ":")
        if self.indent is not None:
            item = ","
        text = json.dumps(value, ensure_ascii=self.ascii, allow_nan=False, indent=self.indent, separators=(item, key))
        return text.replace("\n", "\n" + " " * self.base) if self.base else text


def style_of(raw: str, value: Any, whole: str) -> Style:
    """The style that gives a record's own text back; the usual one where none does.

    whole   the file's text, which says whether other than ASCII characters are escaped
    """
    escaped = "\\u" in whole and whole.isascii()
    last = raw.rpartition("\n")[2] if "\n" in raw else ""
    base = len(last) - len(last.lstrip(" "))
    for indent in (None, 2, 4, 1, 3) if "\n" in raw else (None,):
        for blank in (True, False):
            style = Style(blank, escaped, indent, base if indent is not None else 0)
            if style.dump(value) == raw:
                return style
    return Style(ascii=escaped)


class Element(NamedTuple):
    """A record: the line that it begins on, its text, its content, and the text between the one before and it."""

    number: int
    raw: str
    value: Any
    between: str = ""


class Elements(NamedTuple):
    """A file's records, and the text around them. `found` holds a problem for each record that is no JSON."""

    start: str
    found: list[Element | Problem]
    after: str


def elements_of(decoded: Decoded, array: bool) -> Elements:
    """The records of a file.

    array   the file is one JSON array (or one object); else each line is an object
    """
    return _array(decoded.text) if array else _lines(decoded.text)


def _lines(text: str) -> Elements:
    found: list[Element | Problem] = []
    start, gap = "", ""
    for number, raw in enumerate(text.split("\n"), 1):
        if raw == UNREADABLE:
            continue
        if raw.strip(_BLANKS):
            one = load_record(number, raw)
            start = start if found else gap
            found.append(Element(number, raw, one.data, gap) if isinstance(one, Record) else one)
            gap = "\n"
        else:
            gap += f"{raw}\n"
    return Elements(start, found, gap[:-1])


def _array(text: str) -> Elements:
    at = _skip(text, 0)
    if at == len(text):
        return Elements(text, [], "")
    if text[at] != "[":
        element, end = _element(text, at, "", text.count("\n", 0, at) + 1)
        behind = _skip(text, end)
        if isinstance(element, Problem) or behind == len(text):
            return Elements(text[:at], [element], text[end:])
        return Elements(text[:at], [_no_json(text, behind, "something stands behind the object")], "")
    found: list[Element | Problem] = []
    last = at = _skip(text, at + 1)
    start, line = text[:at], text.count("\n", 0, at) + 1
    while at < len(text) and (text[at] != "]" or found):
        element, end = _element(text, at, text[last:at], line)
        found.append(element)
        if end == at:  # no telling where the next record begins
            return Elements(start, found, "")
        stop = _skip(text, end)
        if text[stop : stop + 1] != ",":
            return Elements(start, [*found, *_array_end(text, stop)], text[end:])
        following = _skip(text, stop + 1)
        line += text.count("\n", at, following)
        last, at = end, following
    return Elements(start, [*found, *_array_end(text, at)], text[at:])


def _array_end(text: str, at: int) -> list[Problem]:
    if at >= len(text):
        return [_no_json(text, at, "the array has no end")]
    if text[at] != "]":
        return [_no_json(text, at, "a comma or ] is expected")]
    behind = _skip(text, at + 1)
    return [_no_json(text, behind, "something stands behind the array")] if behind < len(text) else []


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


_DECODER = json.JSONDecoder()


def _element(text: str, at: int, between: str, line: int) -> tuple[Element | Problem, int]:
    try:
        _, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        return _no_json(text, error.pos, error.msg), at
    except (ValueError, RecursionError) as error:
        return Problem("bad-json", line, f"this is no JSON: {error}", text[at : at + 40]), at
    raw = text[at:end]
    one = load_record(line, f'{{"value": {raw}}}')  # a record may be a list here
    return (Element(line, raw, one.data["value"], between) if isinstance(one, Record) else one), end


def _no_json(text: str, at: int, what: str) -> Problem:
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return Problem("bad-json", line, f"this is no JSON: {what} in column {column}", text[at : at + 40])


def without(value: Any, names: Collection[str], keep: Collection[str] = ()) -> tuple[Any, list[str]]:
    """A value without the fields of these names at any depth, and the names of those that were left out.

    Fields that hold nothing stay.

    keep   fields whose content stays as it is: the user's own data
    """
    left: list[str] = []

    def cleaned(one: Any) -> Any:
        if isinstance(one, dict):
            named = {key for key, held in one.items() if key in names and held not in (None, "", [])}
            left.extend(named)
            return {k: v if k in keep else cleaned(v) for k, v in one.items() if k not in named}
        return [cleaned(item) for item in one] if isinstance(one, list) else one

    made = cleaned(value)
    return (made, left) if left else (value, left)
