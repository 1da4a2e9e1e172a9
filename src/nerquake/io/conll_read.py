"""From the bytes of a CoNLL file to a data set, with every problem that it has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import Problem
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence, TokenIds
from nerquake.io.conll_comments import looks_like_comment
from nerquake.io.conll_lines import Separator, Shape, find_shape
from nerquake.io.conll_scan import UNNAMED, ConllFile, RawSentence, Scanner, tag_column_hint
from nerquake.io.files import base_name, decode, fingerprint
from nerquake.io.tags import Examined, Settled, TagDecoder, TagFile, settle


class Columns(NamedTuple):
    """The options of the format."""

    token: int
    tag: int
    encoding: str
    sep: Separator


def examine(name: str, data: bytes, columns: Columns, reader: str, options: ReadOptions) -> Examined:
    """Read a file's bytes as far as they can be read.

    Raises:
        FormatError: the file is binary or empty.
        UsageError: no such encoding or scheme.
    """
    decoded = decode(name, data, columns.encoding, "conll")
    lines = decoded.text.split("\n")
    shape = find_shape(lines, columns.token, columns.tag, columns.sep)
    if not isinstance(shape, Shape):
        nothing = Problem("no-sentences", 0, "the file holds no token lines")
        return Examined(name, None, (*decoded.problems, shape or nothing))
    scanner = Scanner(shape)
    after = scanner.scan(lines)
    problems = [*decoded.problems, *_gathered(scanner, shape, lines), *_numbers(scanner, shape)]
    settled = settle((raw.tags for raw in scanner.sentences), options)
    joined = _Joining(settled, options)
    sentences = [made for raw in scanner.sentences if (made := joined.sentence(raw)) is not None]
    problems = sorted([*problems, *joined.problems], key=lambda problem: problem.line)
    if not sentences:
        rest = () if problems else (Problem("no-sentences", 0, "the file holds no sentences"),)
        return Examined(name, None, (*problems, *rest))
    notes = (*decoded.notes, *_shape_notes(scanner, shape), settled.note, *joined.notes(problems))
    dataset = Dataset(
        name=base_name(name),
        sentences=tuple(sentences),
        scheme=settled.scheme,
        reader=reader,
        fingerprint=fingerprint(data),
        notes=notes,
        layout=ConllFile(after, decoded.newline, decoded.bom, scanner.front, shape.tabs),
    )
    return Examined(name, dataset, tuple(problems), _findings(dataset, joined.kept), joined.tag_file(dataset))


def _gathered(scanner: Scanner, shape: Shape, lines: Sequence[str]) -> list[Problem]:
    """The scanner's problems; where hardly a line has a tag, one that says which column holds tags."""
    bad = [problem for problem in scanner.problems if problem.code == "bad-tag"]
    good = sum(len(raw.tokens) for raw in scanner.sentences)
    if len(bad) < 2 or len(bad) <= good:
        return scanner.problems
    first = bad[0]
    what = f"{len(bad)} of {len(bad) + good} lines have no tag in column {shape.tag} (from 0), such as {first.message}"
    one = Problem("bad-tag", first.line, what, first.token, tag_column_hint(shape, lines))
    return [one, *(problem for problem in scanner.problems if problem.code != "bad-tag")]


def _numbers(scanner: Scanner, shape: Shape) -> list[Problem]:
    """A token column that counts the tokens of nearly every sentence is the wrong column: never read it silently."""
    longer = [raw for raw in scanner.sentences if len(raw.tokens) > 1]
    if shape.width < 3 or not longer:
        return []
    counting = sum(raw.tokens == tuple(map(str, range(1, len(raw.tokens) + 1))) for raw in longer)
    if counting < 0.9 * len(longer):
        return []
    what = f"column {shape.token} (from 0) numbers the tokens in {counting} of {len(longer)} sentences; it is no text"
    tag = f",tag={shape.tag}" if shape.tag != shape.width - 1 else ""
    hint = f"--input conll:token={shape.token + 1}{tag}"
    return [Problem("token-numbers", longer[0].lines[0], what, longer[0].tokens[0], hint)]


