"""Sizes, entity words and what an attack reached (paper R, tables 3 and 4)."""

from __future__ import annotations

from nerquake.analyse.corpus import ALL, entity_words, reach, seen_words, sizes
from nerquake.core.dataset import Dataset
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.spec import parse_chain
from nerquake.perturb.run import attack

DATA = Dataset(
    "d",
    (
        Sentence("a", ("Anna", "Lind", "met", "Bo"), (Span(0, 2, "PER"), Span(3, 4, "PER"))),
        Sentence("b", ("in", "Bonn"), (Span(1, 2, "LOC"),)),
        Sentence("c", ("nothing",)),
    ),
    language="en",
)
TRAIN = Dataset("t", (Sentence("x", ("Anna", "saw", "Bonn"), (Span(0, 1, "PER"), Span(2, 3, "PER"))),))


def test_sizes() -> None:
    assert sizes(DATA) == {"sentences": 3, "tokens": 7, "mentions": 3, "per_type": {"LOC": 1, "PER": 2}}


def test_entity_words_are_unique_tokens_inside_mentions() -> None:
    assert entity_words(DATA) == {"LOC": {"Bonn"}, "PER": {"Anna", "Lind", "Bo"}, ALL: {"Bonn", "Anna", "Lind", "Bo"}}


def test_seen_is_by_type_unless_asked_otherwise_and_all_pools_the_types() -> None:
    words, train = entity_words(DATA), entity_words(TRAIN)
    found = seen_words(words, train)
    assert (found["PER"]["seen"], found["LOC"]["seen"], found[ALL]["seen"]) == (1, 0, 2)
    assert seen_words(words, train, "any-type")["LOC"]["seen"] == 1
    assert seen_words(words, None)["PER"] == {"unique": 3, "seen": None, "seen_share": None}


def test_reach_counts_what_was_drawn() -> None:
    everything = reach(DATA, attack(DATA, parse_chain("letters"), 0))
    assert everything["mentions"] == everything["attacked"] == 3
    assert everything["sentences_attacked_share"] == 2 / 3
    drawn = reach(DATA, attack(DATA, parse_chain("letters"), 0, sample=frozenset({"b", "c"})))
    assert (drawn["mentions"], drawn["attacked"], drawn["attacked_share"]) == (1, 1, 1)
    assert drawn["sentences_attacked_share"] == 1 / 2
