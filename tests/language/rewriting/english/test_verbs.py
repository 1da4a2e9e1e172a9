"""Forms of verbs, regular and not."""

from __future__ import annotations

import pytest

from nerquake.language.rewriting.english.alternation_table import VERBS
from nerquake.language.rewriting.english.verbs import IRREGULAR, gerund, inflected, participle, past, third

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
GERUNDS = {
    "walk": "walking", "close": "closing", "agree": "agreeing", "dye": "dyeing", "be": "being", "lie": "lying",
    "panic": "panicking", "stop": "stopping", "begin": "beginning", "quit": "quitting", "open": "opening",
    "travel": "travelling", "carry": "carrying", "fix": "fixing", "shoe": "shoeing",
}  # fmt: skip
FORMS = """
    begin begins began begun beginning|start starts started started starting|state states stated stated stating
    say says said said saying|buy buys bought bought buying|purchase purchases purchased purchased purchasing
    try tries tried tried trying|attempt attempts attempted attempted attempting
    finish finishes finished finished finishing|complete completes completed completed completing
    build builds built built building|construct constructs constructed constructed constructing
    allow allows allowed allowed allowing|permit permits permitted permitted permitting
    happen happens happened happened happening|occur occurs occurred occurred occurring
    live lives lived lived living|reside resides resided resided residing|think thinks thought thought thinking
    believe believes believed believed believing|speak speaks spoke spoken speaking|talk talks talked talked talking
    close closes closed closed closing|shut shuts shut shut shutting|rise rises rose risen rising
    increase increases increased increased increasing|fall falls fell fallen falling
    decline declines declined declined declining|drop drops dropped dropped dropping
    vanish vanishes vanished vanished vanishing|disappear disappears disappeared disappeared disappearing
    repair repairs repaired repaired repairing|fix fixes fixed fixed fixing|injure injures injured injured injuring
    hurt hurts hurt hurt hurting
"""
"""Base, third person, past, past participle and gerund of the verbs that become others."""


@pytest.mark.parametrize("lemma", PASTS)
def test_past_tense(lemma: str) -> None:
    assert past(lemma) == PASTS[lemma]


@pytest.mark.parametrize("lemma", THIRDS)
def test_third_person(lemma: str) -> None:
    assert third(lemma) == THIRDS[lemma]


@pytest.mark.parametrize("lemma", GERUNDS)
def test_gerund(lemma: str) -> None:
    assert gerund(lemma) == GERUNDS[lemma]


def test_every_verb_of_the_table_has_its_forms() -> None:
    rows = [row.split() for row in FORMS.replace("\n", "|").split("|") if row.strip()]
    assert {base for base, *_ in rows} == {verb for one, other, _ in VERBS for verb in (one, other)}
    for row in rows:
        assert [inflected(row[0], tag) for tag in ("VB", "VBZ", "VBD", "VBN", "VBG")] == row
        assert inflected(row[0], "VBP") == row[0]
        assert inflected(row[0], "NN") is None


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
