"""Reading a file that may be damaged, so that the damage can be seen: nothing that stands in it is left out.

`load` refuses a broken line or leaves it out of its sentence. Here the line stays, as far as it can be understood: a
token that is empty is an empty text, a cell that is no tag counts as O, and a repeated id is no error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nerquake.core.errors import FormatError, Problem
from nerquake.core.protocols import ReadOptions
from nerquake.core.scheme import IOB2, OUTSIDE, is_tag
from nerquake.core.sentence import Layout, Sentence
from nerquake.core.span import Span
from nerquake.io.conll import Conll
from nerquake.io.conll_lines import BLANKS, Cells, Shape, find_shape
from nerquake.io.conll_scan import Scanner
from nerquake.io.files import UNREADABLE, base_name, decode
from nerquake.io.jsonl import Jsonl
from nerquake.io.jsonl_fields import Fields, read_fields
from nerquake.io.load import open_reader
from nerquake.io.records import Record, load_records
from nerquake.io.tags import Examined

_EMPTY = "\x00"
"""Stands for an empty token until the sentence is made: no text file holds this character."""


@dataclass(frozen=True, slots=True)
class LooseSentence:
    """A sentence as it stands in a file, sound or not.

    id        the file's own id, None where it gives none; not always unique
    source    the id of the sentence that this one was made from, where the file says it
    tokens    an empty one is ""
    tags      as they stand, ill-formed sequences too
    lines     for each token its line, counted from 1; None where the format has no lines
    """

    id: str | None
    source: str | None
    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    lines: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class LooseFile:
    """All sentences of a file in their order.

    problems   lines that could not be read as they stand, and what is wrong in them
    comments   the file's comment lines, for formats that have them
    """

    name: str
    sentences: tuple[LooseSentence, ...]
    problems: tuple[Problem, ...] = ()
    comments: tuple[str, ...] = ()


def read_damaged(path: str, input_spec: str = "", options: ReadOptions | None = None) -> LooseFile:
    """Read a labelled file without leaving anything out.

    path, input_spec, options   as for `load`; what they say of ill-formed tags has no effect

    Raises:
        FormatError: nothing of the file can be read (binary, empty, without token lines).
        InputError: there is no such file.
        UsageError: no such format or option.
    """
    options = options or ReadOptions()
    reader, data = open_reader(path, input_spec)
    if isinstance(reader, Conll):
        found = _read_conll(path, data, reader)
    elif isinstance(reader, Jsonl):
        found = _read_jsonl(path, data, reader)
    else:
        found = _read_other(path, data, reader, options)
    if not found.sentences:
        raise FormatError(path, found.problems or [Problem("no-sentences", 0, "the file holds no sentences")])
    return found


def _read_conll(path: str, data: bytes, reader: Conll) -> LooseFile:
    decoded = decode(path, data, reader.encoding, "conll")
    lines = decoded.text.split("\n")
    shape = find_shape(lines, reader.token, reader.tag, reader.sep)
    if not isinstance(shape, Shape):
        nothing = Problem("no-sentences", 0, "the file holds no token lines")
        raise FormatError(path, [*decoded.problems, shape or nothing])
    scanner = _MendingScanner(shape)
    scanner.scan(lines)
    sentences = tuple(
        LooseSentence(
            id=raw.comments.id,
            source=raw.comments.source,
            tokens=tuple("" if token == _EMPTY else token for token in raw.tokens),
            tags=raw.tags,
            lines=tuple(raw.lines),
        )
        for raw in scanner.sentences
    )
    problems = sorted([*decoded.problems, *scanner.damage], key=lambda problem: problem.line)
    comments = tuple(line for line in lines if line.startswith("#") and not shape.is_token(shape.split(line)))
    return LooseFile(base_name(path), sentences, tuple(problems), comments)


class _MendingScanner(Scanner):
    """Makes a token line of every broken one, and keeps what was wrong with it in `damage`."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self.damage: list[Problem] = []

    def _token_line(self, number: int, line: str, found: Cells) -> None:
        problem = self._wrong(number, line, found)
        if problem is not None:
            self.damage.append(problem)
            found = _mended(self.shape, line, found)
        super()._token_line(number, line, found)


