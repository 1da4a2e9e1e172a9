"""Which columns of a table hold what, and how the cells of a whole sentence look."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from nerquake.core.errors import Problem
from nerquake.core.scheme import is_tag
from nerquake.io.csv_rows import Row

Style = Literal["json", "python", "blank"]
_TOKENS = ("token", "tokens", "word", "words", "form", "text")
_TAGS = (
    "tag", "tags", "ner", "ner_tag", "ner_tags", "ner tag", "ne", "label", "labels", "entity", "entities", "iob", "bio",
    "iob_tag", "bio_tag",
)  # fmt: skip
_SENTENCES = (
    "sentence #", "sentence", "sentence_id", "sentence id", "sentence_idx", "sentence_num", "sentence_number",
    "sent_id", "sent", "sid", "sentence#",
)  # fmt: skip
_IDS = ("id", "idx", "guid")
_TEXTS = ("sentence", "sentences", "sent")
_NUMBERED = re.compile(r"(?P<prefix>(?:.*[^\w])?)(?P<number>\d+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Columns:
    """Positions of the token, the tag and the sentence (None where no column tells sentences apart)."""

    token: int
    tag: int
    sentence: int | None

    def rest(self, cells: Sequence[str]) -> tuple[str, ...]:
        """The other cells."""
        return tuple(cell for at, cell in enumerate(cells) if at not in (self.token, self.tag, self.sentence))

    def row(self, token: str, tag: str, sentence: str, rest: Sequence[str]) -> list[str]:
        """All cells in order."""
        others = iter(rest)
        given = {self.token: token, self.tag: tag, self.sentence: sentence}
        width = len(rest) + len({self.token, self.tag, self.sentence} - {None})
        return [given[at] if at in given else next(others) for at in range(width)]


def find_columns(header: Sequence[str], names: tuple[str, str, str], whole: bool, line: int) -> Columns | list[Problem]:
    """The columns of the token, the tag and the sentence.

    names   those that the user gives; for "" the first column with a name in use for it
    whole   a row is a sentence, so a column `sentence` holds its words
    """
    problems: list[Problem] = []
    found: list[int | None] = []
    usual = (_TAGS, (*_TOKENS, *_TEXTS) if whole else _TOKENS, (*_SENTENCES, *_IDS) if whole else _SENTENCES)
    taken = {header.index(given) for given in names if given and given in header}
    token, tag, sentence = names
    for what, given, known in zip(("tag", "token", "sentence"), (tag, token, sentence), usual, strict=True):
        at = _usual(header, known, taken) if not given else header.index(given) if given in header else None
        if at is not None:
            taken.add(at)
        elif given or what != "sentence":
            problems.append(_missing(header, what, given, line))
        found.append(at)
    if problems:
        return problems
    at_tag, at_token, at_sentence = found
    assert at_token is not None
    assert at_tag is not None
    if len({at_token, at_tag, at_sentence}) < 3:
        what = f"one column, {header[at_token]!r} or {header[at_tag]!r}, is named for two things"
        return [
            Problem("missing-column", line, what, hint="the token, the tag and the sentence have their own columns")
        ]
    return Columns(at_token, at_tag, at_sentence)


def _usual(header: Sequence[str], known: Sequence[str], taken: set[int]) -> int | None:
    """The column with the most usual name among those not taken."""
    free = {name.strip().lower(): at for at, name in reversed(list(enumerate(header))) if at not in taken}
    return next((free[name] for name in known if name in free), None)


def _missing(header: Sequence[str], what: str, given: str, line: int) -> Problem:
    said = f"there is no column {given!r}" if given else f"no column has a name that is usual for a {what}"
    listed = ", ".join(repr(name) for name in header)
    return Problem("missing-column", line, f"{said} ({what})", hint=f"the header names {listed[:200]}; say {what}=NAME")


def whole_sentences(header: Sequence[str], rows: Sequence[Row], tag: str) -> bool:
    """Whether cells list the tags of whole sentences, to judge by the first rows."""
    at = header.index(tag) if tag and tag in header else _usual(header, _TAGS, set())
    if at is None:
        return False
    cells = [row.cells[at] for row in rows[:50] if len(row.cells) == len(header)]
    return any(cell.startswith("[") or (" " in cell and all(map(is_tag, cell.split(" ")))) for cell in cells)


def is_ids(name: str) -> bool:
    """Whether a sentence column by its name holds ids, even if these are running numbers."""
    return name.strip().lower().endswith("id")


def numbering(cells: Sequence[str]) -> tuple[str, int] | None:
    """Prefix and first number of running numbers such as `1, 2, 3` or `Sentence: 1, Sentence: 2`; None for others."""
    first = _NUMBERED.fullmatch(cells[0]) if cells else None
    if first is None or first["number"] != str(int(first["number"])) or int(first["number"]) > 1:
        return None
    prefix, start = first["prefix"], int(first["number"])
    same = all(cell == f"{prefix}{number}" for number, cell in enumerate(cells, start))
    return (prefix, start) if same else None


def style_of(cell: str) -> Style:
    """How the list in a cell is written."""
    if not cell.startswith("["):
        return "blank"
    return "json" if cell.startswith(('["', "[]")) else "python"


def read_list(cell: str) -> tuple[str, ...] | None:
    """The texts that a cell lists: JSON, a Python list, or parted by single blanks; None where it lists none."""
    style = style_of(cell)
    if style == "blank":
        return tuple(cell.split(" ")) if cell else None
    try:
        found = json.loads(cell) if style == "json" else ast.literal_eval(cell)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    if not isinstance(found, list) or not found or not all(isinstance(item, str) for item in found):
        return None
    return tuple(found)


def write_list(items: Sequence[str], style: Style) -> str:
    """A cell that lists texts."""
    if style == "blank":
        return " ".join(items)
    return json.dumps(list(items), ensure_ascii=False) if style == "json" else repr(list(items))
