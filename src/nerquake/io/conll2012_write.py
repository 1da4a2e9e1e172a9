"""From a data set to the lines of a CoNLL-2012 file, made so that other programs can still read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from nerquake.core.dataset import Dataset, FileLayout
from nerquake.core.errors import OutputError
from nerquake.core.sentence import NEW_CELL, Sentence
from nerquake.io.borders import Borders, with_own_id
from nerquake.io.conll2012_lines import END, balanced, begin_line, border_of, document_of, holds_label, names_of, split

_WIDTH = 12
_DOCUMENT, _PART, _NUMBER, _PARSE, _ARGUMENTS = 0, 1, 2, 5, 11
_NOTHING, _NONE_HERE = "-", "*"


@dataclass(frozen=True, slots=True)
class Conll2012File(FileLayout):
    """The layout of a CoNLL-2012 file.

    starred   most mentions of one token are written `(GPE*)`, not `(GPE)`
    closes    documents end with `#end document`
    first     the number of a sentence's first token
    columns   those of the word and of the names
    """

    starred: bool = False
    closes: bool = True
    first: int = 0
    columns: tuple[int, int] = (3, 10)


def write(dataset: Dataset, token: int, tag: int) -> Iterator[str]:
    """The text of the file, one piece a sentence.

    Raises:
        OutputError: a token, label, document or id that the format cannot hold; names the sentence.
    """
    own = dataset.layout if isinstance(dataset.layout, Conll2012File) else None
    file = own if own is not None and own.columns == (token, tag) else None
    rows = _Rows(file, token, tag)
    borders = Borders(border_of, END if file is None or file.closes else "", laid_out=file is not None)
    start = ""
    for sentence in dataset.sentences:
        opening = [] if sentence.doc_id is None else [_opening(sentence)]
        front = with_own_id(sentence, borders.front(sentence, opening), "# id ")
        yield start + "\n".join([*front, *rows.lines(sentence)])
        start = "\n"
    yield borders.behind(file.after if file else "\n")


def _opening(sentence: Sentence) -> str:
    """The line that opens a sentence's document. A name that was made unlike the one before it reads back as such."""
    line = begin_line(sentence.doc_id or "")
    if document_of(line) != sentence.doc_id or "\n" in line:
        _fail(sentence, f"the document {sentence.doc_id!r}", "its name would read back as another")
    return line


class _Rows:
    """Writes token lines."""

    def __init__(self, file: Conll2012File | None, token: int, tag: int) -> None:
        self.file, self.laid_out = file or Conll2012File(), file is not None
        self.token, self.tag = token, tag

    def lines(self, sentence: Sentence) -> list[str]:
        """The token lines of one sentence."""
        size = len(sentence.tokens)
        rests: Sequence[tuple[str, ...]] = sentence.columns if self.laid_out and sentence.columns else _fresh(sentence)
        width = len(rests[0]) + 2
        token, tag = self.token % width, self.tag % width
        if not -width <= min(self.token, self.tag) <= max(self.token, self.tag) < width or token == tag:
            what = f"column {self.token} of the word or {self.tag} of the names"
            _fail(sentence, what, f"its lines have {width} columns")
        gaps = sentence.layout.gaps if self.laid_out and sentence.layout is not None else ()
        names = names_of(sentence.spans, size, self._starred(gaps, size))
        self._check(sentence)
        places = [at for at in range(width) if at not in (token, tag)]
        rests = _readable(sentence, rests, places, self.file.first)
        lines = []
        for at in range(size):
            cells = dict(zip(places, rests[at], strict=True))
            cells[token], cells[tag] = sentence.tokens[at], names[at]
            blanks = gaps[at] if gaps and len(gaps[at]) == width + 2 else ("", *[" "] * (width - 1), "")
            lines.append("".join(blanks[column] + cells[column] for column in range(width)) + blanks[width])
            if lines[-1].startswith("#"):
                _fail(sentence, f"the line {lines[-1]!r}", "it would read back as a comment")
        return lines

    def _starred(self, gaps: Sequence[tuple[str, ...]], size: int) -> list[bool]:
        if not gaps:
            return [self.file.starred] * size
        return [gap[-1] == "*" or (gap[-1] == "" and self.file.starred) for gap in gaps]

    def _check(self, sentence: Sentence) -> None:
        for token in sentence.tokens:
            if split(token)[0] != (token,) or "\n" in token or "\x00" in token:
                _fail(sentence, f"the token {token!r}", "words are separated by blanks, so they hold none")
        for span in sentence.spans:
            if not holds_label(span.label):
                _fail(sentence, f"the label {span.label!r}", "it would read back as another")


def _fresh(sentence: Sentence) -> tuple[tuple[str, ...], ...]:
    """The other columns of a sentence that comes from another format: all of them are filled in."""
    return ((NEW_CELL,) * (_WIDTH - 2),) * len(sentence.tokens)


def _readable(
    sentence: Sentence, rests: Sequence[tuple[str, ...]], places: Sequence[int], first: int
) -> Sequence[tuple[str, ...]]:
    """The other columns with what readers need: a document, a part and a number in each line, and closed brackets."""
    new = [set(rest) == {NEW_CELL} for rest in rests]
    if not any(new) and sentence.source is None:
        return rests
    columns = []
    for at, place in enumerate(places):
        cells = [rest[at] for rest in rests]
        known = [cell for cell, fresh in zip(cells, new, strict=True) if not fresh]
        if place == _NUMBER:
            columns.append([str(first + number) for number in range(len(cells))])
            continue
        filler = _filler(sentence, place, known, last=at == len(places) - 1)
        cells = [filler if fresh else cell for cell, fresh in zip(cells, new, strict=True)]
        if place not in (_DOCUMENT, _PART) and not balanced(cells):
            cells = [_NOTHING if place == _PARSE else filler] * len(cells)
        columns.append(cells)
    return list(zip(*columns, strict=True))


def _filler(sentence: Sentence, place: int, known: Sequence[str], last: bool) -> str:
    """What stands in a column of a token that was put in."""
    if place in (_DOCUMENT, _PART):
        if known:
            return known[0]
        name, _, part = (sentence.doc_id or _NOTHING).rpartition("#")
        cell = (name or part) if place == _DOCUMENT else (str(int(part)) if name and part.isdecimal() else "0")
        return cell if split(cell)[0] == (cell,) and not cell.startswith("#") else _NOTHING
    starred = any("*" in cell for cell in known) or (not known and place >= _ARGUMENTS and not last)
    return _NONE_HERE if starred else _NOTHING


def _fail(sentence: Sentence, what: str, why: str) -> NoReturn:
    raise OutputError(
        f"sentence {sentence.id!r}: {what} cannot stand in a CoNLL-2012 file ({why}); JSONL holds it: --to jsonl"
    )
