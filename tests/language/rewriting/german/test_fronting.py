"""Something else before the finite verb, which stays in second place; prefixes and participles stay at the end."""

from __future__ import annotations

import pytest
from tests.language.rewriting.german.lines import ANNA_CAME, BECAUSE_LAST, PAIR, SIGNED, TO_BONN, YESTERDAY
from tests.language.rewriting.german.parsed import said

from nerquake.language.rewriting.german.fronting import FrontedObject, FrontedPhrase, FrontedSubject

HAS_MET = (
    "Anna/Anna/PROPN/nfs/6/nsubj hat/haben/AUX/3s/6/aux sich/sich/PRON/-/6/expl:pv in/in/ADP/-/5/case "
    "Bonn/Bonn/PROPN/dns/6/obl verletzt/verletzen/VERB/VerbForm=Part/0/root ././PUNCT/-/6/punct"
)
SHE_HAS = HAS_MET.replace("Anna/Anna/PROPN/nfs", "Sie/sie/PRON/nfs")
SAW_HIM = (
    "Gestern/gestern/ADV/-/5/advmod hat/haben/AUX/3s/5/aux ihn/er/PRON/ams/5/obj Anna/Anna/PROPN/nfs/5/nsubj "
    "gesehen/sehen/VERB/VerbForm=Part/0/root ././PUNCT/-/5/punct"
)
RELATIVE = (
    "Der/der/DET/nms/2/det Mann/Mann/NOUN/nms/7/nsubj ,/,/PUNCT/-/5/punct der/der/PRON/nms/5/nsubj "
    "rief/rufen/VERB/3s/2/acl ,/,/PUNCT/-/5/punct wohnt/wohnen/VERB/3s/0/root in/in/ADP/-/9/case "
    "Bonn/Bonn/PROPN/dns/7/obl/LOC heute/heute/ADV/-/7/advmod ././PUNCT/-/7/punct"
)
DOCTOR = (
    "Anna/Anna/PROPN/nfs/5/nsubj ist/sein/AUX/3s/5/cop seit/seit/ADP/-/4/case 1990/1990/NUM/-/5/obl "
    "Ärztin/Ärztin/NOUN/nfs/0/root ././PUNCT/-/5/punct"
)
AND_BOUGHT = (
    "Anna/Anna/PROPN/nfs/2/nsubj kam/kommen/VERB/3s/0/root gestern/gestern/ADV/-/2/advmod nach/nach/ADP/-/5/case "
    "Bonn/Bonn/PROPN/dns/2/obl und/und/CCONJ/-/7/cc schlief/schlafen/VERB/3s/2/conj ././PUNCT/-/2/punct"
)
TWO_CLAUSES = (
    "Anna/Anna/PROPN/nfs/2/nsubj schlief/schlafen/VERB/3s/0/root ,/,/PUNCT/-/6/punct und/und/CCONJ/-/6/cc "
    "Peter/Peter/PROPN/nms/6/nsubj las/lesen/VERB/3s/2/conj heute/heute/ADV/-/6/advmod ././PUNCT/-/2/punct"
)
NOUN_FIRST = (
    "Soldaten/Soldat/NOUN/nmp/2/nsubj kamen/kommen/VERB/3p/0/root gestern/gestern/ADV/-/2/advmod ././PUNCT/-/2/punct"
)
SAID_PHRASE = {
    ANNA_CAME: ["gestern kam Anna nach Bonn ."],  # where to belongs to the verb
    ANNA_CAME.replace("nach/nach", "in/in"): ["gestern kam Anna in Bonn .", "in Bonn kam Anna gestern ."],
    SIGNED: [
        "am Montag wurde Der Vertrag von Siemens unterzeichnet .",
        "von Siemens wurde Der Vertrag am Montag unterzeichnet .",
    ],
    HAS_MET: ["in Bonn hat sich Anna verletzt ."],
    SHE_HAS: ["in Bonn hat Sie sich verletzt ."],
    RELATIVE: ["in Bonn wohnt Der Mann , der rief , heute .", "heute wohnt Der Mann , der rief , in Bonn ."],
    DOCTOR: ["seit 1990 ist Anna Ärztin ."],
    DOCTOR.replace("1990/1990/NUM/-", "Mai/Mai/NOUN/dms"): ["seit Mai ist Anna Ärztin ."],
    AND_BOUGHT: [],  # it belongs to one of two verbs
    AND_BOUGHT.replace("schlief/schlafen/VERB/3s/2/conj", "müde/müde/ADJ/-/2/conj war/sein/AUX/3s/7/cop"): [],
    TWO_CLAUSES: ["Anna schlief , und heute las Peter ."],
    PAIR: ["gestern kamen Anna und Peter ."],
    NOUN_FIRST: ["gestern kamen Soldaten ."],
}
LEFT_PHRASE = (
    ANNA_CAME.replace("././", "?/?/"),
    ANNA_CAME.replace("Anna/Anna/PROPN", "Wer/wer/PRON"),
    ANNA_CAME.replace("VERB/3s", "VERB/-"),  # no finite verb
    ANNA_CAME.replace("Anna/Anna/PROPN/nfs", "Sie/sie/PRON/nxp").replace("3s", "3p"),  # you, or they
    YESTERDAY,
)
BESIDE = {
    "nicht/nicht/ADV/-/2/advmod": [],  # "nicht in Bonn" denies the place
    "sogar/sogar/ADV/-/2/advmod": [],
    "sehr/sehr/ADV/-/2/advmod": [],
    "bleich/bleich/ADJ/-/2/advmod": ["in Bonn kam Anna bleich ."],
}
SAID_SUBJECT = {
    YESTERDAY: ["Anna kam Gestern nach Bonn ."],
    TO_BONN: ["Anna fuhr gestern Nach Bonn ab ."],
    TO_BONN.replace("Nach/nach", "Zum/zu").replace("Bonn/Bonn/PROPN", "Glück/Glück/NOUN"): [
        "Anna fuhr Zum Glück gestern ab ."
    ],
    SAW_HIM: ["Anna hat ihn Gestern gesehen ."],
    YESTERDAY.replace("Gestern/gestern/ADV/-", "Nachts/nachts/ADV/-"): ["Anna kam Nachts nach Bonn ."],
    YESTERDAY.replace("Gestern/gestern", "Nicht/nicht"): [],
    YESTERDAY.replace("././", "?/?/"): [],
    ANNA_CAME: [],
}


