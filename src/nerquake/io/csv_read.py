"""From the rows of a table to sentences: a row a token, or a row a sentence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

from nerquake.core.dataset import FileLayout
from nerquake.core.errors import Problem
from nerquake.core.scheme import is_tag
from nerquake.core.sentence import Layout
from nerquake.io.assemble import Found
from nerquake.io.borders import FIRST, is_blank
from nerquake.io.csv_columns import Columns, Style, is_ids, numbering, read_list, style_of
from nerquake.io.csv_rows import Dialect, Row
from nerquake.io.files import Decoded
from nerquake.io.tags import tag_hint


@dataclass(frozen=True, slots=True)
class CsvFile(FileLayout):
    """The layout of a table.

    front      the lines up to the header
    names      the names of the columns
    columns    which of them hold the token, the tag and the sentence
    dialect    how cells are parted and quoted
    each       every row has its sentence's cell, not only the first
    numbers    prefix and first number of running numbers in the sentence column; None for ids
    styles     how lists of tokens and tags are written, where a row is a sentence
    """

    front: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    columns: Columns = field(default_factory=lambda: Columns(1, 2, 0))
    dialect: Dialect = field(default_factory=lambda: Dialect(",", True))
    each: bool = True
    numbers: tuple[str, int] | None = None
    styles: tuple[Style, Style] | None = None


class TableRows:
    """What both kinds of table have in common. `found` and `problems` grow in reading."""

    def __init__(self, header: tuple[str, ...], columns: Columns, dialect: Dialect) -> None:
        self.header, self.columns, self.dialect = header, columns, dialect
        self.found: list[Found] = []
        self.problems: list[Problem] = []
        self.keys: list[str] = []
        self.numbers: tuple[str, int] | None = None
        self.each = True
        self.styles: tuple[Style, Style] | None = None

    @abstractmethod
    def read(self, rows: Sequence[Row]) -> None:
        """Read all rows behind the header."""

    def layout(self, after: str, decoded: Decoded, front: tuple[str, ...]) -> CsvFile:
        """The layout of the file, for writing."""
        return CsvFile(
            after, decoded.newline, decoded.bom, front, self.header, self.columns, self.dialect, self.each,
            self.numbers, self.styles,
        )  # fmt: skip

    def notes(self) -> list[str]:
        """What there is to say of the table."""
        named = [self.header[at] for at in (self.columns.token, self.columns.tag)]
        said = f"columns: token {named[0]!r}, tag {named[1]!r}"
        at = self.columns.sentence
        if at is not None:
            said += f", sentence {self.header[at]!r}{'' if self.numbers is None else ' (running numbers, no ids)'}"
        elif self.styles is None:
            said += "; sentences end at blank lines"
        return [said]

    def wrong(self, row: Row, code: str, what: str, token: str = "", hint: str = "") -> None:
        """Note a problem."""
        self.problems.append(Problem(code, row.line, what, token or row.raw.split("\n")[0][:60], hint))

    def is_whole(self, row: Row) -> bool:
        """Whether a row has as many cells as the header; a problem where it has not."""
        if len(row.cells) == len(self.header):
            return True
        what = f"{len(row.cells)} cells, where the header has {len(self.header)}"
        self.wrong(row, "mixed-columns", what, hint="a cell that holds the delimiter stands in double quotes")
        return False

    def key(self, row: Row) -> str:
        """The cell that tells the sentence."""
        return row.cells[self.columns.sentence] if self.columns.sentence is not None else ""

    def settle_ids(self) -> None:
        """Give the sentences ids, unless the cells that tell them apart are mere numbers."""
        at = self.columns.sentence
        if at is None:
            return
        if not is_ids(self.header[at]):
            self.numbers = numbering(self.keys)
        for one, key in zip(self.found, self._kept, strict=True):
            one.id = None if self.numbers is not None or not key else key

    @property
    def _kept(self) -> list[str]:
        return [one.id or "" for one in self.found]


class TokenRows(TableRows):
    """A row a token."""

    def read(self, rows: Sequence[Row]) -> None:
        """Read all rows behind the header."""
        held: list[Row] = []
        broken = False
        at = self.columns.sentence
        self.each = at is None or not any(len(row.cells) > at and not row.cells[at] for row in rows if self._full(row))
        waiting: tuple[str, ...] = ()
        for given in rows:
            row, waiting = given._replace(before=(*waiting, *given.before)), ()
            if not self._full(row):
                waiting = (*row.before, row.raw)
                continue
            if held and self._begins(row, held):
                self._close(held, broken)
                held, broken = [], False
            fine = self.is_whole(row) and self._fits(row)
            broken = broken or not fine
            held.append(row)
        self.trailing = waiting
        self._close(held, broken)
        self.settle_ids()

    def layout(self, after: str, decoded: Decoded, front: tuple[str, ...]) -> CsvFile:
        """The layout of the file; rows of empty cells behind the last sentence stand behind it."""
        return super().layout("".join(f"\n{line}" for line in self.trailing) + after, decoded, front)

    def _full(self, row: Row) -> bool:
        """Whether a row has anything in its cells; one that has not separates sentences as a blank line does."""
        return any(not is_blank(cell) for cell in row.cells)

    def _begins(self, row: Row, held: Sequence[Row]) -> bool:
        """Whether a sentence begins at this row."""
        if self.columns.sentence is None:
            return bool(row.before)
        if len(row.cells) <= self.columns.sentence:
            return False
        last = next(
            (key for one in reversed(held) if len(one.cells) == len(self.header) and (key := self.key(one))), ""
        )
        return self.key(row) not in ("", last)

    def _fits(self, row: Row) -> bool:
        token, tag = row.cells[self.columns.token], row.cells[self.columns.tag]
        if is_blank(token):
            self.wrong(row, "empty-token", "the token is empty", hint="write the token, or take the row out")
        elif "\n" in token or "\n" in tag:
            self.wrong(row, "bad-cell", "a token or tag holds a line end", token, "is a double quote missing?")
        elif not is_tag(tag):
            self.wrong(row, "bad-tag", f"{tag!r} is no tag", token, tag_hint(tag))
        else:
            return True
        return False

    def _close(self, rows: Sequence[Row], broken: bool) -> None:
        if not rows:
            return
        key = next((found for row in rows if len(row.cells) == len(self.header) and (found := self.key(row))), "")
        self.keys.append(key)
        if broken:
            return
        marks = [] if self.found else [FIRST]
        rests = tuple(self.columns.rest(row.cells) for row in rows)
        self.found.append(
            Found(
                tokens=tuple(row.cells[self.columns.token] for row in rows),
                lines=[row.line for row in rows],
                tags=tuple(row.cells[self.columns.tag] for row in rows),
                id=key or None,
                columns=rests if rests[0] else (),
                layout=Layout(
                    (*marks, *rows[0].before),
                    tuple(self._gap(row, key, at) for at, row in enumerate(rows)),
                ),
            )
        )

    def _gap(self, row: Row, key: str, at: int) -> tuple[str, str]:
        """The row's text where it is not what would be written, and the lines between it and the row before."""
        inner = "".join(f"{line}\n" for line in row.before) if at else ""
        expected = key if self.each or not at else ""
        if (
            self.key(row) == (expected if self.columns.sentence is not None else "")
            and self.dialect.text(row.cells) == row.raw
        ):
            return "", inner
        return row.raw, inner


