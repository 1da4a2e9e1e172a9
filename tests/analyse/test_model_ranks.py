import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.analyse import plain_drops as plain
from tests.analyse.plain_material import material, record, records, under

from nerquake.analyse.model_ranks import Standing, _ranked, model_ranks

A = [(0, 1, "A")]
R_TABLE_1 = {
    "BLSTM-CRF": (0.846, 0.405, 0.773, 0.324),
    "spaCy": (0.873, 0.439, 0.818, 0.401),
    "Stanza": (0.879, 0.561, 0.830, 0.517),
    "BERT-CRF": (0.906, 0.592, 0.858, 0.546),
    "Flair": (0.907, 0.596, 0.861, 0.553),
    "RoBERTa-CRF": (0.924, 0.634, 0.872, 0.585),
}
"""Strict F1 of paper R's table 1: original, E, C, E+C."""


def models(before: dict[str, int], after: dict[str, dict[str, int]]) -> Any:
    """Ten sentences of one mention, of which each model has the first n right, before and under each set."""
    drawn = []
    for number in range(10):
        sets = {name: under(A, said(right, number)) for name, right in after.items()}
        drawn.append(record(A, said(before, number), sets))
    return material(drawn, tuple(after))


def said(right: dict[str, int], number: int) -> dict[str, list[Any]]:
    return {model: A if number < times else [] for model, times in right.items()}


def f1(right: int) -> float:
    return 2 * right / (10 + right)


def published(column: int) -> list[Standing]:
    return [Standing(name, row[0], row[column], (row[0] - row[column]) / row[0]) for name, row in R_TABLE_1.items()]


@pytest.mark.parametrize("column", [1, 2, 3])
def test_in_paper_r_better_models_stand_firmer(column: int) -> None:
    found = _ranked(published(column), 0)
    # all six stand in the same order before and after: both correlations are 1, two of 720 orders are as far from 0
    for name in ("spearman", "kendall"):
        assert found["attacked_f1"][name]["value"] == pytest.approx(1.0)
        assert found["attacked_f1"][name]["p"] == pytest.approx(2 / 720)
        assert found["attacked_f1"][name]["smallest_p"] == pytest.approx(2 / 720)
    assert found["order_changes"] is False
    # relative drops under E+C: 61.7, 54.1, 41.2, 39.7, 39.0, 36.7 %: better models lose less, all in order
    if column == 3:
        assert found["relative_drop"]["spearman"]["value"] == pytest.approx(-1.0)
    # under C: 8.6, 6.3, 5.6, 5.3, 5.1, 5.6 %: Stanza 5.57 and RoBERTa 5.63, so ranks 6 5 3 2 1 4
    if column == 2:
        assert found["relative_drop"]["spearman"]["value"] == pytest.approx(1 - 6 * (25 + 9 + 0 + 4 + 16 + 4) / 210)


def test_a_model_that_is_overtaken() -> None:
    found = model_ranks(models({"a": 9, "b": 8, "c": 7}, {"swap": {"a": 2, "b": 6, "c": 3}}))
    (one,) = found
    assert (one["set"], one["pairs"], one["order_changes"]) == ("swap", 10, True)
    assert [(m["tagger"], m["rank_original"], m["rank_attacked"]) for m in one["models"]] == [
        ("a", 1, 3), ("b", 2, 1), ("c", 3, 2),
    ]  # fmt: skip
    assert [(pair["behind"], pair["ahead"]) for pair in one["overtaken"]] == [("a", "b"), ("a", "c")]
    assert one["overtaken"][0]["lead_original"] == pytest.approx(f1(9) - f1(8))
    assert one["overtaken"][0]["lead_attacked"] == pytest.approx(f1(6) - f1(2))
    # ranks 3 2 1 against 1 3 2: rho -1/2, one of three pairs in order: tau -1/3
    assert one["attacked_f1"]["spearman"]["value"] == pytest.approx(-0.5)
    assert one["attacked_f1"]["kendall"]["value"] == pytest.approx(-1 / 3)
    assert one["attacked_f1"]["spearman"]["smallest_p"] == pytest.approx(1 / 3)


