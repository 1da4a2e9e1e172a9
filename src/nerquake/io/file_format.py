"""What all file formats have in common: everything they read goes through `examine`, which never stops at a fault."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import fields, replace
from typing import Any, ClassVar

from nerquake.core.dataset import Dataset
from nerquake.core.protocols import ReadOptions
from nerquake.core.spec import Spec
from nerquake.io.files import read_bytes
from nerquake.io.tags import Examined, TagFile, checked, checked_tags


class FileFormat:
    """Base of formats that are dataclasses of their options. A format gives `examine` and the class variables."""

    __slots__ = ()
    name: ClassVar[str]
    extension: ClassVar[str]

    @property
    def spec(self) -> str:
        """The specification that makes this reader again: its name and the options that are not the default."""
        own: Any = self
        given = [(f.name, str(getattr(self, f.name))) for f in fields(own) if getattr(self, f.name) != f.default]
        return str(Spec(self.name, tuple(given)))

    @abstractmethod
    def examine(self, name: str, data: bytes, options: ReadOptions) -> Examined:
        """What can be read of a file's bytes, and all that is wrong in them; `name` is its path, for messages.

        Raises:
            FormatError: the file is binary or empty.
        """

    def read(self, path: str, options: ReadOptions) -> Dataset:
        """Read a file, or standard input for `-`.

        Raises:
            FormatError: everything that is wrong in the file, each with its line.
            InputError: there is no such file.
        """
        return self.read_bytes(path, read_bytes(path), options)

    def read_bytes(self, name: str, data: bytes, options: ReadOptions) -> Dataset:
        """Read a file's bytes; raises FormatError as `read` does."""
        return checked(self.examine(name, data, options), options)

    def read_tags(self, path: str, options: ReadOptions) -> TagFile:
        """A file's tag sequences as they stand in it, ill-formed ones too; every other problem is a FormatError.

        Formats that hold mentions give them as IOB2.
        """
        return self.tags_of(path, read_bytes(path), options)

    def tags_of(self, name: str, data: bytes, options: ReadOptions) -> TagFile:
        """The same from a file's bytes."""
        return checked_tags(self.examine(name, data, replace(options, predicted=True)), options)
