"""What a dictionary offers for a data set (paper R, table 2)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.knowledge.given import Row, made
from tests.perturb.wikidata_cases import links, members

from nerquake.analyse.corpus import ALL
from nerquake.analyse.corpus_dictionary import dictionary_table, linked_items
from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.knowledge.label_types import types_of_label

ROWS: list[Row] = [
    *members("Q515", "GPE", {"Q1": "Bonn", "Q2": "Rome", "Q3": "Oslo"}),
    *members("Q70208", "GPE", {"Q1": "Bonn", "Q4": "Unna"}),
    *members("Q4022", "LOC", {"Q5": "Rhine"}),
    *members("Q783794", "ORG", {"Q6": "Acme", "Q7": "Bosch"}),
    ("class_type", "Q1", "ORG", "test"),
    ("person_name", "given", "en", "Anna"), ("person_name", "family", "en", "Lind"),
    ("person_name", "family", "en", "Anna"),
]  # fmt: skip


def corpus(key: str, *mentions: tuple[str, str]) -> Dataset:
    sentences = [Sentence(f"{key}{n}", (text,), (Span(0, 1, label),)) for n, (text, label) in enumerate(mentions)]
    return Dataset(f"{key}.conll", tuple(sentences), language="en")


DATA = corpus("a", ("Bonn", "LOC"), ("Rhine", "LOC"), ("Anna", "PER"), ("Acme", "ORG"), ("5pm", "ODD"))


def test_all_classes_of_the_types_of_a_label() -> None:
    with made(ROWS) as dictionary:
        found = dictionary_table(dictionary, "en", [DATA, DATA], types_of_label)
    assert found == {
        "LOC": {"original": 4, "classes": 3, "entities": 5},
        "ODD": {"original": 2, "classes": 0, "entities": 0},
        "ORG": {"original": 2, "classes": 1, "entities": 2},
        "PER": {"original": 2, "classes": None, "entities": 2},
        ALL: {"original": 10, "classes": 4, "entities": 9},
    }


def test_classes_of_what_mentions_are_linked_to() -> None:
    with made(ROWS) as dictionary:
        found = dictionary_table(dictionary, "en", [DATA], types_of_label, {"LOC": {"Q1"}, "ORG": set()})
    assert found["LOC"] == {"original": 2, "classes": 2, "entities": 4}
    assert found["ORG"] == {"original": 1, "classes": 0, "entities": 0}
    assert found[ALL] == {"original": 5, "classes": 2, "entities": 6}


def test_linked_items_of_several_files(tmp_path: Path) -> None:
    other = corpus("b", ("Rome", "LOC"), ("Nowhere", "LOC"))
    one = links(tmp_path, {("a0", 0, 1): "Q1", ("a3", 0, 1): None}, "one.jsonl")
    two = links(tmp_path, {("b0", 0, 1): "Q2"}, "two.jsonl")
    assert linked_items([DATA, other], [str(one), str(two)]) == {"LOC": {"Q1", "Q2"}}
    both = links(tmp_path, {("a0", 0, 1): "Q1", ("b0", 0, 1): "Q2"}, "both.jsonl")
    assert linked_items([DATA, other], [str(both)]) == {"LOC": {"Q1", "Q2"}}
    with pytest.raises(InputError, match="no line is about"):
        linked_items([DATA, other], [str(two), str(one)])
    with pytest.raises(InputError, match="no line is about"):
        linked_items([DATA], [str(two)])
