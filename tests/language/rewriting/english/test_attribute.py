"""What is said of a subject in passing: before it, behind it, or as the main point."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.attribute import AttributeFronted, AttributeInserted
from nerquake.language.rewriting.english.predicates import PredicatesSwapped

pytestmark = pytest.mark.spacy

SAID_FRONTED = {
    "[Lake Baikal|LOC] , deep in [Siberia|LOC] , holds much of the water .": [
        "deep in Siberia , Lake Baikal holds much of the water ."
    ],
    "[Ferrari|ORG] , listed in [Milan|GPE] , can hardly build enough cars .": [
        "listed in Milan , Ferrari can hardly build enough cars ."
    ],
    "[Cassini|PERSON] , an astronomer at the court , spotted a gap in the rings .": [
        "an astronomer at the court , Cassini spotted a gap in the rings ."
    ],
    "[Ferrero|ORG] , maker of [Nutella|PRODUCT] , hedged early .": ["maker of Nutella , Ferrero hedged early ."],
}
LEFT_FRONTED = (
    "The owner , who was tired , sold the mill .",
    "[Paris|PERSON] , the son , threw darts .",
)

SAID_INSERTED = {
    "Signed in 1987 , the treaty saved the lake .": ["the treaty , Signed in 1987 , saved the lake ."],
}
LEFT_INSERTED = (
    "Signed in 1987 , it saved the lake .",
    "Having won the cup , the team went home .",
)

SAID_PREDICATES = {
    "[National Highways|ORG] , which runs the crossing , hired a Danish contractor .": [
        "National Highways , which hired a Danish contractor , runs the crossing ."
    ],
    "[Cassini|PERSON] , who lived in [Paris|GPE] , spotted a gap .": ["Cassini , who spotted a gap , lived in Paris ."],
}
LEFT_PREDICATES = (
    "[Cisco|ORG] , the network firm , has no link with that town at all .",
    "Her employer , [the Natural History Museum|ORG] , keeps insects in drawers .",
    "One meteorologist , [Ana Silva|PERSON] , keeps a barometer .",
    "The meteorologist , who keeps a barometer , went home .",
    "The mill , which stands empty , hired a guard .",
    "[Sony|ORG] , whose radios were good , earns more .",
)


@pytest.mark.parametrize("text", SAID_FRONTED)
def test_it_says_it_differently_fronted(pipeline: str, text: str) -> None:
    assert said(pipeline, AttributeFronted(), text) == SAID_FRONTED[text]


@pytest.mark.parametrize("text", LEFT_FRONTED)
def test_it_leaves_alone_fronted(pipeline: str, text: str) -> None:
    assert said(pipeline, AttributeFronted(), text) == []


@pytest.mark.parametrize("text", SAID_INSERTED)
def test_it_says_it_differently_inserted(pipeline: str, text: str) -> None:
    assert said(pipeline, AttributeInserted(), text) == SAID_INSERTED[text]


@pytest.mark.parametrize("text", LEFT_INSERTED)
def test_it_leaves_alone_inserted(pipeline: str, text: str) -> None:
    assert said(pipeline, AttributeInserted(), text) == []


@pytest.mark.parametrize("text", SAID_PREDICATES)
def test_it_says_it_differently_predicates(pipeline: str, text: str) -> None:
    assert said(pipeline, PredicatesSwapped(), text) == SAID_PREDICATES[text]


@pytest.mark.parametrize("text", LEFT_PREDICATES)
def test_it_leaves_alone_predicates(pipeline: str, text: str) -> None:
    assert said(pipeline, PredicatesSwapped(), text) == []
