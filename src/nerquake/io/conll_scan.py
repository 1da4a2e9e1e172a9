"""From the lines of a CoNLL file to raw sentences: tokens, tags, other cells, and everything that stood around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nerquake.core.dataset import FileLayout
from nerquake.core.errors import Problem
from nerquake.core.scheme import is_tag
from nerquake.core.sentence import Layout
from nerquake.io.conll_comments import Comments, document_of, is_id_line, read_comments, spaces_of
from nerquake.io.conll_lines import BLANKS, Cells, Shape, border_id, is_border
from nerquake.io.files import UNREADABLE
from nerquake.io.tags import tag_hint

# Entries of Layout.before that are no lines of the file begin with NUL, which no text file holds.
MARK = "\x00"
FIRST = MARK + "first"
"""The file's first sentence: blank lines in front of it separate nothing."""
JOINED = MARK + "joined"
"""No blank line stood between this sentence and the one before it."""
OTHER_TEXT = MARK + "text"
"""The `# text` line never fitted the tokens, so it is not brought up to date."""
BORDER = MARK + "border\n"
"""Followed by the border lines of the document, which stood before its first sentence."""
UNNAMED = MARK + "document "
"""Stands for a document without a name until its first sentence's id is known, which becomes its id: it does not
change when documents are added in front."""
_GLOBAL = "# global."
"""CoNLL-U Plus names its columns in a comment line that belongs to the file, not to its first sentence."""
_NOTHING = Comments()
_PLAIN_BEFORE = ("",)


@dataclass(frozen=True, slots=True)
class ConllFile(FileLayout):
    """The layout of a CoNLL file: the lines of a header, and whether most lines are separated by TABs."""

    front: tuple[str, ...] = ()
    tabs: bool = True


@dataclass(slots=True)
class RawSentence:
    """One sentence as it stands in the file; `lines` are the numbers of its token lines."""

    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    lines: list[int]
    comments: Comments
    doc_id: str | None
    spaces: tuple[bool, ...] | None
    layout: Layout


