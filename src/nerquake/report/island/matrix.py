"""Cases sorted into sentences and sets, as the island stores them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nerquake.analyse.cases import with_outcomes
from nerquake.core.errors import InputError
from nerquake.core.results import Case
from nerquake.report.view import View

Key = tuple[str, str]
"""The audit, empty where there is one alone, and the name of a set or the id of a sentence in it."""
DOCUMENT = "doc_id"
"""The group of sentences of one document, where the data have documents."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Sentences by sets.

    originals   for each sentence a case that holds it, in the order of the data set
    sets        entries of the attacked sets
    rows        for each set and sentence the case; None where there is none
    models      names
    groups      fields of the sentences that the page shows as filters
    """

    originals: tuple[Case, ...]
    sets: tuple[Mapping[str, Any], ...]
    rows: tuple[tuple[Case | None, ...], ...]
    models: tuple[str, ...]
    groups: tuple[str, ...]

    def said_before(self, model: str, sentence: int) -> tuple[Any, ...] | None:
        """A model's mentions in the original sentence; None where no case has its answer."""
        for row in self.rows:
            case = row[sentence]
            if case is not None and model in case.predicted:
                return case.predicted[model][0]
        return None


def matrix(view: View, cases: Sequence[Case]) -> Matrix:
    """Sort cases, all of the view's or some of them.

    Raises:
        InputError: a case is of a set or a model that the result does not have.
    """
    several = any("audit" in entry for entry in view.attacks)
    places = {(str(entry.get("audit", "")), str(entry["name"])): place for place, entry in enumerate(view.attacks)}
    rows: list[dict[int, Case]] = [{} for _ in places]
    found = {_key(case, several): case for case in cases}
    keys = (_key(case, several) for case in view.all_cases)  # the order of the data set, whatever cases are kept
    order = {key: sentence for sentence, key in enumerate(key for key in dict.fromkeys(keys) if key in found)}
    originals = [found[key] for key in order]
    known = frozenset(view.taggers)
    for case in cases:
        audit, _ = key = _key(case, several)
        place = places.get((audit, case.set))
        if place is None or not case.predicted.keys() <= known:
            what = f"the set {case.set}" if place is None else f"the models {', '.join(case.predicted)}"
            raise InputError(f"a case is of {what}, which result.json does not have; run the audit again")
        rows[place][order[key]] = _told(case)
    size = len(originals)
    filled = tuple(tuple(row.get(sentence) for sentence in range(size)) for row in rows)
    return Matrix(tuple(originals), tuple(view.attacks), filled, view.taggers, _groups(originals))


def _key(case: Case, several: bool) -> Key:
    return case.meta.get("audit", "") if several else "", case.parent


def _told(case: Case) -> Case:
    return case if case.outcomes.keys() == case.spurious.keys() == case.predicted.keys() else with_outcomes(case)


def _groups(originals: Sequence[Case]) -> tuple[str, ...]:
    names = dict.fromkeys(name for case in originals for name in case.meta)
    if any(case.doc_id is not None for case in originals):
        names[DOCUMENT] = None
    return tuple(names)


def group_of(case: Case, name: str) -> str | None:
    """The value of a field; None where the sentence has none."""
    value = case.meta.get(name)
    return case.doc_id if value is None and name == DOCUMENT else value
