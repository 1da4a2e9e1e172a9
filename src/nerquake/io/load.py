"""Opening a file by its specification, its name or its content, and saving one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nerquake.core.dataset import Dataset
from nerquake.core.errors import FormatError, Problem, UnknownName, UsageError
from nerquake.core.protocols import Reader, ReadOptions, Writer
from nerquake.core.spec import parse_spec
from nerquake.io.detect import is_brat, json_format
from nerquake.io.detect_tables import table_format
from nerquake.io.file_format import FileFormat
from nerquake.io.files import STDIN, base_name, fingerprint, read_bytes, utf16
from nerquake.io.output import write_whole
from nerquake.io.tags import Examined, TagFile, checked, written_scheme
from nerquake.registry import READERS

SAMPLE = "sample:"
_BY_ENDING = {
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "conll": "conll",
    "bio": "conll",
    "iob": "conll",
    "iob2": "conll",
    "ann": "brat",
    "conllu": "conllu",
    "csv": "csv",
    "spacy": "docbin",
    "parquet": "hf",
    "arrow": "hf",
}
_NAMED = "hf:"
"""Begins what stands in the place of a file for a data set by name: the specification of its reader."""
_DEFAULT = ReadOptions()


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a file holds and what is wrong in it, for `validate`.

    reader    the specification it was read by
    dataset   None where nothing of it can be read
    problems  by line; what makes the file unfit, then what is legal but hardly meant
    notes     what reading found and settled, in words
    """

    file: str
    reader: str
    dataset: Dataset | None
    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()

    @property
    def scheme(self) -> str | None:
        """Name of the tag scheme that was read."""
        return self.dataset.scheme.name if self.dataset is not None and self.dataset.scheme is not None else None


def load(path: str, input_spec: str = "", options: ReadOptions = _DEFAULT) -> Dataset:
    """Read a labelled file.

    path         a file, `-` for standard input, or `sample:en` for a bundled sample
    input_spec   the format, such as `conll:tag=1`; empty: by the file's ending, else by its content

    Raises:
        FormatError: all problems of the file, each with its line.
        InputError: there is no such file, or it cannot be opened.
        UsageError: no such format, option, scheme or sample.
    """
    if (reader := _folder_reader(path, input_spec)) is not None:
        return checked(reader.examine_path(path, options), options)
    data, sample = _open(path)
    reader = reader_for(path, input_spec, data)
    if not hasattr(reader, "examine"):
        return _read_foreign(reader, path, input_spec, data, options)
    return _named(checked(reader.examine(path, data, options), options), sample)


def load_tags(path: str, input_spec: str = "", options: ReadOptions = _DEFAULT) -> TagFile:
    """A model's output as tag sequences, ill-formed ones too, for callers that decode it under the gold's scheme.

    Raises as `load` does, but for ill-formed sequences.
    """
    if (reader := _folder_reader(path, input_spec)) is not None:
        found: TagFile = reader.read_tags(path, options)
        return found
    data, _ = _open(path)
    reader = reader_for(path, input_spec, data)
    if not hasattr(reader, "tags_of"):
        raise UsageError(f"{path}: the format {input_spec} gives no tags; predictions are read as conll or jsonl")
    tags: TagFile = reader.tags_of(path, data, options)
    return tags


def inspect(path: str, input_spec: str = "", options: ReadOptions = _DEFAULT) -> Inspection:
    """Everything that can be said of a file; never raises for what is wrong in its content."""
    folder = _folder_reader(path, input_spec)
    data, sample = _open(path) if folder is None else (b"", None)
    reader = folder or reader_for(path, input_spec, data)
    spec = getattr(reader, "spec", input_spec)
    try:
        if folder is not None:
            found = folder.examine_path(path, options)
        elif hasattr(reader, "examine"):
            found = reader.examine(path, data, options)
        else:
            found = Examined(path, _read_foreign(reader, path, input_spec, data, options))
    except FormatError as error:
        return Inspection(path, spec, None, error.problems)
    dataset = None if found.dataset is None else _named(found.dataset, sample)
    notes = dataset.notes if dataset is not None else ()
    return Inspection(path, spec, dataset, (*found.problems, *found.findings), notes)


def open_reader(path: str, input_spec: str = "") -> tuple[Any, bytes]:
    """The reader of a path and the file's bytes, for callers that look at a file more closely than `load`.

    The bytes are empty for a folder, which the reader reads itself.

    Raises:
        InputError: there is no such file.
        UsageError: no such format, option or sample.
    """
    if (reader := _folder_reader(path, input_spec)) is not None:
        return reader, b""
    data, _ = _open(path)
    return reader_for(path, input_spec, data), data


