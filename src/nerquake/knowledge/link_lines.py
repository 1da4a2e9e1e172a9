"""Lines of link files: JSON objects, or columns as other linkers write them; every line that is none is listed."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from nerquake.core.errors import FormatError, InputError, Problem
from nerquake.core.linking import Link, LinkCandidate
from nerquake.knowledge.ids import LOCAL, is_wikidata
from nerquake.knowledge.text import storable

Place = tuple[str, int, int]
TSV_HEAD = ("sentence", "start", "end")
NIL = ("", "_", "-", "NIL")
"""What stands in a column of items where there is none."""
_HINT = '{"sentence": "s1", "start": 2, "end": 3, "candidates": [], "accepted": "Q90"}, or "accepted": null'
_TSV_HINT = "sentence id, first token, token behind the last, item id or Wikipedia title, separated by tabs"
_ENTITY = re.compile(r"https?://(?:www\.)?wikidata\.org/(?:entity|wiki)/(Q[1-9]\d*)", re.ASCII)
_ARTICLE = re.compile(r"https?://([a-z][a-z-]*)\.(?:m\.)?wikipedia\.org/wiki/([^?#]+)(?:[?#].*)?", re.ASCII)


class DamagedLinks(FormatError):
    """Lines of a file that are not as expected; practically all of them are shown, as no command lists them."""

    SHOWN = 10_000


def read_file(path: str, advice: str = "`nerquake dictionary link` writes one") -> bytes:
    """A file's bytes; `advice` is said where there is none.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; {advice}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def text_lines(data: bytes, problems: list[Problem]) -> Iterator[tuple[int, str]]:
    """Lines that hold something, with their numbers; those that are no UTF-8 become problems."""
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        try:
            line = raw.decode("utf-8").rstrip("\r")
        except UnicodeDecodeError as error:
            problems.append(Problem("not-decodable", number, f"byte 0x{raw[error.start]:02x} is not UTF-8"))
            continue
        if line.strip():
            yield number, line


def json_lines(path: str, data: bytes, *, foreign: bool = False) -> dict[Place, Link]:
    """Links by place, in the order of the file.

    foreign   another program wrote them: candidates may have titles alone, and where `accepted` is missing the first
              candidate is meant, which is "" where it has a title alone

    Raises:
        DamagedLinks: lines that are no links, all of them listed.
    """
    problems: list[Problem] = []
    found: dict[Place, Link] = {}
    for number, line in text_lines(data, problems):
        try:
            link = _link(json.loads(line, object_pairs_hook=_once), foreign)
        except (ValueError, RecursionError) as error:
            problems.append(Problem("bad-link", number, f"no link: {_said(error)}", line[:60], _HINT))
            continue
        _keep(link, number, found, problems)
    if problems:
        raise DamagedLinks(path, sorted(problems, key=lambda problem: problem.line))
    return found


def tsv_lines(path: str, data: bytes) -> dict[Place, Link]:
    """Links by place from columns: sentence, start, end, item or title, and a score where there is a fifth.

    Raises:
        DamagedLinks: lines that are no links, all of them listed.
    """
    problems: list[Problem] = []
    found: dict[Place, Link] = {}
    for number, line in text_lines(data, problems):
        cells = [cell.strip() for cell in line.split("\t")]
        if line.startswith("#") or (not found and tuple(cells[:3]) == TSV_HEAD):
            continue
        try:
            link = _row(cells)
        except ValueError as error:
            problems.append(Problem("bad-link", number, f"no link: {error}", line[:60], _TSV_HINT))
            continue
        _keep(link, number, found, problems)
    if problems:
        raise DamagedLinks(path, sorted(problems, key=lambda problem: problem.line))
    return found


def target_of(text: str) -> LinkCandidate:
    """An item from its id, the title of its article, or the address of either."""
    if is_wikidata(text) or text.startswith(LOCAL):
        return LinkCandidate(text, score=1.0)
    if entity := _ENTITY.fullmatch(text):
        return LinkCandidate(entity[1], score=1.0)
    if article := _ARTICLE.fullmatch(text):
        return LinkCandidate("", unquote(article[2]).replace("_", " "), 1.0, article[1])
    return LinkCandidate("", text, 1.0)


def _keep(link: Link, number: int, found: dict[Place, Link], problems: list[Problem]) -> None:
    place = (link.sentence, link.start, link.end)
    if place in found:
        where = f"{link.sentence!r}, {link.start} to {link.end}"
        problems.append(Problem("repeated-link", number, f"a link of this mention stands above already: {where}"))
    else:
        found[place] = link


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"{next(key for key in keys if keys.count(key) > 1)!r} stands twice")
    return found


def _link(data: Any, foreign: bool) -> Link:
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    sentence, start, end = data.get("sentence"), data.get("start"), data.get("end")
    if not isinstance(sentence, str) or not sentence:
        raise ValueError("sentence is missing or no text")
    if type(start) is not int or type(end) is not int or not 0 <= start < end:
        raise ValueError("start and end are missing or no token offsets, 0 <= start < end")
    given = data.get("candidates", [])
    if not isinstance(given, list):
        raise ValueError("candidates are no list")
    candidates = tuple(_candidate(one, foreign) for one in given)
    text, type_ = data.get("text") or "", data.get("type") or ""
    if not isinstance(text, str) or not isinstance(type_, str):
        raise ValueError("text or type is no text")
    first = candidates[0].item if candidates else None
    accepted = first if foreign and "accepted" not in data else _accepted(data)
    return Link(sentence, start, end, candidates, accepted, text, type_)


def _accepted(data: dict[str, Any]) -> str | None:
    if "accepted" not in data:
        raise ValueError("accepted is missing")
    accepted = data["accepted"]
    if accepted is None:
        return None
    if not isinstance(accepted, str):
        raise ValueError("accepted is neither an id nor null")
    accepted = accepted.strip()
    if accepted[:1] == "q" and is_wikidata(accepted.upper()):
        raise ValueError(f"accepted is {accepted!r}; ids of Wikidata begin with a capital Q")
    if len(accepted.split()) > 1 or not storable(accepted):
        raise ValueError(f"accepted is {accepted!r}, which is no id")
    return accepted or None


def _candidate(one: Any, foreign: bool) -> LinkCandidate:
    if not isinstance(one, dict):
        raise ValueError("a candidate is no object")
    item, title, score = one.get("item") or "", one.get("title") or "", one.get("score")
    score = 0.0 if score is None else score
    if not isinstance(item, str) or not isinstance(title, str):
        raise ValueError("a candidate's item or title is no text")
    if not item and not (foreign and title):
        raise ValueError("a candidate has no item")
    if type(score) not in (int, float) or not math.isfinite(score):
        raise ValueError("a candidate's score is no number")
    return LinkCandidate(item, title, float(score))


def _row(cells: list[str]) -> Link:
    if not 4 <= len(cells) <= 5:
        raise ValueError(f"{len(cells)} columns, expected 4 or 5")
    sentence, start, end, target = cells[:4]
    if not sentence:
        raise ValueError("the sentence's id is empty")
    if not (start.isdecimal() and end.isdecimal() and int(start) < int(end)):
        raise ValueError("start and end are no token offsets, 0 <= start < end")
    place = (sentence, int(start), int(end))
    if target in NIL:
        return Link(*place)
    score = float(cells[4]) if cells[4:] and cells[4] else 1.0
    if not math.isfinite(score):
        raise ValueError("the score is no number")
    one = target_of(target)._replace(score=score)
    return Link(*place, (one,), one.item)


def _said(error: BaseException) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"no JSON, {error.msg} in column {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)
