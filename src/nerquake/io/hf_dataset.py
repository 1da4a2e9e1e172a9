"""Hugging Face data sets with tokens and tags: on disk, as a file, or by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from nerquake.core.dataset import Dataset
from nerquake.core.errors import Problem
from nerquake.core.options import positional
from nerquake.core.protocols import ReadOptions
from nerquake.core.scheme import is_tag
from nerquake.core.sentence import Layout
from nerquake.io.assemble import Found, Pairs, assemble
from nerquake.io.borders import is_blank
from nerquake.io.file_format import FileFormat
from nerquake.io.files import STDIN, base_name, read_bytes
from nerquake.io.hf_tables import HfRow, HfTable, from_bytes, from_folder, from_hub
from nerquake.io.hf_write import HfFile, parquet, write
from nerquake.io.output import write_whole
from nerquake.io.tags import Examined, tag_hint

_TOKENS = ("tokens", "words", "token", "word")
_TAGS = ("ner_tags", "tags", "ner", "labels", "ner_tag", "ner_labels", "tag", "label")
_IDS = ("id", "guid", "idx", "sent_id")


@dataclass(frozen=True, slots=True)
class HfDataset(FileFormat):
    """Reads a Hugging Face data set of tokens and tags: a folder written by `save_to_disk`, a folder or file of
    Parquet, Arrow or JSON, or a name: `hf:conll2003,split=test` in the place of a file.

    Class labels become tags by their names, never by their numbers. Lists as long as the tokens become columns, single
    values what is known of a sentence. Written as JSON Lines, or as Parquet with class labels where the file's name
    ends so.

    dataset     the data set's name; empty: the file
    split       which split, where there are several
    config      which configuration of a data set by name
    tokens, tags, id   names of the features; by default those with a name in use for it
    labels      the tags of the numbers 0, 1, 2 ... where the data set does not name them
    """

    dataset: str = positional("")
    split: str = ""
    config: str = ""
    tokens: str = ""
    tags: str = ""
    id: str = ""
    labels: tuple[str, ...] = ()

    name: ClassVar[str] = "hf"
    extension: ClassVar[str] = "jsonl"
    folders: ClassVar[bool] = True
    holds: ClassVar[frozenset[str]] = frozenset({"columns", "meta"})

    def examine(self, name: str, data: bytes, options: ReadOptions) -> Examined:
        """What can be read of a file's bytes, and all that is wrong in them.

        Raises:
            FormatError: the file is empty, broken or of another kind.
        """
        return self._examined(name, from_bytes(name, data), options)

    def examine_path(self, path: str, options: ReadOptions) -> Examined:
        """The same of a file, a folder or a name.

        Raises:
            InputError: there is no such thing, or it has several splits and none is asked for.
        """
        name = self.dataset or path
        if name == STDIN or Path(name).is_file():
            return self.examine(name, read_bytes(name), options)
        if Path(name).is_dir():
            return self._examined(name, from_folder(name, self.split), options)
        return self._examined(name, from_hub(name, self.config, self.split), options)

    def _examined(self, name: str, table: HfTable, options: ReadOptions) -> Examined:
        problem, features = self._features(table)
        if features is None:
            return Examined(name, None, (*table.problems, *problem))
        scan = _Scan(features, table, self.labels)
        scan.read()
        again = replace(self, dataset="", split="", config="")
        layout = HfFile(table.after, features=features.names, numbers=scan.numbers)
        empty = Dataset(base_name(name), (), reader=again.spec, fingerprint=table.fingerprint, layout=layout)
        empty = replace(empty, notes=(*table.notes, *scan.notes()))
        return assemble(name, empty, scan.found, options, (*table.problems, *scan.problems))

    def _features(self, table: HfTable) -> tuple[list[Problem], _Features | None]:
        """Which feature holds what; problems where one is not there."""
        if not table.rows:
            return [Problem("no-sentences", 0, "the data set has no rows")] if not table.problems else [], None
        problems: list[Problem] = []
        found: list[str] = []
        for what, given, known in (("tokens", self.tokens, _TOKENS), ("tags", self.tags, _TAGS), ("id", self.id, _IDS)):
            name = given or next((one for one in known if one in table.names and one not in found), "")
            if name not in table.names and (given or what != "id"):
                said = f"there is no feature {given!r}" if given else f"no feature has a name that is usual for {what}"
                hint = f"the features are {', '.join(table.names)[:200]}; say hf:{what}=NAME"
                problems.append(Problem("missing-column", 0, said, hint=hint))
            found.append(name)
        if problems:
            return problems, None
        lists, singles = _kinds(table, found)
        return [], _Features(found[0], found[1], found[2], tuple(lists), tuple(singles))

    def lines(self, dataset: Dataset) -> Iterator[str]:
        """JSON Lines, a record a sentence; as it was read where it still says the same.

        Raises:
            OutputError: a token or what is known of a sentence that the format cannot hold; names the sentence.
        """
        return write(dataset, *self._named)

    @property
    def _named(self) -> tuple[str, str, str]:
        """What the features of a new data set are called."""
        return self.tokens or "tokens", self.tags or "ner_tags", self.id or "id"

    def save(self, dataset: Dataset, path: str) -> None:
        """Write JSON Lines, or Parquet where the file's name ends so.

        Raises:
            OutputError: as `lines`, or the file cannot be written.
        """
        if path.lower().endswith(".parquet"):
            write_whole(path, [parquet(dataset, *self._named)])
        else:
            write_whole(path, self.lines(dataset))


@dataclass(frozen=True, slots=True)
class _Features:
    """Names of the features of tokens, tags and ids ("" for none), of lists beside the tokens, and of single values."""

    tokens: str
    tags: str
    id: str
    lists: tuple[str, ...]
    singles: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Those that are written: tokens, tags, id and lists."""
        return (self.tokens, self.tags, self.id, *self.lists)


