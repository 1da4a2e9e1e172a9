import copy
import csv
import io
from typing import Any

import pytest
from tests.report.example import Names, example

from nerquake.core.results import AuditResult
from nerquake.core.variant import ORIGINAL
from nerquake.report import tables
from nerquake.report.label_tables import SMALL, loss_table, not_evaluated, strict_exact_table
from nerquake.report.table import Cell, Column, Row, Table, all_to_csv, data_cell, to_csv
from nerquake.report.view import View

RESULT = example(Names(), 240)
VIEW = View(RESULT)


def block_of(tagger: str, name: str) -> Any:
    return next(block for block in RESULT.data["results"] if (block["tagger"], block["set"]) == (tagger, name))


@pytest.mark.parametrize(("scheme", "measure"), tables.SCORE_CHOICES)
def test_every_score_is_the_one_of_the_result(scheme: Any, measure: Any) -> None:
    table = tables.score_table(VIEW, scheme, measure)
    assert [column.head for column in table.columns] == ["Model", ORIGINAL, "swap", "letters", "para"]
    for row in table.rows:
        for column, cell in zip(table.columns[1:], row.cells[1:], strict=True):
            value = block_of(row.cells[0].text, column.head)["overall"][scheme][measure]
            assert cell.text == f"{100 * value:.1f}"


def test_the_loss_under_a_strict_f1_is_the_paired_one_with_its_interval() -> None:
    for row in tables.score_table(VIEW).rows:
        for name, cell in zip(VIEW.sets, row.cells[2:], strict=True):
            paired = block_of(row.cells[0].text, name)["paired"]
            expected = f"−{100 * paired['drop']:.1f} [{100 * paired['low']:.1f}, {100 * paired['high']:.1f}]"
            assert cell.sub.replace("[−", "[-") == expected


def test_a_loss_that_is_not_over_the_same_sentences_is_never_shown() -> None:
    # case 1: para leaves sentences out, so only the paired strict F1 may be compared
    table = tables.score_table(VIEW, "exact", "recall")
    assert [row.cells[4].sub for row in table.rows] == ["n/c", "n/c"]
    assert [row.cells[2].sub[0] for row in table.rows] == ["−", "−"]
    assert tables.NOTE_NOT_COMPARABLE in tables.footnotes(table)
    assert tables.footnotes(tables.score_table(VIEW)) == ()


def test_the_paired_table_has_all_and_changed_sentences_of_every_model_and_set() -> None:
    table = tables.paired_table(VIEW)
    assert len(table.rows) == 2 * 3 * 2
    assert [row.group for row in table.rows if row.group] == list(VIEW.taggers)
    first = [cell.text for cell in table.rows[0].cells]
    paired = block_of("flair:ner", "swap")["paired"]
    assert first[:2] == ["swap", "all sentences"]
    assert first[4] == f"−{100 * paired['drop']:.1f}"
    assert first[6] == f"↓{100 * paired['relative_drop']:.0f} %"
    assert first[9:] == ["240", "0", str(paired["right_to_wrong"]), str(paired["wrong_to_right"])]


def test_undefined_figures_are_named_with_a_reason_and_a_footnote() -> None:
    data = copy.deepcopy(dict(RESULT.data))
    block = data["results"][0]
    block["overall"]["strict"] |= {"f1": None, "possible": 0, "actual": 0}
    paired = next(block for block in data["results"] if block["set"] == "swap")["paired"]
    paired |= dict.fromkeys(("original", "attacked", "drop", "low", "high", "relative_drop", "p", "p_holm"))
    view = View(AuditResult(data))
    score = tables.score_table(view)
    assert (score.rows[0].cells[1].text, score.rows[0].cells[1].faint) == ("n/e", True)
    assert score.rows[0].cells[1].title == "no mention, neither gold nor predicted"
    assert tables.footnotes(score) == (tables.NOTE_UNDEFINED,)
    cells = tables.paired_table(view).rows[0].cells
    assert [cell.text for cell in cells[2:9]] == ["n/e"] * 7
    assert all(cell.title for cell in cells[2:9])


def test_statuses_and_reasons_are_those_of_the_sets() -> None:
    for row, entry in zip(tables.status_table(VIEW).rows, RESULT.data["sets"][1:], strict=True):
        shown = [cell.text for cell in row.cells]
        assert shown[2:6] == [
            str(entry["status"][key]) for key in ("changed", "unchanged", "not-applicable", "discarded")
        ]
        assert shown[6:9] == [str(entry["mentions"][key]) for key in ("all", "attackable", "replaced")]
    told = {row.cells[0].text: row.cells[1].text for row in tables.reasons_table(VIEW).rows}
    assert list(told) == [entry["name"] for entry in RESULT.data["sets"][1:] if entry["reasons"]]
    for entry in RESULT.data["sets"][1:]:
        for reason, number in entry["reasons"].items():
            assert f"{reason}: {number}" in told[entry["name"]]


