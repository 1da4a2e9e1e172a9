"""Keys of many names at a time: what `text.key_of` gives for each, in a third of the time."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

EMPTY = 0x2D06800538D394C2
"""The key of a name that is nothing but blanks."""


def keys_of(names: Sequence[str]) -> NDArray[np.uint64]:
    """The keys of some names.

    They are folded as one text with a name a line. No step of it reaches over a line end: none is made, none is
    lost, and no character joins with one.
    """
    from xxhash import xxh3_64_intdigest

    text = "\n".join(names)
    if text.count("\n") >= len(names):
        text = "\n".join(name.replace("\n", " ") for name in names)
    if text.isascii():
        text = text.lower()
    else:
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    lines = text.split("\n") if names else []
    return np.fromiter((xxh3_64_intdigest(" ".join(line.split()).encode()) for line in lines), np.uint64, len(names))
