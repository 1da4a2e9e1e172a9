"""Clefts of subjects and times."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.cleft import SubjectCleft, TimeCleft

SUBJECT_CLEFT_SAID = {
    "[Siemens|ORG] built the turbines .": "it was Siemens that built the turbines .",
    "[Ana Silva|PER] opened the door .": "it was Ana Silva who opened the door .",
}
SUBJECT_CLEFT_LEFT = (
    "Only [Siemens|ORG] built the turbines .",
    "[Siemens|ORG] did not build the turbines .",
    "[Siemens|ORG] builds the turbines .",
    "Did [Siemens|ORG] build the turbines ?",
    "[Siemens|ORG] slept .",
    "[Peru|LOC] and [Chile|LOC] signed the pact .",
    "The firm built the turbines .",
)


@pytest.mark.parametrize("text", SUBJECT_CLEFT_SAID)
def test_subject_cleft_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, SubjectCleft(), text) == [SUBJECT_CLEFT_SAID[text]]


@pytest.mark.parametrize("text", SUBJECT_CLEFT_LEFT)
def test_subject_cleft_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, SubjectCleft(), text) == []


TIME_CLEFT_SAID = {
    "The wall fell in 1989 .": "it was in 1989 that The wall fell .",
    "In 2015 a repair kept the bridge shut .": "it was In 2015 that a repair kept the bridge shut .",
    "In May , the band left [Lima|LOC] .": "it was In May that the band left Lima .",
}
TIME_CLEFT_LEFT = (
    "The wall falls in 1989 .",
    "The wall never fell in 1989 .",
    "It was sold in 1989 .",
    "The wall fell in [Berlin|LOC] .",
    "He counted in 20 ways .",
    "When he left in 1989 , the wall fell .",
)


@pytest.mark.parametrize("text", TIME_CLEFT_SAID)
def test_time_cleft_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, TimeCleft(), text) == [TIME_CLEFT_SAID[text]]


@pytest.mark.parametrize("text", TIME_CLEFT_LEFT)
def test_time_cleft_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, TimeCleft(), text) == []
