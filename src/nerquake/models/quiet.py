"""Libraries that log, warn and draw progress bars while they load and run, kept silent."""

from __future__ import annotations

import contextlib
import io
import logging
import warnings
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

CHUNK = 1 << 20


@contextlib.contextmanager
def quiet(*loggers: str) -> Iterator[None]:
    """Nothing on either stream, and nothing from these loggers below an error, as long as it lasts.

    Standard output carries results (`--format json`), so that not a line of a library may slip in.
    """
    found = [logging.getLogger(name) for name in loggers]
    levels = [logger.level for logger in found]
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        try:
            for logger in found:
                logger.setLevel(logging.CRITICAL)
            yield
        finally:
            for logger, level in zip(found, levels, strict=True):
                logger.setLevel(level)


def digest_of(*files: Path, start: str = "") -> str:
    """SHA-256 over a text and the files, read piece by piece: models are large."""
    digest = sha256(start.encode())
    for file in files:
        with file.open("rb") as stream:
            while piece := stream.read(CHUNK):
                digest.update(piece)
    return digest.hexdigest()


Version = tuple[tuple[str, int, int], ...]


def version_of(*files: str | Path) -> Version:
    """What changes when one of these files is replaced, so that a model that was trained again is loaded again.

    The files that a model is read from are to be named: a folder does not change when a file in it is rewritten.
    """
    found = []
    for file in files:
        try:
            state = Path(file).stat()
        except OSError:
            continue
        found.append((str(file), state.st_mtime_ns, state.st_size))
    return tuple(found)
