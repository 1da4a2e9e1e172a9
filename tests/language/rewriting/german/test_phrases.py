"""Genitives and `von`, rows of names, numbers, contractions."""

from __future__ import annotations

import pytest
from tests.language.rewriting.german.lines import PAIR
from tests.language.rewriting.german.parsed import said

from nerquake.language.rewriting.german.coordination import Coordination
from nerquake.language.rewriting.german.genitive import Genitive, VonPhrase
from nerquake.language.rewriting.german.lexical import Contraction, Expansion, NumberWords

CAPITAL = (
    "Die/der/DET/nfs/2/det Hauptstadt/Hauptstadt/NOUN/nfs/4/nsubj Deutschlands/Deutschland/PROPN/gns/2/nmod "
    "wächst/wachsen/VERB/3s/0/root ././PUNCT/-/4/punct"
)
OF_GERMANY = (
    "Die/der/DET/nfs/2/det Hauptstadt/Hauptstadt/NOUN/nfs/5/nsubj von/von/ADP/-/4/case "
    "Deutschland/Deutschland/PROPN/dns/2/nmod wächst/wachsen/VERB/3s/0/root ././PUNCT/-/5/punct"
)
ANNAS_BOOK = (
    "Wir/wir/PRON/nxp/2/nsubj lesen/lesen/VERB/3p/0/root Annas/Anna/PROPN/gfs/4/nmod:poss Buch/Buch/NOUN/ans/2/obj "
    "././PUNCT/-/2/punct"
)


def test_genitive_as_a_phrase() -> None:
    assert said(VonPhrase(), CAPITAL) == ["Die Hauptstadt von Deutschland wächst ."]
    assert said(VonPhrase(), ANNAS_BOOK) == ["Wir lesen das Buch von Anna ."]
    dative = ANNAS_BOOK.replace("Buch/Buch/NOUN/ans", "Frau/Frau/NOUN/dfs")
    assert said(VonPhrase(), dative) == ["Wir lesen der Frau von Anna ."], "the article is the noun's"
    many = ANNAS_BOOK.replace("Buch/Buch/NOUN/ans", "Bücher/Buch/NOUN/anp")
    assert said(VonPhrase(), many) == ["Wir lesen die Bücher von Anna ."]


def test_phrase_as_a_genitive() -> None:
    assert said(Genitive(), OF_GERMANY) == ["Die Hauptstadt Deutschlands wächst ."]


@pytest.mark.parametrize(
    "line",
    [
        CAPITAL.replace("gns/2/nmod", "gns/2/nmod/LOC"),  # a mention keeps its letters
        CAPITAL.replace("Deutschlands/Deutschland", "Paris/Paris"),
        CAPITAL.replace("Deutschlands/Deutschland/PROPN/gns", "Deutschlands/Deutschlands/PROPN/gns"),
        CAPITAL.replace("PROPN/gns", "PROPN/dns"),
        ANNAS_BOOK.replace("NOUN/ans", "NOUN/-"),  # the article's form is not known
        ANNAS_BOOK.replace("PROPN/gfs/4/nmod:poss", "PROPN/gfs/4/nmod:poss/PER"),
    ],
)
def test_genitives_that_stay(line: str) -> None:
    assert said(VonPhrase(), line) == []


@pytest.mark.parametrize(
    "line",
    [
        OF_GERMANY.replace("dns/2/nmod", "dns/2/nmod/LOC"),
        OF_GERMANY.replace("Hauptstadt/Hauptstadt", "Reise/Reise"),  # the journey from Germany
        OF_GERMANY.replace("Deutschland/Deutschland", "Paris/Paris"),
        OF_GERMANY.replace("von/von", "in/in"),
    ],
)
def test_phrases_that_stay(line: str) -> None:
    assert said(Genitive(), line) == []


THREE = (
    "Er/er/PRON/nms/2/nsubj kennt/kennen/VERB/3s/0/root Bonn/Bonn/PROPN/ans/2/obj/LOC ,/,/PUNCT/-/5/punct "
    "Ulm/Ulm/PROPN/ans/3/conj/LOC und/und/CCONJ/-/7/cc Köln/Köln/PROPN/ans/3/conj/LOC ././PUNCT/-/2/punct"
)
IN_BOTH = (
    "Er/er/PRON/nms/2/nsubj schlief/schlafen/VERB/3s/0/root in/in/ADP/-/4/case Bonn/Bonn/PROPN/dns/2/obl/LOC "
    "und/und/CCONJ/-/6/cc Ulm/Ulm/PROPN/dns/4/conj/LOC ././PUNCT/-/2/punct"
)
SHARED = (
    "Die/der/DET/nfp/2/det Städte/Stadt/NOUN/nfp/5/nsubj und/und/CCONJ/-/4/cc Länder/Land/NOUN/nnp/2/conj "
    "wachsen/wachsen/VERB/3p/0/root ././PUNCT/-/5/punct"
)


