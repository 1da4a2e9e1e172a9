"""The table writer prints both papers' tables again from their figures: every number, in the same places."""

import re
from pathlib import Path

import pytest
from tests.report import published
from tests.report.tex import compile_where_installed, tables_of

from nerquake.report.latex import to_latex
from nerquake.report.paper_tables import (
    hardening_table,
    measures_table,
    paper_tables,
    relative_table,
    sets_table,
)
from nerquake.report.table import Table, to_csv
from nerquake.report.values import Place, Value, Values

ONTONOTES = Place("OntoNotes", "test")


def table_of(name: str) -> Table:
    return next(one for one in paper_tables(published.values(name)) if one.name == published.NAMES[name])


def cells(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in table.rows]


def heads(table: Table) -> list[list[str]]:
    """Both lines of heads; what stands over several columns is printed at the first of them."""
    over = [column.over for column in table.columns]
    above = ["" if at and over[at] == over[at - 1] else text for at, text in enumerate(over)]
    return [above, [column.under for column in table.columns]]


def test_table_1_of_r() -> None:
    head, *rows = published.printed("R1")
    table = table_of("R1")
    assert [column.head for column in table.columns][1:] == head[1:] == ["None", "E", "C", "E+C"]
    assert cells(table) == rows
    assert len(rows) == 9
    assert rows[0] == ["BLSTM-CRF", "84.6", "40.5 (↓52 %)", "77.3 (↓9 %)", "32.4 (↓62 %)"]


@pytest.mark.parametrize("name", ["R6", "R7"])
def test_tables_6_and_7_of_r(name: str) -> None:
    above, below, *rows = published.printed(name)
    table = table_of(name)
    assert [text.removesuffix(" (%)") for text in above[1:]] == heads(table)[0][1:10]
    assert below[1:] == heads(table)[1][1:]
    assert cells(table) == rows
    assert {len(row) for row in rows} == {13}


@pytest.mark.parametrize("name", ["M3", "M4"])
def test_tables_3_and_4_of_m(name: str) -> None:
    above, below, *rows = published.printed(name)
    table = table_of(name)
    assert [*above, *[""] * (len(below) - len(above))] == heads(table)[0]
    assert below[1:] == heads(table)[1][1:]
    assert cells(table) == rows
    assert table.title == {"M3": "English", "M4": "German"}[name] + " NER performance (micro F1)"


def test_table_5_of_m_has_no_model_in_its_head() -> None:
    head, *rows = published.printed("M5")
    table = table_of("M5")
    assert [column.head for column in table.columns] == head == ["Test set", "mconer21-hi"]
    assert cells(table) == rows
    assert table.title == "Hindi NER performance (micro F1), mbertft"


def test_table_7_of_m_groups_data_sets_and_stars_what_is_better() -> None:
    head, *lines = published.printed("M7")
    table = table_of("M7")
    assert [column.head for column in table.columns][1:] == head[1:]
    mine = []
    for row in table.rows:
        mine += [[row.group]] if row.group else []
        mine.append([cell.text for cell in row.cells])
    assert mine == lines
    assert mine[3:6] == [["conll-de"], ["Original", "0.83", "0.84", "0.89*"], ["Adv Test", "0.75", "0.81", "0.85*"]]
    assert table.notes == ("*: higher than the other way of training, corrected p below 0.05.",)


@pytest.mark.parametrize("name", published.NAMES)
def test_latex_holds_every_number_of_the_published_table(name: str, tmp_path: Path) -> None:
    table = table_of(name)
    text = to_latex(table)
    (found,) = tables_of(text)
    compile_where_installed(text, tmp_path)
    rows = [row for row in published.printed(name) if len(row) > 1][2 if name in ("R6", "R7", "M3", "M4") else 1 :]
    assert found.rows == rows
    assert found.heads[-1][1:] == [column.under for column in table.columns][1:]
    assert len(found.heads) == (2 if name in ("R6", "R7", "M3", "M4") else 1)
    assert list(found.groups.values()) == [row[0] for row in published.printed(name) if len(row) == 1]


@pytest.mark.parametrize("name", published.NAMES)
def test_csv_holds_every_number_too(name: str) -> None:
    numbers = [cell for row in published.printed(name) for cell in row if re.match(r"\d", cell)]
    assert re.findall(r"(?:(?<=,)|(?<=^))(\d[^,\n]*)", to_csv(table_of(name)), re.MULTILINE) == numbers


