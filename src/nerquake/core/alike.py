"""Names that different tag sets give to the same thing. They are suggested in messages and never applied.

The sets are those of CoNLL-2003, OntoNotes 5, WNUT-17, MultiCoNER 1 and 2, GermEval 2014 and HIPE.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_SAME: tuple[str, ...] = (
    "person per pers people",
    "location loc place",
    "gpe",
    "facility fac",
    "organization organisation org",
    "corporation corp coporation company",
    "group grp",
    "creative-work cw work_of_art work",
    "product prod",
    "misc miscellaneous other oth",
    "norp nationality",
    "event",
    "law",
    "language",
    "medical med",
    "date",
    "time",
)
"""Other spellings of one label."""

_WITHIN: tuple[tuple[str, str], ...] = (
    ("person", "scientist artist athlete politician cleric sportsmanager otherper"),
    ("location", "facility otherloc humansettlement station gpe"),
    ("group", "musicalgrp publiccorp privatecorp aerospacemanufacturer sportsgrp carmanufacturer techcorp otherorg"),
    ("corporation", "publiccorp privatecorp techcorp aerospacemanufacturer carmanufacturer"),
    ("organization", "corporation group publiccorp privatecorp techcorp aerospacemanufacturer carmanufacturer "
                     "musicalgrp sportsgrp otherorg"),
    ("creative-work", "visualwork musicalwork writtenwork artwork software othercw"),
    ("product", "clothing vehicle food drink otherprod"),
    ("medical", "medication vaccine medicationvaccine medicalprocedure anatomicalstructure symptom disease"),
    ("misc", "norp event law language creative-work product"),
)  # fmt: skip
"""Labels of coarse sets, and those of finer sets that fall under them."""


def alike(label: str, known: Sequence[str]) -> str:
    """The known label that a label most likely means, empty where there is none.

    First the same name in another spelling, then a coarser label that it falls under, then the finer label of the
    same kind (ORG for CORP, and the other way round), the first by name where there are several.
    """
    if label in known:
        return label
    plain = {_plain(name): name for name in sorted(known, reverse=True)}
    family = _family(_plain(label))
    upper = [_family(_plain(coarse)) for coarse, fine in _WITHIN if family & set(map(_plain, fine.split()))]
    lower = [_family(_plain(name)) for coarse, fine in _WITHIN if _plain(coarse) in family for name in fine.split()]
    wanted = ({_plain(label)}, family, *upper, set().union(*lower))
    for names in wanted:
        found = sorted(plain[name] for name in names if name in plain)
        if found:
            return found[0]
    return ""


def _plain(label: str) -> str:
    return re.sub(r"[\W_]", "", label).lower()


def _family(plain: str) -> set[str]:
    """All spellings of a label, itself included."""
    for names in _SAME:
        family = set(map(_plain, names.split()))
        if plain in family:
            return family
    return {plain}
