"""Clefts of objects, phrases and subjects, which stand in reserve."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.focus import ObjectCleft, PhraseCleft
from nerquake.language.rewriting.english.identified import Identified

pytestmark = pytest.mark.spacy

SAID_OBJECT = {
    "Engineers closed [the Severn Bridge|FAC] .": ["it was the Severn Bridge that Engineers closed ."],
}
LEFT_OBJECT = (
    "Engineers closed a bridge .",
    "Engineers did not close [the Severn Bridge|FAC] .",
    "Engineers lost the bridge .",
)

SAID_PHRASE = {
    "The accountants flew to [Chicago|GPE] .": ["it was to Chicago that The accountants flew ."],
    "The mayor paid for the drains .": ["it was for the drains that The mayor paid ."],
}
LEFT_PHRASE = (
    "The mayor will pay for the drains .",
    "They honeymoon in [Lima|GPE] .",
    "The firm met in [Lima|GPE] if it rained .",
    "It rained in [Chicago|GPE] .",
    "The accountants flew to a town .",
)

SAID_INVERTED = {
    "[Jordan|PERSON] came back from baseball and scored twice in [Boston|GPE] .": [
        "the one who came back from baseball and scored twice in Boston was Jordan ."
    ],
    "[Emirates|ORG] retired an old jet and sold its cutlery .": [
        "the organisation that retired an old jet and sold its cutlery was Emirates ."
    ],
    "Students found cracks in two bolts .": ["those who found cracks in two bolts were Students ."],
    "[Denver|ORG] lost to [Phoenix|ORG] by a point .": ["the team that lost to Phoenix by a point was Denver ."],
    "Irish broadcaster [RTÉ|ORG] has filmed the lessons .": [
        "the Irish broadcaster that has filmed the lessons is RTÉ ."
    ],
    "[Phoenix|GPE] has forty courts with shade .": ["the place that has forty courts with shade is Phoenix ."],
    "[Sony|ORG] , whose radios were good , earns more from insurance .": [
        "the organisation that earns more from insurance is Sony , whose radios were good ."
    ],
    "Her employer , [the Natural History Museum|ORG] , keeps millions of insects .": [
        "the organisation that keeps millions of insects is Her employer , the Natural History Museum ."
    ],
}
LEFT_INVERTED = (
    "The inspectors found cracks in two bolts .",
    "Forty thousand runners lined up for the race .",
    "[Moody 's|ORG] left the rating where it was .",
    "[Boeing|PERSON] would scarcely recognise the hangars .",
    "Nurses receive blood from a drone .",
    "[Chile|GPE] wants limits on the catch .",
    "[Ana|PERSON] is a doctor .",
    "[Ana|PERSON] sang , and the boys danced .",
)


@pytest.mark.parametrize("text", SAID_OBJECT)
def test_it_says_it_differently_object(pipeline: str, text: str) -> None:
    assert said(pipeline, ObjectCleft(), text) == SAID_OBJECT[text]


@pytest.mark.parametrize("text", LEFT_OBJECT)
def test_it_leaves_alone_object(pipeline: str, text: str) -> None:
    assert said(pipeline, ObjectCleft(), text) == []


@pytest.mark.parametrize("text", SAID_PHRASE)
def test_it_says_it_differently_phrase(pipeline: str, text: str) -> None:
    assert said(pipeline, PhraseCleft(), text) == SAID_PHRASE[text]


@pytest.mark.parametrize("text", LEFT_PHRASE)
def test_it_leaves_alone_phrase(pipeline: str, text: str) -> None:
    assert said(pipeline, PhraseCleft(), text) == []


@pytest.mark.parametrize("text", SAID_INVERTED)
def test_it_says_it_differently_inverted(pipeline: str, text: str) -> None:
    assert said(pipeline, Identified(), text) == SAID_INVERTED[text]


@pytest.mark.parametrize("text", LEFT_INVERTED)
def test_it_leaves_alone_inverted(pipeline: str, text: str) -> None:
    assert said(pipeline, Identified(), text) == []
