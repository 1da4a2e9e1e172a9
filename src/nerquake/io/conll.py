"""CoNLL in all its shapes: one token a line, 2 to 10 or more columns, a blank line between sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from nerquake.core.dataset import Dataset
from nerquake.core.protocols import ReadOptions
from nerquake.core.spec import Spec
from nerquake.io import conll_read
from nerquake.io.conll_lines import Separator
from nerquake.io.conll_write import write
from nerquake.io.files import read_bytes
from nerquake.io.tags import Examined, TagFile, checked, checked_tags


@dataclass(frozen=True, slots=True)
class Conll:
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

    @property
    def extension(self) -> str:
        """File name ending."""
        return "conll"

    @property
    def spec(self) -> str:
        """The specification that makes this reader again."""
        given = [(f.name, str(getattr(self, f.name))) for f in fields(self) if getattr(self, f.name) != f.default]
        return str(Spec("conll", tuple(given)))

    def read(self, path: str, options: ReadOptions) -> Dataset:
        """Read a file, or standard input for `-`.

        Raises:
            FormatError: everything that is wrong in the file, each with its line.
            InputError: there is no such file.
        """
        return self.read_bytes(path, read_bytes(path), options)

    def read_bytes(self, name: str, data: bytes, options: ReadOptions) -> Dataset:
        """Read a file's bytes; `name` is its path, for messages. Raises FormatError as `read` does."""
        return checked(self.examine(name, data, options), options)

    def read_tags(self, path: str, options: ReadOptions) -> TagFile:
        """A file's tag sequences as they stand in it, ill-formed ones too; every other problem is a FormatError."""
        return self.tags_of(path, read_bytes(path), options)

    def tags_of(self, name: str, data: bytes, options: ReadOptions) -> TagFile:
        """The same from a file's bytes."""
        return checked_tags(self.examine(name, data, replace(options, predicted=True)), options)

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
