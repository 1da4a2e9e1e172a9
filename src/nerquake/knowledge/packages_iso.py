"""Subdivisions of countries and languages of the world: ISO 3166-2 and 639-3 in the package pycountry.

Its translations are not used: they go by the text (the state Georgia as `Georgien`), and many Hindi ones are wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from nerquake.knowledge.ids import LOCAL
from nerquake.knowledge.packages_areas import country_id
from nerquake.knowledge.packages_babel import LANGUAGE, PSEUDO_LANGUAGES
from nerquake.knowledge.packages_places import US_STATE, without_macrons
from nerquake.knowledge.packages_rows import (
    NameClass,
    PackageRows,
    has_brackets,
    local_class,
    straightened,
    without_brackets,
    words,
)
from nerquake.knowledge.text import ANY

MODERN = NameClass("Q1288568", "LANGUAGE", "modern language")
KNOWN: Mapping[tuple[str, str], NameClass] = {
    ("US", "State"): US_STATE,
    ("DE", "Land"): NameClass("Q1221156", "GPE", "state of Germany"),
    ("CA", "Province"): NameClass("Q11828004", "GPE", "province of Canada"),
    ("FR", "Metropolitan department"): NameClass("Q6465", "GPE", "department of France"),
}
ENGLISH = words(
    "AG AU BB BS BW BZ CA DM FJ GB GD GH GM GY IE IN JM KE KN LC LR LS MW NA NG NZ PG PH SB SL SS SZ TT TZ UG US VC WS "
    "ZA ZM ZW"
)
"""Countries whose subdivisions have the names that English texts use."""
GERMAN = frozenset({"AT", "DE", "LI"})
_OF_ANY = frozenset({("FR", "Metropolitan department")})
"""Subdivisions that are called alike in all languages with Latin letters."""
_TAIL = re.compile(r"(?:.*\bof(?: the)?|The|County|U\.S\.|British)", re.IGNORECASE)
_COMPASS = words("north south east west northern southern eastern western central")


class Subdivision(NamedTuple):
    """A subdivision by its code (`US-CA`), with its kind (`State`)."""

    code: str
    name: str
    kind: str


class Language(NamedTuple):
    """A language by its code; scope I or M, type L for those that are spoken."""

    code: str
    name: str
    scope: str
    kind: str


def fill(rows: PackageRows) -> None:
    """Give all that pycountry has and no other package has better."""
    import pycountry

    titles = {one.alpha_2: getattr(one, "common_name", one.name) for one in pycountry.countries}
    found = (Subdivision(one.code, one.name, one.type) for one in pycountry.subdivisions)
    give_subdivisions(rows, found, {code: turned(without_brackets(name)) for code, name in titles.items()})
    give_languages(
        rows,
        (Language(getattr(one, "alpha_2", one.alpha_3), one.name, one.scope, one.type) for one in pycountry.languages),
    )


def give_subdivisions(rows: PackageRows, found: Iterable[Subdivision], countries: Mapping[str, str]) -> None:
    """Subdivisions of the countries whose names are those of a known language; `countries` are names by code."""
    for one in sorted(found):
        country, _, _ = one.code.partition("-")
        language = _language(country, one.kind)
        if not language:
            rows.took("names in the country's own language", "subdivisions")
            continue
        name = _plain(rows, one.name, language)
        item = f"{LOCAL}subdivision/{one.code}"
        if name and rows.name(item, language, name, "subdivisions"):
            rows.member(item, _class(country, one.kind, countries.get(country, country)))
            rows.draft.country(item, country_id(country))


def _language(country: str, kind: str) -> str:
    """The language that the names are of; empty where it is none that is known."""
    if (country, kind) in _OF_ANY:
        return ANY
    return "en" if country in ENGLISH else "de" if country in GERMAN else ""


def _class(country: str, kind: str, title: str) -> NameClass:
    plain = without_brackets(kind)
    return KNOWN.get((country, kind)) or local_class(
        f"subdivision-{country}-{plain}", "GPE", f"{plain.lower()} of {title}"
    )


def _plain(rows: PackageRows, name: str, language: str) -> str:
    """A name as texts have it; empty where it has none."""
    if has_brackets(name):
        rows.took("parts in brackets", "subdivisions")
        name = without_brackets(name)
    if any(sign in name for sign in "/†"):
        rows.took("names with slashes or marks", "subdivisions")
        return ""
    if (right := turned(name)) != name:
        rows.took("inverted names turned round", "subdivisions")
        name = right
    if language == "en" and (right := without_macrons(name)) != name:
        rows.took("macrons taken off", "subdivisions")
        name = right
    if name.lower() in _COMPASS:
        rows.took("words of the compass alone", "subdivisions")
        return ""
    return name


def turned(name: str) -> str:
    """`Bristol, City of` as `City of Bristol`; lists such as `Newry, Mourne and Down` as they are."""
    head, comma, tail = name.partition(", ")
    return straightened(f"{tail} {head}") if comma and _TAIL.fullmatch(tail) else name


def give_languages(rows: PackageRows, found: Iterable[Language]) -> None:
    """Languages in English; those with brackets would need them to be told apart."""
    for one in sorted(found):
        item = f"{LOCAL}language/{one.code}"
        if one.scope == "S" or one.code in PSEUDO_LANGUAGES:
            rows.took("pseudo codes", "languages")
            continue
        if has_brackets(one.name) or "," in one.name:
            rows.took("names with brackets", "languages")
            named = any((item, language) in rows.labelled for language in rows.languages)
        else:
            named = rows.name(item, "en", one.name, "languages")
        if named:
            rows.member(item, LANGUAGE)
            if one.kind == "L":
                rows.member(item, MODERN)
