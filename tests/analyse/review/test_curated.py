"""What stays in a set, under which labels, and the loss of a set without its invalid variants."""

from __future__ import annotations

import numpy as np
import pytest
from tests.analyse.audited import attacked, audited, renamed
from tests.analyse.review.planted import decided

from nerquake.analyse.review import Resolved, curated_sets, resolve
from nerquake.analyse.review.adjusted import Layer, adjusted
from nerquake.analyse.review.curated import relabelled
from nerquake.core.decisions import Decision
from nerquake.core.span import Span

DATA = audited("[PER Anna] met [LOC Bonn]", "[LOC Rome] slept", "it rained", "[PER Carl] ran", "[PER Dora] sat")
SET = attacked(DATA, renamed("X Y"), "swap")


def curated(*decisions: Decision, **rest: object) -> dict[str, tuple[str, str]]:
    """Status and reason of each variant, by its parent."""
    resolved = Resolved({one.id: one for one in decisions}, **rest)  # type: ignore[arg-type]
    (made,) = curated_sets([SET], resolved)
    return {variant.parent: (variant.status, variant.reason) for variant in made.variants}


def test_only_what_was_accepted_stays_and_everything_else_has_its_reason() -> None:
    accept, reject = Decision("s0~swap", "accept"), Decision("s1~swap", "reject", "meaning lost")
    unsure = Decision("s3~swap", "unsure")
    assert curated(accept, reject, unsure) == {
        "s0": ("changed", ""),
        "s1": ("discarded", "rejected: meaning lost"),
        "s2": ("unchanged", "nothing to change"),
        "s3": ("discarded", "the reviewer was unsure"),
        "s4": ("discarded", "not reviewed"),
    }
    assert curated(undecided=("s0~swap",))["s0"] == ("discarded", "undecided by the reviewer")
    assert curated(conflicts={"s0~swap": ()})["s0"] == ("discarded", "the reviewers disagree")
    assert curated(Decision("s1~swap", "reject"))["s1"] == ("discarded", "rejected")


def test_decisions_about_another_set_touch_nothing() -> None:
    assert curated(Decision("s0~other", "accept"))["s0"] == ("discarded", "not reviewed")


def test_relabelling_changes_the_gold_and_the_map_follows() -> None:
    variant = SET.variants[0]
    assert variant.sentence.spans == (Span(0, 2, "PER"), Span(3, 5, "LOC"))
    other = relabelled(variant, Decision("s0~swap", "relabel", spans=(Span(0, 2, "ORG"), Span(3, 5, "LOC"))))
    assert other.sentence.spans[0].label == "ORG" and other.mentions == (0, 1) and other.status == "changed"
    fewer = relabelled(variant, Decision("s0~swap", "relabel", spans=(Span(3, 5, "LOC"),)))
    assert fewer.sentence.spans == (Span(3, 5, "LOC"),) and fewer.mentions == (None, 0)
    none = relabelled(variant, Decision("s0~swap", "relabel"))
    assert none.sentence.spans == () and none.mentions == (None, None)


def test_two_reviewers_decisions_lead_to_one_set() -> None:
    files = [decided("a", {"s0~swap": "accept", "s1~swap": "accept"}), decided("b", {"s1~swap": "reject"})]
    (made,) = curated_sets([SET], resolve(files))
    assert [variant.reason for variant in made.variants[:2]] == ["", "the reviewers disagree"]


def layer(rows: list[list[int]], weights: list[float]) -> Layer:
    return Layer(np.array(rows, dtype=np.int64).reshape(-1, 4), np.array(weights, dtype=np.float64))


def test_the_adjusted_loss_by_hand() -> None:
    # Numerator and denominator of F1 before and after. Fallen: one valid (2/2 -> 0/2) for 5, one invalid for 5.
    # Held: two valid (2/2 -> 2/2) for 45 each. Before 2*5 + 2*90 over the same; after 180/190.
    fell = layer([[2, 2, 0, 2], [0, 0, 0, 0]], [5, 5])
    held = layer([[2, 2, 2, 2], [2, 2, 2, 2]], [45, 45])
    found = adjusted([fell, held], 400, 0.95, 1)
    assert found["original"] == 1
    assert found["attacked"] == pytest.approx(180 / 190)
    assert found["drop"] == pytest.approx(10 / 190)
    # Of the fallen none, one or both draws can be the valid one: 0, 5 or 10 sentences fell.
    assert found["low"] == pytest.approx(0) and found["high"] == pytest.approx(20 / 200)


def test_nothing_left_is_undefined() -> None:
    assert adjusted([], 100, 0.95, 0)["drop"] is None
    assert adjusted([layer([[0, 0, 0, 0]], [7])], 100, 0.95, 0)["drop"] is None
    found = adjusted([layer([[2, 2, 0, 2]], [7])], 0, 0.95, 0)
    assert found["drop"] == 1 and found["low"] is None
