"""Pools of names from the library Faker, cleaned: what `faker` draws from.

Faker's own `name()` adds titles and degrees, and some of its lists hold stray blanks, initials, numerals, words of
another script or broken encodings. So names are put together here, from its lists, and every entry is looked at:

- people: a first and a last name, in the order and with the joint that the locale's own formats have;
- places: its list of cities where it has one (German, Austrian, Swiss, Indian towns; for hi_IN the 50 of Faker's 56
  entries that are names), else its patterns
  (en_US and en_CA invent `New Melanie`, `Pearsonborough`, which is what paper M used);
- countries and states: its lists, on request;
- organisations: its patterns of last names and legal forms.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from random import Random
from typing import Any, Literal

from nerquake.core.errors import SpecError, UnknownName
from nerquake.perturb.tokens import retokenise

PlaceKind = Literal["city", "country", "state"]
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
_NUMERAL = re.compile(r"[IVX]+\.?")
_LOWER_CASE = (
    "af al av bin da das de del della den der des di do dos du e el het ibn la le op 't 's ten ter und van vom von y "
    "zu zum zur"
)
_PARTICLES = frozenset(_LOWER_CASE.split())
_TOGETHER = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "HANGUL": "CJK", "CJK": "CJK"}
_NO_TOWNS = frozenset({"अन्तर्गत", "करना", "जिससेबेलारी", "जिलोंपर", "विस्तारण", "सभापतिने"})
"""Entries of the Hindi list of towns that are other words: under, to do, from which, on districts, extension, ..."""
_LISTS = {
    "city_name": ("cities", "city_names"),
    "city": ("cities", "city_names"),
    "state_name": ("states",),
    "first_name": ("first_names",),
    "last_name": ("last_names",),
    "city_prefix": ("city_prefixes",),
    "city_suffix": ("city_suffixes",),
    "company_prefix": ("company_prefixes",),
    "company_suffix": ("company_suffixes",),
    "company_type": ("company_types",),
    "large_company": ("large_companies",),
}


@dataclass(frozen=True, slots=True)
class Pool:
    """Texts to draw from, each with its weight; `bounds` are the running sums, empty where all weigh the same."""

    items: tuple[str, ...]
    bounds: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.items)

    def draw(self, rng: Random) -> str:
        """One of them."""
        if self.bounds:
            return self.items[min(bisect(self.bounds, rng.random() * self.bounds[-1]), len(self.items) - 1)]
        return self.items[int(rng.random() * len(self.items))]


@dataclass(frozen=True, slots=True)
class Pattern:
    """Pieces of a name in a row: fixed text, or a pool to draw from."""

    pieces: tuple[str | Pool, ...]

    def draw(self, rng: Random) -> str:
        """One name."""
        return "".join(piece if isinstance(piece, str) else piece.draw(rng) for piece in self.pieces)

    def __len__(self) -> int:
        size = 1
        for piece in self.pieces:
            size *= 1 if isinstance(piece, str) else len(piece)
        return size


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns, each as likely as the next. Its length is the number of different names, roughly."""

    patterns: tuple[Pattern, ...]

    def __len__(self) -> int:
        return sum(map(len, dict.fromkeys(self.patterns)))

    def draw(self, rng: Random) -> tuple[str, ...]:
        """The tokens of one name."""
        pattern = self.patterns[int(rng.random() * len(self.patterns))]
        return retokenise(pattern.draw(rng))


@dataclass(frozen=True, slots=True)
class LocalePools:
    """What one locale offers; a kind without entries is an empty `Patterns`.

    first, last   its first and last names alone
    """

    locale: str
    people: Patterns
    cities: Patterns
    countries: Patterns
    states: Patterns
    organisations: Patterns
    first: Pool = field(repr=False)
    last: Pool = field(repr=False)

    def places(self, kinds: Sequence[PlaceKind]) -> list[Patterns]:
        """The pools of these kinds of places that have entries."""
        named = {"city": self.cities, "country": self.countries, "state": self.states}
        return [named[kind] for kind in kinds if len(named[kind])]


def check_locales(locales: Iterable[str]) -> None:
    """Raise UnknownName unless Faker has these locales with names of people."""
    known = available_locales()
    for locale in locales:
        if locale not in known:
            raise UnknownName("Faker locale", locale, known)


def available_locales() -> tuple[str, ...]:
    """The locales of the installed Faker, those of a language with a country."""
    from faker.config import AVAILABLE_LOCALES

    return tuple(sorted(locale for locale in AVAILABLE_LOCALES if "_" in locale))


