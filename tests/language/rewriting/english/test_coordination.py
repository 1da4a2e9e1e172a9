"""Names and phrases joined by `and` in the opposite order."""

from __future__ import annotations

import pytest
from tests.language.rewriting.english.said import said

from nerquake.language.rewriting.english.coordination import Coordination

SAID = {
    "[The Derby|EVENT] , [the Ryder Cup|EVENT] and [the Copa|EVENT] fall in the same year .": (
        "The Derby , the Copa and the Ryder Cup fall in the same year ."
    ),
    "[Peru|LOC] and [Chile|LOC] signed it .": "Chile and Peru signed it .",
    "Ministers from [Peru|LOC] , [Chile|LOC] and [Ecuador|LOC] met .": "Ministers from Ecuador , Chile and Peru met .",
    "Ships sail between [Hawaii|LOC] and [Oregon|LOC] .": "Ships sail between Oregon and Hawaii .",
    "He carried a hammer and a rope .": "He carried a rope and a hammer .",
    "They sell lamps and thermometers .": "They sell thermometers and lamps .",
    "Mr. [Gore|PER] and Mr. [Bush|PER] spoke .": "Mr. Bush and Mr. Gore spoke .",
    "[Siemens|ORG] , [IBM|ORG] , and [Apple|ORG] agreed .": "Apple , IBM , and Siemens agreed .",
    "[Stanford|ORG] and [Oxford|ORG] each employ a lecturer .": "Oxford and Stanford each employ a lecturer .",
}
LEFT = (
    "It dived between the planet and those rings .",
    "They sold the mill and the other house .",
    "He ate and slept .",
    "Ladies and gentlemen laughed .",
    "[John|PER] and his wife left .",
    "[Peru|LOC] and [Chile|LOC] won gold and silver , respectively .",
    "The president and prime minister left .",
    "President [Obama|PER] and [Bush|PER] spoke .",
    "They flew from [Austin|LOC] , [Texas|LOC] , and [Miami|LOC] , [Florida|LOC] .",
    "Old men and women slept .",
    "The mother of [John|PER] and [Mary|PER] left .",
    "She has two cats and three dogs .",
    "He lived there for a year and a half .",
    "[Peru|LOC] and [Chile|LOC] 's border is long .",
    "[Mary|PER] and I left .",
    "Dogs and cats with fleas slept .",
)


@pytest.mark.parametrize("text", SAID)
def test_it_says_it_differently(pipeline: str, text: str) -> None:
    assert said(pipeline, Coordination(), text) == [SAID[text]]


@pytest.mark.parametrize("text", LEFT)
def test_it_leaves_alone(pipeline: str, text: str) -> None:
    assert said(pipeline, Coordination(), text) == []
