"""Which labels of a data set stand for people, places and organisations, and which for parts of names.

The tables are what data sets in the wild use. Every attack that needs them has options that replace them.
"""

from __future__ import annotations

import re
from functools import cache

PEOPLE: tuple[str, ...] = (
    "PER", "PERS", "PERSON", "PEOPLE", "NEP", "PER.NAM", "OtherPER", "Artist", "Athlete", "Politician", "Cleric",
    "Scientist", "SportsManager",
)  # fmt: skip
"""CoNLL, HIPE, OntoNotes, WNUT, the Indian-language sets, Weibo, MultiCoNER 2. Compared without regard to case."""
PLACES: tuple[str, ...] = (
    "LOC", "LOCATION", "GPE", "PLACE", "CITY", "COUNTRY", "NEL", "LOC.NAM", "GPE.NAM", "HumanSettlement", "OtherLOC",
    "location-city", "location-country",
)  # fmt: skip
NATURAL_PLACES: tuple[str, ...] = ("LOC", "LOCATION")
"""Labels that hold mountains, rivers and regions, not towns, wherever a data set has a label of its own for towns and
countries: OntoNotes' LOC beside GPE."""
POLITICAL_PLACES: tuple[str, ...] = ("GPE",)
ORGANISATIONS: tuple[str, ...] = (
    "ORG", "ORGANIZATION", "ORGANISATION", "COMPANY", "CORPORATION", "CORP", "coporation", "NEO", "ORG.NAM",
    "PublicCorp", "PrivateCorp", "organization-company",
)  # fmt: skip

_PART = re.compile(r"[A-Z]{2,5}(?:part|deriv)")


@cache
def is_name_part(label: str) -> bool:
    """Whether a label marks a compound or a derived word with a name in it: `LOCpart` on `Troia-Ausstellung`.

    GermEval 2014 has such labels. Another name in their place would not be a word of that kind, so attacks on
    mentions leave them alone unless they are asked for by name.
    """
    return _PART.fullmatch(label) is not None


@cache
def folded(labels: tuple[str, ...]) -> frozenset[str]:
    """The labels as they are compared."""
    return frozenset(label.casefold() for label in labels)
