"""The object becomes the subject: tenses, agreement, pronouns, particles; and what has no passive."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.passive import Passive

pytestmark = pytest.mark.spacy

SAID = {
    "A boy threw darts at it .": ["darts were thrown at it by A boy ."],
    "The schools will teach geography in [Welsh|LANGUAGE] .": ["geography will be taught in Welsh by The schools ."],
    "Engineers closed [the Severn Bridge|FAC] before dawn .": [
        "the Severn Bridge was closed by Engineers before dawn ."
    ],
    "The firm has repaired the old bridge .": ["the old bridge has been repaired by The firm ."],
    "The workers are building a new school .": ["a new school is being built by The workers ."],
    "The council will not close the station .": ["the station will not be closed by The council ."],
    "The council did not close the station .": ["the station was not closed by The council ."],
    "The mayor has never read the letter .": ["the letter has never been read by The mayor ."],
    "[Ana Ruiz|PERSON] might have written the letters .": ["the letters might have been written by Ana Ruiz ."],
    "The storm damaged them .": ["they were damaged by The storm ."],
    "Two boys carried out the plan .": ["the plan was carried out by Two boys ."],
    "A neighbour picked me up in a van .": ["I was picked up by A neighbour in a van ."],
    "[Peru|GPE] and [Chile|GPE] signed the treaty .": ["the treaty was signed by Peru and Chile ."],
    "The mill , which stands empty , hired a guard in May .": [
        "a guard was hired in May by The mill , which stands empty ."
    ],
}
LEFT = (
    "A gust flipped a lorry onto its side .",
    "The owners , who fish there , followed the talks by telephone .",
    "[Voyager 1|PRODUCT] carries greetings in [Cantonese|LANGUAGE] .",
    "[Haiyan|EVENT] moved boulders as big as buses in [Lima|GPE] .",
    "The station has filmed the first lessons for a series .",
    "We brought our own bread .",
    "[Wallace|PERSON] reached the same idea , having read a book .",
    "[Amazon|LOC] flood crest reaches [Manaus|GPE] .",
    "The farmer has a horse .",
    "The airline opened a lounge in [Istanbul|GPE] with a library .",
    "The boy resembles his father .",
    "The ticket cost ten euros .",
    "The children washed themselves .",
    "The farmers helped each other .",
    "[Disney|ORG] raised its prices .",
    "Nobody read the letter .",
    "The train took three hours .",
    "Ana said that the bridge was closed .",
    "The girls broke ranks .",
    "Who closed the bridge ?",
    "The firm gave the workers a bonus .",
    "Signed in 1987 , the treaty saved the lake .",
    "The cat chased more mice than the dog .",
    "The firm filed a brief , as did its rival .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, Passive(), text) == SAID[text]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, Passive(), text) == []