class SentenceRows(TableRows):
    """A row a sentence, with lists in its cells."""

    def read(self, rows: Sequence[Row]) -> None:
        """Read all rows behind the header."""
        for row in rows:
            if not self.is_whole(row):
                continue
            self.keys.append(self.key(row))
            lists = self._lists(row)
            if lists is not None:
                self._add(row, *lists)
        self.styles = self.styles or ("blank", "blank")
        self.settle_ids()

    def _lists(self, row: Row) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        found: list[tuple[str, ...]] = []
        for what, at in (("tokens", self.columns.token), ("tags", self.columns.tag)):
            items = read_list(row.cells[at])
            if items is None:
                hint = 'such as ["Anna", "met"], or parted by single blanks'
                self.wrong(row, "bad-list", f"the cell lists no {what}", row.cells[at][:60], hint)
                return None
            found.append(items)
        tokens, tags = found
        if len(tokens) != len(tags):
            self.wrong(row, "wrong-length", f"there are {len(tokens)} tokens but {len(tags)} tags")
            return None
        if any(map(is_blank, tokens)):
            self.wrong(row, "empty-token", "a token is empty", hint="are there two blanks in a row?")
            return None
        bad = [(token, tag) for token, tag in zip(tokens, tags, strict=True) if not is_tag(tag)]
        for token, tag in bad:
            self.wrong(row, "bad-tag", f"{tag!r} is no tag", token, tag_hint(tag))
        return None if bad else (tokens, tags)

    def _add(self, row: Row, tokens: tuple[str, ...], tags: tuple[str, ...]) -> None:
        if self.styles is None:
            self.styles = style_of(row.cells[self.columns.token]), style_of(row.cells[self.columns.tag])
        others = {self.columns.token, self.columns.tag, self.columns.sentence}
        pairs = zip(self.header, row.cells, strict=True)
        marks = [] if self.found else [FIRST]
        self.found.append(
            Found(
                tokens=tokens,
                lines=[row.line] * len(tokens),
                tags=tags,
                id=self.key(row) or None,
                meta=tuple(pair for at, pair in enumerate(pairs) if at not in others),
                layout=Layout((*marks, *row.before), raw=row.raw),
            )
        )