class Scanner:
    """Reads lines one after another. `problems` grows as it goes; broken lines are left out of their sentences."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.sentences: list[RawSentence] = []
        self.problems: list[Problem] = []
        self.documents = 0
        self.other_separator = 0
        self.token_lines = 0
        self._doc_id: str | None = None
        self._border = ""
        self.front: tuple[str, ...] = ()
        self._before: list[str] = []
        self._inner: list[tuple[int, str]] = []
        self._joined = False
        self._plain = shape.gaps
        self._gaps_seen = {self._plain: self._plain}
        self._befores: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._known_tokens: dict[str, str] = {}
        self._known_tags: dict[str, str] = {}
        self._known_rests: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._open()

    def _open(self) -> None:
        self._tokens: list[str] = []
        self._tags: list[str] = []
        self._rests: list[tuple[str, ...]] = []
        self._gaps: list[tuple[str, ...]] = []
        self._numbers: list[int] = []

    def scan(self, lines: Sequence[str]) -> str:
        """Read all lines; returns the text behind the last sentence.

        An ordinary line whose cells have all been seen is dealt with here, every other line by `_odd`.
        """
        shape, width = self.shape, self.shape.width
        separator = "\t" if shape.tabs else " "
        token_at, tag_at, plain = shape.token, shape.tag, self._plain
        low, high = sorted((token_at, tag_at))
        tokens, tags, rests = self._known_tokens, self._known_tags, self._known_rests
        narrow = width == 2
        for number, line in enumerate(lines, 1):
            cells = line.split(separator)
            if len(cells) == width:
                token, tag = tokens.get(cells[token_at]), tags.get(cells[tag_at])
                if token is not None and tag is not None:
                    if not narrow:
                        del cells[high], cells[low]
                        rest = rests.get(tuple(cells))
                    else:
                        rest = ()
                    if rest is not None:
                        self._tokens.append(token)
                        self._tags.append(tag)
                        self._rests.append(rest)
                        self._gaps.append(plain)
                        self._numbers.append(number)
                        continue
            self._odd(number, line)
        self._close()
        return "".join(f"\n{line}" for line in self._before)

    def _odd(self, number: int, line: str) -> None:
        """A line that is not an ordinary token line, or whose cells are met for the first time."""
        if not line.strip(BLANKS) or is_border(line):
            self._close()
            self._before.append(line)
        elif not self.sentences and (number == self.shape.header or line.startswith(_GLOBAL)):
            self.front = (*self.front, *self._before, line)
            self._before = []
        elif line != UNREADABLE:
            found = self.shape.split(line)
            if line[0] == "#" and self._comment(line, found):
                return
            self._token_line(number, line, found)

    def _comment(self, line: str, found: Cells) -> bool:
        """Keep a comment line; False where the line is no comment. An id line begins a sentence."""
        if is_id_line(line) and not self.shape.is_token(found):
            self._joined = bool(self._tokens)
            self._close()
        elif not self.shape.is_comment(line, found, inside=bool(self._tokens)):
            return False
        if self._tokens:
            self._inner.append((len(self._tokens), line))
        else:
            self._before.append(line)
        return True

    def _token_line(self, number: int, line: str, found: Cells) -> None:
        self.token_lines += 1
        problem = self._wrong(number, line, found)
        if problem is not None:
            self.problems.append(problem)
            return
        shape = self.shape
        cells = list(found.cells)
        token, tag = cells[shape.token], cells[shape.tag]
        for at in sorted((shape.token, shape.tag), reverse=True):
            del cells[at]
        if shape.tabs and shape.width > 1 and "\t" not in line:
            self.other_separator += 1
        rest = self._known_rests.get(tuple(cells)) or tuple(cells)
        if line[0] != "#" and not (shape.token and line.startswith("-DOCSTART-")):
            self._known_tokens.setdefault(token, token)
            self._known_tags.setdefault(tag, tag)
            self._known_rests.setdefault(rest, rest)
        self._tokens.append(self._known_tokens.get(token, token))
        self._tags.append(self._known_tags.get(tag, tag))
        self._rests.append(rest)
        self._gaps.append(self._gaps_seen.setdefault(found.gaps, found.gaps))
        self._numbers.append(number)

    def _wrong(self, number: int, line: str, found: Cells) -> Problem | None:
        shape, cells = self.shape, found.cells
        if len(cells) != shape.width:
            what = f"{_columns(len(cells))}, where {shape.width} are expected"
            kind = "TAB" if shape.tabs else "blank"
            return Problem("mixed-columns", number, what, line[:60], f"the file's columns are separated by {kind}s")
        tag = cells[shape.tag]
        if not cells[shape.token].strip(BLANKS):
            return Problem(
                "empty-token", number, "the token is empty", line[:60], "write the token, or take the line out"
            )
        if not is_tag(tag):
            return Problem("bad-tag", number, f"{tag!r} is no tag", cells[shape.token], tag_hint(tag))
        return None

    def _close(self) -> None:
        """End the sentence at hand, if there is one; what stands behind its last token belongs to the next."""
        if not self._tokens:
            return
        before, self._before = self._before, []
        gaps = self._gaps
        for index, line in self._inner:
            if index < len(gaps):
                gaps[index] = (f"{gaps[index][0]}{line}\n", *gaps[index][1:])
            else:
                self._before.append(line)
        self._inner = []
        comments, kept = self._read_before(before)
        spaces = spaces_of(self._tokens, comments.text) if comments.text is not None else None
        if comments.text is not None and spaces is None:
            kept = (*kept, OTHER_TEXT)
        columns = tuple(self._rests) if self.shape.width > 2 else ()
        raw = RawSentence(
            tokens=tuple(self._tokens),
            tags=tuple(self._tags),
            columns=columns,
            lines=self._numbers,
            comments=comments,
            doc_id=self._doc_id,
            spaces=spaces,
            layout=Layout(kept, tuple(gaps)),
        )
        self.sentences.append(raw)
        self._joined = False
        self._open()

    def _read_before(self, before: list[str]) -> tuple[Comments, tuple[str, ...]]:
        """What the lines in front of a sentence say, and how they are kept."""
        joined, self._joined = self._joined_before(before), False
        if len(before) == 1 and not before[0] and self.sentences:
            kept = _PLAIN_BEFORE if not self._border else (self._border, "")
            return _NOTHING, self._befores.setdefault(kept, kept)
        lines = list(before)
        opens = [index for index, line in enumerate(before) if _opens_document(line)]
        for index in opens:
            self._enter(before[index])
        if opens:
            last = opens[-1] + 1
            if is_border(before[opens[-1]]):
                while last < len(before) and not before[last].strip(BLANKS):
                    last += 1
            self._border = BORDER + "\n".join(before[opens[0] : last])
        elif self._border:
            lines.insert(0, self._border)
        if not self.sentences and before and not before[0].strip(BLANKS):
            lines.insert(0, FIRST)
        if joined:
            lines.insert(0, JOINED)
        return read_comments(before), tuple(lines)

    def _joined_before(self, before: Iterable[str]) -> bool:
        return bool(self.sentences) and not any(is_separator(line) for line in before)

    def _enter(self, line: str) -> None:
        """Begin a document. One that is named like the one before it gets a number, so that the border is seen."""
        self.documents += 1
        named = document_of(line)
        if named is None:
            found = border_id(line) or f"{UNNAMED}{self.documents}"
        elif named[1] and not named[0]:
            self._doc_id = None
            return
        else:
            found = named[0] or f"{UNNAMED}{self.documents}"
        self._doc_id = f"{found}.{self.documents}" if found == self._doc_id else found


def is_separator(line: str) -> bool:
    """Whether a line in front of a sentence parts it from the one before it."""
    return not line.strip(BLANKS) or is_border(line)


def _opens_document(line: str) -> bool:
    return is_border(line) or document_of(line) is not None


def _columns(count: int) -> str:
    return f"{count} column{'' if count == 1 else 's'}"


def tag_column_hint(shape: Shape, lines: Sequence[str]) -> str:
    """Which column holds tags, if one does: for a file whose asked column holds none."""
    seen: Counter[int] = Counter()
    rows = [cells for line in lines[:2000] if len(cells := shape.split(line).cells) == shape.width]
    for at in range(shape.width):
        column = [cells[at] for cells in rows]
        if column and sum(map(is_tag, column)) > 0.9 * len(column) and any(cell != "O" for cell in column):
            seen[at] = 1
    if not seen:
        return "no column of the file holds tags (O, or B- I- E- L- M- S- U- and a label)"
    return " or ".join(f"column {at} holds tags: --input conll:tag={at}" for at in sorted(seen))
