"""Countries, parts of the world and their classes, by the codes that several packages share."""

from __future__ import annotations

from nerquake.knowledge.ids import LOCAL
from nerquake.knowledge.packages_rows import NameClass, PackageRows, local_class, words

COUNTRY = NameClass("Q6256", "GPE", "country")
SOVEREIGN = NameClass("Q3624078", "GPE", "sovereign state")
CONTINENT = NameClass("Q5107", "LOC", "continent")
DEPENDENT = local_class("dependent-territory", "GPE", "dependent or disputed territory")
REGION = local_class("world-region", "LOC", "region of the world")

CONTINENTS = frozenset({"002", "003", "005", "009", "142", "150", "AQ"})
PSEUDO_AREAS = frozenset({"001", "EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"})
"""Codes of what is no area, or not one area: the world, unions of states, test locales, `unknown`."""
GONE = frozenset({"AN", "BU", "CS", "DD", "SU", "TP", "YD", "YU", "ZR"})
"""Codes of states that are no more."""
DEPENDENCIES = words(
    "AC AI AS AW AX BL BM BQ BV CC CK CP CQ CW CX DG EA EH FK FO GF GG GI GL GP GS GU HK HM IC IM IO JE KY MF MO MP MQ "
    "MS NC NF NU PF PM PN PR RE SH SJ SX TA TC TF TK UM VG VI WF YT"
)
"""Areas with a code of their own that are no countries, or not by common understanding."""
DISPUTED = frozenset({"PS", "TW", "XK"})
"""Countries that are no members of the United Nations."""


def country_id(code: str) -> str:
    """The id of a country or territory."""
    return f"{LOCAL}country/{code}"


def area_id(code: str) -> str:
    """The id of what has a code of an area: a country, a continent, a region."""
    return country_id(code) if code.isalpha() and code != "AQ" else f"{LOCAL}area/{code}"


def area_classes(code: str) -> tuple[NameClass, ...]:
    """The classes of an area by its code; none where the code stands for no area."""
    if code in PSEUDO_AREAS or code in GONE:
        return ()
    if code in CONTINENTS:
        return (CONTINENT,)
    if not code.isalpha():
        return (REGION,)
    if code in DEPENDENCIES:
        return (DEPENDENT,)
    return (COUNTRY,) if code in DISPUTED else (COUNTRY, SOVEREIGN)


def give_area(rows: PackageRows, code: str, names: dict[str, str]) -> None:
    """Give an area with its names by language, if any can be used."""
    item = area_id(code)
    named = [rows.name(item, language, name, "areas") for language, name in names.items()]
    if any(named):
        for one in area_classes(code):
            rows.member(item, one)