@cache
def pools_of(locale: str) -> LocalePools:
    """The locale's cleaned pools."""
    from faker import Faker

    made = Faker(locale)
    person, address, company = (_provider(made, kind) for kind in ("person", "address", "company"))
    affixes = _affixes(person)
    script = _script_of([*_entries(person, "first_names"), *_entries(person, "last_names")])
    clean = _Cleaner(script, affixes)
    if not _speaks(person, locale):
        raise SpecError(f"faker: the installed Faker has no names of people for {locale}")
    if not _speaks(address, locale):
        address = None
    first, last = clean.people(_first_names(person)), clean.people(_last_names(person))
    if not first or not last:
        raise SpecError(f"faker: the locale {locale} has no plain lists of first and last names")
    return LocalePools(
        locale,
        Patterns(tuple(_person_patterns(person, clean))),
        _cities(address, person, clean),
        _plain(_entries(address, "countries"), clean),
        _plain({**_entries(address, "states"), **_entries(address, "provinces")}, clean),
        Patterns(tuple(_patterns(_entries(company, "formats"), (company, person), clean))),
        Pool(tuple(first)),
        Pool(tuple(last)),
    )


def _provider(made: Any, kind: str) -> Any:
    return next(p for p in made.get_providers() if type(p).__module__.startswith(f"faker.providers.{kind}"))


def _speaks(provider: Any, locale: str) -> bool:
    """Whether a provider is of the locale's language: Faker falls back on en_US without a word."""
    return type(provider).__module__.rpartition(".")[2].partition("_")[0] == locale.partition("_")[0]


def _entries(provider: Any, name: str) -> dict[str, float]:
    """A provider's list as texts with weights; what is no text is left out.

    Lists that are only inherited from Faker's base classes (the last name `Doe`, towns that end in `Ville`, countries
    in English) are not the locale's own and count as empty, but for countries of English locales and legal forms.
    """
    values = getattr(provider, name, None)
    if not isinstance(values, dict | tuple | list) or (_inherited(provider, name) and "formats" not in name):
        return {}
    if isinstance(values, dict):
        weights = {text: value for text, value in values.items() if isinstance(text, str)}
        numbers = all(isinstance(value, int | float) for value in weights.values())
        return {text: float(value) if numbers else 1.0 for text, value in weights.items()}
    return {text: float(count) for text, count in Counter(v for v in values if isinstance(v, str)).items()}


def _inherited(provider: Any, name: str) -> bool:
    *_, kind, locale = type(provider).__module__.split(".")
    if kind == "company" or (name == "countries" and locale.startswith("en_")):
        return False
    return getattr(provider, name) is getattr(type(provider).__mro__[-3], name, None)


def _affixes(person: Any) -> frozenset[str]:
    """Every token of the locale's lists of titles, degrees and honorifics."""
    found: set[str] = set()
    for name in dir(person):
        if "prefix" in name or "suffix" in name:
            for text in _entries(person, name):
                found.update(text.split())
                found.update(retokenise(text))
    return frozenset(found)


def _first_names(person: Any) -> dict[str, float]:
    return {**_entries(person, "first_names_male"), **_entries(person, "first_names_female")} or _entries(
        person, "first_names"
    )


def _last_names(person: Any) -> dict[str, float]:
    return _entries(person, "last_names") or {
        **_entries(person, "last_names_male"),
        **_entries(person, "last_names_female"),
    }


def _script(character: str) -> str:
    """The script of a letter or mark, by the first word of its Unicode name."""
    word = unicodedata.name(character, "").partition(" ")[0]
    return _TOGETHER.get(word, word)


def _script_of(texts: Collection[str]) -> str:
    """The script of most letters."""
    counts = Counter(_script(c) for text in texts for c in text if c.isalpha())
    return counts.most_common(1)[0][0] if counts else ""


