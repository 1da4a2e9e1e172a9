"""Several files read as one: a folder's, or those that a pattern names, with every line traced back to its file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from glob import has_magic
from hashlib import sha256
from pathlib import Path

from nerquake.core.errors import FormatError, InputError, Problem
from nerquake.io.files import decode, read_bytes


@dataclass(frozen=True, slots=True)
class Joined:
    """The text of several files, one behind the other.

    starts   for each file how many lines stand in front of it
    """

    text: str
    names: tuple[str, ...]
    starts: tuple[int, ...]
    fingerprint: str
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]

    def placed(self, problem: Problem) -> Problem:
        """The problem with the line in its own file, which the message names."""
        if not problem.line:
            return problem
        at = bisect_right(self.starts, problem.line - 1) - 1
        return replace(problem, line=problem.line - self.starts[at], message=f"{self.names[at]}: {problem.message}")


def files_of(path: str, patterns: Sequence[str]) -> list[Path]:
    """The files of a folder, whatever their depth, that match the first pattern with any match; or those of a glob.

    Raises:
        InputError: there are none.
    """
    folder = Path(path)
    if not folder.is_dir():
        found = sorted(_matching(path))
        if not found:
            raise InputError(f"{path}: there is no such file")
        return [file for file in found if file.is_file()]
    for pattern in patterns:
        found = sorted(file for file in folder.rglob(pattern) if file.is_file())
        if found:
            return found
    raise InputError(f"{path} is a directory that holds no {' or '.join(patterns)}; name a file in it")


def _matching(pattern: str) -> list[Path]:
    """The files that a pattern names, relative or not; none where it is no pattern."""
    if not has_magic(pattern):
        return []
    anchor = Path(pattern).anchor
    return list(Path(anchor).glob(pattern[len(anchor) :]))


def join(path: str, files: Iterable[Path], encoding: str, reader: str) -> Joined:
    """Read and join files, a file without a line end at its end getting one.

    Raises:
        FormatError: a file is binary or empty.
    """
    texts: list[str] = []
    names: list[str] = []
    starts: list[int] = []
    notes: list[str] = []
    problems: list[Problem] = []
    digest, lines = sha256(), 0
    for file in files:
        data = read_bytes(str(file))
        digest.update(data)
        decoded = decode(str(file), data, encoding, reader)
        name = str(file.relative_to(path)) if Path(path).is_dir() else str(file)
        names.append(name)
        starts.append(lines)
        texts.append(decoded.text if decoded.text.endswith("\n") else decoded.text + "\n")
        notes += [f"{name}: {note}" for note in decoded.notes]
        problems += [replace(problem, line=problem.line + lines) for problem in decoded.problems]
        lines += texts[-1].count("\n")
    if not texts:
        raise FormatError(path, [Problem("no-sentences", 0, "there are no files")])
    return Joined("".join(texts), tuple(names), tuple(starts), digest.hexdigest(), tuple(notes), tuple(problems))
