"""HIPE 2020 and 2022: a table with a header, one entity column of several, sentence ends and blanks as flags."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from nerquake.core.dataset import Dataset
from nerquake.core.errors import Problem
from nerquake.core.protocols import ReadOptions
from nerquake.core.scheme import is_tag
from nerquake.core.sentence import Layout
from nerquake.io.assemble import Found, Pairs, assemble
from nerquake.io.borders import FIRST, OPENED, Border, is_blank
from nerquake.io.conll_comments import document_of, read_comments
from nerquake.io.file_format import FileFormat
from nerquake.io.files import UNREADABLE, base_name, decode, fingerprint
from nerquake.io.hipe_write import END, MISC, NO_SPACE, TOKEN, UNFLAGGED, HipeFile, border_of, flags_of, write
from nerquake.io.tags import Examined, tag_hint

_LINE_END = "EndOfLine"
_COMMENT = re.compile(r"#[ \t]*[^\s=]+[ \t]*=.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Hipe(FileFormat):
    """Reads and writes HIPE tables. Comments open documents and say what is known of them.

    Sentences end at the flag EndOfSentence and where documents do; in a file without that flag, at EndOfLine, else
    with documents. NoSpaceAfter says where no blank follows. Cells that hold `_`, not annotated, are read as O.

    column    the entity column: NE-COARSE-LIT, NE-FINE-LIT, NE-NESTED or another of the header
    encoding  what is read; what is written is UTF-8
    """

    column: str = "NE-COARSE-LIT"
    encoding: str = "utf-8"

    name: ClassVar[str] = "hipe"
    extension: ClassVar[str] = "tsv"
    holds: ClassVar[frozenset[str]] = frozenset({"spaces", "documents"})

    def examine(self, name: str, data: bytes, options: ReadOptions) -> Examined:
        """What can be read of a file's bytes, and all that is wrong in them.

        Raises:
            FormatError: the file is binary or empty.
        """
        decoded = decode(name, data, self.encoding, self.name)
        lines = decoded.text.split("\n")
        head = next((at for at, line in enumerate(lines) if not is_blank(line)), 0)
        header = tuple(lines[head].split("\t"))
        problem = _header_problem(header, self.column, head + 1)
        if problem is not None:
            return Examined(name, None, (*decoded.problems, problem))
        scan = _Scan(header, header.index(self.column), _end_flag(lines, header))
        after = scan.read(lines, head + 1)
        layout = HipeFile(after, decoded.newline, decoded.bom, tuple(lines[: head + 1]), scan.flag == END, self.column)
        empty = Dataset(base_name(name), (), reader=self.spec, fingerprint=fingerprint(data), layout=layout)
        empty = replace(empty, notes=(*decoded.notes, *scan.notes(self.column)))
        return assemble(name, empty, scan.found, options, (*decoded.problems, *scan.problems))

    def lines(self, dataset: Dataset) -> Iterator[str]:
        """The file's text in pieces; as it was read, except a byte order mark and line ends.

        Raises:
            OutputError: a token, label, document or id that the format cannot hold; names the sentence.
        """
        return write(dataset, self.column)


def _header_problem(header: Sequence[str], column: str, line: int) -> Problem | None:
    """What keeps a header from being one, or from having the column."""
    if header[0] != TOKEN:
        hint = "a HIPE table begins with TOKEN and the names of its columns, separated by TABs"
        return Problem("no-header", line, f"the header begins with {header[0][:40]!r}, not with {TOKEN}", hint=hint)
    if len(set(header)) != len(header):
        return Problem("no-header", line, "two columns of the header have one name")
    if column not in header[1:] or column == MISC:
        known = ", ".join(name for name in header if name.startswith("NE-"))
        return Problem("missing-column", line, f"there is no entity column {column}", hint=f"there are: {known}")
    return None


def _end_flag(lines: Sequence[str], header: Sequence[str]) -> str:
    """The flag that ends sentences: the first of those in use; "" where there is none."""
    if MISC not in header:
        return ""
    at = header.index(MISC)
    used = {flag for line in lines if line.count("\t") == len(header) - 1 for flag in flags_of(line.split("\t")[at])}
    return next((flag for flag in (END, _LINE_END) if flag in used), "")


@dataclass(slots=True)
class _Token:
    """A token line: its cells, its number, and the comment lines between it and the token in front of it."""

    cells: list[str]
    line: int
    inner: str = ""


@dataclass(slots=True)
class _Scan:
    """Reads lines one after another."""

    header: tuple[str, ...]
    column: int
    flag: str
    found: list[Found] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    documents: int = 0
    silent: int = 0
    _before: list[str] = field(default_factory=list)
    _inner: list[str] = field(default_factory=list)
    _tokens: list[_Token] = field(default_factory=list)
    _block: list[str] = field(default_factory=list)
    _broken: bool = False
    _document: str | None = None
    _meta: Pairs = ()
    _opening: str = ""

    def read(self, lines: Sequence[str], start: int) -> str:
        """Read the lines behind the header; returns the text behind the last sentence."""
        for number, line in enumerate(lines[start:], start + 1):
            if line == UNREADABLE:
                self._broken = True
            elif is_blank(line):
                self._close()
                self._before.append(line)
            elif line.startswith("#") and line.count("\t") != len(self.header) - 1:
                self._comment(number, line)
            else:
                self._row(number, line)
        self._close()
        return "".join(f"\n{line}" for line in self._before)

    def notes(self, column: str) -> list[str]:
        """What there is to say of the file."""
        notes = [f"documents: {self.documents}"] if self.documents else []
        if self.flag != END:
            where = f"at {self.flag}" if self.flag else "with documents and at blank lines"
            notes.append(f"the file has no flag {END}: sentences end {where}")
        if self.silent:
            notes.append(f"not annotated in {column}, read as O: {self.silent} tokens")
        return notes

    def _comment(self, number: int, line: str) -> None:
        if "\t" in line and not _COMMENT.fullmatch(line):
            self._wrong_width(number, line)
        elif border_of(line) is Border.OPENS:
            self._close()
            self._block.append(line)
            self._before.append(line)
        elif self._tokens:
            self._inner.append(line)
        else:
            self._before.append(line)

    def _wrong_width(self, number: int, line: str) -> None:
        what = f"{line.count(chr(9)) + 1} columns, where the header has {len(self.header)}"
        hint = "write a cell for every column, _ for nothing, separated by single TABs"
        self.problems.append(Problem("mixed-columns", number, what, line[:60], hint))
        self._broken = True

    def _row(self, number: int, line: str) -> None:
        cells = line.split("\t")
        if len(cells) != len(self.header):
            self._wrong_width(number, line)
            return
        self._enter()
        tag = cells[self.column]
        if is_blank(cells[0]):
            hint = "write the token, or take the line out"
            self.problems.append(Problem("empty-token", number, "the token is empty", line[:60], hint))
            self._broken = True
        elif tag != "_" and not is_tag(tag):
            self.problems.append(Problem("bad-tag", number, f"{tag!r} is no tag", cells[0], tag_hint(tag)))
            self._broken = True
        self._tokens.append(_Token(cells, number, "".join(f"{inner}\n" for inner in self._inner)))
        self._inner = []
        if self.flag and self.flag in flags_of(cells[self.header.index(MISC)]):
            self._close()

    def _enter(self) -> None:
        """Begin a document if comments that say something of one stand in front of this token."""
        block, self._block = self._block, []
        if not block:
            return
        self.documents += 1
        named = next((found[0] for line in block if (found := document_of(line)) is not None and found[0]), None)
        same = named is None or named == self._document
        self._document = (f"{named}.{self.documents}" if named else str(self.documents)) if same else named
        self._meta = tuple(pair for line in block if document_of(line) is None for pair in _pair(line))
        self._opening = "\n".join(["", *block])

    def _close(self) -> None:
        """End the sentence at hand; comments behind its last token belong to the next."""
        tokens, self._tokens = self._tokens, []
        broken, self._broken = self._broken, False
        inner, self._inner = self._inner, []
        if not tokens or broken:
            self._before += inner
            return
        before, self._before = self._before, inner
        comments = read_comments(line for line in before if border_of(line) is Border.NONE)
        marks = [] if self._document is None else [OPENED + self._opening]
        if not self.found:
            marks.append(FIRST)
        misc = self.header.index(MISC) if MISC in self.header else None
        flags = [flags_of(token.cells[misc]) if misc is not None else [] for token in tokens]
        if END not in flags[-1]:
            marks.append(UNFLAGGED)
        tags = [token.cells[self.column] for token in tokens]
        self.silent += tags.count("_")
        self.found.append(
            Found(
                tokens=tuple(token.cells[0] for token in tokens),
                lines=[token.line for token in tokens],
                tags=tuple("O" if tag == "_" else tag for tag in tags),
                id=comments.id,
                doc_id=self._document,
                spaces=None if misc is None else tuple(NO_SPACE not in flag for flag in flags),
                columns=tuple((*token.cells[1 : self.column], *token.cells[self.column + 1 :]) for token in tokens),
                meta=(*self._meta, *comments.meta),
                source=comments.source,
                layout=Layout(
                    (*marks, *before),
                    tuple(("_" if tag == "_" else "", token.inner) for tag, token in zip(tags, tokens, strict=True)),
                ),
            )
        )


def _pair(line: str) -> Pairs:
    key, _, value = line[1:].partition("=")
    return ((key.strip(), value.strip()),)
