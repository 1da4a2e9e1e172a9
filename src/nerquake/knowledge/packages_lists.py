"""Airports from the package airportsdata, listed companies from the package pytickersymbols."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from nerquake.knowledge.ids import LOCAL
from nerquake.knowledge.packages_areas import country_id
from nerquake.knowledge.packages_rows import (
    NameClass,
    PackageRows,
    has_brackets,
    local_class,
    slug,
    straightened,
    without_brackets,
)
from nerquake.knowledge.text import ANY, folded

AIRPORT = NameClass("Q1248784", "FAC", "airport")
INTERNATIONAL = NameClass("Q644371", "FAC", "international airport")
_AIRPORT_WORD = re.compile(r"\b(?:air(?:port|field|park|strip| ?base|drome)|aero(?:drome|port)|international)\b", re.I)
_SHORTENED = re.compile(r"\b(?:Afb|Apt|Arb|Nas|Trml|Intl|Rgnl|Muni|Lz|Mem)\b")
_SLASHES = re.compile(r"""[/,;"?°`´]""")

COMPANY = NameClass("Q891723", "ORG", "public company")
KNOWN_INDUSTRIES: Mapping[str, NameClass] = {
    **dict.fromkeys(("banks", "regional banks"), NameClass("Q22687", "ORG", "bank")),
    **dict.fromkeys(("airlines", "passenger airlines"), NameClass("Q46970", "ORG", "airline")),
    **dict.fromkeys(
        ("auto and truck manufacturers", "automobile manufacturers"),
        NameClass("Q786820", "ORG", "automobile manufacturer"),
    ),
}
FEWEST = 10
"""The fewest companies that make a class of an industry that has no checked id."""


class Airport(NamedTuple):
    """An airport by its IATA code."""

    code: str
    name: str
    country: str


class Company(NamedTuple):
    """A listed company with the industries that it is said to be of."""

    name: str
    industries: tuple[str, ...] = ()


def fill_airports(rows: PackageRows) -> None:
    """Give the airports that have an IATA code."""
    import airportsdata

    found: Mapping[str, Any] = airportsdata.load("IATA")
    give_airports(rows, (Airport(code, one["name"], one["country"]) for code, one in found.items()))


def give_airports(rows: PackageRows, airports: Iterable[Airport]) -> None:
    """Airports, in English; of those that are called alike the first by code."""
    seen: set[str] = set()
    for one in sorted(airports):
        name = straightened(one.name)
        rows.took("blanks straightened", "airports", int(name != one.name))
        rule = _wrong(name)
        if not rule and folded(name) in seen:
            rule = "repeats"
        if rule:
            rows.took(rule, "airports")
            continue
        item = f"{LOCAL}airport/{one.code}"
        if rows.name(item, "en", name, "airports"):
            seen.add(folded(name))
            rows.member(item, AIRPORT)
            if re.search(r"\bInternational\b", name):
                rows.member(item, INTERNATIONAL)
            if one.country:
                rows.draft.country(item, country_id(one.country))


def _wrong(name: str) -> str:
    """The rule that an airport's name breaks; empty if none."""
    if has_brackets(name):
        return "names with brackets"
    if _SLASHES.search(name):
        return "names with slashes or other signs"
    if _SHORTENED.search(name):
        return "names with shortened words"
    return "" if _AIRPORT_WORD.search(name) else "names without a word for an airport"


def fill_companies(rows: PackageRows) -> None:
    """Give the companies of the stock indices."""
    from pytickersymbols import PyTickerSymbols

    stocks = PyTickerSymbols().get_all_stocks()
    give_companies(rows, (Company(one["name"], tuple(one.get("industries") or ())) for one in stocks))


def give_companies(rows: PackageRows, companies: Iterable[Company]) -> None:
    """Companies by industry. Their countries are not used: that column holds cities too."""
    clean = list(_companies(rows, companies))
    sizes = Counter(industry for one in clean for industry in one.industries)
    for one in clean:
        item = f"{LOCAL}company/{folded(one.name).replace(' ', '_')}"
        if not rows.name(item, ANY, one.name, "companies"):
            continue
        rows.member(item, COMPANY)
        for industry in one.industries:
            if industry in KNOWN_INDUSTRIES:
                rows.member(item, KNOWN_INDUSTRIES[industry])
            elif sizes[industry] >= FEWEST:
                rows.member(item, local_class(f"company-{slug(industry)}", "ORG", f"company, {industry}"))
            else:
                rows.took(f"industries of fewer than {FEWEST} companies", "memberships")


def _companies(rows: PackageRows, companies: Iterable[Company]) -> Iterable[Company]:
    """Companies under clean names, each once with the industries of all its entries."""
    found: dict[str, tuple[str, set[str]]] = {}
    for one in sorted(companies):
        name = straightened(one.name)
        if has_brackets(name):
            rows.took("parts in brackets", "companies")
            name = without_brackets(name)
        industries = {folded(industry).replace("&", "and") for industry in one.industries}
        if folded(name) in found:
            rows.took("repeats", "companies")
        found.setdefault(folded(name), (name, set()))[1].update(filter(None, industries))
    return [Company(name, tuple(sorted(industries))) for name, industries in found.values()]
