"""Where the rows of a Hugging Face data set come from: folders on disk, Parquet, Arrow and JSON files, the hub."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from nerquake.core.errors import FormatError, InputError, MissingExtra, Problem
from nerquake.io.files import UNREADABLE, decode, fingerprint
from nerquake.io.records import Record, load_record, load_records

Features = Mapping[str, Any]
_TABLES = ("*.parquet", "*.arrow", "*.jsonl", "*.json")


class HfRow(NamedTuple):
    """A row, its number or its line's, and its text where it is a line of JSON."""

    data: Mapping[str, Any]
    line: int
    raw: str = ""


@dataclass(frozen=True, slots=True)
class HfTable:
    """The rows of one split.

    labels   for each feature of class labels their names, in the order of their numbers
    names    the features, in order
    """

    rows: Sequence[HfRow]
    names: tuple[str, ...]
    labels: Mapping[str, tuple[str, ...]]
    fingerprint: str
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    after: str = "\n"


def label_names(feature: Any) -> tuple[str, ...] | None:
    """The names of class labels in a feature's description, however deep they stand in lists; None without any."""
    if isinstance(feature, list):
        return label_names(feature[0]) if feature else None
    if not isinstance(feature, dict):
        return None
    if feature.get("_type") == "ClassLabel" and isinstance(feature.get("names"), list):
        return tuple(map(str, feature["names"]))
    return label_names(feature.get("feature"))


def from_bytes(name: str, data: bytes) -> HfTable:
    """The table in a file's bytes, which tell whether it is Parquet, Arrow or JSON.

    Raises:
        FormatError: it is none of these, or broken.
        MissingExtra: pyarrow is not installed.
    """
    if data.startswith(b"PAR1") or data.startswith(b"ARROW1") or data[:4] == b"\xff\xff\xff\xff":
        return _arrow_file(name, data)
    decoded = decode(name, data, "utf-8", "hf")
    if decoded.text.lstrip().startswith("["):
        return _array(name, decoded.text, fingerprint(data))
    rows: list[HfRow] = []
    problems = list(decoded.problems)
    lines = decoded.text.split("\n")
    end = len(lines)
    while end and not lines[end - 1].strip(" \t\r"):
        end -= 1
    for found in load_records(lines[:end], skip=UNREADABLE):
        if isinstance(found, Record):
            rows.append(HfRow(found.data, found.number, "".join(f"{line}\n" for line in found.before) + found.raw))
        else:
            problems.append(found)
    names = tuple(dict.fromkeys(key for row in rows for key in row.data))
    after = "".join(f"\n{line}" for line in lines[end:])
    return HfTable(rows, names, {}, fingerprint(data), tuple(problems), decoded.notes, after)


def _array(name: str, text: str, digest: str) -> HfTable:
    try:
        items = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(name, [Problem("bad-json", 0, f"this is no JSON: {error}")]) from None
    rows: list[HfRow] = []
    problems: list[Problem] = []
    for number, item in enumerate(items, 1):
        found = load_record(number, json.dumps(item, ensure_ascii=False))
        if isinstance(found, Record):
            rows.append(HfRow(found.data, number))
        else:
            problems.append(found)
    names = tuple(dict.fromkeys(key for row in rows for key in row.data))
    return HfTable(rows, names, {}, digest, tuple(problems), ("a JSON array: problems name the number of the record",))


def _arrow_file(name: str, data: bytes) -> HfTable:
    try:
        import pyarrow
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("the format hf", "datasets", "datasets") from None
    source = pyarrow.BufferReader(data)
    try:
        if data.startswith(b"PAR1"):
            table = pyarrow.parquet.read_table(source)
        elif data.startswith(b"ARROW1"):
            table = pyarrow.ipc.open_file(source).read_all()
        else:
            table = pyarrow.ipc.open_stream(source).read_all()
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        what = f"the file is broken: {str(error)[:120]}"
        raise FormatError(name, [Problem("binary-file", 0, what)]) from None
    return from_arrow(table, _described(table), fingerprint(data))


