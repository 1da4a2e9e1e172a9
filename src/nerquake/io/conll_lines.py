"""Lines of CoNLL files: their shape, their cells, and the blanks around the cells.

Blanks are the space, the TAB and a carriage return, never another character that Unicode calls white space: a token
may be a no-break space alone, or hold a line separator (U+2028).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from nerquake.core.errors import Problem
from nerquake.core.scheme import is_tag

BLANKS = " \t\r"
DOCSTART = "-DOCSTART-"
Separator = Literal["auto", "tab", "blank"]
_VOTERS = 50_000
"""How many lines settle the shape of a file."""
_CELL = re.compile(r"[^ \t\r]+")
_HEADERS = frozenset({"token", "tokens", "word", "words", "form", "text"})
_KEY_VALUE = re.compile(r"#[ \t]*[^\s=]+(?: id)? = ")


class Cells(NamedTuple):
    """A line's cells, its tag without the blanks around it, and the blanks before, between and after the cells."""

    cells: tuple[str, ...]
    gaps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """How the token lines of a file look.

    tabs         whether cells are separated by single TABs (and may hold spaces or be empty), else by blanks
    width        number of cells
    token, tag   position of the token and of the tag, from 0
    header       number of the header line, 0 where there is none
    """

    tabs: bool
    width: int
    token: int
    tag: int
    header: int = 0

    @property
    def gaps(self) -> tuple[str, ...]:
        """The blanks of an ordinary line."""
        between = "\t" if self.tabs else " "
        return ("", *([between] * (self.width - 1)), "")

    def split(self, line: str) -> Cells:
        """The cells of a line, whatever their number. Empty cells behind the last column count as blanks."""
        if not self.tabs:
            return split_blanks(line)
        cells = line.split("\t")
        if len(cells) == 1 and self.width > 1:
            other = split_blanks(line)
            return other if len(other.cells) == self.width and is_tag(other.cells[self.tag]) else Cells((line,), ())
        behind = ""
        if len(cells) > self.width and not "".join(cells[self.width :]).strip(BLANKS):
            behind = "\t" + "\t".join(cells[self.width :])
            cells = cells[: self.width]
        gaps = ["", *["\t"] * (len(cells) - 1), behind]
        if len(cells) == self.width:
            raw = cells[self.tag]
            cells[self.tag] = tag = raw.strip(BLANKS)
            if tag != raw:
                front = len(raw) - len(raw.lstrip(BLANKS))
                gaps[self.tag] += raw[:front]
                gaps[self.tag + 1] = raw[front + len(tag) :] + gaps[self.tag + 1]
        return Cells(tuple(cells), tuple(gaps))

    def is_token(self, found: Cells) -> bool:
        """Whether a line has the cells of a token line and a tag."""
        return len(found.cells) == self.width and is_tag(found.cells[self.tag])

    def is_comment(self, line: str, found: Cells, inside: bool) -> bool:
        """Whether a line that begins with `#` is a comment, not a token.

        inside   tokens stand directly before it. There a line that has a token line's cells, or a word glued to the
                 `#`, is a token with something wrong in it, which a comment would hide.
        """
        if self.is_token(found):
            return not (self.tabs and "\t" in line) and _KEY_VALUE.match(line) is not None
        glued = line[1:2] not in ("", " ", "\t", "#")
        if len(found.cells) == self.width:
            if inside and not self.tabs and not glued:
                return not _resembles_tag(found.cells[self.tag])
            return not inside and not (glued and self.width > 1)
        return not (inside and glued)


def _resembles_tag(cell: str) -> bool:
    """Whether a cell that is no tag was probably meant as one, unlike the words of a comment."""
    return len(cell) == 1 or "-" in cell or "_" in cell or cell.upper() == cell


def split_blanks(line: str) -> Cells:
    """The cells of a line that are separated by blanks."""
    simple = line.split(" ")
    if "" not in simple and "\t" not in line and "\r" not in line:
        return Cells(tuple(simple), ("", *[" "] * (len(simple) - 1), ""))
    cells: list[str] = []
    gaps: list[str] = []
    at = 0
    for found in _CELL.finditer(line):
        gaps.append(line[at : found.start()])
        cells.append(found.group())
        at = found.end()
    gaps.append(line[at:])
    return Cells(tuple(cells), tuple(gaps))


