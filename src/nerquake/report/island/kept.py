"""Which cases a page of limited size shows; `cases.jsonl` holds all of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import Literal

from nerquake.core.results import Case
from nerquake.core.seeds import hashed
from nerquake.report.island.flags import flags_of

Kept = Literal["all", "fell"] | int
"""All cases; those where a mention fell or rose; or so many, drawn alike from every set and kind of outcome."""


def choose(cases: Sequence[Case], kept: Kept, seed: int) -> tuple[Case, ...]:
    """The cases that are kept, in their order.

    A number of cases is drawn by seed from strata, a set and the flags of all models together: one of each stratum,
    then a second one, until there are enough. So what is rare is there as well.
    """
    if kept == "all" or (isinstance(kept, int) and kept >= len(cases)):
        return tuple(cases)
    if kept == "fell":
        return tuple(case for case in cases if any(case.fell.values()) or any(case.rose.values()))
    strata: dict[tuple[str, str, int], list[int]] = {}
    for place, case in enumerate(cases):
        strata.setdefault((case.meta.get("audit", ""), case.set, _flags(case)), []).append(place)
    for stratum in strata.values():
        stratum.sort(key=lambda place: hashed(seed, "kept", cases[place].set, cases[place].parent))
    order = sorted(strata, key=lambda key: (hashed(seed, "stratum", *key), key))
    rounds = chain.from_iterable(zip_longest(*(strata[key] for key in order)))
    drawn = [place for place in rounds if place is not None][: max(kept, 0)]
    return tuple(cases[place] for place in sorted(drawn))


def _flags(case: Case) -> int:
    found = 0
    for tagger in case.predicted:
        found |= flags_of(case.outcomes[tagger], case.spurious[tagger])
    return found