def _described(table: Any) -> Features:
    """The description of the features that the file itself carries."""
    held = (table.schema.metadata or {}).get(b"huggingface")
    try:
        found = json.loads(held)["info"]["features"] if held else {}
    except (ValueError, KeyError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def from_arrow(table: Any, features: Features, digest: str) -> HfTable:
    """A table of rows."""
    labels = {name: names for name, feature in features.items() if (names := label_names(feature)) is not None}
    rows = [HfRow(row, number) for number, row in enumerate(table.to_pylist(), 1)]
    return HfTable(rows, tuple(table.column_names), labels, digest)


def from_folder(path: str, split: str) -> HfTable:
    """The table in a folder: one that `save_to_disk` wrote, or one of Parquet, Arrow or JSON files.

    Raises:
        InputError: no such split, or the folder holds no data set.
        FormatError: a file is broken.
    """
    folder = Path(path)
    splits = [inner.parent.name for inner in sorted(folder.glob("*/state.json"))]
    if (folder / "state.json").is_file() or splits:
        return _saved(folder, splits, split)
    for pattern in _TABLES:
        files = sorted(folder.rglob(pattern))
        if files:
            return _joined(path, _of_split(path, files, split))
    raise InputError(f"{path} is a directory that holds no data set: no state.json and no {', '.join(_TABLES)}")


def _saved(folder: Path, splits: Sequence[str], split: str) -> HfTable:
    if splits:
        folder = folder / _one_of(str(folder), splits, split)
    try:
        import datasets
    except ImportError:
        raise MissingExtra("the format hf", "datasets", "datasets") from None
    try:
        held = datasets.load_from_disk(str(folder))
        digest = sha256()
        for file in sorted(folder.rglob("*")):
            digest.update(file.read_bytes() if file.is_file() else b"")
        return from_arrow(held.with_format("arrow")[:], held.features.to_dict(), digest.hexdigest())
    except Exception as error:  # whatever a broken folder makes the library raise
        what = f"the data set is broken: {type(error).__name__}: {str(error)[:120]}"
        raise FormatError(str(folder), [Problem("binary-file", 0, what)]) from None


def _one_of(path: str, splits: Sequence[str], split: str) -> str:
    """The split that is asked for, or the only one."""
    if split in splits:
        return split
    listed = "|".join(splits)
    if split:
        raise InputError(f"{path} has no split {split!r}; there are: {', '.join(splits)}")
    if len(splits) > 1:
        raise InputError(f"{path} has several splits; say which one: --input hf:split={listed}")
    return splits[0]


def _of_split(path: str, files: Sequence[Path], split: str) -> list[Path]:
    """The files of a split; their names begin with it (`train-00000-of-00001.parquet`, `test.jsonl`)."""
    splits = list(dict.fromkeys(file.name.split(".")[0].partition("-")[0] for file in files))
    chosen = _one_of(path, splits, split)
    return [file for file in files if file.name.split(".")[0].partition("-")[0] == chosen]


def _joined(path: str, files: Sequence[Path]) -> HfTable:
    tables = [from_bytes(str(file), file.read_bytes()) for file in files]
    if len(tables) == 1:
        return tables[0]
    rows = [row._replace(line=number, raw="") for number, row in enumerate(_chain(tables), 1)]
    labels = {name: names for table in tables for name, names in table.labels.items()}
    if any(table.labels != tables[0].labels for table in tables):
        raise FormatError(path, [Problem("wrong-type", 0, "the files of the split name different class labels")])
    digest = sha256("".join(table.fingerprint for table in tables).encode()).hexdigest()
    names = tuple(dict.fromkeys(name for table in tables for name in table.names))
    problems = tuple(problem for table in tables for problem in table.problems)
    return HfTable(rows, names, labels, digest, problems, (f"{len(tables)} files read as one",))


def _chain(tables: Sequence[HfTable]) -> Iterator[HfRow]:
    for table in tables:
        yield from table.rows


def from_hub(name: str, config: str, split: str) -> HfTable:
    """A data set by its name on the hub, or in the library's cache where the hub must not be asked.

    Raises:
        InputError: it cannot be had, or the split is not said.
        MissingExtra: the library `datasets` is not installed.
    """
    try:
        import datasets
    except ImportError:
        raise MissingExtra("the format hf", "datasets", "datasets") from None
    try:
        held = datasets.load_dataset(name, config or None, split=split or None)
    except Exception as error:  # whatever the network, the hub and other people's data sets raise
        what = f"{type(error).__name__}: {str(error)[:200]}"
        raise InputError(f"{name}: there is no such file or folder, and as a data set by name: {what}") from error
    if not isinstance(held, datasets.Dataset):
        only = _one_of(name, list(held), split)
        held = held[only]
    digest = sha256(f"{name} {config} {split} {held._fingerprint}".encode()).hexdigest()
    return from_arrow(held.with_format("arrow")[:], held.features.to_dict(), digest)
