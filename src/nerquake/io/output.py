"""Writing files whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from nerquake.core.errors import OutputError
from nerquake.io.files import STDIN as STDOUT

_ADVICE = {
    errno.ENOSPC: "free some space, or name another place with -o",
    errno.EDQUOT: "your quota is used up; free some space, or name another place with -o",
    errno.EACCES: "you may not write there; name another place with -o",
    errno.EPERM: "you may not write there; name another place with -o",
    errno.EROFS: "the file system is read-only; name another place with -o",
    errno.ENOTDIR: "a part of the path is a file, not a directory; name another place with -o",
    errno.EEXIST: "a part of the path is a file, not a directory; name another place with -o",
    errno.EISDIR: "there is a directory of this name; name a file with -o",
    errno.ENAMETOOLONG: "give it a shorter name",
    errno.EPIPE: "the program that reads it has ended",
}


def write_whole(path: str | Path, pieces: Iterable[str] | Iterable[bytes]) -> None:
    """Write a file, text as UTF-8, whole or not at all: a temporary file beside it takes its place at the end.

    path     `-` is standard output; what exists and is no regular file (a device, a pipe) is written directly
    pieces   the text, with the line ends that belong in it, or the bytes of a binary file

    Raises:
        OutputError: it cannot be written; says why and what to do. Nothing half-written stays.
    """
    if str(path) == STDOUT:
        _write_stdout(pieces)
        return
    with explained(str(path)):
        if _is_special(path):
            with Path(path).open("wb") as stream:
                _write(str(path), stream, pieces)
        else:
            _replace(Path(path), pieces)


@contextmanager
def explained(path: str) -> Iterator[None]:
    """Whatever keeps a file from being written becomes an OutputError that says why and what to do."""
    try:
        yield
    except BrokenPipeError:
        raise  # the reader of a pipe has had enough: no fault of anyone's
    except OSError as error:
        reason = error.strerror or str(error)
        advice = _ADVICE.get(error.errno or 0, "")
        raise OutputError(f"{path} cannot be written: {reason}{f' ({advice})' if advice else ''}") from error
    except ValueError as error:  # a path with a NUL in it
        raise OutputError(f"{path!r} cannot be written: {error}") from error


def _is_special(path: str | Path) -> bool:
    """Whether the path exists and is neither a regular file nor a directory, or names an open stream."""
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) or str(path).startswith(("/dev/", "/proc/"))


def _write(path: str, stream: BinaryIO, pieces: Iterable[str] | Iterable[bytes]) -> None:
    for piece in pieces:
        if isinstance(piece, bytes):
            stream.write(piece)
            continue
        try:
            stream.write(piece.encode("utf-8"))
        except UnicodeEncodeError as error:
            around = piece[max(0, error.start - 20) : error.end + 20]
            raise OutputError(
                f"{path} cannot be written: the text holds U+{ord(piece[error.start]):04X}, half of a surrogate pair,"
                f" which UTF-8 cannot hold, in {around!r}; mend the text that it comes from"
            ) from None


def _write_stdout(pieces: Iterable[str] | Iterable[bytes]) -> None:
    with explained("standard output"):
        sys.stdout.flush()
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer is None:
            for piece in pieces:
                sys.stdout.write(piece if isinstance(piece, str) else piece.decode("utf-8", "backslashreplace"))
        else:
            _write("standard output", buffer, pieces)
        sys.stdout.flush()


def _replace(path: Path, pieces: Iterable[str] | Iterable[bytes]) -> None:
    """Write beside the target, then rename. A symbolic link stays one: the file that it names is replaced."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    made = _make_parents(target.parent)
    temporary = target.parent / f".nerquake-{os.getpid()}-{secrets.token_hex(4)}.tmp"
    try:
        with temporary.open("xb") as stream:
            _write(str(path), stream, pieces)
            stream.flush()
            os.fsync(stream.fileno())
        with suppress(FileNotFoundError):
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        raise


def _make_parents(folder: Path) -> list[Path]:
    """Make the directories that are missing; returns those made, outermost first."""
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return list(reversed(missing))