def _kinds(table: HfTable, taken: Sequence[str]) -> tuple[list[str], list[str]]:
    """The other features that are lists as long as the tokens in every row, and those that are single values."""
    lists, singles = [], []
    for name in table.names:
        if name in taken:
            continue
        values = [(row.data.get(name), row.data.get(taken[0])) for row in table.rows]
        if all(
            isinstance(value, list) and isinstance(tokens, list) and len(value) == len(tokens)
            for value, tokens in values
        ):
            lists.append(name)
        elif all(value is None or isinstance(value, str | int | float) for value, _ in values):
            singles.append(name)
    return lists, singles


@dataclass(slots=True)
class _Scan:
    """Makes sentences of rows."""

    features: _Features
    table: HfTable
    labels: tuple[str, ...]
    found: list[Found] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The tags of numbers: those that the user gives, else those of the data set."""
        return self.labels or self.table.labels.get(self.features.tags, ())

    def notes(self) -> list[str]:
        """What there is to say of the data set."""
        features = self.features
        notes = [f"features: tokens {features.tokens!r}, tags {features.tags!r}"]
        left = [name for name in self.table.names if name not in (*features.names, *features.singles)]
        if left:
            notes.append(f"features that are not read: {', '.join(left)}")
        return notes

    def read(self) -> None:
        """Read all rows."""
        for row in self.table.rows:
            tokens = self._tokens(row)
            tags = None if tokens is None else self._tags(row, tokens)
            if tokens is None or tags is None:
                continue
            key = row.data.get(self.features.id) if self.features.id else None
            columns = [self._cells(name, row.data[name]) for name in self.features.lists]
            self.found.append(
                Found(
                    tokens=tokens,
                    lines=[row.line] * len(tokens),
                    tags=tags,
                    id=None if key is None or key == "" else str(key),
                    columns=tuple(zip(*columns, strict=True)) if columns else (),
                    meta=self._meta(row.data),
                    layout=Layout(raw=row.raw),
                )
            )

    def _wrong(self, row: HfRow, code: str, what: str, token: str = "", hint: str = "") -> None:
        self.problems.append(Problem(code, row.line, what, token, hint))

    def _tokens(self, row: HfRow) -> tuple[str, ...] | None:
        name = self.features.tokens
        value = row.data.get(name)
        if not isinstance(value, list) or not all(isinstance(token, str) for token in value):
            self._wrong(row, "wrong-type", f"{name} must be a list of texts")
        elif not value:
            self._wrong(row, "no-tokens", "the sentence has no tokens")
        elif any(map(is_blank, value)):
            at = next(at for at, token in enumerate(value) if is_blank(token))
            self._wrong(row, "empty-token", f"token {at} (from 0) is empty", hint="take it out, with its tag")
        else:
            return tuple(value)
        return None

    def _tags(self, row: HfRow, tokens: tuple[str, ...]) -> tuple[str, ...] | None:
        name = self.features.tags
        value = row.data.get(name)
        if not isinstance(value, list):
            self._wrong(row, "wrong-type", f"{name} must be a list of tags")
            return None
        if len(value) != len(tokens):
            self._wrong(row, "wrong-length", f"there are {len(tokens)} tokens but {len(value)} tags")
            return None
        tags = [self._tag(row, token, one) for token, one in zip(tokens, value, strict=True)]
        return None if None in tags else tuple(tag for tag in tags if tag is not None)

    def _tag(self, row: HfRow, token: str, value: Any) -> str | None:
        if isinstance(value, str):
            tag = value
        elif isinstance(value, bool) or not isinstance(value, int):
            self._wrong(row, "bad-tag", f"{value!r} is no tag", token, "a tag is a text or the number of a class label")
            return None
        elif not self.numbers:
            hint = "say the tags of 0, 1, 2 and so on in order: hf:labels=O|B-PER|I-PER"
            self._wrong(
                row, "bad-tag", f"the number {value} stands for a tag that the data set does not name", token, hint
            )
            return None
        elif not 0 <= value < len(self.numbers):
            hint = "positions that were left out in training (-100) have no tag" if value < 0 else ""
            self._wrong(row, "bad-tag", f"{value} is none of the {len(self.numbers)} class labels", token, hint)
            return None
        else:
            tag = self.numbers[value]
        if not is_tag(tag):
            self._wrong(row, "bad-tag", f"{tag!r} is no tag", token, tag_hint(tag))
            return None
        return tag

    def _cells(self, name: str, values: Sequence[Any]) -> list[str]:
        names = self.table.labels.get(name, ())
        return [_cell(value, names) for value in values]

    def _meta(self, data: Mapping[str, Any]) -> Pairs:
        labels = self.table.labels
        names = [name for name in self.features.singles if data.get(name) is not None]
        return tuple((name, _cell(data[name], labels.get(name, ()))) for name in names)


def _cell(value: Any, names: Sequence[str]) -> str:
    """A value as text: class labels by name."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(names):
        return names[value]
    return value if isinstance(value, str) else repr(value)
