"""Rows from data packages: names are cleaned on their way, and every rule counts what it took."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from nerquake.knowledge.draft import Draft
from nerquake.knowledge.ids import LOCAL
from nerquake.knowledge.meta import Filter
from nerquake.knowledge.text import ANY, SCRIPTS, storable

TYPE_SOURCE = "packages"
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_MODIFIERS = "ʻʼ"
"""Letters of the alphabets of Hawaiian and others that are written among Latin ones."""
_STARTS = {"Han": "CJK"}
"""How Unicode begins the names of a script's letters, where not with the script's name."""


class NameClass(NamedTuple):
    """A class of items; `type` is empty where none of the name types is its own."""

    class_id: str
    type: str
    title: str


def local_class(text: str, type_: str, title: str) -> NameClass:
    """A class that has no checked id of Wikidata."""
    return NameClass(f"{LOCAL}{slug(text)}", type_, title)


def slug(text: str) -> str:
    """A text as a part of an id."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def words(text: str) -> frozenset[str]:
    """Words of a list written as one text."""
    return frozenset(text.split())


def straightened(name: str) -> str:
    """A name in normal form C, with single blanks."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def without_brackets(name: str) -> str:
    """A name without what stands in brackets."""
    return straightened(_BRACKETS.sub("", name))


def has_brackets(name: str) -> bool:
    """Whether there is a bracket in a name, be it without its partner."""
    return any(sign in name for sign in "()[]")


def fits_script(name: str, language: str) -> bool:
    """Whether all letters are of the language's script, and there is one; languages without a known one take any."""
    scripts = SCRIPTS.get(language, ())
    if not scripts:
        return bool(name)
    letters = [sign for sign in name if sign.isalpha() and sign not in _MODIFIERS]
    return bool(letters) and all(is_of(letter, scripts) for letter in letters)


@lru_cache(maxsize=1 << 14)
def is_of(letter: str, scripts: tuple[str, ...]) -> bool:
    """Whether a letter is of one of these scripts."""
    starts = tuple(_STARTS.get(script, script.upper()) for script in scripts)
    return unicodedata.name(letter, "").startswith(starts)


class PackageRows:
    """What one package gives. `labelled`, which packages share, says what has a label: later names are aliases."""

    def __init__(self, draft: Draft, package: str, languages: Iterable[str], labelled: set[tuple[str, str]]) -> None:
        self.draft, self.package, self.languages = draft, package, tuple(languages)
        self.labelled = labelled
        self.types: set[str] = set()
        self._classes: set[str] = set()
        self._took: dict[str, Counter[str]] = defaultdict(Counter)

    def took(self, rule: str, what: str, count: int = 1) -> None:
        """A cleaning rule took something away, or changed it; `what` says of which kind it was."""
        if count:
            self._took[rule][what] += count

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The rules that took something, with their counts."""
        found = sorted(self._took.items())
        return tuple(Filter(f"{self.package}: {rule}", dict(sorted(counts.items()))) for rule, counts in found)

    def name(self, item: str, language: str, name: str, what: str) -> bool:
        """Give a name, if the language is wanted and the name wholly in its script; whether it was."""
        if language not in (*self.languages, ANY):
            return False
        clean = straightened(name)
        if not clean or not storable(clean):
            self.took("empty names", what)
            return False
        if not fits_script(clean, language):
            self.took("names not wholly in the language's script", f"{what}, {language}")
            return False
        self.draft.name(item, language, clean, alias=(item, language) in self.labelled)
        self.labelled.add((item, language))
        return True

    def member(self, item: str, of: NameClass) -> None:
        """An item is of a class; the class is given with its first member."""
        if of.class_id not in self._classes:
            self._classes.add(of.class_id)
            self.draft.class_name(of.class_id, "en", of.title)
            if of.type:
                self.types.add(of.type)
                self.draft.class_type(of.class_id, of.type, TYPE_SOURCE)
        self.draft.member(item, of.class_id)
