"""Stage files: JSON Lines with a header that says what made them, so that a rerun uses what is finished.

A header holds the file's format, the package's version, specification, seed, and the fingerprint and content of the
input; never a clock time. A stage is read back only where all of this is as asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from nerquake.core.dataset import Dataset, content_fingerprint
from nerquake.core.errors import InputError, Problem
from nerquake.io.records import Record, dump, load_records


@dataclass(frozen=True, slots=True)
class StageKey:
    """What a stage file depends on.

    spec      the attack or the tagger, as typed
    seed      the run's seed
    input     fingerprint of the input file
    content   fingerprint of the sentences that the stage saw, relabelled or sampled as they may be
    settings  whatever else it depends on, by name: JSON values
    """

    spec: str
    seed: int
    input: str
    content: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, spec: str, seed: int, dataset: Dataset, **settings: Any) -> StageKey:
        """The key of a stage over a data set."""
        return cls(spec, seed, dataset.fingerprint, content_fingerprint(dataset.sentences), settings)

    def header(self, form: str) -> dict[str, Any]:
        """The header without what the stage itself adds."""
        return {
            "format": form,
            "version": version("nerquake"),
            "spec": self.spec,
            "seed": self.seed,
            "input": self.input,
            "content": self.content,
            "settings": dict(sorted(self.settings.items())),
        }


@dataclass(frozen=True, slots=True)
class StageFile:
    """A stage file that was read: its header, and its other records in order."""

    path: str
    header: Mapping[str, Any]
    records: tuple[Record, ...]

    def damaged(self, line: int, what: str) -> InputError:
        """The error that a damaged stage file is."""
        return damaged(self.path, line, what)


def damaged(path: str, line: int, what: str) -> InputError:
    """The error that a damaged stage file is."""
    return InputError(f"{path}, line {line}: this stage file is damaged ({what}); delete it and run the command again")


def stage_lines(header: Mapping[str, Any], records: Iterator[Mapping[str, Any]]) -> Iterator[str]:
    """The text of a stage file in pieces."""
    yield dump(header) + "\n"
    for record in records:
        yield dump(record) + "\n"


def read_stage(path: str | Path, form: str, key: StageKey | None) -> StageFile | None:
    """A finished stage file; None where there is none, or where its header is not what `key` asks for.

    Raises:
        InputError: it cannot be read, or is damaged.
    """
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise damaged(str(path), data.count(b"\n", 0, error.start) + 1, "it is no UTF-8 text") from None
    if not text.endswith("\n"):
        raise damaged(str(path), text.count("\n") + 1, "its last line has no end")
    records: list[Record] = []
    for found in load_records(text[:-1].split("\n")):
        if isinstance(found, Problem):
            raise damaged(str(path), found.line, found.message)
        records.append(found)
    if not records or "format" not in records[0].data:
        raise damaged(str(path), 1, f"it has no header {form!r}")
    header = records[0].data
    if key is not None and not same_header(header, key, form):
        return None
    if header["format"] != form:
        raise InputError(f"{path} is a file of the format {header['format']!r}, where {form!r} is expected")
    return StageFile(str(path), header, tuple(records[1:]))


def same_header(header: Mapping[str, Any], key: StageKey, form: str) -> bool:
    """Whether a header that was read is what `key` asks for."""
    return all(header.get(name) == value for name, value in _plain(key.header(form)).items())


def _plain(header: Mapping[str, Any]) -> dict[str, Any]:
    """The header as JSON gives it back: tuples are lists."""
    found = next(load_records([dump(header)]))
    assert isinstance(found, Record)
    return found.data
