"""Sentences of the verdict on what errors are and where they come from: only where the figures show it."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.report.test_verdict import LOSS, changed, said


def errors(*boundaries: tuple[str, int, int], kind: str = "boundary") -> Any:
    kinds = [
        {"kind": one, "before": 0, "after": 5, "added": 0.2 if one == kind else 0.05} for one in ("type", "boundary")
    ]
    told = [{"what": what, "before": before, "after": after} for what, before, after in boundaries]
    return [{"tagger": "flair:ner", "set": "swap", "kinds": kinds, "boundaries": told}]


def told(**findings: Any) -> list[str]:
    data = copy.deepcopy(changed(**LOSS, pairs=3684))
    data["findings"] = {**data["findings"], **findings}
    return said(data)


def test_new_wrong_boundaries_say_which_way() -> None:
    lines = told(errors=errors(("shorter", 2, 9), ("longer", 3, 4), ("shifted", 3, 1)))
    assert "New wrong boundaries are most often too short, inside the mention: 7 of 8." in lines


@pytest.mark.parametrize("found", [[], [("shorter", 3, 3), ("longer", 2, 1)]])
def test_where_none_came_nothing_is_said(found: Any) -> None:
    assert not [line for line in told(errors=errors(*found)) if "boundaries" in line]


@pytest.mark.parametrize(("few", "change", "there"), [(False, 0.4, True), (True, 0.4, False), (False, -0.4, False)])
def test_the_pair_of_labels_is_named_where_wrong_types_grew_most_and_support_is_enough(
    few: bool, change: float, there: bool
) -> None:
    moved = {"gold": "ORG", "predicted": "LOC", "original": 0.1, "attacked": 0.5, "change": change, "few": few}
    confusion = [{"tagger": "flair:ner", "set": "swap", "moved": moved}]
    sentence = "Most often ORG is now taken for LOC: 10.0 → 50.0 % of its mentions."
    assert (sentence in told(errors=errors(kind="type"), confusion=confusion)) == there
    assert sentence not in told(errors=errors(kind="boundary"), confusion=confusion)


@pytest.mark.parametrize(("low", "there"), [(0.01, True), (-0.01, False), (None, False)])
def test_a_level_hurts_more_only_where_its_interval_says_so(low: float | None, there: bool) -> None:
    one = {"more": "entity", "less": "context", "difference": 0.3, "low": low, "high": 0.5, "taggers": 1}
    levels = [{"scope": "all", "taggers": ["flair:ner"], "differences": [one]}]
    found = [line for line in told(drop_levels=levels) if "hurt more" in line]
    words = "Attacks on mentions hurt more than attacks on the context, by 30.0 points (interval 1.0 to 50.0)."
    assert found == ([words] if there else [])
    levels[0]["audit"] = "de"
    assert not [line for line in told(drop_levels=levels) if "hurt more" in line], (
        "joined audits have levels of their own"
    )


def test_the_interaction_of_the_headlines_set_is_said_where_it_is_shown() -> None:
    rate = {"value": 0.43, "low": 0.37, "high": 0.48}
    record = {"tagger": "flair:ner", "set": "swap", "context": "changed", "interaction": rate}
    words = "in the contexts of swap, unseen mentions lose 43.0 points more than seen ones"
    assert [line for line in told(seen_context=[record]) if words in line]
    for other in ({"set": "letters"}, {"interaction": {**rate, "low": -0.1}}, {"interaction": {**rate, "low": None}}):
        assert not [line for line in told(seen_context=[record | other]) if words in line]
