"""Names and their descriptions change places."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.apposition import Apposition

SAID = {
    "[Stephen Wheeler|PER] , the editor , worked hard .": "the editor , Stephen Wheeler , worked hard .",
    "The captain of the team , [Ana Silva|PER] , spoke .": ("Ana Silva , The captain of the team , spoke ."),
    "[Cisco|ORG] , the network firm , grew .": "the network firm , Cisco , grew .",
    "They met the mayor , [Ana Silva|PER] .": "They met Ana Silva , the mayor .",
    "A retired teacher , [Ana Silva|PER] , found the ring .": "Ana Silva , A retired teacher , found the ring .",
    "[Darwin|LOC] , a tropical port , is warm .": "a tropical port , Darwin , is warm .",
}
LEFT = (
    "Highways officer [Ana Silva|PER] closed the road .",
    "They flew to [Austin|LOC] , [Texas|LOC] , on Monday .",
    "[Ana Silva|PER] , 34 , found the ring .",
    "[Ana Silva|PER] , who lives in [Lima|LOC] , found the ring .",
    "[Ana Silva|PER] , the editor who wrote the letter , left .",
    "Two men , a dog and a cat , slept .",
    "[Boeing|PER] , a merchant before he flew , died .",
    "They slept in [Darwin|LOC] , a tropical port .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, Apposition(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, Apposition(), text) == []
