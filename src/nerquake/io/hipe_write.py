"""From a data set to the lines of a HIPE table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from nerquake.core.dataset import Dataset, FileLayout
from nerquake.core.errors import OutputError
from nerquake.core.scheme import is_tag
from nerquake.core.sentence import NEW_CELL, Sentence
from nerquake.io.borders import MARK, Border, Borders, is_blank, with_own_id
from nerquake.io.tags import written_scheme

TOKEN, MISC = "TOKEN", "MISC"
END, NO_SPACE = "EndOfSentence", "NoSpaceAfter"
UNFLAGGED = MARK + "unflagged"
"""The sentence's last token had no flag that ends sentences: its document ended."""
_COLUMNS = (
    TOKEN, "NE-COARSE-LIT", "NE-COARSE-METO", "NE-FINE-LIT", "NE-FINE-METO", "NE-FINE-COMP", "NE-NESTED",
    "NEL-LIT", "NEL-METO", MISC,
)  # fmt: skip
_OF_DOCUMENT = re.compile(r"#[ \t]*(?!(?:sent_id|sent-id|id|text|segment[\w-]*)[ \t]*=)[^\s=]+[ \t]*=.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class HipeFile(FileLayout):
    """The layout of a HIPE table: the lines up to its header, whether sentences end with a flag of their own, and the
    entity column that was read."""

    front: tuple[str, ...] = ()
    flagged: bool = True
    column: str = ""


def border_of(line: str) -> Border:
    """What a line says of documents: each `# key = value` belongs to the block that opens one."""
    return Border.OPENS if _OF_DOCUMENT.fullmatch(line) is not None else Border.NONE


def flags_of(misc: str) -> list[str]:
    """The flags of a MISC cell."""
    return [] if misc == NEW_CELL else misc.split("|")


def write(dataset: Dataset, column: str) -> Iterator[str]:
    """The text of the file, one piece a sentence.

    Raises:
        OutputError: a token, label, document or id that the format cannot hold; names the sentence.
    """
    file = dataset.layout if isinstance(dataset.layout, HipeFile) else None
    front = file.front if file else ("\t".join(_COLUMNS),)
    header = tuple(front[-1].split("\t"))
    if column not in header[1:]:
        raise OutputError(f"{dataset.name}: a HIPE table has no column {column}; there are: {', '.join(header[1:])}")
    rows = _Rows(header, header.index(column), file)
    scheme, _ = written_scheme(dataset)
    borders = Borders(border_of, "", laid_out=file is not None, parted=False)
    start = "".join(f"{line}\n" for line in front)
    for sentence in dataset.sentences:
        lines = with_own_id(sentence, borders.front(sentence, _opening(sentence)), "# sent_id = ")
        tags = scheme.encode(sentence.spans, len(sentence.tokens))
        yield start + "\n".join([*lines, *rows.lines(sentence, tags)])
        start = "\n"
    yield file.after if file else "\n"


def _opening(sentence: Sentence) -> list[str]:
    """The lines that open a document of another format."""
    if sentence.doc_id is None:
        return []
    if re.search(r"[\n\x00]", sentence.doc_id) or sentence.doc_id != sentence.doc_id.strip():
        _fail(sentence, f"the document {sentence.doc_id!r}", "its name would read back as another")
    return ["", f"# hipe2022:document_id = {sentence.doc_id}"]


class _Rows:
    """Writes token lines."""

    def __init__(self, header: Sequence[str], column: int, file: HipeFile | None) -> None:
        self.width, self.column, self.file = len(header), column, file
        self.misc = header.index(MISC) if MISC in header else None
        self.flagged = file is None or file.flagged
        self.read = header.index(file.column) if file is not None else column

    def lines(self, sentence: Sentence, tags: Sequence[str]) -> list[str]:
        """The token lines of one sentence, and the comments between them."""
        self._check(sentence)
        size = len(sentence.tokens)
        layout = sentence.layout if self.file is not None else None
        gaps = layout.gaps if layout is not None and layout.gaps else (("", ""),) * size
        known = self.file is not None and bool(sentence.columns)
        rests = self._rests(sentence.columns) if known else ((NEW_CELL,) * (self.width - 2),) * size
        flagged = self.flagged and not (layout is not None and UNFLAGGED in layout.before)
        lines = []
        for at, token in enumerate(sentence.tokens):
            silent, inner = gaps[at] if self.read == self.column else ("", gaps[at][1])
            tag = silent or tags[at] if tags[at] == "O" else tags[at]
            cells = [token, *rests[at]]
            cells.insert(self.column, tag)
            if self.misc is not None:
                cells[self.misc] = self._misc(sentence, at, cells[self.misc], flagged and at == size - 1)
            lines.append(inner + "\t".join(cells))
        return lines

    def _rests(self, columns: Sequence[tuple[str, ...]]) -> Sequence[tuple[str, ...]]:
        """The other cells; where another entity column was read than is written, nothing stands in that one."""
        if self.read == self.column:
            return columns
        rows = ([*row[: self.read - 1], NEW_CELL, *row[self.read - 1 :]] for row in columns)
        return [(*row[: self.column - 1], *row[self.column :]) for row in rows]

    def _misc(self, sentence: Sentence, at: int, cell: str, last: bool) -> str:
        flags = flags_of(cell)
        wanted = [(END, last)] if self.flagged else []
        if sentence.spaces is not None:
            wanted.insert(0, (NO_SPACE, not sentence.spaces[at]))
        for flag, there in wanted:
            if there and flag not in flags:
                flags.append(flag)
            elif not there:
                flags = [other for other in flags if other != flag]
        return "|".join(flags) or NEW_CELL

    def _check(self, sentence: Sentence) -> None:
        for token in sentence.tokens:
            if is_blank(token) or re.search(r"[\t\n\x00]", token):
                _fail(sentence, f"the token {token!r}", "tokens are not blank and hold no TAB or line end")
        for span in sentence.spans:
            tag = f"B-{span.label}"
            if re.search(r"[\t\n\x00]", tag) or not is_tag(tag):
                _fail(sentence, f"the label {span.label!r}", "it would read back as another")


def _fail(sentence: Sentence, what: str, why: str) -> NoReturn:
    raise OutputError(
        f"sentence {sentence.id!r}: {what} cannot stand in a HIPE table ({why}); JSONL holds it: --to jsonl"
    )
