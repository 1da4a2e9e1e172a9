"""Ids of items and classes: texts outside, 64-bit numbers inside.

`Q64` is 64. Every other text (`local:city-uk/leeds`) is a negative number made from its xxh3 hash, and the table
`local_ids` keeps the text, so that a Wikidata id stands only where the data gave one.
"""

from __future__ import annotations

import re
from functools import lru_cache

LOCAL = "local:"
"""Begins the ids that nerquake gives itself."""
_WIKIDATA = re.compile(r"Q[1-9][0-9]{0,17}", re.ASCII)


def is_wikidata(text: str) -> bool:
    """Whether a text is the id of a Wikidata item."""
    return _WIKIDATA.fullmatch(text) is not None


@lru_cache(maxsize=1 << 16)
def number_of(text: str) -> int:
    """The number that stands for an id in the tables."""
    if is_wikidata(text):
        return int(text[1:])
    from xxhash import xxh3_64_intdigest

    return -1 - (xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) >> 1)


def text_sql(number: str, local: str) -> str:
    """An SQL expression: the text of an id, where `local` is the text that `local_ids` has for it."""
    return f"CASE WHEN {number} > 0 THEN 'Q' || {number} ELSE {local} END"


def order_of(text: str) -> tuple[int, int, str]:
    """Sorts ids: Wikidata's by their numbers, then others by their texts."""
    return (0, int(text[1:]), "") if is_wikidata(text) else (1, 0, text)
