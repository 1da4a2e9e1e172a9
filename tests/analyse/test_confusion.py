from typing import Any

from hypothesis import given, settings
from tests.analyse import plain_figures as plain
from tests.analyse.plain_material import material, record, records, under

from nerquake.analyse.confusion import confusion

NAMES = ("one", "two")


def test_a_wrong_label_stands_in_the_row_of_its_gold_label() -> None:
    # case 16: gold PER [3,4), predicted LOC [3,4)
    gold = [(3, 4, "PER")]
    (found,) = confusion(material([record(gold, {"m": gold}, {"swap": under(gold, {"m": [(3, 4, "LOC")]})})]))
    assert found["labels"] == ["LOC", "PER"]
    assert found["original"]["counts"] == [[0, 0, 0], [0, 1, 0], [0, 0, None]]
    assert found["attacked"]["counts"] == [[0, 0, 0], [1, 0, 0], [0, 0, None]]
    assert found["difference"]["counts"] == [[0, 0, 0], [1, -1, 0], [0, 0, None]]
    # LOC has no gold mention and nothing is spurious: no share is defined there
    assert found["attacked"]["shares"] == [[None, None, None], [1.0, 0.0, 0.0], [None, None, None]]
    assert found["difference"]["shares"] == [[None, None, None], [1.0, -1.0, 0.0], [None, None, None]]
    assert found["moved"] == {
        "gold": "PER",
        "predicted": "LOC",
        "original": 0.0,
        "attacked": 1.0,
        "change": 1.0,
        "support": 1,
        "few": True,
    }


def test_missed_mentions_and_false_alarms_have_cells_of_their_own() -> None:
    gold = [(0, 2, "A"), (3, 4, "B"), (5, 6, "A"), (7, 8, "A")]
    said = [(0, 1, "A"), (5, 6, "B"), (9, 10, "B")]  # cut short: still A for A; B missed; B for A; missed; false alarm
    (found,) = confusion(material([record(gold, {"m": gold}, {"swap": under(gold, {"m": said})})]))
    assert found["original"]["counts"] == [[3, 0, 0], [0, 1, 0], [0, 0, None]]
    assert found["attacked"]["counts"] == [[1, 1, 1], [0, 0, 1], [0, 1, None]]
    assert found["attacked"]["shares"] == [[1 / 3, 1 / 3, 1 / 3], [0.0, 0.0, 1.0], [0.0, 1.0, None]]


def many(first: str, said: dict[str, str], times: int, start: int = 0) -> list[Any]:
    """`times` sentences of one mention, of which the attack makes another label of some."""
    gold = [(0, 1, first)]
    made = []
    for number in range(times):
        now = [(0, 1, said.get(str(start + number), first))]
        made.append(record(gold, {"m": gold}, {"swap": under(gold, {"m": now})}))
    return made


def test_the_pair_that_moved_most_has_enough_mentions_where_any_has() -> None:
    # RARE loses 1 of 2 mentions to LOC (50 points), LOC 5 of 20 to GPE (25 points), GPE 2 of 40 to LOC (5 points).
    rare = many("RARE", {"0": "LOC"}, 2)
    loc = many("LOC", dict.fromkeys("01234", "GPE"), 20)
    gpe = many("GPE", dict.fromkeys("01", "LOC"), 40)
    (found,) = confusion(material([*rare, *loc, *gpe]))
    moved = found["moved"]
    assert (moved["gold"], moved["predicted"], moved["change"], moved["support"]) == ("LOC", "GPE", 0.25, 20)
    assert (moved["original"], moved["attacked"], moved["few"]) == (0.0, 0.25, False)
    (few,) = confusion(material(rare))
    assert (few["moved"]["gold"], few["moved"]["predicted"], few["moved"]["few"]) == ("RARE", "LOC", True)


def test_a_share_that_shrank_most_is_named_too() -> None:
    gold = [(0, 1, "A")]
    better = record(gold, {"m": [(0, 1, "B")]}, {"swap": under(gold, {"m": gold})})
    (found,) = confusion(material([better]))
    assert (found["moved"]["predicted"], found["moved"]["change"]) == ("B", -1.0)


def test_nothing_moved_is_said_as_null() -> None:
    gold = [(0, 1, "A")]
    (found,) = confusion(material([record(gold, {"m": gold}, {"swap": under(gold, {"m": []})})]))
    assert found["moved"] is None  # missed mentions are no pair of labels
    (empty,) = confusion(material([record([], {"m": []}, {"swap": under([], {"m": []})})]))
    assert (empty["labels"], empty["original"]["counts"], empty["moved"]) == ([], [[None]], None)


@settings(max_examples=40)
@given(records(NAMES))
def test_every_cell_is_that_of_a_plain_recount(drawn: Any) -> None:
    for one in confusion(material(drawn, NAMES)):
        expected = plain.confusion(drawn, one["set"], one["tagger"])
        rows, columns = [*one["labels"], "spurious"], [*one["labels"], "missed"]
        for side in ("original", "attacked"):
            cells = {
                (row, column): one[side]["counts"][r][c]
                for r, row in enumerate(rows)
                for c, column in enumerate(columns)
                if one[side]["counts"][r][c]
            }
            assert cells == expected[side]
            for r, row in enumerate(one[side]["counts"]):
                total = sum(number for number in row if number is not None)
                for c, number in enumerate(row):
                    share = number / total if total and number is not None else None
                    assert one[side]["shares"][r][c] == share


@settings(max_examples=40)
@given(records(NAMES))
def test_rows_add_up_to_gold_mentions_and_columns_to_predicted_ones(drawn: Any) -> None:
    for one in confusion(material(drawn, NAMES)):
        kept = [other for _, other in plain.sides(drawn, one["set"])]
        gold = [span[2] for other in kept for span in other["gold"]]
        said = [span[2] for other in kept for span in other["said"][one["tagger"]]]
        counts = [[number or 0 for number in row] for row in one["attacked"]["counts"]]
        for place, label in enumerate(one["labels"]):
            assert sum(counts[place]) == gold.count(label)
            assert sum(row[place] for row in counts) == said.count(label)
