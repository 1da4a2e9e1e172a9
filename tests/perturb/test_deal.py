from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nerquake.perturb.deal import deal

groups = st.one_of(
    st.lists(st.sampled_from("abc"), max_size=12),
    st.lists(st.sampled_from("abcdefghijklmnop"), max_size=40),
    st.lists(st.integers(0, 200).map(str), max_size=80),
)


@settings(max_examples=120)
@given(groups, st.integers(0, 1000))
def test_every_text_is_dealt_once_and_as_many_as_possible_change(texts: list[str], seed: int) -> None:
    given_ = deal(texts, Random(seed))
    assert sorted(given_) == list(range(len(texts)))
    changed = sum(texts[source] != text for text, source in zip(texts, given_, strict=True))
    n, m = len(texts), max(Counter(texts).values(), default=0)
    assert changed == min(n, 2 * (n - m))
    assert all(source == place for place, source in enumerate(given_) if texts[source] == texts[place])


@pytest.mark.parametrize("size", range(1, 6))
def test_two_texts_in_any_shares(size: int) -> None:
    for first in range(size + 1):
        texts = ["a"] * first + ["b"] * (size - first)
        given_ = deal(texts, Random(first))
        changed = sum(texts[source] != text for text, source in zip(texts, given_, strict=True))
        assert changed == 2 * min(first, size - first)


def test_it_is_a_random_deal_not_a_rotation() -> None:
    found = Counter(tuple(deal("abcd", Random(seed))) for seed in range(2000))
    assert len(found) == 9, "all derangements of four"
    assert max(found.values()) < 3 * min(found.values())


def test_which_of_a_majority_change_is_random_too() -> None:
    found = {tuple(i for i, source in enumerate(deal("aaab", Random(seed))) if source != i) for seed in range(50)}
    assert found == {(0, 3), (1, 3), (2, 3)}
