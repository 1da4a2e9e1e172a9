"""Phrases and clauses of time, place, cause and purpose that move to the start; and what belongs to its verb."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.fronting import FrontedClause, FrontedPhrase

pytestmark = pytest.mark.spacy

SAID_PHRASE = {
    "The runners lined up in ponchos .": ["in ponchos , The runners lined up ."],
    "The match starts on Monday , and the queue already curls around the park .": [
        "on Monday , The match starts , and the queue already curls around the park ."
    ],
    "The ministers met in [Lima|GPE] on Thursday .": [
        "in Lima , The ministers met on Thursday .",
        "on Thursday , The ministers met in Lima .",
    ],
    "[Ford|ORG] delayed the van because of a strike .": ["because of a strike , Ford delayed the van ."],
    "The team won the cup last year .": ["last year , The team won the cup ."],
    "The train left late , with a band in the dining car .": ["with a band in the dining car , The train left late ."],
}
LEFT_PHRASE = (
    "[Etna|LOC] grumbles at [Catania|GPE] .",
    "[Aldana|PERSON] blamed himself , his goalkeeper and the moon , in that order .",
    "The ship drifted for a year across the ocean .",
    "The storm flattened the town in 1992 , and inspectors rewrote the rules .",
    "Lawyers leaned on [the Treaty of Rome|LAW] .",
    "She saw him on [Fifth Avenue|FAC] riding a scooter .",
    "The train left on time .",
    "The tourists flew to [Chicago|GPE] .",
    "She lives in [Paris|GPE] .",
    "He thought of the sea .",
    "He put the book on the table .",
    "Did they meet in [Lima|GPE] ?",
    "It lasted three days .",
    "@ tom The ministers met in [Lima|GPE] on Thursday",
    "The ministers met in [Lima|GPE] on Thursday https://t.co/x",
    "Yesterday they met in [Lima|GPE] .",
)

SAID_CLAUSE = {
    "The engineers closed the bridge after a gust flipped a van .": [
        "after a gust flipped a van , The engineers closed the bridge ."
    ],
    "They will stay if it rains .": ["if it rains , They will stay ."],
    "[Kepler|PERSON] found the planets before its fuel ran out .": [
        "before its fuel ran out , Kepler found the planets ."
    ],
    "The parents queued around the block to enrol their children .": [
        "to enrol their children , The parents queued around the block ."
    ],
    "The firm will build the mill , beating two rivals .": ["beating two rivals , The firm will build the mill ."],
}
LEFT_CLAUSE = (
    "The band played because it was paid , and the boys danced .",
    "She left before [Tom|PERSON] arrived .",
    "[Ana|PERSON] prefers the car because it can use the short road .",
    "He was so tired that he fell asleep .",
    "She asked when the train left .",
    "I wonder if it rains .",
    "He wants to win the cup .",
    "The firm split , leaving two halves .",
)


@pytest.mark.parametrize("text", SAID_PHRASE)
def test_it_says_it_differently_phrase(pipeline: str, text: str) -> None:
    assert said(pipeline, FrontedPhrase(), text) == SAID_PHRASE[text]


@pytest.mark.parametrize("text", LEFT_PHRASE)
def test_it_leaves_alone_phrase(pipeline: str, text: str) -> None:
    assert said(pipeline, FrontedPhrase(), text) == []


@pytest.mark.parametrize("text", SAID_CLAUSE)
def test_it_says_it_differently_clause(pipeline: str, text: str) -> None:
    assert said(pipeline, FrontedClause(), text) == SAID_CLAUSE[text]


@pytest.mark.parametrize("text", LEFT_CLAUSE)
def test_it_leaves_alone_clause(pipeline: str, text: str) -> None:
    assert said(pipeline, FrontedClause(), text) == []
