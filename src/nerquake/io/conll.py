"""CoNLL in all its shapes: one token a line, 2 to 10 or more columns, a blank line between sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nerquake.core.dataset import Dataset
from nerquake.core.protocols import ReadOptions
from nerquake.io import conll_read
from nerquake.io.conll_lines import Separator
from nerquake.io.conll_write import write
from nerquake.io.file_format import FileFormat
from nerquake.io.tags import Examined


@dataclass(frozen=True, slots=True)
class Conll(FileFormat):
    """Reads and writes token and tag columns: CoNLL 2003, WNUT, MultiCoNER, CoNLL-U comments and their kin.

    token, tag   columns, counted from 0, or from the end from -1
    encoding     what is read; what is written is UTF-8
    sep          "tab": cells are separated by single TABs and may hold spaces; "blank": by spaces or TABs;
                 "auto": TABs if most lines have one
    """

    token: int = 0
    tag: int = -1
    encoding: str = "utf-8"
    sep: Separator = "auto"

    name: ClassVar[str] = "conll"
    extension: ClassVar[str] = "conll"

    def examine(self, name: str, data: bytes, options: ReadOptions) -> Examined:
        """What can be read of a file's bytes, and all that is wrong in them.

        Raises:
            FormatError: the file is binary or empty.
        """
        columns = conll_read.Columns(self.token, self.tag, self.encoding, self.sep)
        return conll_read.examine(name, data, columns, self.spec, options)

    def lines(self, dataset: Dataset) -> Iterator[str]:
        """The file's text in pieces; as it was read, except a byte order mark and line ends.

        Raises:
            OutputError: a token or label that the format cannot hold.
        """
        return write(dataset, self.token, self.tag, self.sep)
