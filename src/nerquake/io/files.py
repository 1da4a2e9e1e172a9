"""Reading a file's bytes and decoding them; nothing is ever replaced silently."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from nerquake.core.errors import FormatError, InputError, Problem, UsageError

STDIN = "-"
UNREADABLE = "\x00"
"""What stands for a line that could not be decoded: no text file holds this character."""
_MAGIC = (
    (b"\x1f\x8b", "a gzip archive: unpack it first"),
    (b"PK\x03\x04", "a zip archive or an office document: unpack it, or export it as text"),
    (b"BZh", "a bzip2 archive: unpack it first"),
    (b"\xfd7zXZ\x00", "an xz archive: unpack it first"),
    (b"%PDF-", "a PDF document"),
)
_BOM16 = (b"\xff\xfe", b"\xfe\xff")


def read_bytes(path: str) -> bytes:
    """A file's bytes, or standard input's for `-`.

    Raises:
        InputError: there is no such file, it is a directory, or it may not be read.
    """
    try:
        return sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a directory; name one file in it") from None
    except NotADirectoryError:
        raise InputError(f"{path}: there is no such file, a part of the path is no directory") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{path} cannot be read: {reason}") from None


def base_name(path: str) -> str:
    """A file's name for outputs."""
    return "stdin" if path == STDIN else Path(path).name


def fingerprint(data: bytes) -> str:
    """SHA-256 of a file's bytes."""
    return sha256(data).hexdigest()


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text, its line ends made `\\n`.

    text      lines that cannot be decoded hold `UNREADABLE` alone
    bom       whether a byte order mark stood in front
    newline   the line end that the file used most
    notes     what was removed or made alike, in words
    problems  lines that cannot be decoded
    """

    text: str
    bom: bool
    newline: str
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]


def decode(name: str, data: bytes, encoding: str, reader: str) -> Decoded:
    """Decode a file's bytes.

    name     the file's name for messages
    reader   the format's name for hints

    Raises:
        FormatError: the file is binary or empty.
        UsageError: there is no such encoding.
    """
    if not data:
        raise FormatError(name, [Problem("empty-file", 0, "the file is empty")])
    _refuse_binary(name, data, encoding, reader)
    problems: tuple[Problem, ...] = ()
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        text, problems = _by_line(data, encoding, reader, error)
    except (LookupError, ValueError):
        raise UsageError(f"encoding={encoding}: there is no such encoding (utf-8, latin-1, cp1252, utf-16)") from None
    bom = text.startswith("\ufeff") or data.startswith(b"\xef\xbb\xbf")
    text, newline, notes = _one_line_end(text.removeprefix("\ufeff"))
    if bom:
        notes.insert(0, "a byte order mark stood in front; it is not written back")
    if encoding.lower().replace("_", "-") not in ("utf-8", "utf8", "utf-8-sig", "ascii"):
        notes.append(f"read as {encoding}; what is written is UTF-8")
    return Decoded(text, bom, newline, tuple(notes), problems)


def _refuse_binary(name: str, data: bytes, encoding: str, reader: str) -> None:
    what = next((what for magic, what in _MAGIC if data.startswith(magic)), "")
    wide = encoding.lower().startswith(("utf-16", "utf_16", "utf16", "utf-32", "utf_32", "utf32"))
    if not what and not wide and b"\x00" in data:
        what = "a binary file"
        if found := utf16(data):
            what = f"UTF-16 text: use --input {reader}:encoding={found}"
    if what:
        raise FormatError(name, [Problem("binary-file", 0, f"this is no UTF-8 text but {what}")])


def utf16(data: bytes) -> str:
    """The encoding of UTF-16 text by its byte order mark, or by its first two characters, if ASCII; "" for others."""
    if data.startswith(_BOM16):
        return "utf-16"
    zeros = tuple(byte == 0 for byte in data[:4])
    if zeros == (False, True, False, True):
        return "utf-16-le"
    return "utf-16-be" if zeros == (True, False, True, False) else ""


def _by_line(data: bytes, encoding: str, reader: str, error: UnicodeDecodeError) -> tuple[str, tuple[Problem, ...]]:
    """Decode line by line; every line that fails is a problem."""
    if "\n".encode(encoding) != b"\n":
        line = data.count(b"\n", 0, error.start) + 1
        return UNREADABLE, (Problem("not-decodable", line, f"this is no {encoding} text: {error.reason}"),)
    lines: list[str] = []
    problems: list[Problem] = []
    for number, raw in enumerate(data.split(b"\n"), 1):
        try:
            lines.append(raw.decode(encoding))
        except UnicodeDecodeError as found:
            lines.append(UNREADABLE)
            problems.append(_undecodable(number, raw, encoding, reader, found))
    return "\n".join(lines), tuple(problems)


def _undecodable(number: int, raw: bytes, encoding: str, reader: str, error: UnicodeDecodeError) -> Problem:
    shown = raw.strip()[:40].decode(encoding, "backslashreplace")
    other = "latin-1" if encoding.lower().startswith("utf") else "utf-8"
    return Problem(
        "not-decodable",
        number,
        f"byte 0x{raw[error.start]:02X} in column {error.start + 1} is no {encoding} text",
        shown,
        f"if the file has another encoding, say it: --input {reader}:encoding={other}",
    )


def _one_line_end(text: str) -> tuple[str, str, list[str]]:
    """The text with `\\n` at its line ends, the line end it had, and a note if that was another.

    A lone carriage return ends a line only in a file that has no other line ends.
    """
    if "\r" not in text:
        return text, "\n", []
    pairs = text.count("\r\n")
    single = text.count("\n") - pairs
    if not pairs and not single:
        return text.replace("\r", "\n"), "\r", ["line ends are CR; they are written back as LF"]
    if not pairs:
        return text, "\n", []
    mixed = f" ({pairs} CRLF, {single} LF)" if single else ""
    note = f"line ends are {'mixed' if single else 'CRLF'}{mixed}; they are written back as LF"
    return text.replace("\r\n", "\n"), "\r\n" if pairs >= single else "\n", [note]
