"""What all file formats have in common: everything they read goes through `examine`, which never stops at a fault."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any, ClassVar

from nerquake.core.dataset import Dataset
from nerquake.core.protocols import ReadOptions
from nerquake.core.spec import Spec
from nerquake.io.files import read_bytes
from nerquake.io.output import write_whole
from nerquake.io.tags import Examined, TagFile, checked, checked_tags


class FileFormat:
    """Base of formats that are dataclasses of their options. A format gives `examine` and the class variables."""

    __slots__ = ()
    name: ClassVar[str]
    extension: ClassVar[str]
    folders: ClassVar[bool] = False
    """Whether it reads a folder too, or a name that is no file: then `examine_path` does so."""
    holds: ClassVar[frozenset[str]] = frozenset({"spaces", "documents", "columns", "meta"})
    """What else than tokens and mentions it can hold of a data set that comes from another format."""
    keeps_ids: ClassVar[bool] = True
    """Whether it has a place for the ids of sentences."""

    @property
    def spec(self) -> str:
        """The specification that makes this reader again: its name and the options that are not the default."""
        own: Any = self
        given = [(f.name, getattr(self, f.name)) for f in fields(own) if getattr(self, f.name) != f.default]
        texts = ((name, value if isinstance(value, tuple) else str(value)) for name, value in given)
        return str(Spec(self.name, tuple(texts)))

    @abstractmethod
    def examine(self, name: str, data: bytes, options: ReadOptions) -> Examined:
        """What can be read of a file's bytes, and all that is wrong in them; `name` is its path, for messages.

        Raises:
            FormatError: the file is binary or empty.
        """

    def examine_path(self, path: str, options: ReadOptions) -> Examined:
        """The same by path: a file, or a folder where the format reads folders.

        Raises:
            FormatError: the file is binary or empty.
            InputError: there is no such file.
        """
        return self.examine(path, read_bytes(path), options)

    @abstractmethod
    def lines(self, dataset: Dataset) -> Iterable[str] | Iterable[bytes]:
        """The file's text, or a binary file's bytes, in pieces.

        Raises:
            OutputError: the format cannot hold something of the data set; names the sentence.
        """

    def save(self, dataset: Dataset, path: str) -> None:
        """Write a file whole or not at all; `-` is standard output.

        Raises:
            OutputError: as `lines`, or the file cannot be written.
        """
        write_whole(path, self.lines(dataset))

    def read(self, path: str, options: ReadOptions) -> Dataset:
        """Read a file, a folder where the format reads folders, or standard input for `-`.

        Raises:
            FormatError: everything that is wrong in the file, each with its line.
            InputError: there is no such file.
        """
        return checked(self.examine_path(path, options), options)

    def read_bytes(self, name: str, data: bytes, options: ReadOptions) -> Dataset:
        """Read a file's bytes; raises FormatError as `read` does."""
        return checked(self.examine(name, data, options), options)

    def read_tags(self, path: str, options: ReadOptions) -> TagFile:
        """A file's tag sequences as they stand in it, ill-formed ones too; every other problem is a FormatError.

        Formats that hold mentions give them as IOB2.
        """
        return checked_tags(self.examine_path(path, replace(options, predicted=True)), options)

    def tags_of(self, name: str, data: bytes, options: ReadOptions) -> TagFile:
        """The same from a file's bytes."""
        return checked_tags(self.examine(name, data, replace(options, predicted=True)), options)
