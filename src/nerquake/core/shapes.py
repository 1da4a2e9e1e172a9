"""The shape of a text: what kind of character stands where, and nothing of what it says."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_LETTERS = {
    "GREEK": "Ωω",
    "CYRILLIC": "Жж",
    "ARMENIAN": "Աա",
    "GEORGIAN": "აა",
    "HEBREW": "א",
    "ARABIC": "ع",
    "DEVANAGARI": "क",
    "BENGALI": "ক",
    "GURMUKHI": "ਕ",
    "GUJARATI": "ક",
    "ORIYA": "କ",
    "TAMIL": "க",
    "TELUGU": "క",
    "KANNADA": "ಕ",
    "MALAYALAM": "ക",
    "SINHALA": "ක",
    "THAI": "ก",
    "LAO": "ກ",
    "TIBETAN": "ཀ",
    "MYANMAR": "က",
    "ETHIOPIC": "ሀ",
    "KHMER": "ក",
    "HANGUL": "가",
    "HIRAGANA": "あ",
    "KATAKANA": "ア",
    "BOPOMOFO": "ㄅ",
    "CJK": "字",
}
"""One letter for all of a script, upper and lower case where it has both; Latin and all others are X and x."""
_MARKS = {
    "DEVANAGARI": "ा",
    "BENGALI": "া",
    "GURMUKHI": "ਾ",
    "GUJARATI": "ા",
    "ORIYA": "ା",
    "TAMIL": "ா",
    "TELUGU": "ా",
    "KANNADA": "ಾ",
    "MALAYALAM": "ാ",
    "SINHALA": "ා",
    "THAI": "ั",
    "LAO": "ັ",
    "TIBETAN": "ི",
    "MYANMAR": "ိ",
    "KHMER": "ិ",
    "ARABIC": "\u064e",
    "HEBREW": "\u05b7",
}
"""One mark for all of a script; a combining acute for all others."""
_ACUTE, _BOX = "\u0301", "□"


def shape(text: str) -> str:
    """Letters as one letter of their script, digits as its zero; marks, punctuation and blanks stay what they are.

    As many code points as the text has, so that offsets stay. `Anna, 1984` becomes `Xxxx, 0000`. Symbols other than
    those of ASCII (emoji, currencies) become boxes, variation selectors and other invisible characters stay.
    """
    return "".join(map(_shape_of, text))


@lru_cache(maxsize=65536)
def _shape_of(character: str) -> str:
    category = unicodedata.category(character)
    if category[0] == "L":
        return _letter(character, category)
    if category[0] == "M":
        return character if "VARIATION SELECTOR" in _name(character) else _MARKS.get(_script(character), _ACUTE)
    if category == "Nd":
        return _zero(character)
    if category[0] == "N":
        return "0"
    if category in ("Cn", "Co", "Cs") or (category[0] == "S" and not character.isascii()):
        return _BOX
    return character


def _letter(character: str, category: str) -> str:
    known = _LETTERS.get(_script(character), "Xx")
    return known[0] if category in ("Lu", "Lt") else known[-1]


def _zero(character: str) -> str:
    found = chr(ord(character) - unicodedata.decimal(character))
    return found if unicodedata.decimal(found, -1) == 0 else "0"


def _script(character: str) -> str:
    """The first word of its name; `MODIFIER LETTER` and the like are nobody's."""
    return _name(character).partition(" ")[0]


def _name(character: str) -> str:
    return unicodedata.name(character, "")
