"""Which letters may stand in a letter's place: the same script, case and role, so that words stay well formed.

- Latin, Greek, Cyrillic, Armenian, Georgian: the basic letters of the same case; a letter with an umlaut or an accent
  is a letter like any other, and any basic one may stand in its place.
- Scripts of India (Devanagari, Bengali, Gurmukhi, Gujarati, Oriya, Tamil, Telugu, Kannada, Malayalam): consonants
  become consonants, independent vowels such vowels, vowel signs vowel signs; virama, nukta and the signs for nasals
  stay, and a consonant with a nukta becomes one that can carry it.
- Sinhala, Thai, Lao, Tibetan, Burmese, Khmer: consonants become consonants, vowels stay.
- Arabic, Hebrew, kana, Hangul syllables, Chinese characters: the common letters of that script.
- Any other script: letters of the same category in the same block of 128 code points.

Digits, punctuation, combining marks and joiners stay.
"""

from __future__ import annotations

import unicodedata
from functools import cache

_UPPER_LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_INDIC_BLOCKS = range(0x0900, 0x0D80, 0x80)
"""Nine blocks of 128 code points, laid out alike."""
_INDIC_VOWELS, _INDIC_CONSONANTS, _INDIC_SIGNS = range(0x05, 0x15), range(0x15, 0x3A), range(0x3E, 0x4D)
_RARE_INDIC = frozenset({0x0C, 0x0D, 0x0E, 0x11, 0x12, 0x29, 0x31, 0x33, 0x34, 0x44, 0x45, 0x46, 0x49, 0x4A})
"""Offsets of letters and signs that few languages use, or only in loan words: never drawn, but replaced."""
_NUKTA, _VIRAMA = 0x3C, 0x4D
_TAKES_NUKTA = frozenset({0x15, 0x16, 0x17, 0x1C, 0x21, 0x22, 0x2B})
"""Devanagari क ख ग ज ड ढ फ, and their places in the other blocks."""
_WITH_NUKTA = range(0x0958, 0x0960)


def _span(first: str, last: str, without: str = "") -> str:
    between = (chr(code) for code in range(ord(first), ord(last) + 1))
    return "".join(c for c in between if c not in without and unicodedata.category(c)[0] == "L")


_BASIC: dict[str, str] = {
    "LATIN": _UPPER_LATIN.lower(),
    "GREEK": _span("α", "ω", "ς"),
    "CYRILLIC": _span("а", "я"),
    "ARMENIAN": _span("ա", "ֆ"),
    "GEORGIAN": _span("ა", "ჰ"),
    "ARABIC": _span("ا", "غ", "ة") + _span("ف", "ي", "ى"),
    "HEBREW": _span("א", "ת", "ךםןףץ"),
    "SINHALA": _span("\u0d9a", "\u0dc6"),
    "THAI": _span("ก", "ฮ", "ฤฦ"),
    "LAO": _span("\u0e81", "\u0eae"),
    "TIBETAN": _span("\u0f40", "\u0f68"),
    "MYANMAR": _span("\u1000", "\u1020"),
    "KHMER": _span("\u1780", "\u17a2"),
    "HIRAGANA": _span("あ", "ん", "ぁぃぅぇぉっゃゅょゎゐゑ"),
    "KATAKANA": _span("ア", "ン", "ァィゥェォッャュョヮヰヱ"),
    "HANGUL": _span("가", "힣"),
}
_BASIC_ONLY = frozenset({"SINHALA", "THAI", "LAO", "TIBETAN", "MYANMAR", "KHMER", "HIRAGANA", "KATAKANA"})
"""Scripts whose other letters stay: vowels that lean on a consonant, small kana."""


def stand_ins(letter: str, following: str = "") -> str:
    """The letters that may stand in this one's place, itself left out; empty where it is to stay.

    following   the next character: a consonant with a nukta behind it becomes one that takes a nukta
    """
    return _stand_ins(letter, following == "" or _offset(following) != _NUKTA)


@cache
def _stand_ins(letter: str, bare: bool) -> str:
    block = ord(letter) & ~0x7F
    if block in _INDIC_BLOCKS:
        return _indic(letter, block, bare).replace(letter, "")
    category = unicodedata.category(letter)
    if category not in ("Lu", "Ll", "Lo"):
        return ""
    script = unicodedata.name(letter, "").partition(" ")[0]
    if script == "CJK":
        return _common_chinese().replace(letter, "")
    basic = _BASIC.get(script)
    if basic is None:
        return _same_block(letter, category, script)
    if (script in _BASIC_ONLY and letter not in basic) or (category == "Lo" and basic.isupper() != basic.islower()):
        return ""
    found = basic.upper() if category == "Lu" else basic
    return found.replace(letter, "")


def _offset(character: str) -> int:
    return ord(character) & 0x7F if (ord(character) & ~0x7F) in _INDIC_BLOCKS else -1


def _indic(letter: str, block: int, bare: bool) -> str:
    if ord(letter) in _WITH_NUKTA:
        return "".join(map(chr, _WITH_NUKTA))
    offset = ord(letter) - block
    for role in (_INDIC_VOWELS, _INDIC_CONSONANTS, _INDIC_SIGNS):
        if offset in role:
            drawn = [o for o in role if o not in _RARE_INDIC and (bare or o in _TAKES_NUKTA)]
            return "".join(chr(block + o) for o in drawn if unicodedata.category(chr(block + o)) in _CATEGORIES[role])
    return ""


_CATEGORIES = {_INDIC_VOWELS: ("Lo",), _INDIC_CONSONANTS: ("Lo",), _INDIC_SIGNS: ("Mc", "Mn")}


@cache
def _common_chinese() -> str:
    """The 3,755 most common characters: the first level of GB 2312."""
    codes = (bytes((row, cell)) for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF))
    return b"".join(codes).decode("gb2312", "ignore")


def _same_block(letter: str, category: str, script: str) -> str:
    start = ord(letter) & ~0x7F
    near = (chr(code) for code in range(start, start + 0x80) if chr(code) != letter)
    return "".join(
        c for c in near if unicodedata.category(c) == category and unicodedata.name(c, "").startswith(script)
    )