def is_border(line: str) -> bool:
    """Whether a line is a document border: `-DOCSTART-` as its first cell."""
    return line.startswith(DOCSTART) and (len(line) == len(DOCSTART) or line[len(DOCSTART)] in BLANKS)


def border_id(line: str) -> str | None:
    """The document's id in a border line such as `-DOCSTART- -42- O O`; None for `-X-` and the like."""
    cells = split_blanks(line).cells
    if len(cells) > 1 and len(cells[1]) > 2 and cells[1][0] == cells[1][-1] == "-" and cells[1] != "-X-":
        return cells[1][1:-1]
    return None


def find_shape(lines: Sequence[str], token: int, tag: int, sep: Separator) -> Shape | Problem | None:
    """The shape of a file's token lines; None where there are none; a problem where a column is not there.

    The separator is the one of most lines; the number of columns is that of the first line, unless hardly any other
    line has it.
    """
    able = _token_lines(lines[:_VOTERS]) or _token_lines(lines)
    able = able or [line for line in lines if line.startswith("#") and _ends_in_tag(line, tag)]
    if not able:
        return None
    tabs = sep == "tab" or (sep == "auto" and 2 * sum("\t" in line.strip(BLANKS) for line in able) >= len(able))
    width = _width(able, tabs)
    if tabs and tag == -1 and width > 2 and all(line.endswith("\t") for line in able):
        width -= 1
    shape = _resolve(able[0], lines.index(able[0]) + 1, Shape(tabs, width, token, tag))
    if isinstance(shape, Shape) and shape.header and _any_token(lines[: shape.header - 1], shape):
        return replace(shape, header=0)
    return shape


def _any_token(lines: Sequence[str], shape: Shape) -> bool:
    """Whether a token line that begins with `#` stands among these: then no header can follow."""
    return any(line.startswith("#") and shape.is_token(shape.split(line)) for line in lines)


def _token_lines(lines: Sequence[str]) -> list[str]:
    return [
        line for line in lines
        if line and line[0] not in "#\x00" and not is_border(line) and line.strip(BLANKS)
    ]  # fmt: skip


def _ends_in_tag(line: str, tag: int) -> bool:
    cells = line.split("\t") if "\t" in line else list(split_blanks(line).cells)
    return len(cells) > 1 and -len(cells) <= tag < len(cells) and is_tag(cells[tag].strip(BLANKS))


def _width(able: Sequence[str], tabs: bool) -> int:
    if tabs:
        counts = Counter(line.count("\t") + 1 for line in able if "\t" in line) or Counter([1])
    else:
        counts = Counter(map(_count_blanks, able))
    first = next(iter(counts))
    if counts[first] >= max(2, counts.total() // 20):
        return first
    if not tabs:
        return counts.most_common(1)[0][0]
    # Empty cells behind the last column are blanks, so a line with some has the smaller number of columns too.
    bare = Counter(line.rstrip(BLANKS).count("\t") + 1 for line in able if "\t" in line)
    return max(counts, key=lambda width: sum(n for w, n in bare.items() if w <= width) if width in bare else -1)


def _count_blanks(line: str) -> int:
    if "\t" in line or "\r" in line:
        return len(_CELL.findall(line))
    cells = line.split(" ")
    return len(cells) - cells.count("")


def _resolve(first: str, number: int, asked: Shape) -> Shape | Problem:
    """The shape with columns counted from the front; `first` is the first token line, or a header."""
    width = asked.width
    token, tag = (at + width if at < 0 else at for at in (asked.token, asked.tag))
    columns = f"{width} column{'s' if width > 1 else ''}"
    for name, given, at in (("token", asked.token, token), ("tag", asked.tag, tag)):
        if not 0 <= at < width:
            what = f"{name}={given} asks for a column that is not there: the lines have {columns}"
            return Problem("missing-column", number, what, first[:40], "columns count from 0, or from the end from -1")
    if token == tag:
        what = f"token={asked.token} and tag={asked.tag} are the same column: the lines have {columns}"
        return Problem("missing-column", number, what, first[:40], "a token and a tag are needed, such as `Bonn B-LOC`")
    shape = replace(asked, token=token, tag=tag)
    found = shape.split(first)
    if len(found.cells) == width and not is_tag(found.cells[tag]) and found.cells[token].lower() in _HEADERS:
        return replace(shape, header=number)
    return shape
