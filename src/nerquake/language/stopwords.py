"""Content words by exclusion: what is a word and stands in no list of stop words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256

from nerquake.core.fillers import CONTENT, FUNCTION
from nerquake.core.language import normalise
from nerquake.core.options import positional

RULES = 1
"""Goes up whenever the rules below may give another answer."""
_ALSO = {"no": "nb"}
"""Codes in use for a language whose list has another one."""
_NO_WORD = re.compile(
    r"""[@#＠＃] | .*:// | .*@ | www\.
    | (?:[\w-]+\.)+[a-z]{2,}(?:[/:?].*)?$  # a host, with or without a path
    | &\w+;$                               # a character reference of HTML
    | -[lr][crs]b-$                        # a bracket as treebanks write it""",
    re.VERBOSE,
)
_EDGES = '.,:;!?()[]{}"“”„«»*_…।'
_JOINTS = re.compile("['\u2010\u2011\u2013-]")
_APOSTROPHES = str.maketrans("’ʼ‘`´＇", "''''''")
_CLITICS = frozenset({"ll", "re", "ve", "em", "qu", "lorsqu", "puisqu", "quoiqu", "jusqu"})
"""What stands beside an apostrophe and is no word by itself; single letters are none anyway."""
_SPLIT_OFF = {"en": frozenset({"wo", "sha"})}
"""What tokenisers leave of `won't` and `shan't`."""


@dataclass(frozen=True, slots=True)
class StopWords:
    """Content words by exclusion: words outside the language's list of stop words. It needs no model.

    A word has more letters than other characters and begins with a letter: numbers, links, @names, #tags, emoji,
    emoticons and punctuation are none, nor is a single letter where letters have capitals. What an apostrophe or a
    hyphen joins (`don't`, `'s`, `it's`) is a function word if all its parts are. Case does not matter. Of a language
    without a list every word is a content word, which is said.

    language   whose list; by default the data set's
    """

    language: str = positional("")

    @property
    def tells_classes(self) -> bool:
        """No: a list cannot tell nouns from verbs."""
        return False

    def for_language(self, code: str) -> StopWords:
        """The same, with a language where none is given."""
        return self if self.language else replace(self, language=code)

    def tag(self, batch: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """CONTENT or FUNCTION for each token."""
        language = self._code()
        words = _folded_list(language)
        return [tuple(CONTENT if _is_content(token, words, language) else FUNCTION for token in one) for one in batch]

    def about(self) -> tuple[str, ...]:
        """How many words the list has, or that there is none."""
        code = self._code()
        size = len(stop_list(code))
        if not size:
            named = code or "a language that is not given"
            return (f"parts of speech: no list of stop words for {named}, so every word counts as a content word",)
        return (f"parts of speech: content words are those outside the {size} stop words for {code}",)

    def fingerprint(self) -> str:
        """A hash over the list, and the number of the rules."""
        code = self._code()
        digest = sha256("\n".join(sorted(_folded_list(code))).encode()).hexdigest()
        return f"stopwords {RULES} {code} {digest}"

    def _code(self) -> str:
        return normalise(self.language)


def stop_list(language: str) -> frozenset[str]:
    """The stop words of a language, by its code; none where there is no list."""
    from stop_words import AVAILABLE_LANGUAGES, LANGUAGE_MAPPING, get_stop_words

    language = _ALSO.get(language, language)
    if language not in LANGUAGE_MAPPING and language not in AVAILABLE_LANGUAGES:
        return frozenset()
    return frozenset(get_stop_words(language))


@lru_cache(maxsize=8)
def _folded_list(language: str) -> frozenset[str]:
    """The list as tokens are looked up in it; some lists have their words in quotation marks."""
    folded = {_folded(word, language) for word in stop_list(language)}
    split_off = _SPLIT_OFF.get(language, frozenset())
    return frozenset({*folded, *(word.strip(_EDGES) for word in folded), *split_off})


def _folded(token: str, language: str) -> str:
    """Without regard to case, to the form of apostrophes and to how marks are put on letters."""
    if language in ("tr", "az"):
        token = token.replace("I", "ı").replace("İ", "i")
    token = unicodedata.normalize("NFC", token).translate(_APOSTROPHES)
    return unicodedata.normalize("NFC", token.casefold()).replace("_", " ").strip()


def _is_content(token: str, words: frozenset[str], language: str) -> bool:
    text = _folded(token, language)
    if not _is_word(text):
        return False
    core = text.strip(_EDGES)
    if text in words or core in words:
        return False
    clitics = _CLITICS if "'" in core else frozenset()
    return not all(_is_small(part) or part in words or part in clitics for part in _JOINTS.split(core))


def _is_small(part: str) -> bool:
    """Whether it is empty or a single letter, in scripts with capitals; in others a letter may be a word."""
    return not part or (len(part) == 1 and part.upper() != part.lower())


def _is_word(text: str) -> bool:
    """Whether it begins with a letter, punctuation apart, and is letters for the most part.

    Marks count with the letters: without them no Devanagari vowel could be written.
    """
    letters = marks = others = 0
    for character in text:
        kind = unicodedata.category(character)
        if kind[0] == "L":
            letters += 1
        elif kind[0] == "N" and not letters:
            return False
        elif kind[0] == "M":
            marks += 1
        elif kind != "Cf":
            others += 1
    return letters > 0 and letters + marks > others and _NO_WORD.match(text) is None
