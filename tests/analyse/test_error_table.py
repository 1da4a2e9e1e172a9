from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from tests.analyse import plain_figures as plain
from tests.analyse.plain_material import material, record, records, under

from nerquake.analyse.error_table import error_table

NAMES = ("one", "two")


def by_row(found: dict[str, Any], column: str, what: str = "counts") -> dict[tuple[Any, Any], Any]:
    return {(row["type"], row["d"]): row[what][column] for row in found["rows"] if row[what][column]}


def one_mention(gold: tuple[int, int, str], said: list[tuple[int, int, str]]) -> dict[str, Any]:
    (found,) = error_table(material([record([gold], {"m": []}, {"swap": under([gold], {"m": said})})]))
    return found


@pytest.mark.parametrize(
    ("said", "row"),
    [
        ((2, 4, "A"), ("right", 0)),
        ((2, 4, "B"), ("wrong", 0)),
        ((2, 3, "A"), ("right", 1)),
        ((3, 4, "A"), ("right", 1)),  # one token in common is an overlap
        ((1, 5, "B"), ("wrong", 2)),
        ((3, 5, "A"), ("right", 2)),  # one token lost, one gained
        ((2, 7, "A"), ("right", 3)),
        ((0, 9, "B"), ("wrong", 3)),  # seven tokens differ: "3 or more"
        ((4, 6, "A"), (None, None)),  # touching is not overlapping
    ],
)
def test_a_mention_falls_into_the_row_of_its_type_and_its_differing_tokens(said: Any, row: Any) -> None:
    assert by_row(one_mention((2, 4, "A"), [said]), "after") == {row: 1.0}


def test_two_predictions_share_a_mention_by_halves() -> None:
    found = one_mention((2, 6, "A"), [(1, 3, "A"), (5, 6, "B")])
    assert by_row(found, "after") == {("right", 3): 0.5, ("wrong", 3): 0.5}
    assert by_row(found, "after", "shares") == {("right", 3): 0.5, ("wrong", 3): 0.5}
    assert by_row(found, "after", "touched") == {("right", 3): 1, ("wrong", 3): 1}
    (same,) = [row for row in one_mention((2, 6, "A"), [(1, 3, "A"), (5, 7, "A")])["rows"] if row["counts"]["after"]]
    assert (same["d"], same["counts"]["after"], same["touched"]["after"]) == (3, 1.0, 1)


def test_a_prediction_over_two_mentions_counts_for_both_though_the_scores_pair_it_once() -> None:
    # case 9 (a), shortened: A [0,2), B [3,4), predicted A [0,4)
    gold = [(0, 2, "A"), (3, 4, "B")]
    (found,) = error_table(material([record(gold, {"m": gold}, {"swap": under(gold, {"m": [(0, 4, "A")]})})]))
    assert by_row(found, "after") == {("right", 2): 1.0, ("wrong", 3): 1.0}
    kinds = {row["kind"]: (row["before"], row["after"]) for row in found["kinds"]}
    assert kinds == {"right": (2, 0), "type": (0, 0), "boundary": (0, 1), "missed": (0, 1), "spurious": (0, 0)}


def test_both_readings_of_the_columns() -> None:
    # Four mentions. Before: three right, the last missed. The first two are replaced: one is now of another type, one
    # is gone; the third, left alone, is cut short; the fourth, left alone, is found.
    gold = [(0, 1, "A"), (2, 3, "A"), (4, 6, "A"), (8, 9, "A")]
    said = [(0, 1, "B"), (4, 5, "A"), (8, 9, "A")]
    attacked = under(gold, {"m": said}, "X w1 Y w3 w4 w5 w6 w7 w8 w9")
    (found,) = error_table(material([record(gold, {"m": gold[:3]}, {"swap": attacked})]))
    assert found["mentions"] == {"before": 4, "after": 4, "left": 2, "replaced": 2}
    assert by_row(found, "before", "shares") == {("right", 0): 0.75, (None, None): 0.25}
    after = {("right", 0): 0.25, ("right", 1): 0.25, ("wrong", 0): 0.25, (None, None): 0.25}
    assert by_row(found, "after", "shares") == after
    assert by_row(found, "replaced", "shares") == {("wrong", 0): 0.5, (None, None): 0.5}
    assert by_row(found, "left", "shares") == {("right", 0): 0.5, ("right", 1): 0.5}
    # Before and after: wrong type +25, boundary +25, missed 0; "type" is named first. Inside: missed +50, type +50,
    # boundary -50.
    assert found["most"]["before_after"] == {"kind": "type", "added": 0.25, "of": 0.5}
    assert found["most"]["left_replaced"] == {"kind": "type", "added": 0.5, "of": 0.5}


