"""What holds for every rule: sound rewritings that keep mentions whole, on real, odd and random parses."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.language.rewriting.english.said import tree_of

from nerquake.core.sentence import Sentence
from nerquake.language.rewriting.engine import is_sound
from nerquake.language.rewriting.english.alternation_table import BOTH, ONE_WAY
from nerquake.language.rewriting.english.rules_b import RULES
from nerquake.language.rewriting.parse import parse, parser_of
from nerquake.language.rewriting.tree import Tree

ODD = (
    ("।",),
    ("\u200b",),
    ("प्रधानमंत्री", "ने", "कहा", "।"),
    ("😬", "and", "😬", "are", "not", "\u200b", "here"),
    ("and",),
    ("'s", "'s", "of", "of", ",", ","),
    ("not", "n't", "'re", "is", "3"),
    ("A", "and", "B") * 400,
    ("the", "capital", "of") * 300,
)
SENTENCES = (
    "[Cisco|ORG] , the network firm , sold 3 ships in [Lima|LOC] on Thursday .",
    "The drivers who were trapped in the tunnel saw a bottle made of paper .",
    "The parcel I ordered from [Amazon|ORG] was long and dirty .",
    "[Germany|LOC] 's largest port is the capital of [Peru|LOC] , [Chile|LOC] and [Ecuador|LOC] .",
    "They met the president of [Peru|LOC] .",
    "She gave [Mary|PER] the book , and he sold the mill to [Siemens|ORG] .",
    "They supplied the town with water .",
    "[Dortmund|ORG] drew with [Wolfsburg|ORG] .",
    "[Siemens|ORG] built the turbines .",
    "The wall fell in 1989 .",
    "They will not leave .",
    "[Lima|LOC] is the capital of [Peru|LOC] .",
    "A man was standing at the door .",
    "She slowly opened the door .",
    "All of the students picked up the phone .",
    "They 're sure that it is n't a film about 300 dogs and cats .",
)
"""Every rule has something to do in one of them."""
DEPS = (
    "nsubj",
    "dobj",
    "pobj",
    "prep",
    "det",
    "poss",
    "amod",
    "compound",
    "conj",
    "appos",
    "relcl",
    "advmod",
    "dative",
)


def test_every_rule_has_its_sentence(pipeline: str) -> None:
    found = {rule.name for text in SENTENCES for rule in RULES if list(rule.find(tree_of(pipeline, text)))}
    assert found == {rule.name for rule in RULES}


def disturbed(draw: st.DrawFn, tree: Tree) -> Tree:
    """The same tree with mentions anywhere and up to two relations that are wrong."""
    size = len(tree.words)
    cuts = sorted(draw(st.sets(st.integers(0, size), max_size=6)))
    mentions = tuple(zip(cuts[::2], cuts[1::2], strict=False))
    labels = tuple(draw(st.sampled_from(("PER", "ORG", "LOC", "DATE"))) for _ in mentions)
    words = list(tree.words)
    for at in draw(st.sets(st.integers(0, size - 1), max_size=2)):
        if words[at].head != at:
            words[at] = replace(words[at], dep=draw(st.sampled_from(DEPS)))
    return Tree(tuple(words), mentions, labels)


@settings(max_examples=120)
@given(st.data())
def test_rewritings_are_sound_whatever_the_mentions(pipeline: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(SENTENCES))
    tree = disturbed(data.draw, tree_of(pipeline, text))
    for rule in RULES:
        for one in rule.find(tree):
            assert is_sound(tree, one), (rule.name, one)


@pytest.mark.parametrize("tokens", ODD, ids=range(len(ODD)))
def test_odd_sentences(pipeline: str, tokens: tuple[str, ...]) -> None:
    (tree,) = parse(parser_of(pipeline), [Sentence(id="s", tokens=tokens, spans=())])
    assert all(is_sound(tree, one) for rule in RULES for one in rule.find(tree))


def test_names_are_unique() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert {rule.name for rule in RULES if rule.kind == "lexical"} == {
        "expansion",
        "contraction",
        "number",
        "alternation",
    }


def test_no_pair_is_written_twice() -> None:
    pairs = [frozenset((one, other)) for one, other, *_ in (*BOTH, *ONE_WAY)]
    assert len(set(pairs)) == len(pairs)
    assert all(one != other for one, other, *_ in (*BOTH, *ONE_WAY))
