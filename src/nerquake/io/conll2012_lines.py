"""Lines of CoNLL-2012 files: document borders, cells, and mentions in brackets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from nerquake.core.errors import Problem
from nerquake.core.span import Span
from nerquake.io.borders import Border
from nerquake.io.conll_lines import split_blanks

BEGIN, END = "#begin document", "#end document"
OUTSIDE = "*"
_BEGIN = re.compile(
    r"#begin document[ \t]+(?:\((?P<name>.*)\)|(?P<bare>[^ \t;(]+))"
    r"[ \t]*(?:;[ \t]*(?:part[ \t]*(?P<part>\S+))?)?[ \t\r]*"
)
_DOCUMENT = re.compile(r"(?P<name>.*)#(?P<part>\d+)", re.DOTALL)
_NAMES = re.compile(r"(?P<open>(?:\([^()*]+)*)(?P<star>\*?)(?P<close>\)*)")


def border_of(line: str) -> Border:
    """What a line says of documents."""
    if line.startswith(BEGIN):
        return Border.OPENS
    return Border.CLOSES if line.startswith(END) else Border.NONE


def document_of(line: str) -> str | None:
    """The document that a `#begin document` line opens, `name#part`, or `name` where it tells no part."""
    match = _BEGIN.fullmatch(line)
    if match is None:
        return None
    name = match["name"] if match["name"] is not None else match["bare"]
    return name if match["part"] is None else f"{name}#{match['part']}"


def begin_line(document: str) -> str:
    """The line that opens a document."""
    match = _DOCUMENT.fullmatch(document)
    return f"{BEGIN} ({document});" if match is None else f"{BEGIN} ({match['name']}); part {match['part']}"


def split(line: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A line's cells, and the blanks before, between and behind them. Blanks are the space, the TAB and CR only."""
    found = split_blanks(line)
    return found.cells, found.gaps


class Bracketed(NamedTuple):
    """Mentions that brackets tell, in the order of their ends, and what is wrong with the brackets."""

    spans: list[Span]
    problems: list[Problem]


def mentions_of(names: Sequence[str], tokens: Sequence[str], lines: Sequence[int]) -> Bracketed:
    """The mentions of one sentence's cells, nested ones among them."""
    found = Bracketed([], [])
    open_: list[tuple[int, str]] = []
    for at, cell in enumerate(names):
        match = _NAMES.fullmatch(cell)
        if match is None or not (match["star"] or (match["open"] and match["close"])):
            what = f"{cell!r} is no bracketed name"
            hint = "such as (PERSON*, *, *) or (PERSON)"
            found.problems.append(Problem("bad-tag", lines[at], what, tokens[at], hint))
            continue
        open_ += [(at, label) for label in match["open"].split("(")[1:]]
        for _ in match["close"]:
            if not open_:
                what = f"{cell!r} closes a bracket that no token before it opens"
                found.problems.append(Problem("unbalanced", lines[at], what, tokens[at], "take out the )"))
                break
            start, label = open_.pop()
            found.spans.append(Span(start, at + 1, label))
    for start, label in open_:
        what = f"the bracket of {label} is not closed in its sentence"
        found.problems.append(Problem("unbalanced", lines[start], what, tokens[start], "write the ) at its last token"))
    return found


def names_of(spans: Sequence[Span], size: int, starred: Sequence[bool]) -> list[str]:
    """The cells of flat mentions; `starred`: for each token whether a mention of this token alone is `(GPE*)`."""
    cells = [OUTSIDE] * size
    for span in spans:
        if span.width == 1:
            cells[span.start] = f"({span.label}*)" if starred[span.start] else f"({span.label})"
        else:
            cells[span.start] = f"({span.label}*"
            cells[span.end - 1] = "*)"
    return cells


def holds_label(label: str) -> bool:
    """Whether a label can stand in brackets."""
    return _NAMES.fullmatch(f"({label})") is not None and label.count("(") == 0 and not re.search(r"[\s\x00]", label)


def balanced(cells: Sequence[str]) -> bool:
    """Whether the brackets of a column close within the sentence, each behind the one that opens it."""
    depth = 0
    for cell in cells:
        for letter in cell:
            depth += (letter == "(") - (letter == ")")
            if depth < 0:
                return False
    return depth == 0