def test_an_audit_that_left_nothing_aside_has_no_table_of_reasons() -> None:
    data = copy.deepcopy(dict(RESULT.data))
    for entry in data["sets"]:
        entry["reasons"] = {}
    assert tables.reasons_table(View(AuditResult(data))).rows == ()


def test_labels_come_worst_first_and_small_ones_last_and_uncoloured() -> None:
    table = loss_table(VIEW, "flair:ner")
    labels = [row.cells[0].text for row in table.rows]
    losses = {
        label: max(
            r["drop"] for r in RESULT.data["findings"]["labels"] if r["label"] == label and r["tagger"] == "flair:ner"
        )
        for label in labels
    }
    assert labels[:3] == sorted(["PER", "LOC", "ORG"], key=lambda label: -losses[label])
    assert (labels[3], table.rows[3].group) == ("MISC", SMALL)
    assert int(table.rows[3].cells[1].text) < 20
    assert all(cell.heat is None for cell in table.rows[3].cells)
    assert all(cell.heat is not None for row in table.rows[:3] for cell in row.cells[3:])


def test_strict_and_exact_stand_side_by_side() -> None:
    table = strict_exact_table(VIEW, "flair:ner")
    assert [row.group for row in table.rows if row.group] == ["swap", "letters", "para"]
    row = table.rows[0]
    found = next(
        r for r in RESULT.data["findings"]["labels"]
        if (r["tagger"], r["set"], r["label"]) == ("flair:ner", "swap", row.cells[0].text)
    )  # fmt: skip
    expected = [found[side][scheme] for side in ("original", "attacked") for scheme in ("strict", "exact")]
    assert [cell.text for cell in row.cells[2:]] == [f"{100 * value:.1f}" for value in expected]


def test_a_label_that_is_only_predicted_is_not_evaluated_in_any_table_of_labels() -> None:
    # case 16: its false alarms on both sides would make 0.0 → 0.0 of it, as if nothing were lost
    data = copy.deepcopy(dict(RESULT.data))
    for row in data["findings"]["labels"]:
        if row["label"] == "MISC":
            zero = {"strict": 0.0, "exact": 0.0}
            row |= {"support": 0, "original": zero, "attacked": zero, "drop": 0.0}
    view = View(AuditResult(data))
    for table in (loss_table(view, "flair:ner"), strict_exact_table(view, "flair:ner")):
        rows = [row for row in table.rows if row.cells[0].text == "MISC"]
        assert {cell.text for row in rows for cell in row.cells[2:]} == {"n/e"}
        assert {cell.title for row in rows for cell in row.cells[2:]} == {"no gold mention of this label in this text"}
    assert "MISC" in not_evaluated(view)


def test_model_comparisons_are_those_of_the_result() -> None:
    table = tables.models_table(VIEW)
    for row, block in zip(table.rows, RESULT.data["comparisons"], strict=True):
        sign = "+" if block["difference"] > 0 else "−"
        assert row.cells[2].text == f"{sign}{abs(100 * block['difference']):.1f}"


def test_csv_holds_every_cell_and_no_formula_of_the_users() -> None:
    rows = (Row((data_cell("=cmd()"), Cell("−3.1", "[1.0, 2.0]"))), Row((data_cell('a,"b"\n'), Cell("+1"))))
    table = Table("t", "T", (Column("x|y", data=True), Column("n")), rows)
    read = list(csv.reader(io.StringIO(to_csv(table))))
    assert read == [["x|y", "n", "n (below)"], ["'=cmd()", "-3.1", "[1.0, 2.0]"], ['a,"b"‹U+000A›', "+1", ""]]


def test_csv_names_the_group_of_every_row_and_several_tables_share_a_file() -> None:
    rows = (Row((Cell("a"),), "=g"), Row((Cell("b"),)), Row((Cell("c"),), "h"))
    table = Table("t", "The, title", (Column("x"),), rows)
    assert to_csv(table) == "Group,x\n'=g,a\n'=g,b\nh,c\n"
    plain = Table("u", "U", (Column("x"),), (Row((Cell("1"),)),))
    assert all_to_csv([table, plain]) == "\"The, title\"\nGroup,x\n'=g,a\n'=g,b\nh,c\n\nU\nx\n1\n"
