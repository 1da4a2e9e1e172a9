"""Texts with character offsets: what doccano, Prodigy, Label Studio, brat and spaCy's JSON have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import Problem
from nerquake.core.offsets import Unit
from nerquake.core.protocols import ReadOptions
from nerquake.core.scheme import IOB2
from nerquake.core.sentence import Sentence, TokenIds
from nerquake.core.span import Span
from nerquake.io.file_format import FileFormat
from nerquake.io.standoff_marks import Part, layout_of, spacing
from nerquake.io.standoff_place import Counting, Ends, Mention, Piece, Placer, lines_of
from nerquake.io.standoff_tokens import Range, Tokeniser, tokeniser
from nerquake.io.tags import Examined, TagFile

Split = Literal["record", "lines"]


class TextRecord(NamedTuple):
    """One record of a file: a text and its mentions.

    number     the line that it begins on
    sentences  for each sentence its tokens as ranges of code points, where the record says them
    ids        an id for each sentence, where the record says them
    rest       what the record holds besides, without annotators' names
    raw        its own text, without annotators' names
    between    the text between the record before and this one
    """

    number: int
    text: str
    mentions: tuple[Mention, ...] = ()
    id: str | None = None
    doc_id: str | None = None
    meta: tuple[tuple[str, str], ...] = ()
    sentences: tuple[tuple[Range, ...], ...] | None = None
    ids: tuple[str, ...] = ()
    rest: Any = None
    raw: str = ""
    between: str = ""


@dataclass(frozen=True, slots=True)
class Standoff(FileFormat):
    """Options of every format with character offsets.

    tokenizer    what a word is: whitespace, regex (words, numbers, each punctuation mark apart), spacy:xx (the rules
                 of that language), spacy (of the language that is asked for)
    offset_unit  what offsets count: codepoint, utf16 (tools in browsers), byte (UTF-8)
    ends         exclusive, or inclusive where the end is the last character's own offset
    crlf         two, or one where the tool counted a line end of CR and LF as one
    split        record: each text is a sentence; lines: each line of a text is
    encoding     of the file; what is written is UTF-8
    """

    tokenizer: str = "regex"
    offset_unit: Unit = "codepoint"
    ends: Ends = "exclusive"
    crlf: Literal["two", "one"] = "two"
    split: Split = "record"
    encoding: str = "utf-8"

    @property
    def counting(self) -> Counting:
        """How offsets count."""
        return Counting(self.offset_unit, self.ends, self.crlf == "one")

    def cut(self, text: str, language: str = "") -> list[Piece]:
        """The sentences of a text with their tokens; lines without a word are spacing of the sentence before.

        Raises:
            UnknownName, UsageError, MissingExtra: there is no such tokeniser.
        """
        return cut(text, tokeniser(self.tokenizer, language), self.split)


def cut(text: str, words: Tokeniser, split: Split) -> list[Piece]:
    """The sentences of a text with their tokens. Together they cover the text, if there is a word in it."""
    pieces: list[Piece] = []
    start = 0
    for low, high in lines_of(text) if split == "lines" else [(0, len(text))]:
        tokens = tuple((low + first, low + last) for first, last in words(text[low:high]))
        if tokens:
            pieces.append(Piece(start, high, tokens))
            start = high
        elif pieces:
            pieces[-1] = pieces[-1]._replace(end=high)
            start = high
    return pieces


def pieces_of(text: str, sentences: Sequence[Sequence[Range]]) -> list[Piece]:
    """Sentences whose tokens are known; each ends behind the line end that follows it, or where the next begins.

    Raises:
        ValueError: tokens are empty, out of order or outside the text.
    """
    flat = [token for tokens in sentences for token in tokens]
    at = 0
    for start, end in flat:
        if not at <= start < end <= len(text):
            raise ValueError(f"the token [{start}, {end}) is empty, out of order or outside the text")
        at = end
    if not all(sentences):
        raise ValueError("a sentence has no tokens")
    pieces: list[Piece] = []
    start = 0
    for index, tokens in enumerate(sentences):
        end = len(text)
        if index + 1 < len(sentences):
            end = sentences[index + 1][0][0]
            line_end = text.find("\n", tokens[-1][1], end)
            end = end if line_end < 0 else line_end + 1
        pieces.append(Piece(start, end, tuple(tokens)))
        start = end
    return pieces


@dataclass(frozen=True, slots=True)
class Book:
    """What is found while a file is read, besides its sentences.

    problems  what makes the file unfit
    counts    what a stated rule settled, in words that follow a number; {s} is the ending of a plural
    names     records with annotators' names, by field
    people    annotators in the order in which the file first names them, while it is read
    """

    problems: list[Problem]
    counts: Counter[str]
    names: Counter[str]
    people: dict[str, int]

    @classmethod
    def empty(cls) -> Book:
        """Nothing found yet."""
        return cls([], Counter(), Counter(), {})

    def wrong(self, code: str, line: int, message: str, token: str = "", hint: str = "") -> None:
        """Note a problem."""
        self.problems.append(Problem(code, line, message, token, hint))

    def number_of(self, annotator: object) -> int:
        """The number of an annotator, from 1 in the order of the file; names go no further than this."""
        return self.people.setdefault(repr(annotator), len(self.people) + 1)

    @property
    def notes(self) -> list[str]:
        """What was settled, in words."""
        said = [
            f"{count:,} {what.replace('{s}', '' if count == 1 else 's')}"
            for what, count in self.counts.items()
            if count
        ]
        if self.names:
            fields = ", ".join(f"{name} in {count:,}" for name, count in sorted(self.names.items()))
            said.append(f"annotators' names are left out of everything written: {fields}")
        return said


class Reading:
    """Collects the sentences of records, and everything that is wrong with them."""

    def __init__(self, form: Standoff, options: ReadOptions) -> None:
        self.options, self.book = options, Book.empty()
        flatten = "" if not options.flatten else options.flatten
        self._words = partial(cut, words=tokeniser(form.tokenizer, options.language), split=form.split)
        self._placer = Placer(form.counting, options.align, flatten)
        self._ids, self._lines = TokenIds(), dict[str, int]()
        self._first: list[int] = []
        self.sentences: list[Sentence] = []
        self._records = self.faulty = 0

    def take(self, parse: Callable[[Book], TextRecord | None]) -> None:
        """Read a record and take its sentences; one with a problem gives none."""
        known = len(self.book.problems)
        record = parse(self.book)
        if record is not None and len(self.book.problems) == known:
            self._add(record)
        self.faulty += len(self.book.problems) > known

    def _add(self, record: TextRecord) -> None:
        pieces = self._pieces(record)
        if not pieces:
            return
        known = len(self._placer.problems)
        spans = self._placer.place(record.text, pieces, record.mentions, record.number)
        if len(self._placer.problems) > known:
            self.book.problems.extend(self._placer.problems[known:])
            return
        made = [self._sentence(record, pieces, spans, index) for index in range(len(pieces))]
        if self._are_new(record.number, made):
            self.sentences += made
            self._first += [record.number] * len(made)
            self._records += 1

    def _pieces(self, record: TextRecord) -> list[Piece]:
        if record.sentences is None:
            pieces = self._words(record.text)
        else:
            try:
                pieces = pieces_of(record.text, record.sentences)
            except ValueError as error:
                self.book.wrong("bad-token", record.number, str(error), record.text[:40])
                return []
        if not pieces and record.mentions:
            self.book.wrong("no-tokens", record.number, "the text has mentions but no words", record.text[:40])
        elif not pieces:
            self.book.counts["text{s} without a word: left out"] += 1
        elif record.ids and len(record.ids) != len(pieces):
            what = f"the record has {len(record.ids)} sentence_ids for {len(pieces)} sentences"
            self.book.wrong("wrong-type", record.number, what)
            return []
        return pieces

    def _sentence(self, record: TextRecord, pieces: list[Piece], spans: list[list[Span]], index: int) -> Sentence:
        tokens, spaces, marks = spacing(record.text, pieces[index])
        several = len(pieces) > 1
        key = record.ids[index] if record.ids else record.id
        if key is not None and several and not record.ids:
            key = f"{key}.{index + 1}"
        first = index == 0
        marks = replace(
            marks,
            part=Part(self._records, index, len(pieces)),
            rest=record.rest if first else None,
            between=record.between if first else "",
            raw=record.raw if first else "",
        )
        return Sentence(
            id=self._ids.next(tokens) if key is None else key,
            tokens=tokens,
            spans=tuple(spans[index]),
            spaces=spaces,
            doc_id=record.doc_id if record.doc_id is not None else record.id if several else None,
            meta=record.meta,
            hashed=key is None,
            layout=layout_of(marks, tokens),
        )

    def _are_new(self, line: int, made: list[Sentence]) -> bool:
        known = len(self.book.problems)
        for sentence in made:
            first = self._lines.get(sentence.id)
            if first is None:
                self._lines[sentence.id] = line
            else:
                what = f"the id {sentence.id!r} stands for another sentence too (line {first})"
                self.book.wrong("duplicate-id", line, what, hint="give each record its own id")
        return len(self.book.problems) == known

    def finish(self, file: str, empty: Dataset, what: str = "record") -> Examined:
        """The data set of all that was read.

        empty   its name, layout and first notes
        what    what one record is called; documents are files of their own, whose problems stay in their order
        """
        problems = tuple(self.book.problems)
        if what != "document":
            problems = tuple(sorted(problems, key=lambda problem: problem.line))
        if not self.sentences:
            nothing = () if problems else (Problem("no-sentences", 0, self._nothing(what)),)
            return Examined(file, None, (*problems, *nothing))
        self.book.counts.update({f"mention{{s}} {rule}": count for rule, count in self._placer.counts.items()})
        notes = [*empty.notes, *self.book.notes]
        if self.options.lenient and self.faulty:
            notes.append(f"left out (lenient): {self.faulty} {what}{'' if self.faulty == 1 else 's'}")
        dataset = replace(empty, sentences=tuple(self.sentences), notes=tuple(notes))
        findings = () if dataset.mentions else (Problem("no-mentions", 0, "no sentence has a mention"),)
        return Examined(file, dataset, problems, findings, _tag_file(dataset, tuple(self._first)))

    def _nothing(self, what: str) -> str:
        left = "; ".join(self.book.notes)
        return f"the file holds no sentences: {left}" if left else f"the file holds no {what}s"


def _tag_file(dataset: Dataset, lines: tuple[int, ...]) -> TagFile:
    return TagFile(
        name=dataset.name,
        ids=tuple(sentence.id for sentence in dataset),
        hashed=tuple(sentence.hashed for sentence in dataset),
        tokens=tuple(sentence.tokens for sentence in dataset),
        tags=tuple(tuple(IOB2.encode(sentence.spans, len(sentence))) for sentence in dataset),
        lines=lines,
        reader=dataset.reader,
        notes=dataset.notes,
    )
