import json
from typing import Any

import pytest
from hypothesis import given, settings
from tests.analyse import plain_drops as plain
from tests.analyse.plain_material import material, record, records, under

from nerquake.analyse.drops import MEASURES, drops
from nerquake.analyse.kind_counts import KindCounts
from nerquake.core.results import Predictions
from nerquake.core.variant import ORIGINAL
from nerquake.score.count import count
from nerquake.score.metrics import rates, totals
from nerquake.stats.compare import paired_block

NAMES = ("one", "two")
PER, LOC = (0, 1, "PER"), (2, 4, "LOC")


def close(found: float | None, expected: Any) -> bool:
    if found is None or expected is None:
        return found is None and expected is None
    return found == pytest.approx(float(expected), abs=1e-12)


def changes(found: dict[str, Any]) -> dict[str, tuple[Any, Any, Any]]:
    return {name: (found[name]["original"], found[name]["attacked"], found[name]["drop"]) for name in MEASURES}


def test_the_loss_is_split_into_span_and_type() -> None:
    # Four sentences with PER and LOC. Before: all right. After: twice LOC under another label, once LOC cut short,
    # once PER missed. Right 4 of 8 gold and 7 predicted; right spans 6.
    sentences = [
        record([PER, LOC], {"m": [PER, LOC]}, {"swap": under([PER, LOC], {"m": said})})
        for said in ([PER, (2, 4, "ORG")], [PER, (2, 4, "ORG")], [PER, (2, 3, "LOC")], [LOC])
    ]
    (found,) = drops(material(sentences))
    assert (found["tagger"], found["set"], found["level"], found["pairs"]) == ("m", "swap", "entity", 4)
    strict, exact = 2 * 4 / 15, 2 * 6 / 15
    assert changes(found) == {
        "precision": (1.0, 4 / 7, pytest.approx(3 / 7)),
        "recall": (1.0, 0.5, 0.5),
        "f1": (1.0, strict, pytest.approx(1 - strict)),
        "exact": (1.0, exact, pytest.approx(1 - exact)),
        "type": (0.0, pytest.approx(4 / 15), pytest.approx(4 / 15)),
    }
    assert found["type_share"] == pytest.approx(4 / 7)  # 4 of the 7 fifteenths that are lost
    assert found["f1"]["relative_drop"] == found["f1"]["drop"]


def test_a_gain_is_a_drop_below_zero_and_has_no_shares() -> None:
    (found,) = drops(material([record([PER], {"m": []}, {"swap": under([PER], {"m": [PER]})})]))
    assert changes(found)["f1"] == (0.0, 1.0, -1.0)
    assert (found["type_share"], found["f1"]["relative_drop"]) == (None, None)  # nothing to lose a share of


def test_a_gain_of_spans_under_a_loss_of_labels_has_no_share() -> None:
    # before: PER right, LOC missed; after: both spans, both labels wrong
    said = [(0, 1, "LOC"), (2, 4, "PER")]
    (found,) = drops(material([record([PER, LOC], {"m": [PER]}, {"swap": under([PER, LOC], {"m": said})})]))
    assert found["f1"]["drop"] == pytest.approx(2 / 3)
    assert found["exact"]["drop"] == pytest.approx(-1 / 3)
    assert found["type"]["drop"] == 1.0
    assert found["type_share"] is None


def test_nothing_to_score_is_undefined() -> None:
    # case 18: gold and predictions are all O; then one false alarm under attack: P 0, R undefined, F1 0
    (found,) = drops(material([record([], {"m": []}, {"swap": under([], {"m": []})})]))
    assert all(value is None for name in MEASURES for value in found[name].values())
    (found,) = drops(material([record([], {"m": []}, {"swap": under([], {"m": [PER]})})]))
    assert changes(found)["f1"] == (None, 0.0, None)
    assert (found["precision"]["attacked"], found["recall"]["attacked"]) == (0.0, None)


