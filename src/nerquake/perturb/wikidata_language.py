"""The dictionary that names are drawn from, and their language and script: those of the sentence."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from nerquake.core.dataset import Dataset
from nerquake.core.errors import UsageError
from nerquake.core.language import Language, language_of, normalise
from nerquake.core.sentence import Sentence
from nerquake.knowledge.dictionary import STARTER, Dictionary, starter
from nerquake.knowledge.text import SCRIPTS


@contextmanager
def opened(path: str) -> Iterator[Dictionary]:
    """A dictionary's file, or the one that is shipped, as long as it lasts."""
    if path == STARTER and not Path(path).is_file():
        yield starter()
        return
    with Dictionary.open(path) as found:
        yield found


def language_for(wanted: str, corpus: Dataset, dictionary: Dictionary) -> Language:
    """The language to draw in: the one that is asked for, else the data set's.

    Raises:
        UsageError: it is not known, or the dictionary has no names in it.
    """
    found = Language(normalise(wanted)) if wanted else language_of(corpus)
    there = ", ".join(dictionary.meta.languages) or "none"
    if not found.code:
        raise UsageError(f"wikidata: {found.note}; the dictionary {dictionary.path} has {there}")
    if found.code not in dictionary.meta.languages:
        raise UsageError(
            f"wikidata: the dictionary {dictionary.path} has no names in {found.code}; it has {there}. Build one with "
            f"--languages {found.code}, or say language= if the data are in another language"
        )
    return found


def in_script(sentence: Sentence, language: str) -> bool:
    """Whether at least half of a sentence's letters are of the language's script, or it has none."""
    scripts = SCRIPTS.get(language)
    if not scripts or ("Latin" in scripts and all(map(str.isascii, sentence.tokens))):
        return True
    here = other = 0
    for token in sentence.tokens:
        for character in token:
            if character.isalpha():
                fits = _script(character) in scripts
                here += fits
                other += not fits
    return here >= other


@lru_cache(maxsize=1 << 14)
def _script(character: str) -> str:
    """A letter's script as `SCRIPTS` calls it; that of a Chinese character is Han."""
    first = unicodedata.name(character, "").partition(" ")[0]
    return "Han" if first == "CJK" else first.capitalize()
