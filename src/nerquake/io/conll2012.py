"""CoNLL-2012, the form of OntoNotes: columns by position, mentions in brackets, documents in parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

from nerquake.core.dataset import Dataset, FileLayout
from nerquake.core.errors import Problem
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Layout
from nerquake.core.span import Span
from nerquake.io.assemble import Found, assemble
from nerquake.io.borders import FIRST, OPENED, Border, is_blank
from nerquake.io.conll2012_lines import Bracketed, border_of, document_of, mentions_of, split
from nerquake.io.conll2012_write import Conll2012File, write
from nerquake.io.conll_comments import read_comments
from nerquake.io.file_format import FileFormat
from nerquake.io.files import STDIN, UNREADABLE, base_name, decode, fingerprint
from nerquake.io.flat import Flat, flatten
from nerquake.io.several import files_of, join
from nerquake.io.tags import Examined

PATTERNS = ("*_gold_conll", "*.gold_conll", "*_auto_conll", "*_conll", "*.conll")
"""Files of a folder: where annotated by hand and by machine stand side by side, those by hand."""


@dataclass(frozen=True, slots=True)
class Conll2012(FileFormat):
    """Reads and writes the CoNLL-2012 form of OntoNotes: a file, a folder of `*_gold_conll` files, or a glob.

    Each part of a document is a document, named `name#part`. Predicate columns, which differ in number from sentence
    to sentence, are kept. Of tokens that an attack puts in, the other columns hold `-` or `*`, and where brackets of a
    parse, of arguments or of coreference no longer close, the sentence's whole column does.

    token, tag   columns of the word and of the bracketed names, counted from 0, or from the end from -1
    encoding     what is read; what is written is UTF-8
    """

    token: int = 3
    tag: int = 10
    encoding: str = "utf-8"

    name: ClassVar[str] = "conll2012"
    extension: ClassVar[str] = "gold_conll"
    folders: ClassVar[bool] = True
    holds: ClassVar[frozenset[str]] = frozenset({"documents"})

    def examine(self, name: str, data: bytes, options: ReadOptions) -> Examined:
        """What can be read of a file's bytes, and all that is wrong in them.

        Raises:
            FormatError: the file is binary or empty.
        """
        decoded = decode(name, data, self.encoding, self.name)
        empty = Dataset(base_name(name), (), reader=self.spec, fingerprint=fingerprint(data), notes=decoded.notes)
        layout = FileLayout(newline=decoded.newline, bom=decoded.bom)
        return self._examined(name, decoded.text, replace(empty, layout=layout), options, decoded.problems)

    def examine_path(self, path: str, options: ReadOptions) -> Examined:
        """The same of a file, of a folder's files, or of those that a glob names.

        Raises:
            InputError: there is no such file.
        """
        if path == STDIN or Path(path).is_file():
            return super(Conll2012, self).examine_path(path, options)
        joined = join(path, files_of(path, PATTERNS), self.encoding, self.name)
        count = f"{len(joined.names)} file{'s' if len(joined.names) > 1 else ''} read as one"
        empty = Dataset(base_name(path), (), reader=self.spec, fingerprint=joined.fingerprint)
        empty = replace(empty, notes=(count, *joined.notes), layout=FileLayout())
        found = self._examined(path, joined.text, empty, options, joined.problems)
        return replace(
            found,
            problems=tuple(map(joined.placed, found.problems)),
            findings=tuple(map(joined.placed, found.findings)),
        )

    def _examined(
        self, name: str, text: str, empty: Dataset, options: ReadOptions, problems: tuple[Problem, ...]
    ) -> Examined:
        scan = _Scan(self.token, self.tag, options)
        after = scan.read(text.split("\n"))
        read = empty.layout
        assert read is not None
        layout = Conll2012File(after, read.newline, read.bom, *scan.style(), (self.token, self.tag))
        notes = (*empty.notes, *scan.notes())
        return assemble(
            name, replace(empty, notes=notes, layout=layout), scan.found, options, (*problems, *scan.problems)
        )

    def lines(self, dataset: Dataset) -> Iterator[str]:
        """The file's text in pieces; as it was read, except a byte order mark and line ends.

        Raises:
            OutputError: a token, label, document or id that the format cannot hold; names the sentence.
        """
        return write(dataset, self.token, self.tag)


@dataclass(slots=True)
class _Scan:
    """Reads lines one after another."""

    token: int
    tag: int
    options: ReadOptions
    found: list[Found] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    documents: int = 0
    dropped: int = 0
    _starred: int = 0
    _single: int = 0
    _numbers: str = ""
    _closes: bool = False
    _document: str | None = None
    _named: str | None = None
    _before: list[str] = field(default_factory=list)
    _rows: list[tuple[tuple[str, ...], tuple[str, ...], int]] = field(default_factory=list)
    _broken: bool = False
    _opening: str = ""

    def read(self, lines: list[str]) -> str:
        """Read all lines; returns the text behind the last sentence."""
        for number, line in enumerate(lines, 1):
            if is_blank(line):
                self._close()
                self._before.append(line)
            elif (kind := border_of(line)) is not Border.NONE:
                self._close()
                self._border(number, line, kind)
                self._before.append(line)
            elif line.startswith("#"):
                self._comment(number, line)
            elif line == UNREADABLE:
                self._broken = True
            else:
                self._row(number, line)
        self._close()
        return "".join(f"\n{line}" for line in self._before)

    def style(self) -> tuple[bool, bool, int]:
        """Whether most mentions of one token are `(GPE*)`, whether documents are closed, the first token's number."""
        return self._starred > self._single, self._closes, int(self._numbers == "1")

    def notes(self) -> list[str]:
        """What there is to say of the file."""
        notes = [f"documents: {self.documents}"] if self.documents else []
        if self.dropped:
            notes.append(f"nested mentions left out (flatten {self.options.flatten}): {self.dropped}")
        return notes

    def _border(self, number: int, line: str, kind: Border) -> None:
        if kind is Border.CLOSES:
            self._closes = True
            if self._document is None:
                what, hint = "this closes a document that no line before it opens", "write #begin document (name)"
                self.problems.append(Problem("document-border", number, what, line[:60], hint))
            self._document = None
            return
        found = document_of(line)
        if found is None:
            hint = "#begin document (nw/name); part 000"
            self.problems.append(Problem("document-border", number, "the document has no name", line[:60], hint))
            found = f"line {number}"
        if self._document is not None and self._closes:
            what, hint = "a document begins before the one before it is closed", "write #end document in front of it"
            self.problems.append(Problem("document-border", number, what, line[:60], hint))
        self.documents += 1
        self._document = f"{found}.{self.documents}" if found == self._named else found
        self._named, self._opening = self._document, line

    def _comment(self, number: int, line: str) -> None:
        if self._rows:
            what, hint = "a comment stands inside a sentence", "comments stand in front of sentences"
            self.problems.append(Problem("comment-inside", number, what, line[:60], hint))
        else:
            self._before.append(line)

    def _row(self, number: int, line: str) -> None:
        cells, gaps = split(line)
        width = len(self._rows[0][0]) if self._rows else len(cells)
        needed = max(at + 1 if at >= 0 else -at for at in (self.token, self.tag))
        if len(cells) < needed:
            what = f"{len(cells)} columns, where at least {needed} are expected"
            hint = "say which columns hold words and names: --input conll2012:token=3,tag=10"
            self.problems.append(Problem("missing-column", number, what, line.strip()[:60], hint))
            self._broken = True
        elif len(cells) != width:
            what = f"{len(cells)} columns, where the sentence's first token has {width}"
            hint = "all tokens of a sentence have the same columns"
            self.problems.append(Problem("mixed-columns", number, what, line.strip()[:60], hint))
            self._broken = True
        else:
            self._rows.append((cells, gaps, number))

    def _close(self) -> None:
        rows, self._rows = self._rows, []
        broken, self._broken = self._broken, False
        if not rows or broken:
            return
        before, self._before = self._before, []
        tokens = tuple(cells[self.token] for cells, _, _ in rows)
        names = [cells[self.tag] for cells, _, _ in rows]
        lines = [number for _, _, number in rows]
        if not self._numbers:
            self._numbers = rows[0][0][2] if len(rows[0][0]) > 2 else "0"
        bracketed = mentions_of(names, tokens, lines)
        kept = flatten(bracketed.spans, self.options.flatten)
        problems = [*bracketed.problems, *self._nested(kept, tokens, lines)]
        self.problems += problems
        if problems:
            return
        comments = read_comments(before)
        skipped = {self.token % len(rows[0][0]), self.tag % len(rows[0][0])}
        marks = [] if self._document is None else [OPENED + self._opening]
        if not self.found:
            marks.append(FIRST)
        one = Found(
            tokens=tokens,
            lines=lines,
            spans=kept.kept,
            id=comments.id,
            doc_id=self._document,
            columns=tuple(tuple(cell for at, cell in enumerate(cells) if at not in skipped) for cells, _, _ in rows),
            source=comments.source,
            meta=comments.meta,
            layout=Layout((*marks, *before), self._gaps(names, [gaps for _, gaps, _ in rows], bracketed)),
        )
        self.found.append(one)

    def _nested(self, flat: Flat, tokens: tuple[str, ...], lines: list[int]) -> list[Problem]:
        """Mentions inside others: problems, unless the user has named the rule by which one of them stays."""
        if self.options.flatten:
            self.dropped += len(flat.dropped)
            return []

        def shown(span: Span) -> str:
            return f"{span.label} {' '.join(tokens[span.start : span.end])!r}"

        hint = "--flatten outer|inner|longest keeps one of them"
        made = []
        for span in flat.dropped:
            outer = next(one for one in flat.kept if one.overlaps(span))
            what = f"the mention {shown(span)} lies in another, {shown(outer)}"
            made.append(Problem("nested", lines[span.start], what, tokens[span.start], hint))
        return made

    def _gaps(self, names: list[str], gaps: list[tuple[str, ...]], bracketed: Bracketed) -> tuple[tuple[str, ...], ...]:
        """The blanks of each line, and how a mention of one token was written: `(GPE*)`, `(GPE)` or not told."""
        singles = {span.start for span in bracketed.spans if span.width == 1}
        styles = ["" if at not in singles else "*" if "*" in name else "1" for at, name in enumerate(names)]
        self._starred += styles.count("*")
        self._single += styles.count("1")
        return tuple((*blanks, style) for blanks, style in zip(gaps, styles, strict=True))
