"""Texts as character sequences that stay the same when a pipeline respells them, and the alignment of two of them.

Folding takes away what pipelines change without changing the words: blanks, characters that cannot be seen, Unicode
normal forms and case. Every folded character remembers where it came from.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

_UNSEEN_CATEGORIES = frozenset({"Cf", "Cc", "Zs", "Zl", "Zp", "Cs"})
_UNSEEN = frozenset({0x034F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)})
"""Joiners and variation selectors, which Unicode counts as marks."""
LONG = 400
"""Characters from which on it is not worth looking for an alignment of two texts that hardly agree."""
WIDEST = 1_000
"""Differences from which on it is not worth it in any text."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text.

    text    its characters
    starts  for each of them where the characters that made it begin: offset in the text, or index of the token
    ends    where they end (half-open)
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def fold_text(text: str, case: bool = False) -> Folded:
    """A text with the offsets of its characters, in code points; `case` keeps capitals apart."""
    parts: list[tuple[str, int, int]] = []
    for start, end, cluster in _clusters(text):
        parts += ((character, start, end) for character in _folded(cluster, case))
    return _joined(parts)


def fold_tokens(tokens: Sequence[str], case: bool = False) -> Folded:
    """Tokens one after another with the index of the token of each character."""
    parts: list[tuple[str, int, int]] = []
    for index, token in enumerate(tokens):
        folded = fold_text(token, case).text
        parts += ((character, index, index + 1) for character in folded)
    return _joined(parts)


def is_word(character: str) -> bool:
    """Whether a character belongs to words: a letter, a digit, or a mark on one."""
    return unicodedata.category(character)[0] in "LNM"


def can_be_seen(character: str) -> bool:
    """Whether a character leaves ink: no blank, control or zero-width character."""
    return unicodedata.category(character) not in _UNSEEN_CATEGORIES and ord(character) not in _UNSEEN


def _joined(parts: Sequence[tuple[str, int, int]]) -> Folded:
    return Folded(
        "".join(part[0] for part in parts), tuple(part[1] for part in parts), tuple(part[2] for part in parts)
    )


def _clusters(text: str) -> Iterator[tuple[int, int, str]]:
    """The characters that can be seen, each with the combining marks after it: normal forms reorder those.

    A blank ends a cluster; an invisible character that is no blank does not, since pipelines drop it.
    """
    start = end = 0
    held = ""
    for at, character in enumerate(text):
        if not can_be_seen(character):
            if held and character.isspace():
                yield start, end, held
                held = ""
            continue
        if held and not _combines(character):
            yield start, end, held
            held = ""
        if not held:
            start = at
        held, end = held + character, at + 1
    if held:
        yield start, end, held


@lru_cache(maxsize=4096)
def _combines(character: str) -> bool:
    return unicodedata.combining(unicodedata.normalize("NFKD", character)[0]) != 0


@lru_cache(maxsize=65536)
def _folded(cluster: str, case: bool) -> str:
    plain = unicodedata.normalize("NFKD", cluster)
    plain = plain if case else unicodedata.normalize("NFKD", plain.casefold())
    return "".join(filter(can_be_seen, plain))


def align(old: str, new: str) -> list[int | None]:
    """For every character of `new` the index of the one in `old` that it stands for, None where it was put in.

    A shortest edit script (Levenshtein, all costs 1), in a band that grows until the script fits: time is the length
    times the number of differences. Of long texts that differ in more than half of their characters, or in
    more than WIDEST, nothing stands for anything.
    """
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    band = max(8, abs(len(middle_old) - len(middle_new)) + 1)
    found: list[int | None] | None = None
    longest = max(len(middle_old), len(middle_new))
    while found is None and (longest < LONG or band <= min(longest // 2 + 8, WIDEST)):
        found = _banded(middle_old, middle_new, band)
        band *= 2
    found = [None] * len(middle_new) if found is None else found
    middle = [None if at is None else at + head for at in found]
    return [*range(head), *middle, *range(len(old) - tail, len(old))]


def _common(one: str, other: str) -> int:
    """How many characters both begin with."""
    at = 0
    while at < min(len(one), len(other)) and one[at] == other[at]:
        at += 1
    return at


def _banded(old: str, new: str, band: int) -> list[int | None] | None:
    """The alignment with at most `band` differences; None where there are more."""
    far = len(old) + len(new) + 1
    rows = [{j: j for j in range(min(len(new), band) + 1)}]
    for i in range(1, len(old) + 1):
        above = rows[-1]
        row: dict[int, int] = {}
        for j in range(max(0, i - band), min(len(new), i + band) + 1):
            best = above.get(j, far) + 1
            if j:
                step = above.get(j - 1, far) + (old[i - 1] != new[j - 1])
                best = min(best, step, row.get(j - 1, far) + 1)
            row[j] = best
        rows.append(row)
    total = rows[-1].get(len(new), far)
    if total > band and band < len(old) + len(new):
        return None
    return _traced(old, new, rows, far)


def _traced(old: str, new: str, rows: Sequence[dict[int, int]], far: int) -> list[int | None]:
    """Walk back through the table; equal characters go before replaced, put in and left out ones."""
    found: list[int | None] = [None] * len(new)
    i, j = len(old), len(new)
    while i or j:
        here = rows[i].get(j, far)
        diagonal = rows[i - 1].get(j - 1, far) if i and j else far
        if i and j and here == diagonal + (old[i - 1] != new[j - 1]):
            i, j = i - 1, j - 1
            found[j] = i
        elif j and here == rows[i].get(j - 1, far) + 1:
            j -= 1
        else:
            i -= 1
    return found
