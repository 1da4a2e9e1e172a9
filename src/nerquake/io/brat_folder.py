"""Folders of brat documents: which files belong together, and writing a folder whole or not at all."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from nerquake.core.errors import InputError, OutputError
from nerquake.io.files import STDIN, read_bytes
from nerquake.io.output import write_whole

TEXT, ANN, TOKENS = ".txt", ".ann", ".tokens.jsonl"


class Files(NamedTuple):
    """One document: its name in the folder without an ending, and its files' bytes; `tokens` may be missing."""

    name: str
    text: bytes
    ann: bytes
    tokens: bytes | None


@dataclass(frozen=True, slots=True)
class Found:
    """The documents of a path, and files that have no partner."""

    files: tuple[Files, ...]
    without_ann: tuple[str, ...] = ()
    without_text: tuple[str, ...] = ()


def gather(path: str) -> Found:
    """The documents of a folder and of the folders in it, by name; or one document by one of its files.

    Raises:
        InputError: there is no such path, or it is no file of brat's.
    """
    place = Path(path)
    if place.is_dir():
        return _folder(place)
    if path == STDIN or place.suffix not in (TEXT, ANN):
        if not place.exists() and path != STDIN:
            raise InputError(f"{path}: there is no such file or folder")
        raise InputError(f"{path}: brat has a folder of .txt and .ann files; name the folder, or one of these files")
    stem = place.with_suffix("")
    for suffix in (TEXT, ANN):
        if not stem.with_name(stem.name + suffix).exists():
            raise InputError(f"{path}: {stem.name}{suffix}, which belongs to it, is not beside it")
    return Found((_files(stem.parent, stem.name),))


def _folder(folder: Path) -> Found:
    names = {suffix: _names(folder, suffix) for suffix in (TEXT, ANN)}
    both = sorted(names[TEXT] & names[ANN])
    return Found(
        tuple(_files(folder, name) for name in both),
        tuple(sorted(names[TEXT] - names[ANN])),
        tuple(sorted(names[ANN] - names[TEXT])),
    )


def _names(folder: Path, suffix: str) -> set[str]:
    return {file.relative_to(folder).as_posix().removesuffix(suffix) for file in folder.rglob(f"*{suffix}")}


def _files(folder: Path, name: str) -> Files:
    tokens = folder / f"{name}{TOKENS}"
    return Files(
        name,
        read_bytes(str(folder / f"{name}{TEXT}")),
        read_bytes(str(folder / f"{name}{ANN}")),
        read_bytes(str(tokens)) if tokens.exists() else None,
    )


def write_folder(path: str, files: Mapping[str, str]) -> None:
    """Write a folder of files, text as UTF-8, whole or not at all.

    files   text by name; a name may hold folders

    Raises:
        OutputError: the path is a file or standard output, or a folder with other documents in it; or as `write_whole`.
    """
    target = Path(path)
    if path == STDIN:
        raise OutputError("brat writes a folder, not standard output: name a folder")
    if target.exists() and not target.is_dir():
        raise OutputError(f"{path} cannot be written: there is a file of this name, and brat writes a folder")
    there = _others(target, files) if target.is_dir() else []
    own = {name.removesuffix(TEXT) for name in files if name.endswith(TEXT)}
    others = [name for name in there if name.removesuffix(TOKENS) not in own]
    if others:
        listed = ", ".join(others[:3])
        raise OutputError(f"{path} holds other documents ({listed}), which would be read with these: name a new folder")
    new = target.with_name(f".nerquake-{secrets.token_hex(4)}.tmp")
    try:
        for name, text in files.items():
            write_whole(new / name, [text])
        for name in files if target.is_dir() else ():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).replace(target / name)
        for name in there:  # what an earlier run wrote beside a document that needs it no more
            (target / name).unlink()
        if not target.exists():
            new.rename(target)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _others(folder: Path, files: Mapping[str, str]) -> list[str]:
    there = (file.relative_to(folder).as_posix() for file in sorted(folder.rglob("*")) if file.is_file())
    return [name for name in there if name not in files and name.endswith((TEXT, ANN, TOKENS))]
