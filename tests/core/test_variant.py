"""What an attack made of a data set: statuses, reasons, figures."""

from __future__ import annotations

from nerquake.core.edits import Edit
from nerquake.core.sentence import Sentence
from nerquake.core.variant import STATUSES, AttackedSet, Status, Variant


def variant(number: int, status: Status, reason: str = "", *edits: Edit) -> Variant:
    return Variant(Sentence(f"s{number}~x", ("a", "b")), f"s{number}", status, reason, edits)


ATTACKED = AttackedSet(
    "x",
    "x",
    "both",
    (
        variant(1, "changed", "", Edit(0, 1, ("c",), "mention"), Edit(1, 2, ("d", "e"), "context")),
        variant(2, "unchanged", "no other candidate"),
        variant(3, "not-applicable", "no mention"),
        variant(4, "discarded", "not sampled"),
        variant(5, "changed", "", Edit(0, 2, (), "context"), Edit(2, 2, ("f",), "context")),
        variant(6, "unchanged", "no other candidate"),
    ),
)


def test_every_status_is_counted_and_none_is_left_out() -> None:
    assert ATTACKED.statuses == {"changed": 2, "unchanged": 2, "not-applicable": 1, "discarded": 1}
    assert AttackedSet("x", "x", "none", ()).statuses == dict.fromkeys(STATUSES, 0)


def test_reasons_are_counted_in_a_fixed_order() -> None:
    assert list(ATTACKED.reasons.items()) == [("no mention", 1), ("no other candidate", 2), ("not sampled", 1)]


def test_context_words_are_those_that_edits_took_outside_mentions() -> None:
    assert ATTACKED.context_words == 3


def test_discarded_variants_take_no_part() -> None:
    assert [v.parent for v in ATTACKED.kept] == ["s1", "s2", "s3", "s5", "s6"]
    assert ATTACKED.kept[0].id == "s1~x"
