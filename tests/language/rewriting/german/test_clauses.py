"""Subordinate clauses and what people say, before the main clause and behind it."""

from __future__ import annotations

import pytest
from tests.language.rewriting.german.lines import (
    ANNA_CAME,
    BECAUSE_FIRST,
    BECAUSE_LAST,
    QUOTED_FIRST,
    QUOTED_LAST,
    SPEECH_FIRST,
    SPEECH_LAST,
    THAT_FIRST,
    THAT_LAST,
)
from tests.language.rewriting.german.parsed import said

from nerquake.language.rewriting.german.reporting import Reporting
from nerquake.language.rewriting.german.subclauses import FrontedClause, PostposedClause

NOT_BECAUSE = BECAUSE_LAST.replace("Bonn/Bonn/PROPN/dns/3/obl/LOC", "nicht/nicht/ADV/-/3/advmod")


def test_clauses_go_to_the_front() -> None:
    assert said(FrontedClause(), BECAUSE_LAST) == ["weil es regnete , blieb Der Minister in Bonn ."]
    assert said(FrontedClause(), BECAUSE_LAST.replace("weil/weil", "obwohl/obwohl")) == [
        "obwohl es regnete , blieb Der Minister in Bonn ."
    ]


def test_clauses_go_to_the_end() -> None:
    assert said(PostposedClause(), BECAUSE_FIRST) == ["Anna blieb in Bonn , Weil es regnete ."]


@pytest.mark.parametrize(
    "line",
    [
        BECAUSE_LAST.replace("weil/weil", "denn/denn"),  # joins two main clauses
        BECAUSE_LAST.replace("weil/weil", "dass/dass"),
        BECAUSE_LAST.replace("VERB/3s/3/advcl", "VERB/-/3/advcl"),  # no finite verb at its end
        BECAUSE_LAST.replace("in/in/ADP/-/5/case", "deshalb/deshalb/ADV/-/3/advmod").replace("Bonn/Bonn", "so/so"),
        NOT_BECAUSE,  # "nicht , weil .." denies the reason
        BECAUSE_LAST.replace("Der/der", "Kein/kein").replace("in/in/ADP/-/5/case", "nie/nie/ADV/-/3/advmod"),
        BECAUSE_FIRST,
    ],
)
def test_what_does_not_go_to_the_front(line: str) -> None:
    assert said(FrontedClause(), line) == []


@pytest.mark.parametrize(
    "line",
    [
        BECAUSE_FIRST.replace("Weil/weil", "Ob/ob"),
        BECAUSE_FIRST.replace(",/,/PUNCT/-/3/punct", "dann/dann/ADV/-/5/advmod"),  # "Wenn .. dann .."
        BECAUSE_FIRST.replace("././", "?/?/"),
        BECAUSE_FIRST.replace("in/in/ADP/-/8/case", "nicht/nicht/ADV/-/5/advmod"),
        BECAUSE_LAST,
    ],
)
def test_what_does_not_go_to_the_end(line: str) -> None:
    assert said(PostposedClause(), line) == []


SAID = {
    THAT_LAST: ["dass die Brücke in Bonn gesperrt wurde , sagte Anna am Montag ."],
    THAT_FIRST: ["Anna sagte gestern , Dass Peter schlief ."],
    SPEECH_FIRST: ["Anna sagte am Montag , Die Brücke sei gesperrt ."],
    SPEECH_LAST: ["die Brücke sei gesperrt , sagte Der Minister ."],
    QUOTED_FIRST: ["Anna sagte : „ Peter schläft . “"],
    QUOTED_FIRST.replace("„/„", '"/"').replace("“/“", '"/"'): ['Anna sagte : " Peter schläft . "'],
    QUOTED_LAST.replace("„/„", '"/"').replace("“/“", '"/"'): ['" Peter schläft " , sagte Anna .'],
    QUOTED_LAST.replace("„/„", '"/"').replace("“/“", '"/"').replace("././", "!/!/"): [
        '" Peter schläft ! " , sagte Anna .'
    ],
}


@pytest.mark.parametrize("line", SAID)
def test_what_is_said_changes_its_place(line: str) -> None:
    assert said(Reporting(), line) == SAID[line]


@pytest.mark.parametrize(
    "line",
    [
        ANNA_CAME,
        THAT_LAST.replace("sagte/sagen", "sah/sehen"),
        THAT_LAST.replace("am/an/ADP/-/4/case", "es/es/PRON/ans/2/obj"),  # "sagte es , dass .."
        THAT_LAST.replace("dass/dass", "wer/wer"),
        SPEECH_FIRST.replace("sagte/sagen", "sah/sehen"),
        SPEECH_FIRST.replace("Die/der", "Was/was"),
        SPEECH_LAST.replace("sagte/sagen", "hörte/hören"),
        QUOTED_FIRST.replace("“/“", "”/”"),  # the quotation mark does not close what was opened
        QUOTED_FIRST.replace("sagte/sagen/VERB/3s", "sagte/sagen/VERB/-"),
    ],
)
def test_what_is_not_said(line: str) -> None:
    assert said(Reporting(), line) == []