def _shape_notes(scanner: Scanner, shape: Shape) -> list[str]:
    notes = [f"line {shape.header} is a header"] if shape.header else []
    if scanner.other_separator:
        count = scanner.other_separator
        notes.append(f"{count} line{'s are' if count > 1 else ' is'} separated by blanks in a file separated by TABs")
    if scanner.documents:
        # A file may put its borders behind documents, so that the first has none in front.
        ids = [raw.doc_id for raw in scanner.sentences]
        notes.append(f"documents: {sum(a != b for a, b in pairwise(ids)) + 1}")
    return notes


class _Joining:
    """Makes sentences of raw ones: ids, mentions, and what is left out under `lenient`."""

    def __init__(self, settled: Settled, options: ReadOptions) -> None:
        self.options = options
        self.decoder = TagDecoder(settled, options)
        self.kept: list[RawSentence] = []
        self.left_out = 0
        self._repeated: list[Problem] = []
        self._lines: dict[str, int] = {}
        self._ids = TokenIds()
        self._documents: dict[str, str] = {}

    @property
    def problems(self) -> list[Problem]:
        """Ill-formed sequences and repeated ids."""
        return [*self.decoder.problems, *self._repeated]

    def sentence(self, raw: RawSentence) -> Sentence | None:
        """The sentence, or None where it is left out."""
        spans = self.decoder.spans(raw.tokens, raw.tags, raw.lines)
        if spans is None:
            self.left_out += 1
            return None
        comments = raw.comments
        found = self._id(raw)
        if found is None:
            self.left_out += 1
            return None
        self.kept.append(raw)
        return Sentence(
            id=found,
            tokens=raw.tokens,
            spans=spans,
            spaces=raw.spaces,
            doc_id=self._document(raw.doc_id, found),
            columns=raw.columns,
            meta=comments.meta,
            source=comments.source,
            hashed=comments.id is None,
            layout=raw.layout,
        )

    def _document(self, doc_id: str | None, sentence_id: str) -> str | None:
        if doc_id is None or not doc_id.startswith(UNNAMED):
            return doc_id
        return self._documents.setdefault(doc_id, sentence_id)

    def _id(self, raw: RawSentence) -> str | None:
        given = raw.comments.id
        found = self._ids.next(raw.tokens) if given is None else given
        first = self._lines.setdefault(found, raw.lines[0])
        if first == raw.lines[0]:
            return found
        what = f"the id {found!r} stands for another sentence too (line {first})"
        self._repeated.append(
            Problem("duplicate-id", raw.lines[0], what, raw.tokens[0], "give each sentence its own id")
        )
        return None

    def notes(self, problems: Sequence[Problem]) -> list[str]:
        """What was repaired, and what was left out."""
        notes = self.decoder.notes
        if self.options.lenient and problems:
            whole = {"ill-formed-sequence", "duplicate-id"}
            lines = sum(problem.code not in whole for problem in problems)
            codes = Counter(problem.code for problem in problems)
            listed = ", ".join(f"{code} {count}" for code, count in sorted(codes.items()))
            notes.append(f"left out (lenient): {lines} lines, {self.left_out} sentences ({listed})")
        return notes

    def tag_file(self, dataset: Dataset) -> TagFile:
        """The tag sequences of the sentences that were kept."""
        return TagFile(
            name=dataset.name,
            ids=tuple(sentence.id for sentence in dataset.sentences),
            hashed=tuple(sentence.hashed for sentence in dataset.sentences),
            tokens=tuple(raw.tokens for raw in self.kept),
            tags=tuple(raw.tags for raw in self.kept),
            lines=tuple(raw.lines[0] for raw in self.kept),
            reader=dataset.reader,
            notes=dataset.notes,
        )


def _findings(dataset: Dataset, kept: Sequence[RawSentence]) -> tuple[Problem, ...]:
    """What is legal, but hardly meant."""
    found = [
        Problem(
            "comment-as-token", raw.lines[0], "a comment line seems to have become tokens",
            " ".join(raw.tokens[:4]), "put the comment on one line of its own, with # in front and without tags",
        )
        for raw in kept if raw.tokens[0][0] == "#" and looks_like_comment(raw.tokens)
    ]  # fmt: skip
    if not any(sentence.spans for sentence in dataset.sentences):
        found.append(Problem("no-mentions", 0, "no token has a mention's tag", "", "is it the right tag column?"))
    return tuple(found)
