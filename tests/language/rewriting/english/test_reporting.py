"""Who says a thing moves behind it, before it, out of it; with and without quotation marks."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.reporting import Reporting

pytestmark = pytest.mark.spacy

SAID = {
    "Critics say the maps are old .": ["the maps are old , Critics say ."],
    "Small lenders complained that the act was written for giants .": [
        "the act was written for giants , Small lenders complained ."
    ],
    "The road is closed , said officer [Tamsin Okafor|PERSON] .": [
        "officer Tamsin Okafor said that The road is closed ."
    ],
    "`` We lost the road , '' [Okafor|PERSON] told reporters .": ["Okafor told reporters , `` We lost the road . ''"],
    '" It is old , " said [Smit|PERSON] .': ['Smit said , " It is old . "'],
    "The savers , surveys suggest , trust their banks .": ["surveys suggest that The savers trust their banks ."],
    "Austrian railway chief [Klemens Radl|PERSON] said the cars would follow .": [
        "the cars would follow , said Austrian railway chief Klemens Radl ."
    ],
}
LEFT = (
    "Nobody said the maps are old .",
    "She did not say the maps are old .",
    "She asked whether the maps are old .",
    "`` Why ? '' asked [Smit|PERSON] .",
    "She says nothing .",
    "Did critics say the maps are old ?",
    "He said what he wanted .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, Reporting(), text) == SAID[text]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, Reporting(), text) == []
