from typing import Any

from tests.analyse.test_model_ranks import R_TABLE_1, models
from tests.report.found_view import texts, view_of

from nerquake.analyse.model_ranks import Standing, _ranked, model_ranks
from nerquake.report.model_tables import order_table, rank_lines, rank_table
from nerquake.report.numbers import UNDEFINED


def published() -> Any:
    """Paper R's table 1, as findings."""
    found = []
    for column, name in enumerate(("E", "C", "E+C"), 1):
        standings = [Standing(m, row[0], row[column], 1 - row[column] / row[0]) for m, row in R_TABLE_1.items()]
        found.append({"set": name, "sets": [name], "pairs": 8262, **_ranked(standings, 0)})
    mean = [
        Standing(m, row[0], sum(row[1:]) / 3, sum(1 - now / row[0] for now in row[1:]) / 3)
        for m, row in R_TABLE_1.items()
    ]
    return [*found, {"set": None, "sets": ["E", "C", "E+C"], "pairs": None, **_ranked(mean, 0)}]


def test_the_claim_of_paper_r_holds_on_its_own_figures() -> None:
    assert rank_lines(view_of(model_ranks=published())) == (
        "Original F1 is positively correlated with attacked F1 over 6 models and 3 sets (Spearman 1.00, Kendall 1.00, "
        "p = 0.003).",
        "Original F1 is negatively correlated with the relative loss over 6 models and 3 sets (Spearman −1.00, Kendall "
        "−1.00, p = 0.003).",
        "No model overtakes another under any set.",
    )


def test_correlations_stand_set_by_set_with_their_p() -> None:
    table = rank_table(view_of(model_ranks=published()))
    assert [row[:3] for row in texts(table)] == [
        ["E", "6", "1.00|p = 0.003"],
        ["C", "6", "1.00|p = 0.003"],
        ["E+C", "6", "1.00|p = 0.003"],
        ["all sets, mean", "6", "1.00|p = 0.003"],
    ]
    # rho of the relative loss under C: -23/35, by hand in tests/analyse/test_model_ranks.py
    assert texts(table)[1][4].startswith("−0.66|p = ")
    assert [row.cells[0].data for row in table.rows] == [True, True, True, False]


def overtaken(**after: dict[str, int]) -> Any:
    return model_ranks(models({"a": 9, "b": 8, "c": 7}, after))


def test_few_models_show_nothing_and_an_overtaking_is_named_with_its_p() -> None:
    tested = {"set": "swap", "a": "a", "b": "b", "difference": -0.4, "p": 0.01, "p_holm": 0.02}
    view = view_of([tested], model_ranks=overtaken(swap={"a": 2, "b": 6, "c": 3}))
    # F1 of 2, 3 and 6 of 10 right: 33.3, 46.2 and 75.0
    assert rank_lines(view)[0] == (
        "No correlation of original F1 with attacked F1 is shown over 3 models under swap (Spearman −0.50, Kendall "
        "−0.33, p = 1.00; 3 models cannot give a p below 0.33)."
    )
    assert rank_lines(view)[2] == (
        "The order of the models changes under swap: b overtakes a (+41.7 points, p = 0.02); c overtakes a (+12.8 "
        "points)."
    )
    assert texts(order_table(view)) == [
        ["a", "1 → 3|94.7 → 33.3"],
        ["b", "2 → 1|88.9 → 75.0"],
        ["c", "3 → 2|82.4 → 46.2"],
    ]


def test_all_sets_have_a_column_of_their_own() -> None:
    view = view_of(model_ranks=overtaken(one={"a": 2, "b": 6, "c": 3}, two={"a": 9, "b": 3, "c": 1}))
    table = order_table(view)
    assert [(column.head, column.data) for column in table.columns] == [
        ("Model", False), ("one", True), ("two", True), ("all sets, mean", False),
    ]  # fmt: skip
    assert [cell.text for cell in table.rows[0].cells] == ["a", "1 → 3", "1 → 1", "1 → 1"]
    assert "over 3 models and 2 sets" in rank_lines(view)[0]


def test_two_models_have_an_order_and_no_correlation() -> None:
    view = view_of(model_ranks=model_ranks(models({"a": 9, "b": 8}, {"swap": {"a": 2, "b": 6}})))
    assert texts(rank_table(view)) == [["swap", "2", *[UNDEFINED] * 4]]
    assert rank_lines(view) == ("The order of the models changes under swap: b overtakes a (+41.7 points).",)


def test_a_model_that_did_not_answer_a_set_and_one_without_a_score() -> None:
    found = overtaken(one={"a": 2, "b": 6, "c": 3}, two={"a": 9, "b": 3, "c": 1})
    found[1]["models"] = found[1]["models"][:2]
    found[0]["models"][2] |= {"attacked": None, "rank_attacked": None}
    table = order_table(view_of(model_ranks=found))
    assert [cell.text for cell in table.rows[2].cells] == ["c", "3 → n/e", "–", "3 → 3"]
    assert table.rows[2].cells[1].faint
    assert table.rows[2].cells[2].title == "the model did not answer this set"


def test_without_findings_there_is_nothing_and_joined_audits_are_named() -> None:
    view = view_of()
    assert (rank_table(view).rows, order_table(view).rows, rank_lines(view)) == ((), (), ())
    (one,) = overtaken(swap={"a": 2, "b": 6, "c": 3})
    joined = view_of(model_ranks=[{**one, "audit": "conll"}])
    assert texts(rank_table(joined))[0][0] == "conll: swap"
    assert rank_lines(joined)[-1].startswith("conll: The order of the models changes under swap")