def test_the_published_f1_that_does_not_follow_is_printed_as_given_and_said() -> None:
    values = published.values("R7")
    said = [note for note in values.notes if "harmonic" in note]
    assert said == [
        "line 58: F1 90.0 is not the harmonic mean of precision 91.3 and recall 90.4, which is 90.8; printed as given"
    ]
    assert said[0] in paper_tables(values)[0].notes


@pytest.mark.parametrize("name", published.NAMES)
def test_the_tables_kept_here_are_those_of_the_papers(name: str, shared: Path) -> None:
    paper = {"R": "rockner.txt", "M": "multilingual-ner-robustness.txt"}[name[0]]
    text = (shared / "papers" / paper).read_text("utf-8")
    assert (published.FOLDER / f"{name}.txt").read_text("utf-8") in text


def values(*items: tuple[str, str, float | None]) -> Values:
    return Values(tuple(Value(ONTONOTES, model, name, {"f1": f1}) for model, name, f1 in items))


def test_a_gain_is_a_gain_what_is_undefined_is_n_e_and_what_is_not_there_a_dash() -> None:
    found = values(
        ("m", "original", 0.5),
        ("m", "E", 0.6),
        ("m", "C", None),
        ("k", "E", 0.4),
        ("z", "original", 0.0),
        ("z", "E", 0.0),
    )
    table = relative_table(found, ONTONOTES)
    assert cells(table) == [
        ["m", "50.0", "60.0 (↑20 %)", "n/e"],
        ["k", "–", "40.0", "–"],  # no original to compare with
        ["z", "0.0", "0.0 (n/e)", "–"],  # a share of nothing is undefined
    ]
    assert table.rows[2].cells[2].title == "the original score is 0 or undefined"


def test_a_measured_relative_drop_counts_more_than_that_of_the_two_scores() -> None:
    # case 1: dropped sentences, so that 0.50 against 0.50 is a loss all the same
    found = Values((
        Value(ONTONOTES, "m", "original", {"f1": 0.5}),
        Value(ONTONOTES, "m", "para", {"f1": 0.5}, relative=0.5, paired=True),
    ))  # fmt: skip
    assert cells(relative_table(found, ONTONOTES)) == [["m", "50.0", "50.0 (↓50 %)"]]


def test_sets_stand_in_the_papers_order_and_our_names_are_theirs() -> None:
    names = ("typos", "rockner-ec", "m+r", "rockner-e", "rs", "original", "rockner-c")
    found = values(*(("m", name, 0.5) for name in names))
    assert [c.head for c in relative_table(found, ONTONOTES).columns] == [
        "Model",
        "None",
        "E",
        "C",
        "E+C",
        "RS",
        "M+R",
        "typos",
    ]
    assert [row[0] for row in cells(sets_table(found))] == ["Orig", "E", "C", "E+C", "RS", "M+R", "typos"]


def test_two_sets_that_the_paper_would_call_alike_keep_their_names() -> None:
    found = values(("m", "None", 0.5), ("m", "E", 0.4), ("m", "rockner-e", 0.3))
    assert [column.head for column in relative_table(found, ONTONOTES).columns] == ["Model", "None", "E", "rockner-e"]


def test_splits_stand_in_the_heads_where_there_are_two() -> None:
    found = Values(tuple(Value(Place("on", split), "m", "None", {"f1": 0.5}) for split in ("test", "dev")))
    assert [column.head for column in sets_table(found).columns] == ["Test set", "on test", "on dev"]


def test_precision_without_recall_is_a_table_with_dashes() -> None:
    found = Values((Value(ONTONOTES, "m", "None", {"precision": 0.25, "f1": None}),))
    assert cells(measures_table(found, ONTONOTES)) == [["m", "25.0", "–", "n/e"]]
    assert [table.name for table in paper_tables(found)] == [
        "paper-r1-OntoNotes-test",
        "paper-r6-OntoNotes-test",
        "paper-m3",
    ]


def test_no_star_without_a_p_below_five_per_cent() -> None:
    found = Values(tuple(
        Value(Place("d"), model, "adversarial", {"f1": 0.5}, p=p, spread=0.0123)
        for model, p in (("re-training", 0.05), ("fine-tuning", None), ("base", 0.049))
    ))  # fmt: skip
    table = hardening_table(found)
    assert [column.head for column in table.columns] == ["Test set", "orig.", "adv. fine-tuning", "aug. re-training"]
    assert cells(table) == [["Adv Test", "0.50*", "0.50", "0.50"]]
    assert table.rows[0].cells[1].sub == "± 0.012"


def test_nothing_is_no_table() -> None:
    assert paper_tables(Values(())) == ()
