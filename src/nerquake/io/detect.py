"""Which JSON format a file is of, by its first record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nerquake.io.files import utf16

_BLANKS = " \t\r\n"
_CUT = 4_000_000
"""Bytes that are looked at: a first record longer than this is not recognised."""


def json_format(data: bytes) -> str:
    """The format's name; "jsonl" for other JSON objects a line, "json" for other arrays, "" for what is no JSON."""
    text = beginning(data, _CUT).lstrip(_BLANKS)
    if text.startswith("["):
        first = _first(text[1:].lstrip(_BLANKS))
        return _array_format(first) or ("json" if isinstance(first, dict | list) else "")
    if not text.startswith("{"):
        return ""
    line = _first(text.partition("\n")[0])
    if isinstance(line, dict):
        return _array_format(line) if _is_task(line) else _lines_format(line)
    whole = _first(text)  # one object over several lines
    return _array_format(whole) if isinstance(whole, dict) else ""


def beginning(data: bytes, size: int) -> str:
    """The text of a file's first bytes, UTF-8 or UTF-16, to tell its format by."""
    return data[:size].decode(utf16(data) or "utf-8", "replace").removeprefix("\ufeff")


def is_brat(folder: Path) -> bool:
    """Whether a folder, or one directly in it, holds .ann files."""
    return any(True for pattern in ("*.ann", "*/*.ann") for _ in folder.glob(pattern))


def _first(text: str) -> Any:
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def _lines_format(record: Mapping[str, Any]) -> str:
    tokens = record.get("tokens")
    own = "format" in record or (isinstance(tokens, list) and all(isinstance(token, str) for token in tokens))
    if own or not isinstance(record.get("text"), str):
        return "jsonl"
    if isinstance(record.get("spans"), list) or "_input_hash" in record or "_task_hash" in record:
        return "prodigy"
    if any(isinstance(record.get(key), list) for key in ("label", "labels", "entities", "annotations")):
        return "doccano"
    return "jsonl"


def _is_task(record: Any) -> bool:
    return isinstance(record, dict) and isinstance(record.get("data"), dict)


def _array_format(record: Any) -> str:
    if _is_task(record) and any(key in record for key in ("annotations", "completions", "predictions")):
        return "labelstudio"
    if isinstance(record, dict) and isinstance(record.get("paragraphs"), list):
        return "spacy-json"
    pair = isinstance(record, list) and len(record) == 2 and isinstance(record[0], str)
    return "spacy-json" if pair and isinstance(record[1], dict) and "entities" in record[1] else ""
