"""What a record of a JSON Lines file says of one sentence, checked field by field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from nerquake.core.errors import Problem
from nerquake.core.scheme import is_tag
from nerquake.core.span import Span
from nerquake.io.records import Record
from nerquake.io.tags import tag_hint

KNOWN = frozenset({"id", "tokens", "spans", "tags", "spaces", "doc_id", "columns", "meta", "source"})


class Fields(NamedTuple):
    """One sentence's content. `tags` where the record has them instead of spans; `rest`: what is not known here."""

    id: str | None
    tokens: tuple[str, ...]
    spans: tuple[Span, ...]
    tags: tuple[str, ...] | None
    spaces: tuple[bool, ...] | None
    doc_id: str | None
    columns: tuple[tuple[str, ...], ...]
    meta: tuple[tuple[str, str], ...]
    source: str | None
    rest: dict[str, Any]


class _Wrong(Exception):
    def __init__(self, code: str, message: str, token: str = "", hint: str = "") -> None:
        self.code, self.message, self.token, self.hint = code, message, token, hint
        super().__init__(message)


def read_fields(record: Record) -> Fields | list[Problem]:
    """The fields of a record, or everything that is wrong with it."""
    problems: list[Problem] = []
    data = record.data

    def attempt(read: Callable[[], Any], default: Any = None) -> Any:
        try:
            return read()
        except _Wrong as wrong:
            problems.append(Problem(wrong.code, record.number, wrong.message, wrong.token, wrong.hint))
            return default

    tokens = attempt(lambda: _tokens(data), ())
    size = len(tokens)
    known_meta = _known_meta(data.get("meta"))
    fields = Fields(
        id=attempt(lambda: _id(data.get("id"))),
        tokens=tokens,
        spans=attempt(lambda: _spans(data, tokens), ()) if size else (),
        tags=attempt(lambda: _tags(data, tokens)) if size else None,
        spaces=attempt(lambda: _spaces(data, size)) if size else None,
        doc_id=attempt(lambda: _text(data, "doc_id")),
        columns=attempt(lambda: _columns(data, size), ()) if size else (),
        meta=known_meta or (),
        source=attempt(lambda: _text(data, "source")),
        rest={k: v for k, v in data.items() if k not in KNOWN or (k == "meta" and known_meta is None)},
    )
    return problems or fields


def _tokens(data: dict[str, Any]) -> tuple[str, ...]:
    tokens = data.get("tokens")
    if tokens is None:
        other = "records with text and character offsets are another format: --input doccano or prodigy"
        hint = other if "text" in data else ""
        raise _Wrong("wrong-type", "the record has no tokens", hint=hint)
    if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
        raise _Wrong("wrong-type", "tokens must be a list of texts")
    if not tokens:
        raise _Wrong("no-tokens", "the sentence has no tokens")
    if "" in tokens:
        raise _Wrong("empty-token", f"token {tokens.index('')} (from 0) is empty")
    return tuple(tokens)


def _id(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value:
        raise _Wrong("wrong-type", f"id must be a text, not {value!r}")
    return value


def _text(data: dict[str, Any], key: str) -> str | None:
    value = data.get(key)
    if value is not None and not isinstance(value, str):
        raise _Wrong("wrong-type", f"{key} must be a text, not {value!r}")
    return value


def _spans(data: dict[str, Any], tokens: Sequence[str]) -> tuple[Span, ...]:
    given = data.get("spans")
    if given is None:
        return ()
    if "tags" in data:
        raise _Wrong("wrong-type", "the record has both spans and tags; one of them is expected")
    if not isinstance(given, list):
        raise _Wrong("wrong-type", "spans must be a list of [start, end, label]")
    spans = sorted(_span(one, tokens) for one in given)
    for before, after in pairwise(spans):
        if before.overlaps(after):
            what = f"spans [{before.start}, {before.end}) {before.label} and [{after.start}, {after.end}) {after.label}"
            raise _Wrong("overlapping-spans", f"{what} overlap; mentions must be flat", tokens[after.start])
    return tuple(spans)


def _span(one: Any, tokens: Sequence[str]) -> Span:
    good = isinstance(one, list) and len(one) in (3, 4) and isinstance(one[2], str) and bool(one[2])
    if not good or any(type(offset) is not int for offset in one[:2]):
        raise _Wrong("wrong-type", f"{one!r} is no span; [start, end, label] is expected, offsets in tokens from 0")
    start, end, label = one[:3]
    score = one[3] if len(one) == 4 else None
    if score is not None and (isinstance(score, bool) or not isinstance(score, int | float)):
        raise _Wrong("wrong-type", f"the score of the span {one!r} must be a number")
    if not 0 <= start < end <= len(tokens):
        what = f"the span [{start}, {end}) {label} does not lie in the sentence's {len(tokens)} tokens"
        raise _Wrong("bad-span", what, hint="offsets count tokens from 0, the end is not included")
    return Span(start, end, label, None if score is None else float(score))


def _tags(data: dict[str, Any], tokens: Sequence[str]) -> tuple[str, ...] | None:
    tags = data.get("tags")
    if tags is None:
        return None
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise _Wrong("wrong-type", "tags must be a list of texts")
    if len(tags) != len(tokens):
        raise _Wrong("wrong-type", f"there are {len(tokens)} tokens but {len(tags)} tags")
    for token, tag in zip(tokens, tags, strict=True):
        if not is_tag(tag):
            raise _Wrong("bad-tag", f"{tag!r} is no tag", token, tag_hint(tag))
    return tuple(tags)


def _spaces(data: dict[str, Any], size: int) -> tuple[bool, ...] | None:
    spaces = data.get("spaces")
    if spaces is None:
        return None
    if not isinstance(spaces, list) or not all(isinstance(space, bool) for space in spaces) or len(spaces) != size:
        raise _Wrong("wrong-type", f"spaces must be a list of {size} times true or false, one for each token")
    return tuple(spaces)


def _columns(data: dict[str, Any], size: int) -> tuple[tuple[str, ...], ...]:
    given = data.get("columns")
    if given is None:
        return ()
    right = isinstance(given, list) and all(isinstance(row, list) for row in given)
    if not right or not all(isinstance(cell, str) for row in given for cell in row):
        raise _Wrong("wrong-type", "columns must be a list of lists of texts, one for each token")
    if given and len(given) != size:
        raise _Wrong("wrong-type", f"there are {size} tokens but {len(given)} columns")
    if len({len(row) for row in given}) > 1:
        raise _Wrong("mixed-columns", "the lists in columns have different lengths")
    return tuple(map(tuple, given))


def _known_meta(value: Any) -> tuple[tuple[str, str], ...] | None:
    """Meta data as pairs; None where it is neither an object of texts nor a list of pairs, and is kept as it stands."""
    if value is None:
        return ()
    pairs = list(value.items()) if isinstance(value, dict) else value
    if not isinstance(pairs, list):
        return None
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
            return None
    return tuple((key, text) for key, text in pairs)
