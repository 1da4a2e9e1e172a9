"""GermEval 2014: a number, a token, outer and inner tags, and a `#` line that names the source of each sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from nerquake.core.dataset import Dataset
from nerquake.core.protocols import ReadOptions
from nerquake.core.scheme import OUTSIDE
from nerquake.core.sentence import NEW_CELL, Sentence
from nerquake.io import conll_read
from nerquake.io.conll_scan import ConllFile
from nerquake.io.conll_write import write
from nerquake.io.file_format import FileFormat
from nerquake.io.tags import Examined


@dataclass(frozen=True, slots=True)
class GermEval(FileFormat):
    """Reads and writes GermEval 2014 tables, one layer of mentions at a time; the other layer stays a column.

    layer     "outer": the mentions of the third column; "inner": those of the fourth, nested in them
    encoding  what is read; what is written is UTF-8
    """

    layer: Literal["outer", "inner"] = "outer"
    encoding: str = "utf-8"

    name: ClassVar[str] = "germeval"
    extension: ClassVar[str] = "tsv"
    holds: ClassVar[frozenset[str]] = frozenset({"spaces", "documents", "meta"})

    @property
    def _tag(self) -> int:
        return 2 if self.layer == "outer" else 3

    def examine(self, name: str, data: bytes, options: ReadOptions) -> Examined:
        """What can be read of a file's bytes, and all that is wrong in them.

        Raises:
            FormatError: the file is binary or empty.
        """
        columns = conll_read.Columns(1, self._tag, self.encoding, "tab")
        return conll_read.examine(name, data, columns, self.spec, options)

    def lines(self, dataset: Dataset) -> Iterator[str]:
        """The file's text in pieces; as it was read, except a byte order mark and line ends.

        Raises:
            OutputError: a token or label that the format cannot hold.
        """
        laid_out = isinstance(dataset.layout, ConllFile) and dataset.reader == self.spec
        made = [_numbered(sentence, laid_out) for sentence in dataset.sentences]
        source = dataset if laid_out else replace(dataset, layout=None)
        return write(replace(source, sentences=tuple(made)), 1, self._tag, "tab")


def _numbered(sentence: Sentence, laid_out: bool) -> Sentence:
    """The sentence with tokens numbered from 1, where any is new, and no mention in the other layer of new ones."""
    known = laid_out and bool(sentence.columns)
    if known and all(set(row) != {NEW_CELL} for row in sentence.columns):
        return sentence
    rows = sentence.columns if known else ((NEW_CELL, OUTSIDE),) * len(sentence.tokens)
    other = [OUTSIDE if set(row) == {NEW_CELL} else row[1] for row in rows]
    columns = tuple((str(at), cell, *row[2:]) for at, (cell, row) in enumerate(zip(other, rows, strict=True), 1))
    return replace(sentence, columns=columns, layout=sentence.layout if laid_out else None)
