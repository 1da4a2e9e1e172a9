"""How far paraphrases are from their originals, with figures worked out by hand."""

from __future__ import annotations

import pytest
from tests.perturb.helpers import data, sentence

from nerquake.core.paraphrases import Candidate
from nerquake.core.sentence import Sentence
from nerquake.perturb.paraphrase_mentions import Mapped, Mapper
from nerquake.perturb.paraphrase_names import Names
from nerquake.perturb.paraphrase_quality import Difference, difference, reworded
from nerquake.perturb.paraphrase_tokens import Conventions

ONE = sentence("s", "Anna met Bo in Bonn on Monday .", "B-PER O B-PER O B-LOC O O O")


def measured(one: Sentence, candidate: Candidate) -> Difference:
    found = Mapper(Conventions.of(data([one]), "en"), Names.of([])).map(one, candidate)
    assert isinstance(found, Mapped), found
    return difference(one, found, candidate)


def test_an_adverbial_in_front() -> None:
    # Anna met Bo in Bonn on Monday -> On Monday Anna met Bo in Bonn: 2 of 7 words pass 5 others, 10 of 21 pairs
    found = measured(ONE, Candidate(text="On Monday Anna met Bo in Bonn."))
    assert found.distance == pytest.approx(10 / 21)
    assert (found.mentions, found.wording, found.kind) == (0, 0, "structure")


def test_passive_voice() -> None:
    # shared words: Anna met Bo in Bonn on Monday, now Bo met Anna in Bonn on Monday: 3 of 21 pairs; of the pairs of
    # mentions (Anna, Bo), (Anna, Bonn), (Bo, Bonn) one; words: 7 and 9, of which 7 are the same: 1 - 14/16
    found = measured(ONE, Candidate(text="Bo was met by Anna in Bonn on Monday."))
    assert found.distance == pytest.approx(3 / 21)
    assert found.mentions == pytest.approx(1 / 3)
    assert found.wording == pytest.approx(1 / 8)
    assert found.kind == "structure", "the mentions stand in another order"


def test_other_words_in_their_places() -> None:
    found = measured(ONE, Candidate(text="Anna saw Bo in Bonn last Monday."))
    assert found.distance == 0 and found.kind == "lexical" and not found.none
    assert found.wording == pytest.approx(1 - 2 * 5 / 14)


def test_a_backend_with_rules_says_itself_what_it_did() -> None:
    tokens = ("Anna", "met", "Bo", ",", "in", "Bonn", "on", "Monday", ".")
    origin = (0, 1, 2, None, 3, 4, 5, 6, 7)
    rules = Candidate(tokens=tokens, origin=origin, rules=("apposition",))
    assert measured(ONE, rules).kind == "structure"
    assert measured(ONE, rules._replace(structural=False)).kind == "lexical"
    assert measured(ONE, Candidate(tokens=tokens)).kind == "lexical"
    moved = Candidate(text="On Monday Anna met Bo in Bonn.", structural=False)
    assert measured(ONE, moved).kind == "lexical"


def test_punctuation_and_capitals_alone_are_nothing() -> None:
    assert measured(ONE, Candidate(text="Anna met Bo in Bonn on MONDAY!")).none


def test_words_by_origin_keep_their_identity() -> None:
    one = sentence("s", "the man saw the dog", "O O O O O")
    # by origin the two articles change places with their nouns: the3 dog4 saw2 the0 man1, 8 of 10 pairs turned
    turned = Candidate(tokens=("the", "dog", "saw", "the", "man"), origin=(3, 4, 2, 0, 1), rules=("x",))
    assert measured(one, turned).distance == pytest.approx(8 / 10)
    # without it by their neighbours, to the same effect; where these are no help from left to right
    assert measured(one, Candidate(tokens=turned.tokens)).distance == pytest.approx(8 / 10)
    assert measured(one, Candidate(text="the big man saw the big dog")).distance == 0


@pytest.mark.parametrize(("old", "new", "share"), [
    ("a b c", "a b c", 0), ("a b c", "C B A !", 0), ("a b", "c d", 1), ("a a b", "a b", 1 - 4 / 5), (". ,", "!", 0),
])  # fmt: skip
def test_share_of_the_wording(old: str, new: str, share: float) -> None:
    assert reworded(old.split(), new.split()) == pytest.approx(share)
