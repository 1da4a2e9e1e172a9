"""A trained network on disk: its tensors in `model.safetensors`, and in `nerquake.json` all else that makes it.

Neither file can hold code. The second names the digest of the first, so that files of two models, or a file that lost
its end, are never taken for one. Layout of `nerquake.json`, with the settings of the kind of network behind these:

    {"format": "nerquake.model/1", "sha256": "...", "kind": "bilstm-crf", "tags": ["O", "B-LOC"], "scheme": "iob2"}
"""

from __future__ import annotations

import errno
import json
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from nerquake.core.errors import InputError, OutputError
from nerquake.core.scheme import SCHEMES
from nerquake.nn.tags import TagSet

FORMAT, VERSION = "nerquake.model", 1
TENSORS, SETTINGS = "model.safetensors", "nerquake.json"
AGAIN = "copy the whole folder again, or train the model again"


def write_model(folder: Path, tensors: Iterable[tuple[str, Tensor]], settings: Mapping[str, object]) -> None:
    """Write a model into a folder, which is made where it is missing; each file whole or not at all.

    tensors   by name, on any device, strided or shared in any way; each is written by itself
    settings  what JSON can hold: kind, tags, scheme, and what this kind of network needs to be built again

    Raises:
        OutputError: it cannot be written; nothing half-written stays.
        ValueError: a name comes twice, or settings lack one of the three or are no JSON: bugs of the caller.
    """
    packed = save(_copies(tensors))
    about = {"format": f"{FORMAT}/{VERSION}", "sha256": sha256(packed).hexdigest(), **settings}
    if len(about) != len(settings) + 2:
        raise ValueError("settings may not be called format or sha256")
    _tag_set(about, "settings", ValueError)
    lines = [f"{json.dumps(key)}: {json.dumps(value, allow_nan=False)}" for key, value in about.items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    _write_both(folder, {TENSORS: packed, SETTINGS: text.encode()})


def read_settings(folder: Path) -> dict[str, Any]:
    """The settings of a model, kind, tags and scheme among them.

    Raises:
        InputError: there is no model, it is of a later format, or the file is damaged.
    """
    about = _read_about(folder)
    return {key: value for key, value in about.items() if key not in ("format", "sha256")}


def tag_set_of(folder: Path, settings: Mapping[str, Any]) -> TagSet:
    """The tags of a model in the order of its outputs, by its settings."""
    return _tag_set(settings, str(folder / SETTINGS), InputError)


def read_tensors(folder: Path, expected: Mapping[str, Sequence[int]]) -> dict[str, Tensor]:
    """The tensors of a model, by name, on the processor.

    expected   the shape of each; a `torch.Size` will do

    Raises:
        InputError: the file is missing, cut short, of another kind or of another model; or tensors are missing, too
            many or of other shapes, all of which are named.
    """
    path, about = folder / TENSORS, _read_about(folder)
    packed = _read(path)
    try:
        tensors: dict[str, Tensor] = load(packed)
    except SafetensorError as error:
        raise InputError(f"{path} is cut short or no safetensors file ({error}): {AGAIN}") from error
    if sha256(packed).hexdigest() != about.get("sha256"):
        raise InputError(f"{path} is not the file that {SETTINGS} beside it was written with: {AGAIN}")
    faults = [
        *(f"{name} is missing, expected {list(expected[name])}" for name in sorted(expected.keys() - tensors.keys())),
        *(f"{name} is not expected" for name in sorted(tensors.keys() - expected.keys())),
        *(
            f"{name} is {list(tensors[name].shape)}, expected {list(shape)}"
            for name, shape in sorted(expected.items())
            if name in tensors and list(tensors[name].shape) != list(shape)
        ),
    ]
    if faults:
        raise InputError(f"{path} does not fit {SETTINGS} beside it: {'; '.join(faults)}. {AGAIN.capitalize()}")
    return tensors


def _copies(tensors: Iterable[tuple[str, Tensor]]) -> dict[str, Tensor]:
    """Each tensor by itself, in a row, on the processor: the format has no views and no sharing."""
    found: dict[str, Tensor] = {}
    for name, tensor in tensors:
        if name in found:
            raise ValueError(f"two tensors are called {name}")
        found[name] = tensor.detach().cpu().clone(memory_format=torch.contiguous_format)
    return found


def _tag_set(settings: Mapping[str, Any], where: str, error: type[Exception]) -> TagSet:
    kind, tags, scheme = (settings.get(key) for key in ("kind", "tags", "scheme"))
    if not isinstance(kind, str) or not kind:
        raise error(f"{where}: kind is {kind!r}, expected the name of a kind of network")
    if not isinstance(scheme, str) or scheme not in SCHEMES:
        raise error(f"{where}: scheme is {scheme!r}, expected one of {', '.join(SCHEMES)}")
    if not isinstance(tags, Sequence) or isinstance(tags, str) or not all(isinstance(tag, str) for tag in tags):
        raise error(f"{where}: tags are {tags!r}, expected a list of strings")
    try:
        return TagSet(tuple(tags), SCHEMES[scheme])
    except ValueError as fault:
        raise error(f"{where}: {fault}") from fault


def _read_about(folder: Path) -> dict[str, Any]:
    """Everything in `nerquake.json`, once it is one of this format."""
    path = folder / SETTINGS
    if not path.is_file():
        raise InputError(_no_model(folder))
    try:
        about = json.loads(_read(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is cut short or no JSON ({error}): {AGAIN}") from error
    name, _, version = str(about.get("format") if isinstance(about, dict) else None).partition("/")
    if name != FORMAT or not version.isdecimal():
        raise InputError(f"{path} is not what `nerquake train` writes: expected an object with format {FORMAT}/1")
    if int(version) != VERSION:
        raise InputError(
            f"{path} has format {FORMAT}/{version}, this version of nerquake reads {FORMAT}/{VERSION}: "
            "update nerquake (pip install -U nerquake), or train the model again"
        )
    _tag_set(about, str(path), InputError)
    return dict(about)


def _no_model(folder: Path) -> str:
    if folder.is_file():
        return f"{folder} is a file; name the folder that holds {SETTINGS} and {TENSORS}"
    if not folder.is_dir():
        return f"there is no folder {folder}; name one that `nerquake train` wrote"
    names = sorted(entry.name for entry in folder.iterdir())
    if "config.json" in names:
        return f"{folder} has no {SETTINGS}; as a transformers checkpoint its name is huggingface:{folder}"
    held = ", ".join(names[:8]) or "nothing"
    return f"{folder} has no {SETTINGS}, so it holds no model of `nerquake train`, only {held}"


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise InputError(f"{path} is missing: {AGAIN}") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error


def _write_both(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all files beside their places and then rename them in order, so that what fails, fails before."""
    mark = f"{os.getpid()}-{secrets.token_hex(4)}"
    parts = {name: folder / f".{name}.{mark}.tmp" for name in files}
    with _explained(folder), _made(folder):
        for name in files:
            if (folder / name).is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(folder / name))
        try:
            for name, data in files.items():
                with parts[name].open("xb") as stream:
                    stream.write(data)
                    stream.flush()
                    os.fsync(stream.fileno())
            for name, part in parts.items():
                part.replace(folder / name)
        finally:
            for part in parts.values():
                with suppress(OSError):
                    part.unlink(missing_ok=True)


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """The folder is there; those that had to be made go again where what is done in here fails."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for one in missing:
            with suppress(OSError):
                one.rmdir()
        raise


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        where = Path(error.filename or folder)
        shown = folder if where.suffix == ".tmp" else where
        raise OutputError(
            f"the model cannot be written to {shown}: {error.strerror or error} (name another folder with -o, or make "
            "room there)"
        ) from error
