"""Keyboards: which keys stand beside a key, for English (QWERTY), German (QWERTZ) and Hindi (InScript)."""

from __future__ import annotations

import unicodedata
from functools import cache

_ROWS: dict[str, tuple[str, ...]] = {
    "en": ("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "de": ("1234567890ß", "qwertzuiopü", "asdfghjklöä", "yxcvbnm"),
    "hi": ("", "ौैाीूबहगदजड", "ोे्िुपरकतचट", "  मनवलस  य"),
}
LAYOUTS = tuple(sorted(_ROWS))
"""Languages whose keyboard is known."""
_SHIFTS = (0.0, 0.5, 0.75, 1.25)
"""How far each row stands to the right, in keys."""
_REACH = 1.26
"""Distance between the middles of two keys that count as neighbours."""
_VIRAMA = "\u094d"


def neighbours(letter: str, language: str) -> str:
    """The letters on the keys beside a letter's, in its case; empty where no keyboard here has it.

    Only keys of one kind are mistaken for one another: letters, digits, and in Devanagari consonants or vowel signs,
    so that what is typed is a syllable; the virama stays.
    """
    layout = "hi" if "\u0900" <= letter[:1] <= "\u097f" else "de" if language == "de" else "en"
    found = _beside(letter.lower(), layout)
    return found.upper() if letter != letter.lower() and len(letter.lower()) == 1 else found


@cache
def _beside(letter: str, layout: str) -> str:
    places = {
        key: (column + _SHIFTS[row], float(row))
        for row, line in enumerate(_ROWS[layout])
        for column, key in enumerate(line)
    }
    if letter not in places or letter == _VIRAMA:
        return ""
    x, y = places[letter]
    near = (key for key, (a, b) in places.items() if key != letter and (a - x) ** 2 + (b - y) ** 2 <= _REACH**2)
    return "".join(key for key in near if _kind(key) == _kind(letter))


def _kind(key: str) -> str:
    """Letter, digit or vowel sign; of the virama and of keys without a letter nothing is a neighbour."""
    return "" if key in (_VIRAMA, " ") else unicodedata.category(key)[0]
