"""An audit's files: written in one go, and read again to be rendered anew."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nerquake.analyse.records import case_lines, read_cases
from nerquake.core.errors import FormatError, InputError, PluginError, Problem, guarded
from nerquake.core.protocols import Renderer
from nerquake.core.results import AuditResult
from nerquake.core.spec import Spec
from nerquake.io.files import read_bytes
from nerquake.io.output import write_whole
from nerquake.registry import RENDERERS

FORMAT = "nerquake.audit/1"
RESULT, CASES = "result.json", "cases.jsonl"
ADVICE = "Run the audit again to write the file anew."
_KEYS = ("header", "sets", "taggers", "results")


def write_report(result: AuditResult, folder: Path) -> tuple[str, ...]:
    """Write `result.json`, `cases.jsonl` and every rendered form into a folder; returns the files' names.

    Each file is written whole or not at all, the figures first, so that a fault later on loses none of them.

    Raises:
        OutputError: a file cannot be written.
    """
    write_whole(folder / RESULT, result_json(result.data))
    header = {key: result.data["header"].get(key) for key in ("version", "signature")}
    header |= {"redacted": True} if result.data["header"].get("redacted") else {}
    write_whole(folder / CASES, case_lines(result.cases, header))
    names = [RESULT, CASES]
    faults: list[str] = []
    for form in RENDERERS.names():
        try:
            with guarded(f"the renderer {form}"):
                renderer: Renderer = RENDERERS.build(Spec(form))
                write_whole(folder / renderer.name, [renderer.render(result)])
                names.append(renderer.name)
        except PluginError as error:
            faults.append(str(error))
    if faults:
        raise PluginError("\n".join([*faults, f"Everything else is there: {', '.join(names)} in {folder}"]))
    return tuple(names)


def result_json(data: Mapping[str, Any]) -> Iterator[str]:
    """`result.json` in pieces; text that UTF-8 cannot hold is escaped."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(data, allow_nan=False, indent=1)
    yield text
    yield "\n"


def read_result(folder: Path) -> AuditResult:
    """The audit that a folder holds; without `cases.jsonl` it has no sentences to show.

    Raises:
        InputError: the folder holds no finished audit, or a file in it is damaged.
    """
    path = folder / RESULT
    if not path.is_file():
        raise InputError(f"{folder} holds no {RESULT}; expected a folder that `nerquake audit ... -o {folder}` wrote")
    data = _read_json(path)
    cases = folder / CASES
    if not cases.is_file():
        return AuditResult(data)
    return AuditResult(data, read_cases(_lines(cases), str(cases)))


def _lines(path: Path) -> Iterator[str]:
    """A file's lines one by one: the cases of a large audit are many times larger than what is kept of them."""
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                try:
                    yield line.decode("utf-8")
                except UnicodeDecodeError as error:
                    problem = Problem("not-decodable", number, f"byte {error.start} of the line is no UTF-8 text")
                    raise FormatError(str(path), [problem], ADVICE) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None


def _text(path: Path) -> str:
    try:
        return read_bytes(str(path)).decode("utf-8")
    except UnicodeDecodeError as error:
        problem = Problem("not-decodable", 0, f"byte {error.start} is no UTF-8 text")
        raise FormatError(str(path), [problem], ADVICE) from None


def _read_json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(_text(path))
    except (json.JSONDecodeError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        problem = Problem("bad-json", line, f"this is no JSON: {getattr(error, 'msg', error)}")
        raise FormatError(str(path), [problem], ADVICE) from None
    found = data.get("format") if isinstance(data, dict) else None
    if found != FORMAT:
        problem = Problem("bad-header", 0, f"the format is {found!r}, expected {FORMAT!r}")
        raise FormatError(str(path), [problem], ADVICE)
    absent = [key for key in _KEYS if key not in data]
    if absent:
        raise FormatError(str(path), [Problem("bad-record", 0, f"without {', '.join(absent)}")], ADVICE)
    return dict(data)
