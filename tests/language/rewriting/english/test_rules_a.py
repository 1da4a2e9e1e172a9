"""What holds for every rule on clauses and voice: sound rewritings, whatever the mentions and the parse."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.language.rewriting.english.said import tree_of
from tests.language.rewriting.english.test_rules_b import ODD, disturbed
from tests.language.rewriting.english.test_rules_b import SENTENCES as MORE

from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.language.rewriting.engine import candidates, is_sound
from nerquake.language.rewriting.english import RULES, rules_b
from nerquake.language.rewriting.parse import parse, parser_of
from nerquake.language.rewriting.tree import Tree

pytestmark = pytest.mark.spacy
OWN = [rule for rule in RULES if rule not in rules_b.RULES]
SENTENCES = (
    "In [Lima|GPE] , the ministers met on Thursday because it rained .",
    "[Sony|ORG] , whose radios were good , earns more from insurance than from tape .",
    "`` It is old , '' analyst [Ana Ruiz|PERSON] told clients , `` whereas his firm is rich . ''",
    "The show will borrow dancers from [Las Vegas|GPE] and a choir from [Durban|GPE] .",
    "It was [Siemens|ORG] that laid the line in 1848 .",
    "Warm water in [the Gulf|LOC] worries [NASA|ORG] more than any cloud .",
    "Power for the cranes comes from [the Itaipu Dam|FAC] , where it is hot .",
    "[Ana Ruiz|PERSON] asked , in [French|LANGUAGE] , when the dividend would be paid .",
    "[The Kyoto Protocol|LAW] did less , says climatologist [Ana Ruiz|PERSON] , and promised more .",
    "A boy threw darts at it , and the queue already curls around the park .",
    "The engineers closed the bridge after a gust flipped a van .",
    "If it rains , they will stay .",
    "The bridge was closed by engineers before dawn .",
    "Small lenders complained that the act was written for giants .",
    "Clicks enrich [Zulu|LANGUAGE] ; tones shape [Yoruba|LANGUAGE] .",
    "The limnologist keeps his notes in Russian but labels his jars in English .",
    "[Ferrari|ORG] , listed in [Milan|GPE] , can hardly build enough cars .",
    "Signed in 1987 , the treaty saved the lake .",
    "[Cassini|PERSON] , who lived in [Paris|GPE] , spotted a gap .",
    "Engineers closed [the Severn Bridge|FAC] .",
    "The accountants flew to [Chicago|GPE] .",
)
"""Every rule on clauses and voice has something to do in one of them."""
DRAWS = Draws(13, "paraphrase").of("s")


def test_every_rule_has_its_sentence(pipeline: str) -> None:
    found = {rule.name for text in SENTENCES for rule in OWN if list(rule.find(tree_of(pipeline, text)))}
    assert found == {rule.name for rule in OWN}
    more = {rule.name for text in MORE for rule in rules_b.RULES if list(rule.find(tree_of(pipeline, text)))}
    assert found | more == {rule.name for rule in RULES}


@settings(max_examples=100)
@given(st.data())
def test_rewritings_are_sound_whatever_the_parse(pipeline: str, data: st.DataObject) -> None:
    tree = disturbed(data.draw, tree_of(pipeline, data.draw(st.sampled_from(SENTENCES))))
    for rule in OWN:
        for one in rule.find(tree):
            assert one.rule == rule.name
            assert is_sound(Tree(tree.words), one), (rule.name, one)  # mentions that it cuts are the engine's business


@settings(max_examples=100)
@given(st.data())
def test_mentions_stay_whole_whatever_they_are(pipeline: str, data: st.DataObject) -> None:
    tree = disturbed(data.draw, tree_of(pipeline, data.draw(st.sampled_from((*SENTENCES, *MORE)))))
    for one in candidates(tree, RULES, 3, DRAWS):
        for start, end in tree.mentions:
            at = one.origin.index(start)
            assert one.origin[at : at + end - start] == tuple(range(start, end)), one
            assert one.tokens[at : at + end - start] == tuple(word.text for word in tree.words[start:end]), one


@pytest.mark.parametrize("tokens", ODD, ids=range(len(ODD)))
def test_odd_sentences(pipeline: str, tokens: tuple[str, ...]) -> None:
    (tree,) = parse(parser_of(pipeline), [Sentence(id="s", tokens=tokens, spans=())])
    assert all(is_sound(tree, one) for rule in OWN for one in rule.find(tree))
