"""Review samples: by set and label, fallen and held in equal parts, dealt out and shuffled by the seed."""

from __future__ import annotations

import itertools
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from tests.analyse.review.planted import case, cases

from nerquake.analyse.review import Drawing, draw, fingerprint, item_id, reviewable
from nerquake.analyse.review.draw import equal_parts, proportional
from nerquake.analyse.review.items import strata

MANY = [
    *cases("swap", {"PER": 20, "LOC": 10}, {"PER": 60, "LOC": 40}),
    *cases("mask", {"PER": 3}, {"PER": 57}),
    case("quiet", status="unchanged"),
]
SIZES = st.lists(st.integers(1, 30), min_size=1, max_size=6)


def drawn(drawing: Drawing) -> list[list[str]]:
    return [[item_id(one) for one in page] for page in draw(MANY, drawing)]


def test_fallen_and_held_sentences_of_each_set_come_in_equal_parts() -> None:
    (page,) = draw(MANY, Drawing(sample=20, per_set=True))
    counts = Counter((one.set, any(one.fell.values()), one.original_spans[0].label) for one in page)
    # mask has three that fell, so that seventeen held ones are drawn; swap's labels stand 2 : 1 and 3 : 2.
    assert counts == {
        ("mask", True, "PER"): 3, ("mask", False, "PER"): 17,
        ("swap", True, "PER"): 7, ("swap", True, "LOC"): 3, ("swap", False, "PER"): 6, ("swap", False, "LOC"): 4,
    }  # fmt: skip


def test_without_per_set_the_sample_is_shared_by_the_sets() -> None:
    (page,) = draw(MANY, Drawing(sample=21))
    assert Counter(one.set for one in page) == {"mask": 11, "swap": 10}
    assert len(draw(MANY, Drawing(sample=10_000))[0]) == len(MANY) - 1


def test_two_reviewers_share_the_overlap_and_nothing_else() -> None:
    first, second = drawn(Drawing(sample=50, per_set=True, overlap=0.2, reviewers=2))
    assert len(set(first) & set(second)) == 20  # a fifth of a hundred
    assert len(first) == len(second) == 60
    assert len(set(first) | set(second)) == 100
    shared = Counter(key.rpartition("~")[2] for key in set(first) & set(second))
    assert shared == {"swap": 10, "mask": 10}


def test_all_or_nothing_can_be_shared() -> None:
    first, second = drawn(Drawing(sample=10, overlap=1, reviewers=2))
    assert set(first) == set(second) and first != second  # each in an order of its own
    first, second = drawn(Drawing(sample=10, overlap=0, reviewers=2))
    assert not set(first) & set(second) and len(first) == len(second) == 5


def test_the_draw_depends_on_the_seed_and_not_on_the_order_of_the_cases() -> None:
    drawing = Drawing(sample=20, per_set=True, seed=13)
    assert draw(MANY, drawing) == draw(list(reversed(MANY)), drawing)
    assert drawn(drawing) != drawn(drawing._replace(seed=14))


def test_the_order_does_not_tell_fallen_from_held() -> None:
    (page,) = draw(MANY, Drawing(sample=60, per_set=True, seed=13))
    sides = [any(one.fell.values()) for one in page if one.set == "swap"]
    changes = sum(a != b for a, b in itertools.pairwise(sides))
    assert changes > 20  # about 30 of 59 in a shuffle, one in an order by side


def test_a_sentence_counts_for_its_rarest_replaced_label() -> None:
    found = strata(reviewable(MANY))
    assert found["fLOC0~swap"] == ("swap", "fell", "LOC")
    assert "quiet~swap" not in found


def test_the_fingerprint_is_about_texts_and_labels_and_not_about_models() -> None:
    from dataclasses import replace

    from nerquake.core.span import Span

    same = [replace(one, predicted={}, fell={}) for one in reversed(MANY)]
    assert fingerprint(same) == fingerprint(MANY)
    assert fingerprint([*MANY[:-2], MANY[-1]]) != fingerprint(MANY)
    other = [replace(MANY[0], attacked_spans=(Span(0, 1, "ORG"),)), *MANY[1:]]
    assert fingerprint(other) != fingerprint(MANY)
    assert fingerprint([replace(MANY[0], attacked=("\ud800", "."))]) != fingerprint([])


@given(st.integers(0, 100), SIZES)
def test_parts_add_up_and_fit(total: int, sizes: list[int]) -> None:
    for parts in (equal_parts(total, sizes), proportional(total, sizes)):
        assert sum(parts) == min(total, sum(sizes))
        assert all(0 <= part <= size for part, size in zip(parts, sizes, strict=True))
    if total >= len(sizes):
        assert min(proportional(total, sizes)) >= 1
    even = equal_parts(total, sizes)
    full = [part for part, size in zip(even, sizes, strict=True) if part < size]
    assert not full or max(full) - min(full) <= 1


def test_parts_worked_out_by_hand() -> None:
    assert equal_parts(10, [3, 100, 100]) == [3, 4, 3]
    assert proportional(10, [100, 50, 3, 1]) == [6, 2, 1, 1]
    assert proportional(3, [5, 3, 2]) == [1, 1, 1]
