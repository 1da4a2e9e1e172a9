"""Rewritings checked, nested and combined under a budget, on rules made for the test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.seeds import Draws
from nerquake.language.rewriting import rules_of
from nerquake.language.rewriting.engine import (
    MOST_CANDIDATES,
    candidates,
    fit_in,
    fit_together,
    is_sound,
    rewritings_of,
)
from nerquake.language.rewriting.tree import Part, Rewriting, Rule, RuleKind, Tree, Word

DRAWS = Draws(1, "paraphrase").of("s")


class Fixed(Rule):
    """A rule that always proposes the same."""

    def __init__(self, *found: Rewriting, kind: RuleKind = "structure") -> None:
        self.found, self._kind = found, kind

    @property
    def name(self) -> str:
        return self.found[0].rule

    @property
    def kind(self) -> RuleKind:
        return self._kind

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        yield from self.found


class Reserved(Fixed):
    reserve = True


class Fronting(Fixed):
    fronts = True


class Turning(Fixed):
    turns = True


class Voice(Fixed):
    turns = voice = True


class Staying(Fixed):
    stays = True


def _fit_in(tree: Tree, *rules: Fixed) -> bool:
    """Whether the first rewritings of two rules fit, whichever is named first."""
    (one, other), named = rules, {rule.name: rule for rule in rules}
    fits = fit_in(tree, named, one.found[0], other.found[0])
    assert fits == fit_in(tree, named, other.found[0], one.found[0])
    return fits


def _tree(size: int, mentions: tuple[tuple[int, int], ...] = ()) -> Tree:
    words = (Word(at, f"w{at}", f"w{at}", "X", "", "dep", 0) for at in range(size))
    return Tree(tuple(words), mentions, ("X",) * len(mentions))


def _one(start: int, end: int, *parts: Part, rule: str = "r", kind: RuleKind = "structure") -> Rewriting:
    return Rewriting(rule, start, end, parts, kind)


def test_what_stays_in_its_place_keeps_its_order_where_the_sentence_turns() -> None:
    inside = Staying(_one(0, 3, (0, 1), ",", (2, 3), rule="inside"))
    outside = _one(0, 6, (3, 6), (0, 3), rule="outside")
    assert not _fit_in(_tree(6), inside, Turning(outside))
    assert _fit_in(_tree(6), inside, Fronting(outside))
    assert _fit_in(_tree(6), Fixed(*inside.found), Turning(outside))


def test_a_pronoun_that_moves_to_the_start_keeps_its_subject() -> None:
    its = {"PronType": "Prs", "Person": "3"}
    words = [Word(at, f"w{at}", f"w{at}", "X", "", "dep", 0, its if at == 4 else {}) for at in range(6)]
    tree = Tree(tuple(words))
    moved = _one(0, 6, (3, 6), ",", (0, 3), rule="moved")
    other = _one(0, 3, (2, 3), (0, 1), rule="other")
    assert not _fit_in(tree, Fronting(moved), Voice(other))
    assert _fit_in(tree, Fixed(moved), Voice(other))
    assert _fit_in(tree, Fronting(moved), Turning(other))
    assert _fit_in(tree, Fronting(moved), Voice(_one(3, 6, (5, 6), (3, 5), rule="other")))  # inside what moves
    assert _fit_in(_tree(6), Fronting(moved), Voice(other))


def test_rules_say_what_they_do() -> None:
    english, german = rules_of("en"), rules_of("de")
    assert [rule.name for rule in english if rule.voice] == ["passive", "active"]
    assert [rule.name for rule in english if rule.stays] == ["apposition"]
    assert [rule.name for rule in english if rule.fronts] == ["fronted-phrase", "fronted-clause", "phrases-exchanged"]
    assert [rule.name for rule in english if rule.turns] == [
        "fronted-clause", "postposed-clause", "passive", "active", "reporting-clause", "quote-moved", "report-moved",
        "clauses-swapped", "verb-phrases-swapped", "predicates-swapped",
    ]  # fmt: skip
    assert [rule.name for rule in german if rule.fronts] == ["fronted-phrase", "fronted-clause"]
    assert [rule.name for rule in german if rule.turns] == ["fronted-clause", "postposed-clause", "reporting-clause"]
    assert not any(rule.voice or rule.stays or rule.reserve for rule in german)


@pytest.mark.parametrize(
    ("one", "sound"),
    [
        (_one(0, 4, (2, 4), (0, 2)), True),
        (_one(0, 4, (2, 4), "and", (0, 2)), True),
        (_one(0, 4, (2, 4)), False),  # loses the mention
        (_one(0, 4, (1, 4), (0, 1)), False),  # cuts it
        (_one(1, 4, (2, 4), (1, 2)), False),  # begins inside it
        (_one(0, 4, (2, 4), (0, 3)), False),  # a token twice
        (_one(0, 4, (4, 5), (0, 2)), False),  # reaches out
        (_one(3, 3), False),
        (_one(0, 9, (0, 2)), False),
        (_one(2, 4, "x"), True),  # outside the mention
    ],
)
def test_what_is_sound(one: Rewriting, sound: bool) -> None:
    assert is_sound(_tree(5, ((0, 2),)), one) is sound


def test_what_fits_together() -> None:
    outer = _one(0, 6, (3, 6), (0, 3))
    assert fit_together(outer, _one(0, 3, (1, 3), (0, 1)))
    assert fit_together(_one(4, 6, (5, 6), (4, 5)), outer)
    assert fit_together(_one(0, 2, "x"), _one(2, 4, "y"))
    assert not fit_together(outer, _one(2, 4, (3, 4), (2, 3)))  # across two parts
    assert not fit_together(outer, _one(0, 6, (1, 6), (0, 1)))  # the same range
    assert not fit_together(_one(0, 4, (2, 4)), _one(0, 2, "x"))  # inside what is gone


def test_one_inside_another_is_carried_along() -> None:
    outer, inner = _one(0, 4, (2, 4), ",", (0, 2), rule="outer"), _one(2, 4, (3, 4), (2, 3), rule="inner")
    made = candidates(_tree(5), [Fixed(outer), Fixed(inner)], 2, DRAWS)
    assert [" ".join(one.tokens) for one in made] == ["w2 w3 , w0 w1 w4", "w0 w1 w3 w2 w4", "w3 w2 , w0 w1 w4"]
    assert [one.rules for one in made] == [("outer",), ("inner",), ("outer", "inner")]
    assert made[2].origin == (3, 2, None, 0, 1, 4)


def test_the_budget_limits_how_many_are_combined() -> None:
    rules = [Fixed(_one(at, at + 2, (at + 1, at + 2), (at, at + 1), rule=f"r{at}")) for at in (0, 2, 4)]
    for budget, most in ((1, 3), (2, 6), (3, 7)):
        made = candidates(_tree(6), rules, budget, DRAWS)
        assert len(made) == most
        assert max(len(one.rules) for one in made) == budget


def test_the_original_is_no_candidate_and_none_comes_twice() -> None:
    same, swap = _one(0, 2, (0, 1), (1, 2)), _one(0, 2, (1, 2), (0, 1))
    assert candidates(_tree(3), [Fixed(same)], 3, DRAWS) == ()
    assert len(candidates(_tree(3), [Fixed(swap), Fixed(swap._replace(rule="other"))], 3, DRAWS)) == 1


def test_exchanged_words_alone_are_not_structural() -> None:
    words = Fixed(_one(0, 1, "x", rule="words", kind="lexical"), kind="lexical")
    moved = Fixed(_one(1, 3, (2, 3), (1, 2)))
    found = {one.rules: one.structural for one in candidates(_tree(3), [words, moved], 2, DRAWS)}
    assert found == {("words",): False, ("r",): True, ("words", "r"): True}


def test_rules_in_reserve_are_asked_where_nothing_else_moves_enough() -> None:
    reserve = Reserved(_one(0, 8, (4, 8), (0, 4), rule="cleft"))
    little = Fixed(_one(6, 8, (7, 8), (6, 7), rule="little"))
    much = Fixed(_one(0, 8, (5, 8), (0, 5), rule="much"))
    tree = _tree(8)
    assert any("cleft" in one.rules for one in candidates(tree, [little, reserve], 2, DRAWS))
    assert not any("cleft" in one.rules for one in candidates(tree, [much, reserve], 2, DRAWS))
    assert not any("cleft" in one.rules for one in candidates(tree, [Turning(*little.found), reserve], 2, DRAWS))


def test_too_many_are_drawn_the_same_every_time() -> None:
    rules = [Fixed(_one(at, at + 2, (at + 1, at + 2), (at, at + 1), rule=f"r{at}")) for at in range(0, 40, 2)]
    made = candidates(_tree(40), rules, 3, DRAWS)
    assert len(made) == MOST_CANDIDATES
    assert made == candidates(_tree(40), rules, 3, DRAWS)
    assert made != candidates(_tree(40), rules, 3, Draws(2, "paraphrase").of("s"))


def test_unsound_rewritings_are_left_out() -> None:
    tree = _tree(4, ((0, 2),))
    assert rewritings_of(tree, [Fixed(_one(0, 4, (1, 4), (0, 1)), _one(2, 4, (3, 4), (2, 3)))]) == [
        _one(2, 4, (3, 4), (2, 3))
    ]


@given(st.data())
def test_mentions_stay_whole_whatever_is_combined(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, 14))
    start = data.draw(st.integers(0, size - 1))
    end = data.draw(st.integers(start + 1, size))
    rules = []
    for at in range(data.draw(st.integers(1, 5))):
        cuts = sorted(data.draw(st.lists(st.integers(0, size), min_size=3, max_size=min(4, size + 1), unique=True)))
        parts = data.draw(st.permutations(list(pairwise(cuts))))
        rules.append(Fixed(Rewriting(f"r{at}", cuts[0], cuts[-1], tuple(parts))))
    for one in candidates(_tree(size, ((start, end),)), rules, 3, DRAWS):
        places = [place for place, at in enumerate(one.origin) if at is not None and start <= at < end]
        assert [one.origin[place] for place in places] == list(range(start, end))
        assert places[-1] - places[0] == end - start - 1
        assert sorted(at for at in one.origin if at is not None) == list(range(size))