@pytest.mark.parametrize("line", SAID_PHRASE)
def test_a_phrase_goes_first(line: str) -> None:
    assert said(FrontedPhrase(), line) == SAID_PHRASE[line]


@pytest.mark.parametrize("line", LEFT_PHRASE)
def test_it_leaves_alone(line: str) -> None:
    assert said(FrontedPhrase(), line) == []


@pytest.mark.parametrize("beside", BESIDE)
def test_words_that_bear_upon_a_phrase_hold_it(beside: str) -> None:
    line = ANNA_CAME.replace("nach/nach", "in/in").replace("gestern/gestern/ADV/-/2/advmod", beside)
    assert said(FrontedPhrase(), line) == BESIDE[beside]


def test_a_comma_behind_a_phrase_must_open_a_clause() -> None:
    opens = BECAUSE_LAST
    assert said(FrontedPhrase(), opens) == ["in Bonn blieb Der Minister , weil es regnete ."]
    assert said(FrontedPhrase(), opens.replace("3/advcl", "3/obl").replace("9/mark", "9/case")) == []


@pytest.mark.parametrize("line", SAID_SUBJECT)
def test_the_subject_goes_first(line: str) -> None:
    assert said(FrontedSubject(), line) == SAID_SUBJECT[line]


BOUGHT = (
    "Die/der/DET/nfs/2/det Firma/Firma/NOUN/nfs/3/nsubj kaufte/kaufen/VERB/3s/0/root den/der/DET/ams/5/det "
    "Hof/Hof/NOUN/ams/3/obj ././PUNCT/-/3/punct"
)
THE_BANK = BOUGHT.replace("den/der/DET/ams", "die/der/DET/afs").replace("Hof/Hof/NOUN/ams", "Bank/Bank/NOUN/afs")
THE_BANKS = BOUGHT.replace("den/der/DET/ams", "die/der/DET/afp").replace("Hof/Hof/NOUN/ams", "Banken/Bank/NOUN/afp")
THE_FARM = (
    "Den/der/DET/ams/2/det Hof/Hof/NOUN/ams/3/obj kaufte/kaufen/VERB/3s/0/root die/der/DET/nfs/5/det "
    "Firma/Firma/NOUN/nfs/3/nsubj 1990/1990/NUM/-/3/obl:tmod ././PUNCT/-/3/punct"
)


def test_objects_move_only_where_nobody_takes_them_for_the_subject() -> None:
    assert said(FrontedObject(), BOUGHT) == ["den Hof kaufte Die Firma ."]
    assert said(FrontedObject(), THE_BANKS) == ["die Banken kaufte Die Firma ."]
    assert said(FrontedObject(), THE_BANK) == []
    assert said(FrontedSubject(), THE_FARM) == ["die Firma kaufte Den Hof 1990 ."]
    assert said(FrontedObject(), BOUGHT.replace("den/der", "keinen/kein")) == []
    shadow = BOUGHT.replace("den/der/DET/ams/5/det", "gern/gern/ADV/-/3/advmod").replace("Hof/Hof", "Schatten/Schatten")
    assert said(FrontedObject(), shadow.replace("NOUN/nfs", "NOUN/nfp").replace("VERB/3s", "VERB/3p")) == []
    assert said(FrontedObject(), BOUGHT.replace("den/der/DET/ams/5/det", "seinen/sein/DET/ams/5/det:poss")) == []
