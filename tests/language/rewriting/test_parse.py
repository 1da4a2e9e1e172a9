"""From sentences of a data set to trees: one word a token, whatever the tokens are."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerquake.core.errors import InputError, UnknownName
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.language.rewriting.parse import UNSEEN, parse, parser_of

pytestmark = pytest.mark.spacy


def _sentence(text: str, *spans: Span) -> Sentence:
    return Sentence("s", tuple(text.split(" ")), tuple(spans))


def test_words_heads_and_mentions(pipeline: str) -> None:
    (tree,) = parse(parser_of(pipeline), [_sentence("Siemens built the mill .", Span(0, 1, "ORG"))])
    assert [(word.text, word.lemma, word.tag, word.dep, word.head) for word in tree.words] == [
        ("Siemens", "Siemens", "NNP", "nsubj", 1),
        ("built", "build", "VBD", "ROOT", 1),
        ("the", "the", "DT", "det", 3),
        ("mill", "mill", "NN", "dobj", 1),
        (".", ".", ".", "punct", 1),
    ]
    assert tree.words[1].morph["Tense"] == "Past"
    assert (tree.mentions, tree.labels, tree.roots) == (((0, 1),), ("ORG",), (1,))


def test_names_of_several_words_and_small_ones_are_one_word_to_the_parser(pipeline: str) -> None:
    title = Span(0, 5, "WORK_OF_ART")
    (tree,) = parse(parser_of(pipeline), [_sentence("On the Origin of Species was bought by sellers .", title)])
    assert [(word.tag, word.dep, word.head) for word in tree.words[:5]] == [
        *[("NNP", "compound", 4)] * 4, ("NNP", "nsubjpass", 6)
    ]  # fmt: skip
    assert tree.words[4].lemma == "Species"
    (tree,) = parse(
        parser_of(pipeline), [_sentence("we saw the hurricanes in lima", Span(2, 4, "ORG"), Span(5, 6, "LOC"))]
    )
    assert [(word.text, word.tag, word.dep) for word in tree.words[2:4]] == [
        ("the", "DT", "det"), ("hurricanes", "NNPS", "dobj")
    ]  # fmt: skip
    assert (tree.words[5].pos, tree.words[5].dep) == ("PROPN", "pobj")


def test_a_name_with_a_blank_token_and_one_of_an_unknown_label_stay_as_they_are(pipeline: str) -> None:
    blank = Sentence("s", ("Ana", " ", "Ruiz", "left", "."), (Span(0, 3, "PERSON"),))
    (tree,) = parse(parser_of(pipeline), [blank])
    assert (tree.words[1].dep, tree.words[2].dep) == (UNSEEN, "nsubj")
    (tree,) = parse(parser_of(pipeline), [_sentence("Old Danish ships left .", Span(0, 2, "NORP"))])
    assert [word.dep for word in tree.words[:3]] == ["amod", "amod", "nsubj"]


def test_blank_tokens_are_not_shown_and_stand_alone(pipeline: str) -> None:
    nlp = parser_of(pipeline)
    blank, plain = parse(nlp, [Sentence("a", ("She", " ", "left", "\u00a0", ".")), Sentence("b", ("She", "left", "."))])
    assert [blank.words[at].dep for at in (1, 3)] == [UNSEEN, UNSEEN]
    assert [blank.words[at].head for at in (0, 2, 4)] == [2, 2, 2]
    assert [blank.words[at].tag for at in (0, 2, 4)] == [word.tag for word in plain.words]
    assert blank.reach(2) is None


def test_nothing_visible_and_nothing_at_all(pipeline: str) -> None:
    nlp = parser_of(pipeline)
    assert [word.dep for word in parse(nlp, [Sentence("s", (" ", "\u2003"))])[0].words] == [UNSEEN, UNSEEN]
    assert parse(nlp, []) == []


def test_several_sentences_in_a_row_have_several_roots(pipeline: str) -> None:
    (tree,) = parse(parser_of(pipeline), [_sentence("She left the room . He stayed in the house .")])
    assert [tree.words[at].text for at in tree.roots] == ["left", "stayed"]


def test_the_batch_changes_nothing(pipeline: str) -> None:
    nlp = parser_of(pipeline)
    texts = ["She left .", "The mill in Leeds burned down , and nobody was hurt .", "😬 lol", "प्रधानमंत्री ने कहा ।"]
    sentences = [_sentence(text) for text in texts]
    assert parse(nlp, sentences) == [parse(nlp, [one])[0] for one in sentences]


def test_shouted_words_are_parsed_in_small_letters_and_kept_as_they_are(pipeline: str) -> None:
    shouted = _sentence("THE STORM DAMAGED THE OLD BRIDGE IN LEEDS .", Span(7, 8, "GPE"))
    (tree,) = parse(parser_of(pipeline), [shouted])
    assert tree.words[1].text == "STORM"
    assert (tree.words[2].tag, tree.words[5].dep, tree.words[7].pos) == ("VBD", "dobj", "PROPN")


def test_a_pipeline_without_a_parser_is_told_so(tmp_path: Path, pipeline: str) -> None:
    import spacy

    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="has no parser"):
        parser_of(str(tmp_path / "blank"))
    with pytest.raises(UnknownName):
        parser_of("no_such_pipeline")
