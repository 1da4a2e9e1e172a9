"""German rules together: capitals, combinations, mentions, and whatever else stands in a data set."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.language.rewriting.german.lines import (
    ALL,
    ANNA_CAME,
    BECAUSE_FIRST,
    BECAUSE_LAST,
    PAIR,
    QUOTED_FIRST,
    QUOTED_LAST,
    SIGNED,
    SPEECH_FIRST,
    SPEECH_LAST,
    THAT_FIRST,
    THAT_LAST,
    TO_BONN,
    YESTERDAY,
)
from tests.language.rewriting.german.parsed import said, tree_of
from tests.language.rewriting.german.test_fronting import BOUGHT
from tests.language.rewriting.german.test_phrases import CAPITAL, IN_HOUSE_THAT, IN_THE_HOUSE, OF_GERMANY, SHIPS

from nerquake.core.seeds import Draws
from nerquake.language.rewriting import engine
from nerquake.language.rewriting.german import RULES
from nerquake.language.rewriting.german.reporting import Reporting
from nerquake.language.rewriting.tree import Tree, Word

DRAWS = Draws(13, "paraphrase").of("s")
POS = ("NOUN", "PROPN", "VERB", "AUX", "ADP", "DET", "ADV", "PRON", "PUNCT", "CCONJ", "SCONJ", "NUM", "X")
DEPS = (
    "nsubj", "obl", "obl:tmod", "advmod", "obj", "advcl", "mark", "ccomp", "parataxis", "cc", "conj", "case", "nmod",
    "nmod:poss", "aux", "aux:pass", "cop", "det", "nummod", "punct", "acl", "compound:prt", "flat", "iobj",
)  # fmt: skip
WORDS = (
    "Anna", "Bonn", "gestern", "sagte", "dass", "weil", "und", "von", "im", "in", "dem", "der", "zwei", "2", ",", ".",
    "„", "“", '"', ":", "?", "Sie", "sich", "nicht", "Deutschlands", "प्रधानमंत्री", "😬", "\u200b", "-", "(",
)  # fmt: skip
LEMMAS = ("sagen", "kommen", "Jahr", "Hauptstadt", "Deutschland", "")
MORPHS = (
    {"VerbForm": "Fin", "Number": "Sing"}, {"Case": "Gen"}, {"Case": "Acc", "Gender": "Masc", "Number": "Sing"},
    {"Number": "Plur"}, {"VerbForm": "Part"}, {},
)  # fmt: skip
MADE = {
    ANNA_CAME: ["Gestern kam Anna nach Bonn ."],
    YESTERDAY: ["Anna kam gestern nach Bonn ."],
    TO_BONN: ["Anna fuhr gestern nach Bonn ab ."],
    SIGNED: [
        "Am Montag wurde der Vertrag von Siemens unterzeichnet .",
        "Von Siemens wurde der Vertrag am Montag unterzeichnet .",
    ],
    BECAUSE_LAST: ["Weil es regnete , blieb der Minister in Bonn .", "In Bonn blieb der Minister , weil es regnete ."],
    BECAUSE_FIRST: ["Anna blieb in Bonn , weil es regnete ."],
    THAT_LAST: [
        "Am Montag sagte Anna , dass die Brücke in Bonn gesperrt wurde .",
        "Dass die Brücke in Bonn gesperrt wurde , sagte Anna am Montag .",
    ],
    THAT_FIRST: ["Anna sagte gestern , dass Peter schlief ."],
    SPEECH_FIRST: ["Anna sagte am Montag , die Brücke sei gesperrt ."],
    SPEECH_LAST: ["Die Brücke sei gesperrt , sagte der Minister ."],
    QUOTED_LAST: [],  # the comma behind the quotation mark would be lost
    QUOTED_FIRST: ["Anna sagte : „ Peter schläft . “"],
    PAIR: ["Peter und Anna kamen gestern .", "Gestern kamen Anna und Peter .", "Gestern kamen Peter und Anna ."],
}
"""What comes of the sentences in `ALL`."""
FOR_EACH_RULE = (*ALL, BOUGHT, CAPITAL, OF_GERMANY, SHIPS, IN_THE_HOUSE, IN_HOUSE_THAT)
"""Every rule has something to do in one of them."""


def _texts(line: str) -> list[str]:
    return [" ".join(one.tokens) for one in engine.candidates(tree_of(line), RULES, 3, DRAWS)]


def test_every_rule_has_its_sentence() -> None:
    found = {rule.name for line in FOR_EACH_RULE for rule in RULES if list(rule.find(tree_of(line)))}
    assert found == {rule.name for rule in RULES}


@pytest.mark.parametrize("line", ALL)
def test_capitals_at_the_start_and_no_word_too_many_and_none_lost(line: str) -> None:
    tree = tree_of(line)
    made = engine.candidates(tree, RULES, 3, DRAWS)
    assert [" ".join(one.tokens) for one in made] == MADE[line]
    old = sorted(word.text.lower() for word in tree.words if word.text.isalnum())
    for one in made:
        assert sorted(text.lower() for text in one.tokens if text.isalnum()) == old
        assert one.structural


def test_nouns_keep_their_capital() -> None:
    soldiers = ANNA_CAME.replace("Anna/Anna/PROPN/nfs/2/nsubj/PER", "Soldaten/Soldat/NOUN/nmp/2/nsubj")
    soldiers = soldiers.replace("kam/kommen/VERB/3s", "kamen/kommen/VERB/3p")
    assert _texts(soldiers)[0] == "Gestern kamen Soldaten nach Bonn ."
    berlin = SPEECH_LAST.replace("Der/der/DET/nms", "Berliner/Berliner/ADJ/nms").replace("2/det", "2/amod", 1)
    assert _texts(berlin) == ["Die Brücke sei gesperrt , sagte Berliner Minister ."]
    polite = ANNA_CAME.replace("Anna/Anna/PROPN/nfs/2/nsubj/PER", "Sie/Sie/PRON/Polite=Form/2/nsubj")
    polite = polite.replace("kam/kommen/VERB/3s", "kamen/kommen/VERB/3p")
    assert _texts(polite)[0] == "Gestern kamen Sie nach Bonn ."
    she = ANNA_CAME.replace("Anna/Anna/PROPN/nfs/2/nsubj/PER", "Sie/sie/PRON/nfs/2/nsubj")
    assert _texts(she)[0] == "Gestern kam sie nach Bonn ."


def test_where_a_figure_begins_the_sentence_it_does_not_show_how_the_next_word_is_written() -> None:
    assert _texts(ANNA_CAME.replace("Anna/Anna/PROPN/nfs", "1860/1860/PROPN/nfs")) == []


def test_rewritings_combine() -> None:
    assert [one.rules for one in engine.candidates(tree_of(PAIR), RULES, 3, DRAWS)] == [
        ("coordination",), ("fronted-phrase",), ("coordination", "fronted-phrase"),
    ]  # fmt: skip


def test_no_comma_is_lost_behind_a_quotation_mark() -> None:
    assert said(Reporting(), QUOTED_LAST) == ["„ Peter schläft “ , sagte Anna ."]
    assert _texts(QUOTED_LAST) == []
    straight = QUOTED_LAST.replace("„/„", '"/"').replace("“/“", '"/"')
    assert _texts(straight) == ['" Peter schläft " , sagte Anna .']


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Any words with any analysis, heads in a tree with one root or more, mentions anywhere."""
    size = draw(st.integers(1, 14))
    order = draw(st.permutations(range(size)))
    words: list[Word] = []
    for rank, at in enumerate(order):
        head = at if rank == 0 else order[draw(st.integers(0, rank - 1))]
        dep = "root" if head == at else draw(st.sampled_from(DEPS))
        text, lemma = draw(st.sampled_from(WORDS)), draw(st.sampled_from(LEMMAS))
        words.append(Word(at, text, lemma, draw(st.sampled_from(POS)), "", dep, head, draw(st.sampled_from(MORPHS))))
    cuts = sorted(draw(st.sets(st.integers(0, size), max_size=4)))
    mentions = tuple(zip(cuts[::2], cuts[1::2], strict=False))
    return Tree(tuple(sorted(words, key=lambda word: word.index)), mentions, ("LOC",) * len(mentions))


