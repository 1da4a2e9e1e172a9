"""Owners with a clitic and after `of`."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.possessive import OfToPossessive, PossessiveToOf

POSSESSIVE_TO_OF_SAID = {
    "[Germany|LOC] 's largest port is old .": "the largest port of Germany is old .",
    "[Trump|PER] 's wife spoke .": "the wife of Trump spoke .",
    "The city 's economy grew .": "the economy of The city grew .",
    "The owners ' son left .": "the son of The owners left .",
    "They saw [New York|LOC] 's mayor in the park .": "They saw the mayor of New York in the park .",
}
POSSESSIVE_TO_OF_LEFT = (
    "The planner 's brother , [Andrew|PER] , spoke .",
    "[Moody 's|ORG] left the rating where it was .",
    "Today 's leader is old .",
    "[John|PER] 's car is red .",
    "[Germany|LOC] 's president [Ana Silva|PER] spoke .",
    "[Peru|LOC] 's minister of finance spoke .",
    "His economy grew .",
    "[Germany|LOC] 's own capital grew .",
    "[Merkel|PER] 's government fell .",
)


@pytest.mark.parametrize("text", POSSESSIVE_TO_OF_SAID)
def test_possessive_to_of_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, PossessiveToOf(), text) == [POSSESSIVE_TO_OF_SAID[text]]


@pytest.mark.parametrize("text", POSSESSIVE_TO_OF_LEFT)
def test_possessive_to_of_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, PossessiveToOf(), text) == []


OF_TO_POSSESSIVE_SAID = {
    "The capital of [Germany|LOC] is old .": "Germany 's capital is old .",
    "They met the president of the club .": "They met the club 's president .",
    "The largest port of [Peru|LOC] is busy .": "Peru 's largest port is busy .",
    "The names of the ships are long .": "the ships ' names are long .",
}
OF_TO_POSSESSIVE_LEFT = (
    "The University of [Lima|LOC] is old .",
    "One of the ships sank .",
    "A lot of [Peru|LOC] is dry .",
    "The economy of the [Netherlands|LOC] grew .",
    "The state of [Victoria|LOC] is dry .",
    "The president of [Peru|LOC] and [Chile|LOC] spoke .",
    "The conquest of [Peru|LOC] by [Pizarro|PER] was cruel .",
    "They read the history of the war in 1990 and the end of the year .",
    "The son of a king who died young left .",
)


@pytest.mark.parametrize("text", OF_TO_POSSESSIVE_SAID)
def test_of_to_possessive_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, OfToPossessive(), text) == [OF_TO_POSSESSIVE_SAID[text]]


@pytest.mark.parametrize("text", OF_TO_POSSESSIVE_LEFT)
def test_of_to_possessive_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, OfToPossessive(), text) == []