def _folder_reader(path: str, input_spec: str) -> Any:
    """The reader of what is no single file, a folder or a name that the format knows; None for files."""
    if path == STDIN or Path(path).is_file() or path.startswith(SAMPLE):
        return None
    named = path if path.startswith(_NAMED) else ""
    if not input_spec and not named and not (Path(path).is_dir() and is_brat(Path(path))):
        return None
    reader = reader_for(path, input_spec or named or "brat")
    return reader if getattr(reader, "folders", False) else None


def _open(path: str) -> tuple[bytes, Path | None]:
    """A file's bytes, and where a bundled sample is asked for, its file."""
    if not path.startswith(SAMPLE) or Path(path).exists():
        return read_bytes(path), None
    file = _samples().get(path.removeprefix(SAMPLE))
    if file is None:
        raise UnknownName("sample", path, tuple(f"{SAMPLE}{known}" for known in _samples()))
    return read_bytes(str(file)), file


def _named(dataset: Dataset, sample: Path | None) -> Dataset:
    """A bundled sample knows its language."""
    return dataset if sample is None else replace(dataset, name=sample.name, language=sample.stem)


def _samples() -> dict[str, Path]:
    folder = Path(__file__).parent.parent / "samples"
    return {file.stem: file for file in sorted(folder.glob("*.conll"))}


def _read_foreign(reader: Reader, path: str, input_spec: str, data: bytes, options: ReadOptions) -> Dataset:
    """Read with a third party's reader, which knows nothing of names and fingerprints."""
    if path == STDIN:
        raise UsageError(f"the format {input_spec} reads files only, not standard input")
    dataset = reader.read(path, options)
    return replace(dataset, name=base_name(path), reader=input_spec, fingerprint=fingerprint(data))


def reader_for(path: str, input_spec: str = "", data: bytes = b"") -> Any:
    """The reader of a specification; without one, by the ending of the file's name, else by its content.

    Raises:
        UsageError: no such format or option.
    """
    if input_spec:
        return READERS.build(parse_spec(input_spec, READERS.names()))
    return READERS.build(parse_spec(_detected(path, data)))


def _detected(path: str, data: bytes) -> str:
    """The format of a file whose format is not said. JSON is told by its first record, whatever the ending."""
    ending = _BY_ENDING.get(_ending(path), "")
    if ending == "conll" and table_format(data) == "conll2012":
        return "conll2012"
    if ending not in ("", "jsonl"):
        return ending
    found = table_format(data) or json_format(data)
    if found == "json" or (not found and _ending(path) == "json"):
        wide = f", with its encoding: labelstudio:encoding={found16}" if (found16 := utf16(data)) else ""
        what = f"which format this {'UTF-16 ' if wide else ''}JSON is of cannot be told"
        raise UsageError(f"{path}: {what}: --input labelstudio|spacy-json|...{wide}")
    return found or ending or "conll"


def writer_for(source: Dataset | str, spec: str = "", path: str = "") -> Writer:
    """The writer of a specification; without one, by the path's ending, else the format that the data set came in.

    source   a data set, or the specification that read it

    A path whose ending names no format, or the same format, keeps the options that the data set was read with.
    """
    own = (source if isinstance(source, str) else source.reader) or "conll"
    ending = _BY_ENDING.get(_ending(path), "")
    if spec:
        chosen = spec
    elif ending and parse_spec(own, READERS.names()).name != ending:
        chosen = ending
    else:
        chosen = own
    writer = READERS.build(parse_spec(chosen, READERS.names()))
    if not hasattr(writer, "lines") or not hasattr(writer, "extension"):
        raise UsageError(f"nerquake reads {chosen} but cannot write it: name another format, such as --to conll")
    made: Writer = writer
    return made


def save(dataset: Dataset, path: str | Path, spec: str = "") -> tuple[str, ...]:
    """Write a data set, whole or not at all; returns notes, such as a scheme that cannot hold its mentions.

    Raises:
        OutputError: it cannot be written, or the format cannot hold a token.
    """
    writer = writer_for(dataset, spec, str(path))
    if isinstance(writer, FileFormat):
        writer.save(dataset, str(path))
    else:
        write_whole(path, writer.lines(dataset))
    _, note = written_scheme(dataset)
    return (note,) if note and writer.extension == "conll" else ()


def _ending(name: str) -> str:
    return name.rpartition(".")[2].lower() if "." in name else ""
