"""Columns of whole numbers, each as narrow as its largest value allows, and the texts that they refer to.

A column of two or four bytes a number lies in byte planes: all low bytes first, then the next ones. Planes compress
better than numbers in a row, and a browser can read them at any address.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
WIDTHS = (1, 2, 4)
_SURROGATE = re.compile("[\ud800-\udfff]")


class Columns:
    """Named columns in the order in which they were added."""

    def __init__(self) -> None:
        self._values: dict[str, Numbers] = {}

    def add(self, name: str, values: Iterable[int]) -> None:
        """Add a column.

        Raises:
            ValueError: there is one of this name, or a number is negative or has over 32 bits.
        """
        if name in self._values:
            raise ValueError(f"there are two columns {name}")
        column = np.frombuffer(values, np.uint8) if isinstance(values, bytearray) else np.fromiter(values, np.int64)
        if column.size and not 0 <= int(column.min()) <= int(column.max()) < 1 << 32:
            raise ValueError(f"the column {name} holds {column.min()} to {column.max()}, expected 0 to 2^32 - 1")
        self._values[name] = column.astype(np.int64)

    def renumber(self, names: Iterable[str], order: Numbers) -> None:
        """Put `order[v]` for every value v of these columns."""
        for name in names:
            self._values[name] = order[self._values[name]]

    def counts(self, names: Iterable[str], size: int) -> Numbers:
        """How often each number below `size` stands in these columns."""
        found = np.zeros(size, np.int64)
        for name in names:
            found += np.bincount(self._values[name], minlength=size)
        return found

    def table(self) -> list[dict[str, Any]]:
        """What the header says of the columns."""
        return [_entry(name, values) for name, values in self._values.items()]

    def packed(self) -> bytes:
        """The columns one after another."""
        return b"".join(pack(values) for values in self._values.values())


def width_of(values: Numbers) -> int:
    """Bytes a number."""
    most = int(values.max()) if values.size else 0
    return next(width for width in WIDTHS if most < 1 << 8 * width)


def _entry(name: str, values: Numbers) -> dict[str, Any]:
    width = width_of(values)
    entry: dict[str, Any] = {"name": name, "width": width, "length": int(values.size)}
    return entry if width == 1 else {**entry, "planes": True}


def pack(values: Numbers) -> bytes:
    """A column as bytes, in planes."""
    width = width_of(values)
    if width == 1:
        return values.astype(np.uint8).tobytes()
    return values.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :width].T.tobytes()


def unpack(data: bytes, entries: Sequence[Mapping[str, Any]]) -> dict[str, Numbers]:
    """The columns that `Columns.packed` wrote.

    Raises:
        ValueError: the bytes are not those of the columns.
    """
    expected = sum(entry["width"] * entry["length"] for entry in entries)
    if len(data) != expected:
        raise ValueError(f"the columns have {len(data)} bytes, expected {expected}")
    found: dict[str, Numbers] = {}
    at = 0
    for entry in entries:
        width, length = entry["width"], entry["length"]
        planes = np.frombuffer(data, np.uint8, width * length, at).reshape(width, length).astype(np.int64)
        found[entry["name"]] = sum(
            (plane << 8 * place for place, plane in enumerate(planes)), np.zeros(length, np.int64)
        )
        at += width * length
    return found


class Texts:
    """Texts by number, in the order in which they came."""

    def __init__(self) -> None:
        self.number: dict[str, int] = {}

    def of(self, text: object) -> int:
        """The number of a text."""
        return self.number.setdefault(str(text), len(self.number))

    def ranks(self, counts: Numbers) -> tuple[list[str], Numbers]:
        """The texts by frequency, equal ones by their characters, and for each old number its new one."""
        texts = list(self.number)
        order = sorted(range(len(texts)), key=lambda number: (-counts[number], texts[number]))
        ranks = np.zeros(len(texts), np.int64)
        ranks[order] = np.arange(len(texts))
        return [texts[number] for number in order], ranks


def json_bytes(value: Any) -> bytes:
    """JSON in UTF-8; half of a surrogate pair, which UTF-8 cannot hold, is escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode("utf-8")
