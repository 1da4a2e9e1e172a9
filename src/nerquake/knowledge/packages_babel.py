"""Countries, languages and currencies in many languages: the Unicode CLDR data of the package babel."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from nerquake.core.errors import UsageError
from nerquake.knowledge.ids import LOCAL
from nerquake.knowledge.packages_areas import GONE, PSEUDO_AREAS, give_area
from nerquake.knowledge.packages_rows import NameClass, PackageRows, has_brackets, local_class, without_brackets, words

Names = Mapping[str, Mapping[str, str]]
"""Language of the names -> code -> name."""

LANGUAGE = NameClass("Q34770", "LANGUAGE", "language")
PSEUDO_LANGUAGES = frozenset({"mis", "mul", "root", "und", "zxx"})
UNIONS = frozenset({"XAF", "XCD", "XCG", "XOF", "XPF"})
"""Codes that begin with X and are money; all others of these are metals, units of account and tests."""
FUNDS = words("BOV CHE CHW CLF COU MXV USN USS UYI UYW ZAL")
"""Codes of bookkeeping units that nobody pays with."""
_OFFICIAL = re.compile(r"\s*\bSAR China$|^Sonderverwaltungsregion\s+")
_YEAR = re.compile(r"\d{4}")


def fill(rows: PackageRows, currency_type: str) -> None:
    """Give all that babel has in the wanted languages."""
    locales = {language: _locale(language) for language in rows.languages}
    give_areas(rows, {language: found.territories for language, found in locales.items()})
    give_languages(rows, {language: found.languages for language, found in locales.items()})
    give_currencies(rows, {language: found.currencies for language, found in locales.items()}, currency_type)


def _locale(language: str) -> Any:
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        raise UsageError(f"packages: babel has no names in the language {language!r}") from None


def give_areas(rows: PackageRows, names: Names) -> None:
    """Countries, territories, continents and regions.

    Names such as `Congo - Kinshasa`, which only lists have, are left out.
    """
    for code in _codes(names):
        if code in PSEUDO_AREAS or code in GONE:
            rows.took("pseudo codes", "areas")
            continue
        plain = {language: _area(rows, name, language) for language, name in _named(names, code)}
        whole = {language: name for language, name in plain.items() if " - " not in name}
        rows.took("names with dashes", "areas", len(plain) - len(whole))
        give_area(rows, code, whole)


def _area(rows: PackageRows, name: str, language: str) -> str:
    plain = name
    if has_brackets(name):
        rows.took("parts in brackets", "areas")
        plain = without_brackets(name)
    if _OFFICIAL.search(plain):
        rows.took("words of administration", "areas")
        plain = _OFFICIAL.sub("", plain)
    if language == "en" and " & " in plain:
        rows.took("ampersands spelled out", "areas")
        plain = plain.replace(" & ", " and ")
    return plain


def give_languages(rows: PackageRows, names: Names) -> None:
    """Languages; dialects by country or script, such as Swiss French, are left out."""
    for code in _codes(names):
        if code in PSEUDO_LANGUAGES:
            rows.took("pseudo codes", "languages")
        elif "_" in code:
            rows.took("dialects", "languages")
        else:
            _give(rows, f"{LOCAL}language/{code}", _whole(rows, names, code, "languages"), LANGUAGE, "languages")


def give_currencies(rows: PackageRows, names: Names, type_: str) -> None:
    """Currencies. None of the eleven name types is theirs, so that they have only the type that a user gives them."""
    currency = local_class("currency", type_, "currency")
    for code in _codes(names):
        if code in FUNDS or (code.startswith("X") and code not in UNIONS):
            rows.took("pseudo codes", "currencies")
        else:
            _give(rows, f"{LOCAL}currency/{code}", _whole(rows, names, code, "currencies"), currency, "currencies")


def _give(rows: PackageRows, item: str, names: Mapping[str, str], of: NameClass, what: str) -> None:
    named = [rows.name(item, language, name, what) for language, name in names.items()]
    if any(named):
        rows.member(item, of)


def _whole(rows: PackageRows, names: Names, code: str, what: str) -> dict[str, str]:
    """Names without brackets: without what stands in them, these would be the names of something else."""
    found: dict[str, str] = {}
    for language, name in _named(names, code):
        if _YEAR.search(name):
            rows.took("names with years", what)
        elif has_brackets(name):
            rows.took("names with brackets", what)
        else:
            found[language] = name.replace(" & ", " and ") if language == "en" else name
            rows.took("ampersands spelled out", what, int(found[language] != name))
    return found


def _codes(names: Names) -> list[str]:
    return sorted({code for found in names.values() for code in found})


def _named(names: Names, code: str) -> Sequence[tuple[str, str]]:
    return [(language, found[code]) for language, found in names.items() if code in found]
