import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from tests.analyse import plain_drops as plain
from tests.analyse.plain_material import material, record, records, under

from nerquake.analyse.drop_levels import levels
from nerquake.analyse.material import Material
from nerquake.core.results import Predictions
from nerquake.core.variant import ORIGINAL

PER = [(0, 1, "PER")]
LEVELS = {"e1": "entity", "e2": "entity", "c": "context"}


def levelled(made: Material, names: dict[str, Any]) -> Material:
    return replace(made, sets=tuple(replace(one, level=names[one.name]) for one in made.sets))


def attacked(wrong: dict[str, bool | None], status: str = "changed") -> Any:
    """A sentence of one mention that was right, and is wrong now under some sets; None: the set discards it."""
    sets = {
        name: under(PER, {"m": [] if is_wrong else PER}, status=status)
        for name, is_wrong in wrong.items()
        if is_wrong is not None
    }
    return record(PER, {"m": PER}, sets)


def of(found: list[dict[str, Any]], scope: str) -> dict[str, Any]:
    (one,) = [one for one in found if one["scope"] == scope]
    return one


def test_each_set_of_a_level_weighs_the_same() -> None:
    # F1 of n right of 4 mentions is 2n / (4 + n). e1: 3 right, 6/7. e2: 1 right, 2/5. c: 3 right, 6/7.
    wrong = [(False, True, True), (False, True, False), (False, True, False), (True, False, False)]
    drawn = [attacked(dict(zip(LEVELS, one, strict=True))) for one in wrong]
    found = of(levels(levelled(material(drawn, tuple(LEVELS)), LEVELS)), "all")
    entity, context = found["levels"]
    assert (entity["level"], entity["sets"], context["level"]) == ("entity", ["e1", "e2"], "context")
    assert entity["drop"] == pytest.approx((1 / 7 + 3 / 5) / 2)
    assert context["drop"] == pytest.approx(1 / 7)
    assert (entity["original"], entity["attacked"]) == (1.0, pytest.approx(1 - (1 / 7 + 3 / 5) / 2))
    assert entity["by_tagger"] == {"m": pytest.approx(entity["drop"])}
    (difference,) = found["differences"]
    assert (difference["more"], difference["less"], difference["taggers"]) == ("entity", "context", 1)
    assert difference["difference"] == pytest.approx((1 / 7 + 3 / 5) / 2 - 1 / 7)
    assert difference["low"] <= difference["difference"] <= difference["high"]


def test_only_sentences_that_every_set_keeps_are_compared() -> None:
    # Pooled as they come, e would lose nothing on two sentences and c everything on one; both lose all on the one
    # sentence that they share.
    drawn = [attacked({"e": False, "c": None}), attacked({"e": True, "c": True})]
    found = of(levels(levelled(material(drawn, ("e", "c")), {"e": "entity", "c": "context"})), "all")
    assert (found["pairs"], found["left_out"]) == (1, 1)
    assert [one["drop"] for one in found["levels"]] == [1.0, 1.0]
    assert found["differences"][0]["difference"] == 0.0


def test_only_sentences_that_every_set_changed_are_compared_in_the_second_scope() -> None:
    drawn = [attacked({"e": True, "c": False}), attacked({"e": False, "c": False}, "unchanged")]
    found = levels(levelled(material(drawn, ("e", "c")), {"e": "entity", "c": "context"}))
    assert [(one["scope"], one["pairs"], one["left_out"]) for one in found] == [("all", 2, 0), ("changed", 1, 1)]
    assert of(found, "all")["levels"][0]["drop"] == pytest.approx(1 - 2 / 3)
    assert of(found, "changed")["levels"][0]["drop"] == 1.0


def test_each_model_weighs_the_same_and_one_that_lacks_a_set_takes_no_part() -> None:
    one = record(
        PER, {"m": PER, "n": PER}, {"e": under(PER, {"m": [], "n": PER}), "c": under(PER, {"m": PER, "n": PER})}
    )
    made = levelled(material([one], ("e", "c")), {"e": "entity", "c": "context"})
    found = of(levels(made), "all")
    assert found["taggers"] == ["m", "n"]
    assert found["levels"][0]["drop"] == 0.5
    assert found["levels"][0]["by_tagger"] == {"m": 1.0, "n": 0.0}
    assert found["differences"][0]["taggers"] == 1
    answers = {key: answer for key, answer in made.predictions.items() if key != ("n", "c")}
    assert of(levels(replace(made, predictions=answers)), "all")["taggers"] == ["m"]


def test_a_gain_stands_last_and_is_below_zero() -> None:
    one = record(PER, {"m": []}, {"e": under(PER, {"m": []}), "c": under(PER, {"m": PER})})
    found = of(levels(levelled(material([one], ("e", "c")), {"e": "entity", "c": "context"})), "all")
    assert [(level["level"], level["drop"]) for level in found["levels"]] == [("entity", 0.0), ("context", -1.0)]


def test_there_is_nothing_to_say_without_sets_models_or_sentences() -> None:
    one = record(PER, {"m": PER}, {"e": under(PER, {"m": PER})})
    made = material([one], ("e",))
    assert levels(replace(made, sets=())) == []
    assert levels(replace(made, predictions={})) == []
    assert levels(levelled(made, {"e": "none"})) == []
    gone = material([record(PER, {"m": PER}, {})], ("e",))
    found = levels(replace(gone, predictions={("m", ORIGINAL): Predictions("m", ("s0",), ((),), ((),)),
                                              ("m", "e"): Predictions("m", (), (), ())}))  # fmt: skip
    assert (found[0]["pairs"], found[0]["levels"][0]["drop"], found[0]["levels"][0]["low"]) == (0, None, None)


@settings(max_examples=50)
@given(records(tuple(LEVELS)))
def test_every_figure_is_that_of_the_plain_lists(drawn: Any) -> None:
    found = levels(levelled(material(drawn, tuple(LEVELS), resamples=20), LEVELS))
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    for one, wanted in zip(found, (("changed", "unchanged"), ("changed",)), strict=True):
        assert one["pairs"] == len(plain.shared(drawn, LEVELS, wanted))
        by_model = [plain.level_drops(drawn, LEVELS, model, wanted) for model in ("m", "n")]
        for level in one["levels"]:
            expected = [drops[level["level"]] for drops in by_model]
            if None in expected:
                assert level["drop"] is None
            else:
                assert level["drop"] == pytest.approx(float(sum(expected)) / 2, abs=1e-12)
                assert list(level["by_tagger"].values()) == pytest.approx([float(e) for e in expected], abs=1e-12)
        (difference,) = one["differences"]
        known = {level["level"]: level["drop"] for level in one["levels"]}
        if None not in known.values():
            assert difference["difference"] == pytest.approx(known[difference["more"]] - known[difference["less"]])
            assert difference["difference"] >= 0
