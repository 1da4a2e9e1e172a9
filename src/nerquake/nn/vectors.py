"""Pretrained word vectors from a text file: GloVe's form, or word2vec's with a header line; plain or gzip."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nerquake.core.errors import InputError

Numbers = NDArray[np.float32]
EXPECTED = "expected a word and its numbers, with blanks between: the 0.04 -0.11 0.37"
HEADER = 2
"""Parts of word2vec's first line: how many words there are, and how many numbers each has."""


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """Pretrained vectors.

    words   in the order of the file
    table   [words, width] float32
    """

    words: tuple[str, ...]
    table: Numbers
    _places: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_places", {word: at for at, word in enumerate(self.words)})
        if self.table.shape[:1] != (len(self._places),) or self.table.ndim != HEADER:
            raise ValueError(f"{len(self._places)} different words, but the table has shape {self.table.shape}")

    @property
    def width(self) -> int:
        """Numbers of a word."""
        return int(self.table.shape[1])

    @property
    def places(self) -> dict[str, int]:
        """The row of each word."""
        return self._places


def forms_of(word: str) -> tuple[str, ...]:
    """What a word is looked up as, best first: as it stands, in lower case, with digits as 0 and as #."""
    low = word.lower()
    if word.isalpha():
        return (word, low)
    return (word, low, *("".join(sign if letter.isdigit() else letter for letter in low) for sign in "0#"))


def place_of(places: Mapping[str, int], word: str) -> int:
    """The row of a word, -1 where it has none."""
    return next((places[form] for form in forms_of(word) if form in places), -1)


def read_vectors(path: str, wanted: Collection[str] | None = None) -> WordVectors:
    """The vectors in a text file. The first of several lines for one word counts.

    wanted   words that are kept, with all forms that they are looked up as; None: all of the file

    Raises:
        InputError: there is no such file, it is damaged, or a line is no vector; with file and line.
    """
    kept = None if wanted is None else {form for word in wanted for form in forms_of(word)}
    rows: dict[str, Numbers] = {}
    width = announced = number = 0
    for number, line in enumerate(_lines(path), 1):
        parts = line.replace("\t", " ").rstrip().split(" ")
        if number == 1 and len(parts) == HEADER and all(part.isdecimal() for part in parts):
            announced, width = map(int, parts)
            continue
        width = width or _width(parts)
        word = _word(path, number, parts, width)
        if word not in rows and (kept is None or word in kept):
            rows[word] = _numbers(path, number, parts[-width:])
    if announced and number - 1 < announced:
        raise InputError(f"{path} is cut short: its first line tells of {announced:,} words, there are {number - 1:,}")
    if not width:
        raise InputError(f"{path} has no word vectors: {EXPECTED}")
    return WordVectors(tuple(rows), np.stack(list(rows.values())) if rows else np.zeros((0, width), np.float32))


def _word(path: str, line: int, parts: Sequence[str], width: int) -> str:
    """The word in front of a line's numbers; some files have words with blanks in them, such as `. . .`."""
    extra = parts[1 : len(parts) - width]
    if len(parts) <= width or not width or not parts[0] or (extra and all(map(_is_number, extra))):
        shown = " ".join(parts)
        shown = shown if len(shown) <= 40 else shown[:40] + " …"
        others = f"where others have {width}" if width else EXPECTED
        raise InputError(
            f"{path}, line {line}: {shown!r} has {_width(parts)} numbers behind its word, {others}; "
            "mend the line, or take it out"
        )
    return " ".join(parts[:-width])


def _width(parts: Sequence[str]) -> int:
    """How many numbers stand at the end of a file's first line, behind its word."""
    found = 0
    for part in reversed(parts[1:]):
        if not _is_number(part):
            break
        found += 1
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _numbers(path: str, line: int, parts: Sequence[str]) -> Numbers:
    try:
        found = np.array(parts, dtype=np.float32)
    except ValueError:
        wrong = next(part for part in parts if not _is_number(part))
        raise InputError(f"{path}, line {line}: {wrong!r} is no number; {EXPECTED}") from None
    if not np.isfinite(found).all():
        raise InputError(f"{path}, line {line}: a number is infinite or undefined; {EXPECTED}")
    return found


def _lines(path: str) -> Iterator[str]:
    """The lines of a file, unpacked where it is gzip; characters that are no UTF-8 become replacement characters."""
    file = Path(path)
    try:
        with file.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            with gzip.open(raw) if packed else raw as stream:
                for line in stream:
                    yield line.decode("utf-8", "replace").rstrip("\r\n")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file of word vectors") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path} is a damaged gzip file: {error}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
