"""The language of a data set, where it is not given: by its script, and said."""

from __future__ import annotations

from typing import NamedTuple

from nerquake.core.dataset import Dataset

_NAMES = {
    "english": "en", "eng": "en", "german": "de", "deutsch": "de", "deu": "de", "ger": "de", "hindi": "hi", "hin": "hi",
}  # fmt: skip


class Language(NamedTuple):
    """A two-letter code, empty where it cannot be told, and how it was settled (empty where the user said it)."""

    code: str
    note: str = ""


def normalise(language: str) -> str:
    """`de_AT`, `DE` and `german` as `de`; other codes in lower case."""
    stem = language.strip().casefold().replace("_", "-").partition("-")[0]
    return _NAMES.get(stem, stem)


def language_of(corpus: Dataset) -> Language:
    """The data set's language; where it is not given, by the script of most words: Devanagari Hindi, Latin English."""
    code = normalise(corpus.language)
    if code:
        return Language(code)
    latin = devanagari = other = 0
    for sentence in corpus.sentences:
        for token in sentence.tokens:
            first = token[0] if token else ""
            if "\u0900" <= first <= "\u097f":
                devanagari += 1
            elif first < "\u0250":
                latin += first.isalpha()
            else:
                other += first.isalpha()
    if devanagari > latin + other:
        return Language("hi", "no language is given; Hindi is assumed, by the script (--language says it)")
    if other > latin + devanagari:
        return Language("", "no language is given, and the script does not tell it (--language says it)")
    return Language("en", "no language is given; English is assumed (--language says it)")