def test_equal_scores_share_a_rank_and_overtake_nobody() -> None:
    (one,) = model_ranks(models({"a": 9, "b": 9, "c": 7}, {"swap": {"a": 2, "b": 6, "c": 6}}))
    assert [(m["rank_original"], m["rank_attacked"]) for m in one["models"]] == [(1, 3), (1, 1), (3, 1)]
    assert [(pair["behind"], pair["ahead"]) for pair in one["overtaken"]] == [("a", "c")]
    # mean ranks 2.5 2.5 1 against 1 2.5 2.5
    assert one["attacked_f1"]["spearman"]["value"] == pytest.approx(-0.5)
    assert one["attacked_f1"]["kendall"]["value"] == pytest.approx(-0.5)


def test_fewer_than_three_models_have_no_correlation() -> None:
    (one,) = model_ranks(models({"a": 9, "b": 8}, {"swap": {"a": 2, "b": 6}}))
    assert (one["attacked_f1"], one["relative_drop"], one["order_changes"]) == (None, None, True)
    assert model_ranks(models({"a": 9}, {"swap": {"a": 2}})) == []


def test_over_sets_each_set_weighs_the_same() -> None:
    made = models({"a": 9, "b": 8, "c": 7}, {"one": {"a": 2, "b": 6, "c": 3}, "two": {"a": 9, "b": 3, "c": 1}})
    found = model_ranks(made)
    assert [one["set"] for one in found] == ["one", "two", None]
    together = found[2]
    assert (together["sets"], together["pairs"]) == (["one", "two"], None)
    first = together["models"][0]
    assert first["original"] == pytest.approx(f1(9))
    assert first["attacked"] == pytest.approx((f1(2) + f1(9)) / 2)
    assert first["relative_drop"] == pytest.approx((1 - f1(2) / f1(9)) / 2)
    assert [model["rank_attacked"] for model in together["models"]] == [1, 2, 3]


def test_undefined_scores_have_no_rank() -> None:
    drawn = [record([], {"a": [], "b": [], "c": A}, {"swap": under([], {"a": [], "b": [], "c": []})})]
    (one,) = model_ranks(material(drawn))
    assert [(m["original"], m["rank_original"], m["rank_attacked"]) for m in one["models"]] == [
        (None, None, None), (None, None, None), (0.0, 1, None),
    ]  # fmt: skip
    assert (one["attacked_f1"], one["overtaken"]) == (None, [])


@settings(max_examples=40)
@given(st.data(), records(("one", "two")))
def test_every_figure_is_that_of_the_plain_lists(data: Any, drawn: Any) -> None:
    for one in drawn:  # a third model that knows everything before, and the mentions of a drawn model after
        one["said"]["o"] = one["gold"]
        for other in one["sets"].values():
            other["said"]["o"] = other["said"][data.draw(st.sampled_from("mn"))]
    found = model_ranks(material(drawn, ("one", "two")))
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    for one in found:
        if one["set"] is None:
            continue
        rows = {model: plain.drops(drawn, one["set"], model)["f1"] for model in "mno"}
        for model in one["models"]:
            for key, expected in zip(("original", "attacked"), rows[model["tagger"]], strict=False):
                assert (model[key] is None) == (expected is None)
                assert expected is None or model[key] == pytest.approx(float(expected))
                others = [row[key == "attacked"] for row in rows.values()]
                better = sum(o is not None and expected is not None and o > expected for o in others)
                assert model[f"rank_{key}"] == (None if expected is None else 1 + better)
        known = [row[:2] for row in rows.values() if None not in row[:2]]
        x, y = [a for a, _ in known], [b for _, b in known]
        if len(known) < 3 or len(set(x)) == 1 or len(set(y)) == 1:
            assert one["attacked_f1"] is None
            continue
        for measure, name in ((plain.spearman, "spearman"), (plain.kendall, "kendall")):
            assert one["attacked_f1"][name]["value"] == pytest.approx(measure(x, y))
            assert one["attacked_f1"][name]["p"] == pytest.approx(plain.permutation_p(measure, x, y))
