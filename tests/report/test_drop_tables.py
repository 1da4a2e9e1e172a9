from dataclasses import replace
from typing import Any

from tests.analyse.plain_material import material, record, under
from tests.report.found_view import texts, view_of

from nerquake.analyse.drop_levels import levels
from nerquake.analyse.drops import drops
from nerquake.report.drop_tables import drop_table, level_lines, level_table, split_lines, split_table
from nerquake.report.numbers import UNDEFINED
from nerquake.report.view import View

PER, LOC = (0, 1, "PER"), (2, 4, "LOC")
OUTCOMES = ([PER, (2, 4, "ORG")], [PER, (2, 4, "ORG")], [PER, (2, 3, "LOC")], [LOC])


def change(original: float, attacked: float, drop: float, low: float | None = None, high: float | None = None) -> Any:
    relative = drop / original if original else None
    return {
        "original": original,
        "attacked": attacked,
        "drop": drop,
        "relative_drop": relative,
        "low": low,
        "high": high,
    }


NO_CHANGE = dict.fromkeys(("original", "attacked", "drop", "relative_drop", "low", "high"))


def a_record(**more: Any) -> Any:
    """A loss of 9 points of F1, 3 of them by span: paper M's example, table 9."""
    return {
        "tagger": "tner", "set": "M+R", "level": "both", "pairs": 3684,
        "precision": change(0.90, 0.80, 0.10, 0.09, 0.11), "recall": change(0.92, 0.84, 0.08, 0.07, 0.09),
        "f1": change(0.91, 0.82, 0.09, 0.08, 0.10), "exact": change(0.95, 0.92, 0.03, 0.02, 0.04),
        "type": change(0.04, 0.10, 0.06, 0.05, 0.07), "type_share": 2 / 3, **more,
    }  # fmt: skip


def planted(**kept: Any) -> View:
    """Real findings: four sentences, the loss of test_drops by hand."""
    made = material(
        [record([PER, LOC], {"m": [PER, LOC]}, {"swap": under([PER, LOC], {"m": said})}) for said in OUTCOMES]
    )
    return view_of(drops=drops(replace(made, resamples=0)), **kept)


def test_every_measure_has_both_scores_the_change_and_its_share() -> None:
    table = drop_table(view_of(drops=[a_record(), a_record(set="RS")]))
    assert [row.group for row in table.rows] == ["tner", ""]
    assert texts(table)[0] == [
        "M+R", "both", "3,684",
        "90.0 → 80.0|−10.0 [9.0, 11.0], ↓11 %",
        "92.0 → 84.0|−8.0 [7.0, 9.0], ↓9 %",
        "91.0 → 82.0|−9.0 [8.0, 10.0], ↓10 %",
    ]  # fmt: skip


def test_figures_of_real_findings() -> None:
    view = planted()
    # strict F1 8/15, exact 12/15
    assert texts(drop_table(view)) == [
        ["swap", "entity", "4", "100.0 → 57.1|−42.9, ↓43 %", "100.0 → 50.0|−50.0, ↓50 %", "100.0 → 53.3|−46.7, ↓47 %"]
    ]
    assert texts(split_table(view)) == [["swap", "100.0 → 53.3", "−46.7", "100.0 → 80.0", "−20.0", "−26.7", "57.1"]]
    assert split_lines(view) == (
        "m loses 46.7 points of F1 under swap: 20.0 because the span is not found as it stands, 26.7 because a right "
        "span has another label (57 % of the loss).",
    )


def test_gains_are_gains() -> None:
    strict, exact = change(0.6, 0.63, -0.03, -0.04, -0.02), change(0.7, 0.75, -0.05)
    gain = a_record(f1=strict, exact=exact, type=change(0.1, 0.12, 0.02), type_share=None)
    view = view_of(drops=[gain])
    assert texts(drop_table(view))[0][-1] == "60.0 → 63.0|+3.0 [−4.0, −2.0], ↑5 %"
    assert texts(split_table(view))[0][2:] == ["+3.0|[−4.0, −2.0]", "70.0 → 75.0", "+5.0", "−2.0", "–"]
    assert split_lines(view) == ()
    mixed = a_record(exact=change(0.9, 0.92, -0.02), type=change(0.0, 0.11, 0.11), type_share=None)
    assert split_lines(view_of(drops=[mixed])) == (
        "tner loses 9.0 points of F1 under M+R: 2.0 gained by span, 11.0 lost by type.",
    )