def test_discarded_sentences_are_left_out_on_both_sides() -> None:
    # case 1: F1 over all four originals is 0.5, over the two kept 1.0
    gold, place = [(0, 1, "PER")], [(0, 1, "LOC")]
    kept = [record(gold, {"m": gold}, {"swap": under(gold, {"m": said})}) for said in (gold, place)]
    gone = [record(place, {"m": gold}, {}) for _ in range(2)]
    (found,) = drops(material(kept + gone))
    assert (found["pairs"], changes(found)["f1"]) == (2, (1.0, 0.5, 0.5))


def test_skipping_entity_free_sentences_leaves_their_false_alarms_out() -> None:
    sentences = [
        record([PER], {"m": [PER]}, {"swap": under([PER], {"m": [PER]})}),
        record([], {"m": []}, {"swap": under([], {"m": [PER]})}),
    ]
    (scored,), (skipped,) = (drops(material(sentences, entity_free=rule)) for rule in ("score", "skip"))
    assert (scored["pairs"], scored["f1"]["drop"]) == (2, pytest.approx(1 / 3))
    assert (skipped["pairs"], skipped["f1"]["drop"]) == (1, 0.0)


def test_an_identity_loses_exactly_nothing() -> None:
    same = under([PER, LOC], {"m": [PER, (2, 3, "LOC")]}, status="unchanged")
    (found,) = drops(material([record([PER, LOC], {"m": [PER, (2, 3, "LOC")]}, {"swap": same})]))
    for name in MEASURES:
        assert (found[name]["drop"], found[name]["low"], found[name]["high"]) == (0.0, 0.0, 0.0)


@settings(max_examples=40)
@given(records(NAMES))
def test_every_figure_is_that_of_the_plain_lists(drawn: Any) -> None:
    made = material(drawn, NAMES, resamples=20)
    found = drops(made)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert [(one["tagger"], one["set"]) for one in found] == [(m, name) for m in ("m", "n") for name in NAMES]
    for one in found:
        expected = plain.drops(drawn, one["set"], one["tagger"])
        for name, values in changes(one).items():
            assert all(map(close, values, expected[name])), name
        original, drop = expected["f1"][0], expected["f1"][2]
        assert close(one["f1"]["relative_drop"], drop / original if original and drop is not None else None)
        if drop is not None:
            assert one["exact"]["drop"] + one["type"]["drop"] == pytest.approx(one["f1"]["drop"])


@settings(max_examples=30)
@given(records(("one",)))
def test_figures_and_interval_of_f1_are_those_of_the_comparison(drawn: Any) -> None:
    made = material(drawn, ("one",), resamples=50, seed=7)
    for one in drops(made):
        (attacked,) = made.sets
        texts = {ORIGINAL: made.original.sentences, "one": tuple(v.sentence for v in attacked.kept)}
        if not texts["one"]:
            continue
        tables = {name: count(sentences, made.predictions[one["tagger"], name]) for name, sentences in texts.items()}
        expected = paired_block(tables[ORIGINAL], tables["one"], attacked.variants, {}, resamples=50, seed=7)
        assert {key: expected[key] for key in one["f1"]} == one["f1"]
        scored = rates(totals(tables["one"]), "exact")
        assert one["exact"]["attacked"] == scored.f1


def test_counts_can_be_shared_and_are_made_once() -> None:
    made = material([record([PER], {"m": [PER]}, {"swap": under([PER], {"m": []})})])
    counts = KindCounts(made)
    assert drops(made, counts) == drops(made)
    assert counts.rows("m", "swap")[1] is counts.rows("m", "swap")[1]


def test_a_model_without_an_answer_for_a_set_has_no_record_there() -> None:
    made = material([record([PER], {"m": [PER]}, {"swap": under([PER], {"m": []})})])
    made.predictions["new", ORIGINAL] = Predictions("new", ("s0",), ((),), ((),))  # type: ignore[index]
    assert [one["tagger"] for one in drops(made)] == ["m"]