def test_false_alarms_are_a_kind_of_their_own() -> None:
    gold = [(0, 1, "A"), (2, 3, "A")]
    said = {"swap": under(gold, {"m": [*gold, (5, 6, "B"), (7, 8, "B")]})}
    (found,) = error_table(material([record(gold, {"m": [*gold, (5, 6, "B")]}, said)]))
    (spurious,) = [row for row in found["kinds"] if row["kind"] == "spurious"]
    assert spurious == {"kind": "spurious", "before": 1, "after": 2, "added": 0.5}
    assert found["most"] == {"before_after": None, "left_replaced": None}  # no mention is worse; none was left alone


def test_nothing_to_compare_is_undefined_not_zero() -> None:
    (found,) = error_table(material([record([], {"m": []}, {"swap": under([], {"m": []})})]))
    assert found["mentions"] == {"before": 0, "after": 0, "left": 0, "replaced": 0}
    assert {share for row in found["rows"] for share in row["shares"].values()} == {None}
    assert {row["added"] for row in found["kinds"]} == {None}
    assert found["most"] == {"before_after": None, "left_replaced": None}


def test_a_discarded_sentence_and_a_lost_mention_take_no_part() -> None:
    gold = [(0, 1, "A"), (2, 3, "A")]
    lost = under([gold[1]], {"m": []}, map=[None, 0])
    (found,) = error_table(material([record(gold, {"m": gold}, {"swap": lost}), record(gold, {"m": []}, {})]))
    assert found["mentions"]["before"] == 1
    assert by_row(found, "before") == {("right", 0): 1.0}


@settings(max_examples=40)
@given(records(NAMES))
def test_every_figure_is_that_of_a_plain_recount(drawn: Any) -> None:
    found = error_table(material(drawn, NAMES))
    assert [(one["tagger"], one["set"]) for one in found] == [(model, name) for model in "mn" for name in NAMES]
    for one in found:
        columns = plain.error_table(drawn, one["set"], one["tagger"])
        for side, expected in columns.items():
            size = sum(expected.values())
            assert size == one["mentions"][side]
            assert by_row(one, side) == {row: float(number) for row, number in expected.items()}
            for row in one["rows"]:
                share = expected[row["type"], row["d"]] / Fraction(size) if size else None
                assert row["shares"][side] == (None if share is None else float(share))
        kinds = plain.kinds(drawn, one["set"], one["tagger"])
        for row in one["kinds"]:
            assert (row["before"], row["after"]) == (kinds["before"][row["kind"]], kinds["after"][row["kind"]])


@settings(max_examples=40)
@given(records(NAMES))
def test_columns_add_up_and_the_two_readings_share_their_mentions(drawn: Any) -> None:
    for one in error_table(material(drawn, NAMES)):
        for side, size in one["mentions"].items():
            assert sum(row["counts"][side] for row in one["rows"]) == pytest.approx(size)
        for row in one["rows"]:
            parts = row["counts"]["left"] + row["counts"]["replaced"]
            assert parts == pytest.approx(row["counts"]["after"])
        right = next(row for row in one["kinds"] if row["kind"] == "right")
        assert (right["before"], right["after"]) == tuple(one["rows"][0]["counts"][s] for s in ("before", "after"))


def test_a_wrong_boundary_is_too_short_too_long_or_shifted() -> None:
    gold = [(0, 3, "A"), (4, 6, "A"), (7, 9, "A")]
    said = {"m": [(1, 3, "B"), (4, 7, "A"), (8, 10, "A")]}
    made = material([record(gold, {"m": gold}, {"swap": under(gold, said)})])
    (found,) = error_table(made)
    assert found["boundaries"] == [{"what": what, "before": 0, "after": 1} for what in ("shorter", "longer", "shifted")]
