from typing import Any

from hypothesis import given, settings
from tests.analyse import plain_figures as plain
from tests.analyse.plain_material import material, record, records, under

from nerquake.analyse.fine_grained import fine_grained
from nerquake.core.results import SCHEME_NAMES

NAMES = ("one", "two")
CHARGES = ("correct", "incorrect", "partial", "missed", "spurious")


def of(found: list[dict[str, Any]], label: str | None) -> dict[str, Any]:
    (record_of,) = [one for one in found if one["label"] == label]
    return record_of


def charged(block: dict[str, Any], scheme: str) -> tuple[int, ...]:
    return tuple(block[scheme][name] for name in CHARGES)


def test_the_four_schemes_charge_the_gold_label() -> None:
    # case 16: gold PER, predicted LOC on the same token; LOC has no gold mention
    gold = [(3, 4, "PER")]
    found = fine_grained(material([record(gold, {"m": gold}, {"swap": under(gold, {"m": [(3, 4, "LOC")]})})]))
    assert [one["label"] for one in found] == [None, "LOC", "PER"]
    per, loc = of(found, "PER")["attacked"], of(found, "LOC")["attacked"]
    assert charged(per, "strict") == charged(per, "type") == (0, 1, 0, 0, 0)
    assert charged(per, "exact") == charged(per, "partial") == (1, 0, 0, 0, 0)
    assert (loc["gold"], loc["predicted"]) == (0, 1)
    assert (loc["strict"]["precision"], loc["strict"]["recall"]) == (0.0, None)
    assert (of(found, "PER")["evaluated"], of(found, "LOC")["evaluated"]) == (True, False)
    assert of(found, "PER")["original"]["strict"]["f1"] == 1.0
    assert of(found, "LOC")["original"]["strict"]["f1"] is None


def test_one_prediction_over_two_mentions() -> None:
    # case 9 (a)
    gold, said = [(0, 6, "A"), (7, 9, "B")], [(0, 9, "A")]
    found = of(fine_grained(material([record(gold, {"m": gold}, {"swap": under(gold, {"m": said})})])), None)
    after = found["attacked"]
    assert charged(after, "strict") == charged(after, "exact") == (0, 1, 0, 1, 0)
    assert charged(after, "partial") == (0, 0, 1, 1, 0)
    assert charged(after, "type") == (1, 0, 0, 1, 0)
    # partial: half of one mention over two gold and one predicted; type: one
    assert (after["partial"]["f1"], after["type"]["f1"]) == (1 / 3, 2 / 3)


def test_no_evidence_is_undefined() -> None:
    # case 18: all O on both sides
    (found,) = fine_grained(material([record([], {"m": []}, {"swap": under([], {"m": []})})]))
    assert (found["label"], found["evaluated"], found["attacked"]["strict"]["f1"]) == (None, False, None)


def test_a_discarded_sentence_is_left_out_on_both_sides() -> None:
    gold = [(0, 1, "A")]
    kept = record(gold, {"m": gold}, {"swap": under(gold, {"m": []})})
    found = of(fine_grained(material([kept, record(gold, {"m": []}, {})])), "A")
    assert (found["original"]["gold"], found["original"]["strict"]["f1"]) == (1, 1.0)
    assert (found["attacked"]["gold"], found["attacked"]["strict"]["missed"]) == (1, 1)


@settings(max_examples=40)
@given(records(NAMES))
def test_every_count_is_that_of_a_plain_recount(drawn: Any) -> None:
    for one in fine_grained(material(drawn, NAMES)):
        expected = plain.charges(drawn, one["set"], one["tagger"])
        for side in ("original", "attacked"):
            for scheme in SCHEME_NAMES:
                counts = {name: one[side][scheme][name] for name in CHARGES}
                if one["label"] is None:
                    found = dict.fromkeys(CHARGES, 0)
                    for (_, kept, name), times in expected[side].items():
                        found[name] += times * (kept == scheme)
                else:
                    found = {name: expected[side][one["label"], scheme, name] for name in CHARGES}
                assert counts == found
                assert one[side][scheme]["f1"] == f1(one, side, scheme)


def f1(one: dict[str, Any], side: str, scheme: str) -> float | None:
    """2 credit / (possible + actual), by docs/scoring.md."""
    block = one[side][scheme]
    credit = block["correct"] + block["partial"] / 2
    charges = block["correct"] + block["incorrect"] + block["partial"] + block["spurious"]
    below = one[side]["gold"] + (one[side]["predicted"] if scheme == "strict" else charges)
    return 2 * credit / below if below else None


@settings(max_examples=40)
@given(records(NAMES))
def test_labels_add_up_to_all_and_charges_to_gold_mentions(drawn: Any) -> None:
    found = fine_grained(material(drawn, NAMES))
    for whole in (one for one in found if one["label"] is None):
        mine = [one for one in found if one["label"] and (one["tagger"], one["set"]) == (whole["tagger"], whole["set"])]
        for side in ("original", "attacked"):
            assert sum(one[side]["gold"] for one in mine) == whole[side]["gold"]
            assert sum(one[side]["predicted"] for one in mine) == whole[side]["predicted"]
            for scheme in SCHEME_NAMES:
                for name in CHARGES:
                    assert sum(one[side][scheme][name] for one in mine) == whole[side][scheme][name]
            for one in [whole, *mine]:
                assert sum(charged(one[side], "strict")[:4]) == one[side]["gold"]
