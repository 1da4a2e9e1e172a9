"""From a data set to the rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from nerquake.core.dataset import Dataset
from nerquake.core.errors import OutputError
from nerquake.core.scheme import Scheme, is_tag
from nerquake.core.sentence import NEW_CELL, Sentence
from nerquake.io.borders import FIRST, MARK, is_blank
from nerquake.io.csv_columns import Columns, is_ids, numbering, read_list, write_list
from nerquake.io.csv_read import CsvFile
from nerquake.io.csv_rows import Dialect
from nerquake.io.tags import written_scheme


@dataclass(frozen=True, slots=True)
class Chosen:
    """Names of the columns, "" for those that may be called anything, and whether rows are to be sentences."""

    token: str
    tag: str
    sentence: str
    whole: bool | None

    def fits(self, file: CsvFile, dialect: Dialect) -> bool:
        """Whether a table as it was read is what is asked for."""
        columns = file.columns
        at = (columns.token, columns.tag, columns.sentence)
        names = ["" if place is None else file.names[place] for place in at]
        asked = (self.token, self.tag, self.sentence)
        named = all(not given or given == name for given, name in zip(asked, names, strict=True))
        whole = self.whole is None or self.whole == (file.styles is not None)
        return named and whole and file.dialect.delimiter == dialect.delimiter


def write(dataset: Dataset, dialect: Dialect, chosen: Chosen) -> Iterator[str]:
    """The text of the file, one piece a sentence.

    Raises:
        OutputError: a token, label, cell or id that the format cannot hold; names the sentence.
    """
    own = dataset.layout if isinstance(dataset.layout, CsvFile) and chosen.fits(dataset.layout, dialect) else None
    file = own or _fresh(dataset, dialect, chosen)
    scheme, _ = written_scheme(dataset)
    writing = _Writing(file, scheme, own is not None)
    start = "".join(f"{line}\n" for line in file.front)
    for sentence, key in zip(dataset.sentences, _keys(dataset, file), strict=True):
        yield start + "\n".join(writing.lines(sentence, key))
        start = "\n"
    yield file.after if own else "\n"


def _fresh(dataset: Dataset, dialect: Dialect, chosen: Chosen) -> CsvFile:
    """The layout of a table for a data set from another format: ids, or running numbers where it has none."""
    hashed = all(sentence.hashed for sentence in dataset.sentences)
    sentence = chosen.sentence or ("sentence" if hashed else "sentence_id")
    width = 0 if chosen.whole else max((len(s.columns[0]) for s in dataset.sentences if s.columns), default=0)
    names = (sentence, chosen.token or "token", chosen.tag or "tag", *(f"column{at}" for at in range(1, width + 1)))
    front = (dialect.text(names),)
    numbers = ("", 1) if hashed and not is_ids(sentence) else None
    styles = ("json", "json") if chosen.whole else None
    return CsvFile(front=front, names=names, columns=Columns(1, 2, 0), dialect=dialect, numbers=numbers,
                   styles=styles)  # type: ignore[arg-type]  # fmt: skip


def _keys(dataset: Dataset, file: CsvFile) -> list[str]:
    """What stands in the sentence column of each sentence."""
    if file.columns.sentence is None:
        return [_no_id(sentence) for sentence in dataset.sentences]
    if file.numbers is not None and all(sentence.hashed for sentence in dataset.sentences):
        prefix, first = file.numbers
        return [f"{prefix}{number}" for number in range(first, first + len(dataset))]
    keys = [sentence.id for sentence in dataset.sentences]
    name = file.names[file.columns.sentence]
    if keys and not is_ids(name) and numbering(keys) is not None:
        one = dataset.sentences[0]
        _fail(
            one, f"its id and the others', {keys[0]!r} and so on,", f"in a column {name!r} running numbers are no ids"
        )
    for sentence in dataset.sentences:
        if not sentence.id.strip() or not file.dialect.holds(sentence.id):
            _fail(sentence, f"the id {sentence.id!r}", "a cell cannot hold it")
    return keys


def _no_id(sentence: Sentence) -> str:
    if not sentence.hashed:
        _fail(sentence, "its id", "the table has no column for ids")
    return ""


class _Writing:
    """Writes rows."""

    def __init__(self, file: CsvFile, scheme: Scheme, laid_out: bool) -> None:
        self.file, self.scheme, self.laid_out = file, scheme, laid_out
        self.columns, self.dialect = file.columns, file.dialect
        self._first = True

    def lines(self, sentence: Sentence, key: str) -> list[str]:
        """The rows of one sentence, and the blank lines in front of it."""
        tags = self.scheme.encode(sentence.spans, len(sentence.tokens))
        self._check(sentence)
        front = self._front(sentence)
        if self.file.styles is not None:
            return [*front, self._whole(sentence, key, tags)]
        return [*front, *self._tokens(sentence, key, tags)]

    def _front(self, sentence: Sentence) -> list[str]:
        before = sentence.layout.before if self.laid_out and sentence.layout is not None else ()
        lines = [line for line in before if not line.startswith(MARK)]
        first, self._first = self._first, False
        if first:
            return lines if FIRST in before else []
        parted = self.columns.sentence is None and self.file.styles is None
        return lines or ([""] if parted else [])

    def _tokens(self, sentence: Sentence, key: str, tags: Sequence[str]) -> list[str]:
        size = len(sentence.tokens)
        width = len(self.file.names) - len({self.columns.token, self.columns.tag, self.columns.sentence} - {None})
        layout = sentence.layout if self.laid_out else None
        gaps = layout.gaps if layout is not None and layout.gaps else (("", ""),) * size
        rests = sentence.columns or ((NEW_CELL,) * width,) * size
        rests = tuple((*rest, *[NEW_CELL] * width)[:width] for rest in rests)
        self._check_cells(sentence, rests)
        made = []
        for at, token in enumerate(sentence.tokens):
            raw, inner = gaps[at]
            told = key if self.file.each or not at else ""
            cells = self.columns.row(token, tags[at], told, rests[at])
            made.append(inner + (raw if raw and self._still(raw, cells, key) else self.dialect.text(cells)))
        return made

    def _still(self, raw: str, cells: Sequence[str], key: str) -> bool:
        """Whether a row as it stood says what is to be said."""
        found = self.dialect.cells(raw)
        if found is None or len(found) != len(cells):
            return False
        at = self.columns.sentence
        return all(a == b or (i == at and a in ("", key)) for i, (a, b) in enumerate(zip(found, cells, strict=True)))

    def _whole(self, sentence: Sentence, key: str, tags: Sequence[str]) -> str:
        """The row of a sentence; as it stood, where it still says the same."""
        assert self.file.styles is not None
        token_style, tag_style = self.file.styles
        if token_style == "blank" and any(" " in token for token in sentence.tokens):
            _fail(sentence, "a token with a blank in it", "its tokens are parted by blanks")
        if any(" " in tag for tag in tags) and tag_style == "blank":
            _fail(sentence, "a label with a blank in it", "its tags are parted by blanks")
        if token_style == "blank" and sentence.tokens[0].startswith("["):
            _fail(sentence, f"the token {sentence.tokens[0]!r}", "the cell would be taken for a list in brackets")
        meta = dict(sentence.meta)
        others = {self.columns.token, self.columns.tag, self.columns.sentence}
        rest = [meta.get(name, NEW_CELL) for at, name in enumerate(self.file.names) if at not in others]
        raw = sentence.layout.raw if self.laid_out and sentence.layout is not None else ""
        lists = write_list(sentence.tokens, token_style), write_list(tags, tag_style)
        cells = self.columns.row(*lists, key, rest)
        known = self.dialect.cells(raw) if raw else None
        if known is not None and len(known) == len(cells) and self._says(known, cells):
            return raw
        self._check_cells(sentence, [cells])
        return self.dialect.text(cells)

    def _says(self, known: Sequence[str], cells: Sequence[str]) -> bool:
        lists = (self.columns.token, self.columns.tag)
        return all(
            a == b or (at in lists and read_list(a) == read_list(b))
            for at, (a, b) in enumerate(zip(known, cells, strict=True))
        )

    def _check(self, sentence: Sentence) -> None:
        for token in sentence.tokens:
            if is_blank(token) or "\n" in token or not self.dialect.holds(token):
                _fail(sentence, f"the token {token!r}", "a cell of a token is not blank and holds no line end")
        for span in sentence.spans:
            tag = f"B-{span.label}"
            if "\n" in tag or not self.dialect.holds(tag) or not is_tag(tag):
                _fail(sentence, f"the label {span.label!r}", "it would read back as another")

    def _check_cells(self, sentence: Sentence, rests: Sequence[Sequence[str]]) -> None:
        for rest in rests:
            for cell in rest:
                if not self.dialect.holds(cell):
                    _fail(sentence, f"the cell {cell!r}", "it holds a carriage return, or the table has no quotes")


def _fail(sentence: Sentence, what: str, why: str) -> NoReturn:
    raise OutputError(
        f"sentence {sentence.id!r}: {what} cannot stand in this table ({why}); JSONL holds it: --to jsonl"
    )
