"""nerquake's own lossless form: JSON Lines, one record a sentence.

```
{"format": "nerquake.dataset/1", "language": "en"}                     optional, the first line
{"id": "s1", "tokens": ["Bonn", "."], "spans": [[0, 1, "LOC"]]}        one a sentence
```
A record may also have `tags` instead of `spans`, and `spaces`, `doc_id`, `columns`, `meta`, `source`; other keys are
kept. A record without `id` gets the hash of its tokens. A record that still says the same is written as it stood.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from nerquake.core.dataset import Dataset, FileLayout
from nerquake.core.errors import OutputError, Problem
from nerquake.core.protocols import ReadOptions
from nerquake.core.scheme import IOB2
from nerquake.core.sentence import Layout, Sentence, TokenIds
from nerquake.core.span import Span
from nerquake.io.file_format import FileFormat
from nerquake.io.files import UNREADABLE, base_name, decode, fingerprint
from nerquake.io.jsonl_fields import Fields, read_fields
from nerquake.io.records import Record, dump, load_record, load_records, spans_json
from nerquake.io.tags import Examined, TagDecoder, TagFile, settle

FORMAT = "nerquake.dataset/1"
_REST = "\x00rest"
"""Begins an entry of Layout.before that holds the keys that nerquake does not know."""
_TAGS = "\x00tags"
"""The record has tags, not spans."""


@dataclass(frozen=True, slots=True)
class JsonlFile(FileLayout):
    """The layout of a JSON Lines file; `header` is its first line, with the blank lines in front of it."""

    header: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Jsonl(FileFormat):
    """Reads and writes nerquake's own JSON Lines.

    encoding   what is read; what is written is UTF-8
    """

    encoding: str = "utf-8"

    name: ClassVar[str] = "jsonl"
    extension: ClassVar[str] = "jsonl"

    def examine(self, name: str, data: bytes, options: ReadOptions) -> Examined:
        """What can be read of a file's bytes, and all that is wrong in them.

        Raises:
            FormatError: the file is binary or empty.
        """
        decoded = decode(name, data, self.encoding, "jsonl")
        reading = _Reading(options, list(decoded.problems))
        after, lines = _behind(decoded.text.split("\n"))
        for found in load_records(lines, skip=UNREADABLE):
            reading.add(found)
        layout = JsonlFile(after, decoded.newline, decoded.bom, reading.header)
        empty = Dataset(
            base_name(name), (), reading.language, reader=self.spec, fingerprint=fingerprint(data), layout=layout
        )
        return reading.finish(name, replace(empty, notes=decoded.notes))

    def lines(self, dataset: Dataset) -> Iterator[str]:
        """The file's text in pieces; as it was read, except a byte order mark and line ends.

        Raises:
            OutputError: a token is empty.
        """
        file = dataset.layout if isinstance(dataset.layout, JsonlFile) else None
        header = file.header if file else (dump(_header(dataset)),)
        start = "".join(f"{line}\n" for line in header)
        for sentence in dataset.sentences:
            yield start + "\n".join(_sentence_lines(sentence, dataset, laid_out=file is not None))
            start = "\n"
        yield file.after if file else "\n"


def _behind(lines: list[str]) -> tuple[str, list[str]]:
    """The blank lines behind the last record as text, and the lines before them."""
    end = len(lines)
    while end and not lines[end - 1].strip(" \t\r"):
        end -= 1
    return "".join(f"\n{line}" for line in lines[end:]), lines[:end]


def _header(dataset: Dataset) -> dict[str, str]:
    return {"format": FORMAT, **({"language": dataset.language} if dataset.language else {})}


class _Reading:
    """Collects records and problems."""

    def __init__(self, options: ReadOptions, problems: list[Problem]) -> None:
        self.options, self.problems = options, problems
        self.header: tuple[str, ...] = ()
        self.language = ""
        self._records: list[tuple[Record, Fields]] = []
        self._lines: dict[str, int] = {}
        self._ids = TokenIds()

    def add(self, found: Record | Problem) -> None:
        """Take the next record."""
        if isinstance(found, Problem):
            self.problems.append(found)
        elif "format" in found.data and "tokens" not in found.data:
            self._take_header(found)
        else:
            fields = read_fields(found)
            if isinstance(fields, Fields):
                self._records.append((found, fields))
            else:
                self.problems += fields

    def _take_header(self, found: Record) -> None:
        given, language = found.data["format"], found.data.get("language", "")
        if given != FORMAT:
            what = f"the file says that it is {given!r}; {FORMAT!r} is expected"
            self.problems.append(Problem("wrong-format", found.number, what))
        elif self.header or self._records:
            self.problems.append(Problem("wrong-format", found.number, "a header stands in the first line only"))
        elif not isinstance(language, str):
            self.problems.append(Problem("wrong-type", found.number, f"language must be a text, not {language!r}"))
        else:
            self.language, self.header = language, (*found.before, found.raw)

    def finish(self, file: str, empty: Dataset) -> Examined:
        """The data set: mentions of tags are found once all tags are known."""
        sequences = [fields.tags for _, fields in self._records if fields.tags is not None]
        settled = settle(sequences, self.options)
        decoder = TagDecoder(settled, self.options)
        sentences, kept = [], []
        for record, fields in self._records:
            made = self._sentence(record, fields, decoder)
            if made is not None:
                sentences.append(made)
                kept.append((record, fields))
        problems = tuple(sorted([*self.problems, *decoder.problems], key=lambda problem: problem.line))
        if not sentences:
            nothing = () if problems else (Problem("no-sentences", 0, "the file holds no sentences"),)
            return Examined(file, None, (*problems, *nothing))
        notes = [*empty.notes, *([settled.note] if sequences else []), *decoder.notes]
        if self.options.lenient and problems:
            notes.append(f"left out (lenient): {len({problem.line for problem in problems})} records")
        dataset = replace(
            empty, sentences=tuple(sentences), scheme=settled.scheme if sequences else None, notes=tuple(notes)
        )
        return Examined(file, dataset, problems, _findings(dataset), _tag_file(dataset, kept))

    def _sentence(self, record: Record, fields: Fields, decoder: TagDecoder) -> Sentence | None:
        spans: Any = fields.spans
        if fields.tags is not None:
            spans = decoder.spans(fields.tokens, fields.tags, [record.number] * len(fields.tokens))
        if spans is None:
            return None
        found = self._ids.next(fields.tokens) if fields.id is None else fields.id
        first = self._lines.setdefault(found, record.number)
        if first != record.number:
            what = f"the id {found!r} stands for another sentence too (line {first})"
            self.problems.append(Problem("duplicate-id", record.number, what, hint="give each sentence its own id"))
            return None
        marks = ([_TAGS] if fields.tags is not None else []) + ([_REST + dump(fields.rest)] if fields.rest else [])
        return Sentence(
            id=found,
            tokens=fields.tokens,
            spans=spans,
            spaces=fields.spaces,
            doc_id=fields.doc_id,
            columns=fields.columns,
            meta=fields.meta,
            source=fields.source,
            hashed=fields.id is None,
            layout=Layout(before=(*record.before, *marks), raw=record.raw),
        )


def _findings(dataset: Dataset) -> tuple[Problem, ...]:
    if any(sentence.spans for sentence in dataset.sentences):
        return ()
    return (Problem("no-mentions", 0, "no sentence has a mention"),)


def _tag_file(dataset: Dataset, kept: list[tuple[Record, Fields]]) -> TagFile:
    return TagFile(
        name=dataset.name,
        ids=tuple(sentence.id for sentence in dataset.sentences),
        hashed=tuple(sentence.hashed for sentence in dataset.sentences),
        tokens=tuple(sentence.tokens for sentence in dataset.sentences),
        tags=tuple(
            fields.tags if fields.tags is not None else tuple(IOB2.encode(fields.spans, len(fields.tokens)))
            for _, fields in kept
        ),
        lines=tuple(record.number for record, _ in kept),
        reader=dataset.reader,
        notes=dataset.notes,
        spans=_spans(dataset, kept),
    )


def _spans(dataset: Dataset, kept: list[tuple[Record, Fields]]) -> tuple[tuple[Span, ...], ...] | None:
    """The mentions where no record has tags."""
    if any(fields.tags is not None for _, fields in kept):
        return None
    return tuple(sentence.spans for sentence in dataset.sentences)


def _sentence_lines(sentence: Sentence, dataset: Dataset, laid_out: bool) -> list[str]:
    """The blank lines in front of a record, and the record."""
    if "" in sentence.tokens:
        raise OutputError(f"sentence {sentence.id!r} has an empty token, which no format can hold")
    layout = sentence.layout if laid_out and sentence.layout is not None else Layout()
    front = [entry for entry in layout.before if not entry.startswith("\x00")]
    tagged = _TAGS in layout.before
    scheme = dataset.scheme or IOB2
    tags = scheme.encode(sentence.spans, len(sentence.tokens)) if tagged and scheme.holds(sentence.spans) else None
    if layout.raw and _says(layout.raw, sentence, tags):
        return [*front, layout.raw]
    rest = next((entry[len(_REST) :] for entry in layout.before if entry.startswith(_REST)), "")
    return [*front, dump({**_record(sentence, tags), **(json.loads(rest) if rest else {})})]


def _says(raw: str, sentence: Sentence, tags: list[str] | None) -> bool:
    """Whether a record as it stood still says what the sentence holds."""
    found = load_record(0, raw)
    fields = read_fields(found) if isinstance(found, Record) else []
    if not isinstance(fields, Fields):
        return False
    mentions = fields.spans == sentence.spans if fields.tags is None else list(fields.tags) == tags
    known = (fields.tokens, fields.spaces, fields.doc_id, fields.columns, fields.meta, fields.source)
    now = (sentence.tokens, sentence.spaces, sentence.doc_id, sentence.columns, sentence.meta, sentence.source)
    return mentions and known == now and fields.id == (None if sentence.hashed else sentence.id)


def _record(sentence: Sentence, tags: list[str] | None) -> dict[str, Any]:
    record: dict[str, Any] = {} if sentence.hashed else {"id": sentence.id}
    record["tokens"] = sentence.tokens
    if tags is None:
        record["spans"] = spans_json(sentence.spans)
    else:
        record["tags"] = tags
    if sentence.spaces is not None:
        record["spaces"] = sentence.spaces
    if sentence.columns:
        record["columns"] = sentence.columns
    if sentence.meta:
        pairs = dict(sentence.meta)
        record["meta"] = pairs if len(pairs) == len(sentence.meta) else sentence.meta
    for key in ("doc_id", "source"):
        if getattr(sentence, key) is not None:
            record[key] = getattr(sentence, key)
    return record
