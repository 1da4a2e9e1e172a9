"""Speakers between commas and at the end of their sentence."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.reported import ReportMoved

pytestmark = pytest.mark.spacy

SAID = {
    "[The Kyoto Protocol|LAW] did less , says climatologist [Ana Ruiz|PERSON] , and promised more .": (
        "The Kyoto Protocol did less and promised more , says climatologist Ana Ruiz ."
    ),
    "Everyone cries at films , sprinter [Ana Ruiz|PERSON] confessed , except the judges .": (
        "Everyone cries at films , except the judges , sprinter Ana Ruiz confessed ."
    ),
    "Loans for the harbour follow goals , said director [Ana Ruiz|PERSON] .": (
        "director Ana Ruiz said that Loans for the harbour follow goals ."
    ),
}
LEFT = (
    "The road is closed , said nobody .",
    "When it rains , says [Ana Ruiz|PERSON] , they stay .",
    "The road is closed , said [Ana Ruiz|PERSON] , who lives there .",
    "The road is closed , said [Ana Ruiz|PERSON] , the mayor of the town .",
    "`` It is old , '' said [Ana Ruiz|PERSON] .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, ReportMoved(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, ReportMoved(), text) == []
