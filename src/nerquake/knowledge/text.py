"""Names as they are looked up, and the script that names of a language are written in."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

ANY = "mul"
"""Wikidata's language code of default labels: names that serve in every language that has none of its own."""

SCRIPTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "nb", "nn", "fi", "pl", "cs", "sk", "sl", "hr",
         "hu", "ro", "tr", "vi", "id", "ca", "gl", "eu", "et", "lv", "lt", "is", "ga", "la", "af"),
        ("Latin",),
    ),
    **dict.fromkeys(("hi", "mr", "ne", "sa", "mai", "bho"), ("Devanagari",)),
    **dict.fromkeys(("ar", "fa", "ur"), ("Arabic",)),
    **dict.fromkeys(("ru", "uk", "be", "bg", "mk"), ("Cyrillic",)),
    "bn": ("Bengali",), "pa": ("Gurmukhi",), "gu": ("Gujarati",), "or": ("Oriya",), "ta": ("Tamil",),
    "te": ("Telugu",), "kn": ("Kannada",), "ml": ("Malayalam",), "el": ("Greek",), "he": ("Hebrew",),
    "hy": ("Armenian",), "ka": ("Georgian",), "th": ("Thai",), "ko": ("Hangul", "Han"), "zh": ("Han",),
    "ja": ("Han", "Hiragana", "Katakana"),
}  # fmt: skip
"""The scripts of a language's names, as RE2 calls them; languages that are not here may have any."""


def folded(text: str) -> str:
    """A text as names are compared: NFKC, without case, one blank between words."""
    if text.isascii():
        return " ".join(text.lower().split())
    normal = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", normal).split())


@lru_cache(maxsize=1 << 16)
def key_of(text: str) -> int:
    """The 64-bit number that a name is found by: xxh3 of its folded form."""
    from xxhash import xxh3_64_intdigest

    return xxh3_64_intdigest(folded(text).encode("utf-8", "surrogatepass"))


def fits_sql(language: str, name: str = "name", lang: str = "lang") -> str:
    """An SQL condition: a name may stand in a sentence of this language.

    Something of it must be seen, and no control character or line end be in it (see `presentable`). No letter may be of
    another script. A name that is kept for any language needs a letter of the right script too, while one kept for this
    very language need not have any (`1984`).
    """
    scripts = "".join(rf"\p{{{script}}}" for script in SCRIPTS.get(language, ()))
    foreign = rf"[^{scripts}\p{{Common}}\p{{Inherited}}]|{_CONTROL}" if scripts else _CONTROL
    written = rf"regexp_matches({name}, '[^\p{{Z}}\p{{C}}]') AND NOT regexp_matches({name}, '{foreign}')"
    if scripts:
        written += rf" AND ({lang} <> '{ANY}' OR regexp_matches({name}, '[{scripts}]'))"
    return f"({written})"


_CONTROL = r"[\p{Cc}\p{Zl}\p{Zp}]"


def presentable(text: str) -> bool:
    """Whether a text can stand in a sentence: something is seen of it, and it has no control character or line end."""
    if text.isprintable() and text.strip():
        return True
    kinds = {unicodedata.category(sign) for sign in text}
    return not kinds & {"Cc", "Zl", "Zp"} and any(kind[0] not in "ZC" for kind in kinds)


def storable(text: str) -> bool:
    """Whether a database can hold a text: no half of a surrogate pair."""
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
