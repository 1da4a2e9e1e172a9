"""CoNLL-U with entities in the column MISC: `name=B-PER`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

from nerquake.core.dataset import Dataset
from nerquake.core.errors import Problem
from nerquake.core.protocols import ReadOptions
from nerquake.core.scheme import is_tag
from nerquake.core.sentence import Layout
from nerquake.io.assemble import Found, assemble
from nerquake.io.borders import FIRST, OPENED, Border, is_blank
from nerquake.io.conll_comments import document_of, read_comments
from nerquake.io.conllu_lines import (
    EXTRA,
    FORM,
    ID,
    MISC,
    NO_SPACE,
    OTHER_TEXT,
    WIDTH,
    WORDS,
    border_of,
    empty_node,
    is_word,
    items_of,
    range_of,
    take_tag,
    text_of,
)  # fmt: skip
from nerquake.io.conllu_write import ConlluFile, write
from nerquake.io.file_format import FileFormat
from nerquake.io.files import UNREADABLE, base_name, decode, fingerprint
from nerquake.io.tags import Examined, tag_hint


@dataclass(frozen=True, slots=True)
class Conllu(FileFormat):
    """Reads and writes CoNLL-U with entities in MISC: a tag of any scheme a word, words without one being O.

    Words are tokens; `SpaceAfter=No` says where no blank follows, and the words of a multiword token have one between
    them. Multiword tokens, empty nodes and comments are kept. Where an attack changes words, ids, heads and ranges
    are numbered anew, and what points to a word that is gone becomes `_`.

    key       the name of the item in MISC
    encoding  what is read; what is written is UTF-8
    """

    key: str = "name"
    encoding: str = "utf-8"

    name: ClassVar[str] = "conllu"
    extension: ClassVar[str] = "conllu"
    holds: ClassVar[frozenset[str]] = frozenset({"spaces", "documents", "meta"})

    def examine(self, name: str, data: bytes, options: ReadOptions) -> Examined:
        """What can be read of a file's bytes, and all that is wrong in them.

        Raises:
            FormatError: the file is binary or empty.
        """
        decoded = decode(name, data, self.encoding, self.name)
        scan = _Scan(self.key)
        after = scan.read(decoded.text.split("\n"))
        empty = Dataset(base_name(name), (), reader=self.spec, fingerprint=fingerprint(data))
        layout = ConlluFile(after, decoded.newline, decoded.bom)
        empty = replace(empty, notes=(*decoded.notes, *scan.notes()), layout=layout)
        found = assemble(name, empty, scan.found, options, (*decoded.problems, *scan.problems))
        advice = (
            "" if scan.named else f"No word has an item {self.key}= in MISC: --input conllu:key=NAME names another."
        )
        return replace(found, advice=advice)

    def lines(self, dataset: Dataset) -> Iterator[str]:
        """The file's text in pieces; as it was read, except a byte order mark and line ends.

        Raises:
            OutputError: a token, label, document, id or comment that the format cannot hold; names the sentence.
        """
        return write(dataset, self.key)


@dataclass(slots=True)
class _Word:
    """A word: its cells, its tag, where the tag stood in MISC, its line."""

    cells: list[str]
    tag: str
    slot: str
    line: int


@dataclass(slots=True)
class _Whole:
    """A multiword token: the positions of its first word and behind its last one, its form, and whether a blank
    follows it."""

    start: int
    end: int
    form: str
    space: bool


@dataclass(slots=True)
class _Scan:
    """Reads lines one after another."""

    key: str
    found: list[Found] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    named: int = 0
    documents: int = 0
    extras: int = 0
    _before: list[str] = field(default_factory=list)
    _words: list[_Word] = field(default_factory=list)
    _whole: list[_Whole] = field(default_factory=list)
    _extra: list[str] = field(default_factory=list)
    _broken: bool = False
    _document: str | None = None
    _named: str = ""
    _opening: str = ""

    def read(self, lines: list[str]) -> str:
        """Read all lines; returns the text behind the last sentence."""
        for number, line in enumerate(lines, 1):
            if is_blank(line):
                self._close()
                self._before.append(line)
            elif line == UNREADABLE:
                self._broken = True
            elif line.startswith("#"):
                self._comment(number, line)
            else:
                self._row(number, line)
        self._close()
        return "".join(f"\n{line}" for line in self._before)

    def notes(self) -> list[str]:
        """What there is to say of the file."""
        notes = [f"documents: {self.documents}"] if self.documents else []
        if self.extras:
            notes.append(f"multiword tokens and empty nodes kept beside the words: {self.extras}")
        return notes

    def _wrong(self, code: str, number: int, what: str, token: str, hint: str) -> None:
        self.problems.append(Problem(code, number, what, token, hint))
        self._broken = True

    def _comment(self, number: int, line: str) -> None:
        if self._words or self._extra:
            self._wrong("comment-inside", number, "a comment stands inside a sentence", line[:60],
                        "comments stand in front of sentences")  # fmt: skip
            return
        if border_of(line) is Border.OPENS:
            named = document_of(line)
            assert named is not None
            self.documents += 1
            found = named[0] or str(self.documents)
            self._document = f"{found}.{self.documents}" if found == self._named else found
            self._named, self._opening = self._document, line
        self._before.append(line)

    def _row(self, number: int, line: str) -> None:
        cells = line.split("\t")
        if len(cells) != WIDTH:
            what = f"{len(cells)} columns, where CoNLL-U has {WIDTH}, separated by single TABs"
            self._wrong(
                "mixed-columns", number, what, line[:60], "another table is read by --input conll:token=..,tag=.."
            )
            return
        if is_blank(cells[FORM]):
            self._wrong("empty-token", number, "the word is empty", line[:60], "write the word, or _ for none")
        elif is_word(cells[ID]):
            self._word(number, cells)
        elif (span := range_of(cells[ID])) is not None:
            self._range(number, line, cells, span)
        elif (node := empty_node(cells[ID])) is not None:
            if node[0] != len(self._words):
                what = f"the empty node {cells[ID]} stands behind word {len(self._words)}"
                self._wrong("bad-id", number, what, cells[FORM], "empty nodes stand behind the word in their id")
            self._extra.append(line)
        else:
            what = f"{cells[ID]!r} is no id of a word, a range or an empty node"
            self._wrong("bad-id", number, what, cells[FORM], "such as 1, 1-2 or 1.1")

    def _word(self, number: int, cells: list[str]) -> None:
        expected = len(self._words) + 1
        if cells[ID] != str(expected):
            self._wrong("bad-id", number, f"the word has the id {cells[ID]}, where {expected} is expected", cells[FORM],
                        "number the words of a sentence from 1; a blank line ends a sentence")  # fmt: skip
        named = take_tag(cells[MISC], self.key)
        if named is None:
            self._wrong("bad-tag", number, f"{self.key}= stands twice in MISC", cells[FORM], "leave one of them")
            return
        if not is_tag(named.tag):
            what = f"{self.key}={named.tag} is no tag"
            self._wrong("bad-tag", number, what, cells[FORM], tag_hint(named.tag))
        self.named += bool(named.slot)
        cells[MISC] = named.rest
        self._words.append(_Word(cells, named.tag, named.slot, number))

    def _range(self, number: int, line: str, cells: list[str], span: tuple[int, int]) -> None:
        first, last = span
        covered = self._whole[-1].end if self._whole else 0
        if first != len(self._words) + 1 or last <= first or first <= covered:
            what = f"the multiword token {cells[ID]} stands in front of word {len(self._words) + 1}"
            self._wrong(
                "bad-id", number, what, cells[FORM], "ranges stand in front of their first word and do not overlap"
            )
            return
        self._whole.append(_Whole(first - 1, last, cells[FORM], NO_SPACE not in items_of(cells[MISC])))
        self._extra.append(line)

    def _close(self) -> None:
        words, whole, extra, broken = self._words, self._whole, self._extra, self._broken
        self._words, self._whole, self._extra, self._broken = [], [], [], False
        if whole and whole[-1].end > len(words) and words and not broken:
            what = f"the multiword token {whole[-1].form!r} reaches past the sentence's {len(words)} words"
            self.problems.append(Problem("bad-id", words[-1].line, what, words[-1].cells[FORM], "mend its range"))
            broken = True
        if not words or broken:
            return
        self.extras += len(extra)
        before, self._before = self._before, []
        forms = tuple(word.cells[FORM] for word in words)
        spaces = _spaces(words, whole)
        comments = read_comments(before)
        marks = [WORDS + str(len(words)), *(EXTRA + line for line in extra)]
        if self._document is not None:
            marks.append(OPENED + self._opening)
        if not self.found:
            marks.append(FIRST)
        if comments.text is not None and comments.text != text_of(
            forms, spaces, {w.start: (w.end, w.form) for w in whole}
        ):
            marks.append(OTHER_TEXT)
        self.found.append(
            Found(
                tokens=forms,
                lines=[word.line for word in words],
                tags=tuple(word.tag for word in words),
                id=comments.id,
                doc_id=self._document,
                spaces=spaces,
                columns=tuple((word.cells[ID], *word.cells[FORM + 1 :]) for word in words),
                meta=comments.meta,
                source=comments.source,
                layout=Layout((*marks, *before), tuple((word.slot,) for word in words)),
            )
        )


def _spaces(words: list[_Word], whole: list[_Whole]) -> tuple[bool, ...]:
    """Whether a blank follows each word; one stands between the words of a multiword token."""
    spaces = [NO_SPACE not in items_of(word.cells[MISC]) for word in words]
    for one in whole:
        spaces[one.start : one.end] = [True] * (one.end - one.start - 1) + [one.space]
    return tuple(spaces)