def test_things_change_places() -> None:
    assert said(Coordination(), PAIR) == ["Peter und Anna kamen gestern ."]
    assert said(Coordination(), THREE) == ["Er kennt Köln , Ulm und Bonn ."]
    assert said(Coordination(), IN_BOTH) == ["Er schlief in Ulm und Bonn ."]
    twice = IN_BOTH.replace("und/und/CCONJ/-/6/cc Ulm/Ulm/PROPN/dns/4/conj", "und/und/CCONJ/-/7/cc in/in/ADP/-/7/case "
                            "Ulm/Ulm/PROPN/dns/4/conj")  # fmt: skip
    assert said(Coordination(), twice) == ["Er schlief in Ulm und in Bonn ."]


@pytest.mark.parametrize(
    "line",
    [
        SHARED,  # the article belongs to both
        IN_BOTH.replace("Bonn/Bonn/PROPN", "Amt/Amt/NOUN").replace("Ulm/Ulm/PROPN", "Würden/Würde/NOUN"),
        PAIR.replace("Anna/Anna/PROPN", "Mai/Mai/NOUN").replace("Peter/Peter/PROPN", "Juni/Juni/NOUN"),
        PAIR.replace("und/und", "oder/oder"),
        PAIR.replace("Peter/Peter/PROPN/nms/1/conj/PER", "er/er/PRON/nms/1/conj"),
        PAIR.replace("Anna/Anna", "Vor-/vor"),
        PAIR.replace("Anna/Anna/PROPN/nfs/4/nsubj/PER", "Anna/Anna/PROPN/gfs/4/nsubj/PER"),
    ],
)
def test_things_that_stay(line: str) -> None:
    assert said(Coordination(), line) == []


SHIPS = (
    "Bonn/Bonn/PROPN/nns/2/nsubj kaufte/kaufen/VERB/3s/0/root zwei/zwei/NUM/-/4/nummod Schiffe/Schiff/NOUN/anp/2/obj "
    "././PUNCT/-/2/punct"
)
IN_THE_HOUSE = (
    "Er/er/PRON/nms/2/nsubj wohnt/wohnen/VERB/3s/0/root in/in/ADP/-/5/case dem/der/DET/dns/5/det "
    "Haus/Haus/NOUN/dns/2/obl ././PUNCT/-/2/punct"
)
IN_HOUSE_THAT = (
    "Er/er/PRON/nms/2/nsubj wohnt/wohnen/VERB/3s/0/root im/in/ADP/-/4/case Haus/Haus/NOUN/dns/2/obl "
    ",/,/PUNCT/-/7/punct das/der/PRON/nns/7/nsubj brannte/brennen/VERB/3s/4/acl ././PUNCT/-/2/punct"
)


def test_words() -> None:
    assert said(NumberWords(), SHIPS) == ["Bonn kaufte 2 Schiffe ."]
    assert said(NumberWords(), SHIPS.replace("zwei/zwei", "12/12")) == ["Bonn kaufte zwölf Schiffe ."]
    assert said(Contraction(), IN_THE_HOUSE) == ["Er wohnt im Haus ."]
    assert said(Expansion(), IN_HOUSE_THAT) == ["Er wohnt in dem Haus , das brannte ."]


@pytest.mark.parametrize(
    "line",
    [
        SHIPS.replace("Schiffe/Schiff/NOUN/anp", "Euro/Euro/NOUN/anp"),
        SHIPS.replace("anp/2/obj", "anp/2/obj/MISC"),
        SHIPS.replace("zwei/zwei", "dreizehn/dreizehn"),
        IN_THE_HOUSE.replace("dem/der/DET/dns/5/det", "dem/der/PRON/dns/5/nmod"),
        IN_THE_HOUSE.replace("dns/5/det", "dns/5/det/LOC").replace("dns/2/obl", "dns/2/obl/+"),
        IN_HOUSE_THAT.replace("brennen/VERB/3s/4/acl", "brennen/VERB/3s/2/parataxis"),
    ],
)
def test_words_that_stay(line: str) -> None:
    assert [text for rule in (NumberWords(), Contraction(), Expansion()) for text in said(rule, line)] == []
