"""Forms of verbs, regular and not."""

from __future__ import annotations

import pytest

from nerquake.language.rewriting.english.verbs import IRREGULAR, participle, past, third

PASTS = {
    "walk": "walked", "close": "closed", "carry": "carried", "play": "played", "stop": "stopped", "visit": "visited",
    "refer": "referred", "panic": "panicked", "fix": "fixed", "rain": "rained", "write": "wrote", "put": "put",
    "travel": "travelled", "open": "opened", "agree": "agreed", "chew": "chewed",
}  # fmt: skip
THIRDS = {
    "walk": "walks",
    "carry": "carries",
    "play": "plays",
    "pass": "passes",
    "have": "has",
    "go": "goes",
    "be": "is",
}


@pytest.mark.parametrize("lemma", PASTS)
def test_past_tense(lemma: str) -> None:
    assert past(lemma) == PASTS[lemma]


@pytest.mark.parametrize("lemma", THIRDS)
def test_third_person(lemma: str) -> None:
    assert third(lemma) == THIRDS[lemma]


def test_participles() -> None:
    assert participle("write", "wrote", "VBD") == "written"
    assert participle("travel", "traveled", "VBD") == "traveled"
    assert participle("stop", "stopping", "VBG") == "stopped"
    assert participle("break", "Broken", "VBN") == "broken"


def test_a_wrong_lemma_or_tag_gives_no_participle() -> None:
    assert participle("rewrote", "rewrote", "VBP") is None
    assert participle("glorp", "glarp", "VBD") is None
    assert participle("walk", "walks", "VBP") is None


def test_the_table_has_three_forms_each() -> None:
    assert all(forms[0] and forms[1] and " " not in lemma for lemma, forms in IRREGULAR.items())
    assert IRREGULAR["burn"] == ("burned", "burned")
    assert IRREGULAR["come"] == ("came", "come")
