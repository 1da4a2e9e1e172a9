"""The file that an n-gram model may be estimated from: plain text, or token and tag columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from nerquake.core.errors import InputError

_TAG = re.compile(r"O|[BIESLUM]-\S+")
_JSON = ("{", "[")
_EXPECTED = (
    "expected one sentence a line with blanks between its tokens, or token and tag columns as in CoNLL files; "
    "`nerquake convert` writes columns from any labelled file"
)


def check_corpus_file(path: str) -> None:
    """Raise InputError unless there is a file of this name."""
    if not Path(path).is_file():
        raise InputError(f"{path}: there is no such file for ngram's corpus=; {_EXPECTED}")


def corpus_bytes(path: str) -> bytes:
    """The content of a corpus file.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}; ngram's corpus= names a text file") from error


def read_corpus(path: str) -> tuple[list[tuple[str, ...]], bool]:
    """The sentences of a corpus file, and whether it has columns.

    It has columns where all lines but empty ones and comments end in a tag, behind a token. Then the token is the first
    cell, or the second where the first is always a number.

    Raises:
        InputError: it is no such file, or holds no sentence.
    """
    lines = _lines(path)
    filled = [line for line in lines if line.strip()]
    if not filled:
        raise InputError(f"{path}: the file is empty; {_EXPECTED}")
    if filled[0].lstrip().startswith(_JSON) and filled[0].rstrip().endswith(("}", "]", "{", "[", ",")):
        raise InputError(f"{path}: this looks like JSON; {_EXPECTED}")
    rows = [row for row in map(_row, filled) if row]
    if not rows or not all(len(row) > 1 and _TAG.fullmatch(row[-1]) for row in rows):
        return [tokens for line in filled if (tokens := tuple(line.split()))], False
    column = 1 if all(len(row) > 2 and row[0].isdecimal() for row in rows) else 0
    return list(_sentences(lines, column)), True


def _lines(path: str) -> list[str]:
    data = corpus_bytes(path)
    if b"\0" in data:
        raise InputError(f"{path}: this is a binary file; {_EXPECTED}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path}: line {line}: byte 0x{data[error.start]:02x} is not UTF-8; convert the file"
        ) from error
    return text.split("\n")


def _row(line: str) -> list[str]:
    """The cells of a line of columns; none of a comment or the border of a document."""
    cells = line.split()
    comment = cells[:1] == ["#"] or (line.startswith("#") and len(cells) > 1 and not _TAG.fullmatch(cells[-1]))
    return [] if comment or cells[:1] == ["-DOCSTART-"] else cells


def _sentences(lines: list[str], column: int) -> Iterator[tuple[str, ...]]:
    tokens: list[str] = []
    for line in lines:
        if row := _row(line):
            tokens.append(row[column])
        elif not line.strip() and tokens:
            yield tuple(tokens)
            tokens = []
    if tokens:
        yield tuple(tokens)
