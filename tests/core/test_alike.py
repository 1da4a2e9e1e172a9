"""What labels of other tag sets most likely mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.alike import alike
from nerquake.core.labels import LABEL_SETS, JoinedLabels, LabelRules
from nerquake.core.span import Span

CONLL = ["LOC", "MISC", "ORG", "PER"]
WNUT = ["corporation", "creative-work", "group", "location", "person", "product"]
CONER1 = ["CORP", "CW", "GRP", "LOC", "PER", "PROD"]
ONTONOTES = sorted(LABEL_SETS["ontonotes-names"])
CASES = [
    (CONLL, "PERSON", "PER"), (CONLL, "person", "PER"), (CONLL, "Pers", "PER"), (CONLL, "GPE", "LOC"),
    (CONLL, "FAC", "LOC"), (CONLL, "location", "LOC"), (CONLL, "NORP", "MISC"), (CONLL, "WORK_OF_ART", "MISC"),
    (CONLL, "CORP", "ORG"), (CONLL, "coporation", "ORG"), (CONLL, "group", "ORG"), (CONLL, "CARDINAL", ""),
    (CONLL, "OTH", "MISC"), (CONLL, "DATE", ""), (CONLL, "HumanSettlement", "LOC"), (CONLL, "Politician", "PER"),
    (CONLL, "PublicCorp", "ORG"), (CONLL, "MusicalGRP", "ORG"), (CONLL, "organisation", "ORG"),
    (WNUT, "CW", "creative-work"), (WNUT, "WORK_OF_ART", "creative-work"), (WNUT, "creative_work", "creative-work"),
    (WNUT, "CORP", "corporation"), (WNUT, "coporation", "corporation"), (WNUT, "GRP", "group"),
    (WNUT, "PROD", "product"), (WNUT, "PER", "person"), (WNUT, "GPE", "location"), (WNUT, "ORG", "corporation"),
    (CONER1, "creative-work", "CW"), (CONER1, "corporation", "CORP"), (CONER1, "group", "GRP"),
    (CONER1, "product", "PROD"), (CONER1, "person", "PER"), (CONER1, "location", "LOC"), (CONER1, "GPE", "LOC"),
    (CONER1, "VisualWork", "CW"), (CONER1, "Vehicle", "PROD"), (CONER1, "SportsGRP", "GRP"), (CONER1, "MISC", "CW"),
    (CONER1, "Symptom", ""),
    (ONTONOTES, "PER", "PERSON"), (ONTONOTES, "Facility", "FAC"), (ONTONOTES, "creative-work", "WORK_OF_ART"),
    (ONTONOTES, "CW", "WORK_OF_ART"), (ONTONOTES, "CORP", "ORG"), (ONTONOTES, "location", "LOC"),
    (["GPE", "PERSON"], "LOC", "GPE"), (["loc", "LOC"], "loc", "loc"), (["LOC", "LOCderiv"], "LOCderiv", "LOCderiv"),
    (["MED", "PER"], "Medication/Vaccine", "MED"), (["MED", "PER"], "Medication", "MED"), ([], "PER", ""),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "label", "expected"), CASES)
def test_a_label_of_another_set(gold: list[str], label: str, expected: str) -> None:
    assert alike(label, gold) == expected
    assert alike(label, gold[::-1]) == expected, "whatever the order"


@pytest.mark.parametrize("gold", [CONLL, WNUT, CONER1, ONTONOTES])
@pytest.mark.parametrize("labels", [CONLL, WNUT, CONER1, ONTONOTES])
def test_every_label_of_a_known_set_finds_a_person_and_a_place(gold: list[str], labels: list[str]) -> None:
    for meaning in ({"PER", "PERSON", "person"}, {"LOC", "location"}):
        (label,), (expected,) = set(labels) & meaning, set(gold) & meaning
        assert alike(label, gold) == expected


@given(st.text(max_size=12), st.lists(st.text(min_size=1, max_size=8), max_size=4))
def test_a_suggestion_is_a_known_label_or_nothing(label: str, known: list[str]) -> None:
    assert alike(label, known) in {"", *known}


@pytest.mark.parametrize("label", ["PERSON", "person", "Politician"])
def test_a_suggestion_is_never_applied(label: str) -> None:
    join = JoinedLabels.of(LabelRules.parse(unmapped="drop"), CONLL, "x")
    assert join.apply([Span(0, 1, label)]) == ()
    assert join.left_out == {label: 1}
