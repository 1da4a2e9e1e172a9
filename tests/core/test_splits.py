"""Splits keep together what was made from one sentence, and follow from the seed and the ids alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerquake.core.errors import InputError, UsageError
from nerquake.core.sentence import Sentence, TokenIds
from nerquake.core.sources import Lineage
from nerquake.core.splits import Split, seeded_part, split_by_source

Splitter = Callable[[Iterable[Sentence], float, int], Split]
both = pytest.mark.parametrize("split", [split_by_source, seeded_part])


def family(number: int, variants: int, *, stated: bool = True) -> list[Sentence]:
    """A source and its variants, the second made from the first, and so on; they say so, or have a set's name."""
    made = [Sentence(f"s{number}", ("source", str(number)))]
    for at in range(variants):
        before = made[-1].id
        made.append(
            Sentence(f"{before}~{at}", ("variant", str(at)), source=before)
            if stated
            else Sentence(f"{before}~v{at}", ("variant", str(at)))
        )
    return made


@st.composite
def families(draw: st.DrawFn) -> list[Sentence]:
    sizes = draw(st.lists(st.integers(0, 4), min_size=2, max_size=12))
    made = [one for at, size in enumerate(sizes) for one in family(at, size, stated=draw(st.booleans()))]
    return draw(st.permutations(made))


def sources(sentences: list[Sentence]) -> set[str]:
    return {one.id.partition("~")[0] for one in sentences}


@both
@given(families(), st.floats(0.01, 0.99), st.integers(0, 9))
def test_no_source_stands_on_both_sides(split: Splitter, data: list[Sentence], share: float, seed: int) -> None:
    part, rest = split(data, share, seed)
    first, second = sources(part), sources(rest)
    assert not first & second
    assert first and second
    total = len(first) + len(second)
    closest = min(max(share * total, 1), total - 1)
    assert abs(len(first) - closest) <= 0.5 + 1e-9
    assert [one for one in data if one in part] == part and [one for one in data if one in rest] == rest
    assert len(part) + len(rest) == len(data)


@both
@given(families(), st.floats(0.01, 0.99), st.integers(0, 9), st.randoms(use_true_random=False))
def test_the_order_plays_no_part(
    split: Splitter, data: list[Sentence], share: float, seed: int, random: Random
) -> None:
    shuffled = list(data)
    random.shuffle(shuffled)
    first, second = split(data, share, seed), split(shuffled, share, seed)
    assert {one.id for one in first.part} == {one.id for one in second.part}
    assert sources(split([one for one in data if "~" not in one.id], share, seed).part) == sources(first.part)


@both
def test_seeds_give_other_parts_and_larger_shares_hold_smaller_ones(split: Splitter) -> None:
    data = [one for at in range(40) for one in family(at, 2)]
    assert len({frozenset(sources(split(data, 0.6, seed).part)) for seed in range(20)}) == 20
    taken = [sources(split(data, share, 5).part) for share in (0.1, 0.25, 0.6, 0.9)]
    assert [len(part) for part in taken] == [4, 10, 24, 36]
    assert all(small < large for small, large in pairwise(taken))


def test_a_dev_part_does_not_follow_the_border_of_the_split() -> None:
    data = [one for at in range(100) for one in family(at, 0)]
    sides = sources(split_by_source(data, 0.6, 0).part)
    dev = sources(seeded_part(data, 0.2, 0).part)
    assert 0 < len(dev & sides) < len(dev)


def test_splits_stay_the_same_between_versions() -> None:
    """Published experiments depend on them."""
    data = [one for at in range(10) for one in family(at, 5)]
    assert sorted(sources(split_by_source(data, 0.6, 0).rest)) == ["s0", "s5", "s7", "s9"]
    assert sorted(sources(seeded_part(data, 0.2, 0).part)) == ["s0", "s5"]


def test_repeats_without_ids_stay_together() -> None:
    ids = TokenIds()
    texts = [("Yes", "."), ("No", "."), ("Yes", "."), ("Why", "?"), ("Yes", ".")]
    data = [Sentence(ids.next(tokens), tokens, hashed=True) for tokens in texts]
    for seed in range(20):
        part, rest = split_by_source(data, 0.5, seed)
        assert not {one.tokens for one in part} & {one.tokens for one in rest}
        assert len({Lineage(data).root(one) for one in part}) == 2


@both
def test_what_cannot_be_split(split: Splitter) -> None:
    for share in (0, 1, -0.1, 60, float("nan")):
        with pytest.raises(UsageError, match="expected more than 0 and less than 1"):
            split(family(0, 2), share, 0)
    with pytest.raises(InputError, match="3 sentences from 1 source cannot be split"):
        split(family(0, 2), 0.5, 0)
    with pytest.raises(InputError, match="0 sentences from 0 sources"):
        split([], 0.5, 0)