def test_each_model_has_a_line_about_its_largest_loss() -> None:
    small = a_record(set="RS", f1=change(0.91, 0.87, 0.04))
    lines = split_lines(view_of(drops=[small, a_record(), a_record(tagger="flair", set="Mask")]))
    assert [line.partition(":")[0] for line in lines] == [
        "tner loses 9.0 points of F1 under M+R",
        "flair loses 9.0 points of F1 under Mask",
    ]


def test_what_is_undefined_is_not_evaluated_and_grey() -> None:
    gone = dict.fromkeys(("precision", "recall", "f1", "exact", "type"), NO_CHANGE)
    view = view_of(drops=[a_record(**gone, type_share=None)])
    for table in (drop_table(view), split_table(view)):
        unknown = [cell for cell in table.rows[0].cells if cell.text == UNDEFINED]
        assert len(unknown) == (3 if table.name == "drops" else 6)
        assert all(cell.faint and cell.title for cell in unknown)
    assert split_lines(view) == ()


def test_the_share_of_a_half_defined_change_is_not_shown() -> None:
    alarm = {**NO_CHANGE, "attacked": 0.0}
    (row,) = texts(drop_table(view_of(drops=[a_record(f1=alarm)])))
    assert row[-1] == "n/e → 0.0"


def test_without_findings_there_is_nothing() -> None:
    view = view_of()
    assert [table.rows for table in (drop_table(view), split_table(view), level_table(view))] == [(), (), ()]
    assert (split_lines(view), level_lines(view)) == ((), ())


def level(name: str, drop: float, low: float, high: float, sets: int = 1) -> Any:
    names = [f"{name}{number}" for number in range(sets)]
    return {"level": name, "sets": names, "original": 0.9, "attacked": 0.9 - drop, "drop": drop,
            "relative_drop": drop / 0.9, "low": low, "high": high, "by_tagger": {"a": drop, "b": drop}}  # fmt: skip


def compared(scope: str, pairs: int, low: float = 0.22) -> Any:
    difference = {"more": "entity", "less": "context", "difference": 0.24, "low": low, "high": 0.26, "taggers": 2}
    return {"scope": scope, "pairs": pairs, "left_out": 0, "taggers": ["a", "b"], "differences": [difference],
            "levels": [level("entity", 0.29, 0.28, 0.3, 2), level("context", 0.05, 0.04, 0.06)]}  # fmt: skip


def test_levels_stand_side_by_side_over_the_same_sentences() -> None:
    table = level_table(view_of(drop_levels=[compared("all", 3684), compared("changed", 3000)]))
    assert [row.group for row in table.rows] == [
        "3,684 sentences that every set keeps", "", "3,000 sentences that every set changed", "",
    ]  # fmt: skip
    assert texts(table)[0] == [
        "entity", "entity0, entity1", "90.0", "61.0", "−29.0|[28.0, 30.0]", "↓32 %", "−29.0", "−29.0",
    ]  # fmt: skip


def test_a_plain_sentence_says_which_level_hurts_more() -> None:
    lines = level_lines(view_of(drop_levels=[compared("all", 3684), compared("changed", 3684)]))
    assert lines == (
        "Change of F1 in points, the mean over 2 models, over the 3,684 sentences that every set keeps: attacks on "
        "mentions −29.0 (2 sets), attacks on the context −5.0 (1 set).",
        "Attacks on mentions hurt more than attacks on the context, by 24.0 points (interval 22.0 to 26.0; for 2 of 2 "
        "models).",
    )


def test_an_interval_around_zero_shows_nothing() -> None:
    lines = level_lines(view_of(drop_levels=[compared("all", 10, low=-0.02), compared("changed", 5)]))
    assert lines[1] == (
        "Neither is shown to hurt more, attacks on mentions or attacks on the context: they differ by 24.0 points, "
        "interval −2.0 to 26.0."
    )
    assert lines[2].startswith(
        "Change of F1 in points, the mean over 2 models, over the 5 sentences that every set changed"
    )


def test_one_level_has_nothing_to_compare_and_real_findings_fit() -> None:
    found = [{**compared("all", 10), "levels": [level("entity", 0.29, 0.28, 0.3)], "differences": []}]
    assert level_lines(view_of(drop_levels=found)) == ()
    sets = {"e": under([PER], {"m": []}), "c": under([PER], {"m": [PER]})}
    made = material([record([PER], {"m": [PER]}, sets)], ("e", "c"))
    parts = (replace(made.sets[0], level="entity"), replace(made.sets[1], level="context"))
    lines = level_lines(view_of(drop_levels=levels(replace(made, sets=parts))))
    assert (
        lines[1]
        == "Attacks on mentions hurt more than attacks on the context, by 100.0 points (interval 100.0 to 100.0)."
    )