def _mended(shape: Shape, line: str, found: Cells) -> Cells:
    """The cells that a broken line most likely was to have."""
    cells = found.cells
    cut = len(cells) != shape.width
    if cut and cells and is_tag(cells[-1]) and (len(cells) == 1 or (line[0] in BLANKS and not shape.tabs)):
        token, tag = "", cells[-1]  # the token went missing, what stood behind it moved up
    elif cut:
        token = cells[shape.token] if shape.token < len(cells) else ""
        tag = cells[-1] if len(cells) > 1 and shape.tag == shape.width - 1 else OUTSIDE
    else:
        token, tag = cells[shape.token], cells[shape.tag]
    whole = ["_"] * shape.width
    whole[shape.token] = token if token.strip(BLANKS) else _EMPTY
    whole[shape.tag] = tag if is_tag(tag) else OUTSIDE
    return Cells(tuple(whole), shape.gaps)


def _read_jsonl(path: str, data: bytes, reader: Jsonl) -> LooseFile:
    decoded = decode(path, data, reader.encoding, "jsonl")
    problems, sentences = list(decoded.problems), []
    lines = decoded.text.rstrip("\n").split("\n")
    for found in load_records(lines, skip=UNREADABLE):
        if isinstance(found, Problem):
            problems.append(found)
        elif "format" not in found.data or "tokens" in found.data:
            fields = read_fields(found)
            if not isinstance(fields, Fields):
                problems += fields
                fields = read_fields(_mended_record(found))
            if isinstance(fields, Fields):
                sentences.append(_from_fields(fields, found.number))
    problems.sort(key=lambda problem: problem.line)
    return LooseFile(base_name(path), tuple(sentences), tuple(problems))


def _from_fields(fields: Fields, line: int) -> LooseSentence:
    tags = fields.tags if fields.tags is not None else IOB2.encode(fields.spans, len(fields.tokens))
    tokens = tuple("" if token == _EMPTY else token for token in fields.tokens)
    return LooseSentence(fields.id, fields.source, tokens, tuple(tags), (line,) * len(tokens))


def _mended_record(record: Record) -> Record:
    """The part of a broken record that can be understood: tokens, tags or mentions that lie in the sentence, its id."""
    data = record.data
    tokens = data.get("tokens")
    words = [str(token) or _EMPTY for token in tokens] if isinstance(tokens, list) else []
    kept: dict[str, Any] = {"tokens": words}
    for key in ("id", "source"):
        if isinstance(data.get(key), str) and data[key]:
            kept[key] = data[key]
    tags = data.get("tags")
    if isinstance(tags, list):
        known = [tag if isinstance(tag, str) and is_tag(tag) else OUTSIDE for tag in tags[: len(words)]]
        kept["tags"] = known + [OUTSIDE] * (len(words) - len(known))
    else:
        given = data.get("spans")
        kept["spans"] = list(_sound_spans(given if isinstance(given, list) else [], len(words)))
    return Record(record.number, record.raw, kept)


def _sound_spans(given: Sequence[Any], size: int) -> Iterator[list[Any]]:
    """The spans that have the right form and lie in the sentence; of overlapping ones the first."""
    end = 0
    right = [
        span for span in given
        if isinstance(span, list) and len(span) > 2 and isinstance(span[2], str) and span[2]
        and type(span[0]) is int and type(span[1]) is int and 0 <= span[0] < span[1] <= size
    ]  # fmt: skip
    for span in sorted(right, key=lambda span: (span[0], span[1])):
        if span[0] >= end:
            end = span[1]
            yield span[:3]


def _read_other(path: str, data: bytes, reader: Any, options: ReadOptions) -> LooseFile:
    """Any other format, as far as its own reader gets."""
    loose = ReadOptions(options.scheme, "", True, True, options.align, options.flatten, options.language)
    if not hasattr(reader, "examine"):
        dataset = reader.read(path, loose)
        return LooseFile(base_name(path), tuple(_from_sentence(one, None, None) for one in dataset.sentences))
    found: Examined = reader.examine(path, data, loose) if data else reader.examine_path(path, loose)
    if found.dataset is None:
        raise FormatError(path, found.problems, found.advice)
    tags = found.tags
    sentences = tuple(
        _from_sentence(one, tags.lines[at] if tags else None, tags.tags[at] if tags else None)
        for at, one in enumerate(found.dataset.sentences)
    )
    return LooseFile(base_name(path), sentences, found.problems)


def _from_sentence(one: Sentence, line: int | None, tags: Sequence[str] | None) -> LooseSentence:
    """A sentence of a data set; its tokens follow each other line by line where the format lays them out so."""
    size = len(one.tokens)
    by_line = line is not None and len((one.layout or Layout()).gaps) == size
    lines = tuple(line + index if by_line and line is not None else line for index in range(size))
    spans: Sequence[Span] = one.spans
    return LooseSentence(
        id=None if one.hashed else one.id,
        source=one.source,
        tokens=one.tokens,
        tags=tuple(tags) if tags is not None else tuple(IOB2.encode(spans, size)),
        lines=lines,
    )