@dataclass(frozen=True, slots=True)
class _Cleaner:
    """Keeps what is a clean name in the locale's script."""

    script: str
    affixes: frozenset[str]

    def fits(self, text: str, marks: str) -> bool:
        """Whether it is made of the script's letters and marks, blanks, hyphens and the marks given."""
        if self.script == "LATIN":
            marks += "'’"
        return any(c.isalpha() for c in text) and all(
            c in " -" or c in marks or (unicodedata.category(c)[0] in "LM" and self._own(c)) for c in text
        )

    def _own(self, character: str) -> bool:
        return _script(character) in (self.script, "COMBINING")

    def people(self, entries: dict[str, float]) -> dict[str, float]:
        """First or last names: no titles, numerals, initials or particles that have lost their name."""
        kept: dict[str, float] = {}
        for text, weight in entries.items():
            words = text.split()
            if self.fits(" ".join(words), "") and self._is_name(words):
                kept[" ".join(words)] = kept.get(" ".join(words), 0.0) + weight
        return kept

    def _is_name(self, words: Sequence[str]) -> bool:
        if not words or any(word in self.affixes or _NUMERAL.fullmatch(word) for word in words):
            return False
        *before, final = words
        return not final[0].islower() and all(not w[0].islower() or w in _PARTICLES for w in before)

    def places(self, entries: Iterable[str]) -> list[str]:
        """Place names, without repeats and stray blanks."""
        texts = dict.fromkeys(" ".join(text.split()) for text in entries)
        clean = [text for text in texts if self.fits(text, ".,&/–") and not text.endswith((",", "-"))]
        return [text for text in clean if text not in _NO_TOWNS]

    def pieces(self, entries: dict[str, float]) -> dict[str, float]:
        """Parts of names, such as legal forms or `ville`; an empty one counts."""
        return {
            " ".join(text.split()): weight
            for text, weight in entries.items()
            if not text or all(not c.isalpha() or self._own(c) for c in text)
        }


def _pool(entries: dict[str, float]) -> Pool:
    weights = list(entries.values())
    even = not weights or min(weights) == max(weights)
    return Pool(tuple(entries), () if even else tuple(accumulate(weights)))


def _person_patterns(person: Any, clean: _Cleaner) -> Iterable[Pattern]:
    """First and last name as the locale joins them; male and female names where its lists tell them apart."""
    between, last_first = " ", False
    for text in _entries(person, "formats"):
        names = _PLACEHOLDER.findall(text)
        kinds = [name.partition("_name")[0] for name in names]
        if sorted(kinds) == ["first", "last"]:
            inner = _PLACEHOLDER.split(text)
            between, last_first = inner[2], kinds[0] == "last"
            break
    for gender in ("_male", "_female"):
        first = clean.people(_entries(person, f"first_names{gender}"))
        last = clean.people(_entries(person, f"last_names{gender}")) or clean.people(_last_names(person))
        if first and last:
            yield _person_pattern(first, between, last, last_first)
    if not clean.people(_entries(person, "first_names_male")):
        yield _person_pattern(
            clean.people(_first_names(person)), between, clean.people(_last_names(person)), last_first
        )


def _person_pattern(first: dict[str, float], between: str, last: dict[str, float], last_first: bool) -> Pattern:
    pieces = (_pool(last), between, _pool(first)) if last_first else (_pool(first), between, _pool(last))
    return Pattern(pieces)


def _plain(entries: Iterable[str], clean: _Cleaner) -> Patterns:
    texts = clean.places(entries)
    return Patterns((Pattern((Pool(tuple(texts)),)),) if texts else ())


def _cities(address: Any, person: Any, clean: _Cleaner) -> Patterns:
    """The list of cities, or patterns where there is none."""
    for name in ("cities", "city_names"):
        listed = _plain(_entries(address, name), clean)
        if len(listed):
            return listed
    return Patterns(tuple(_patterns(_entries(address, "city_formats"), (address, person), clean)))


def _patterns(formats: dict[str, float], providers: Sequence[Any], clean: _Cleaner) -> Iterable[Pattern]:
    """A locale's formats as patterns, each as often as it is listed; those with an unknown or empty part left out."""
    for text, count in formats.items():
        parts = _PLACEHOLDER.split(text)
        pieces: list[str | Pool] = []
        for index, part in enumerate(parts):
            if index % 2:
                pieces.append(_part(part, providers, clean))
            elif part and all(not c.isalpha() or _script(c) == clean.script for c in part):
                pieces.append(part)
            elif part:
                pieces.append(Pool(()))
        if pieces and all(not isinstance(piece, Pool) or len(piece) for piece in pieces):
            yield from [Pattern(tuple(pieces))] * max(1, round(count))


def _part(name: str, providers: Sequence[Any], clean: _Cleaner) -> Pool:
    for attribute in _LISTS.get(name, ()):
        for provider in providers:
            entries = _entries(provider, attribute)
            if attribute in ("first_names", "last_names"):
                entries = clean.people(entries)
            elif attribute in ("cities", "city_names", "states"):
                entries = dict.fromkeys(clean.places(entries), 1.0)
            else:
                entries = clean.pieces(entries)
            if entries:
                return _pool(entries)
    return Pool(())