@st.composite
def damaged(draw: st.DrawFn) -> Tree:
    """Sentences that rules apply to, with a few wrong analyses and mentions anywhere."""
    words = list(tree_of(draw(st.sampled_from(ALL))).words)
    size = len(words)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, size - 1))
        what = draw(st.sampled_from(("text", "pos", "dep", "morph")))
        choice = {"text": WORDS, "pos": POS, "dep": DEPS, "morph": MORPHS}[what]
        words[at] = replace(words[at], **{what: draw(st.sampled_from(choice))})
    cuts = sorted(draw(st.sets(st.integers(0, size), max_size=4)))
    mentions = tuple(zip(cuts[::2], cuts[1::2], strict=False))
    return Tree(tuple(words), mentions, ("LOC",) * len(mentions))


@given(trees() | damaged())
def test_mentions_stay_whole_whatever_the_parse(tree: Tree) -> None:
    for one in engine.candidates(tree, RULES, 2, DRAWS):
        origin = list(one.origin)
        for start, end in tree.mentions:
            at = origin.index(start)
            assert origin[at : at + end - start] == list(range(start, end))
            assert one.tokens[at : at + end - start] == tuple(word.text for word in tree.words[start:end])


@given(trees() | damaged())
def test_every_rewriting_uses_a_token_once_at_most(tree: Tree) -> None:
    for rule in RULES:
        for one in rule.find(tree):
            used = [at for part in one.parts if not isinstance(part, str) for at in range(*part)]
            assert len(used) == len(set(used))
            assert all(part[0] < part[1] for part in one.parts if not isinstance(part, str))


def test_a_long_row_of_names_is_left_alone() -> None:
    words = tuple(Word(at, "Bonn", "Bonn", "PROPN", "", "conj" if at else "root", 0) for at in range(2000))
    assert engine.candidates(Tree(words), RULES, 3, DRAWS) == ()
