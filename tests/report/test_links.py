"""Every number of mentions that a filter can ask for is a link, and a zero is none; each other table says why not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qs

import pytest
from tests.browser.compared import compared
from tests.report.example import example
from tests.report.found_view import view_of
from tests.report.test_since_tables import found
from tests.report.test_since_tables import record as turned

from nerquake.report.all_tables import all_tables
from nerquake.report.since_tables import since_table
from nerquake.report.table import Cell, Table
from nerquake.report.tables import paired_table
from nerquake.report.view import View
from nerquake.report.write import read_result

LINKED = {
    "paired": "Right → wrong|Wrong → right",
    "labels": "Support|swap|letters|both",
    "strict-exact": "Support",
    "schemes": "Support",
    "charges-strict": "Correct .*|Missed .*|Spurious .*",
    "charges-partial": "Partial .*|Missed .*|Spurious .*",
    "errors": "Before|After|Left alone|Replaced",
    "errors-left-replaced": ".* (replaced|left alone)",
    "kinds": "Before|After",
    "confusion-difference": "Mentions|PER|LOC|ORG|Missed",
    "confusion-original": "Mentions|PER|LOC|ORG|Missed",
    "confusion-attacked": "Mentions|PER|LOC|ORG|Missed",
    "flips": "Mentions|Right before|Right → wrong|To .*|Wrong before|Wrong → right",
    "overlap-fell": "swap|letters|both",
    "overlap-wrong": "swap|letters|both",
    "combinations-fell": "Mentions",
    "combinations-wrong": "Mentions",
    "groups": "Mentions",
    "since": "Newly fallen|Recovered|Fallen, now",
    "since-examples": "Sentence",
    "statuses": "Changed|Unchanged|Not applicable|Discarded",
}
"""The columns whose numbers open the explorer, as a pattern of their heads."""
UNLINKED = {
    "scores-": "scores", "drops": "scores", "models": "scores", "model-order": "scores", "groups-gaps": "recall",
    "reasons": "reasons, which no filter asks for",
    "false-alarms": "sentences without a mention, which no filter asks for", "probe-": "texts that the page has not",
    "survival": "draws that the page has not", "curve-": "sets that the page has not", "gate": "limits and values",
}  # fmt: skip
"""Tables without a link, by the beginning of their names, and what is in them."""


@pytest.fixture(scope="module")
def view(uncharted: None, tmp_path_factory: pytest.TempPathFactory) -> View:
    """An audit with groups by fields of the user's, an earlier run, and everything else that has tables."""
    return View(read_result(compared(tmp_path_factory.mktemp("linked")) / "now"))


def tables(view: View, name: str) -> tuple[Table, ...]:
    return tuple(table for table in all_tables(view) if table.name == name)


def cells(table: Table) -> Iterator[tuple[str, str, Cell]]:
    """Head of the row, head of the column, cell."""
    for row in table.rows:
        for column, cell in zip(table.columns, row.cells, strict=True):
            yield row.cells[0].text, column.head, cell


def number_of(table: Table, cell: Cell) -> float:
    """The mentions that a cell is about; 0 where there are none."""
    text = (
        cell.text
        if table.name in ("paired", "kinds", "schemes", "strict-exact", "statuses")
        else f"{cell.title} {cell.sub}"
    )
    if table.name.startswith("labels") and "fell" in cell.title:
        text = cell.title.split("; ")[1]
    elif table.name.startswith("overlap"):
        text = cell.sub
    elif not re.search(r"\d", text) or table.name in ("flips", "since-examples"):
        text = cell.text
    first = re.search(r"\d+(?:\.\d+)?", text.replace(",", ""))
    return float(first[0]) if first else 0.0


@pytest.mark.parametrize("name", LINKED)
def test_every_number_of_mentions_is_a_link(name: str, view: View) -> None:
    linked = 0
    assert tables(view, name), "the table is there"
    for table in tables(view, name):
        for head, column, cell in cells(table):
            wanted = bool(re.fullmatch(LINKED[name], column)) and not _excepted(name, head, column)
            assert bool(cell.link) == (wanted and number_of(table, cell) > 0), (name, head, column, cell)
            linked += bool(cell.link)
    assert linked


def _excepted(name: str, head: str, column: str) -> bool:
    """Groups by something else than a field of the sentences, and rows that stand for several."""
    named = re.fullmatch(r"qzdomain .*|QzDoc-\d", head)
    return not named if name == "groups" else head.startswith("all others")


def test_a_table_without_links_has_nothing_that_could_be_opened(view: View) -> None:
    for table in all_tables(view):
        links = [cell for _, _, cell in cells(table) if cell.link]
        if table.name not in LINKED:
            assert not links, table.name
            assert table.name.startswith(tuple(UNLINKED)), f"{table.name} needs links, or a reason"


def test_links_name_model_and_set_and_no_place(view: View) -> None:
    names = {"models": view.taggers, "sets": view.sets}
    for table in all_tables(view):
        for _, _, cell in cells(table):
            if cell.link:
                asked = parse_qs(cell.link.removeprefix("#"), strict_parsing=True)
                assert asked["set"][0] in names["sets"], cell.link
                assert table.name == "statuses" or asked["model"][0] in names["models"], cell.link
                assert asked["kind"][0] in ("all", "fell", "rose", "spurious")


def test_what_cannot_be_told_apart_has_no_link() -> None:
    """Of fallen mentions whose sentence read otherwise in the last run none is counted, and no filter leaves them."""
    records = (turned("swap", 0.1, 0.2), turned("para", 0.1, 0.2, other_text=2))
    table = since_table(view_of(since=found(*records)))
    assert [bool(row.cells[-1].link) for row in table.rows] == [True, False]


def test_changed_sentences_are_what_a_row_of_changed_ones_opens() -> None:
    rows = paired_table(View(example())).rows
    links = [(row.cells[1].text.split()[0], cell.link) for row in rows for cell in row.cells[-2:] if cell.link]
    assert {scope for scope, _ in links} == {"all", "changed"}
    assert all(("status=changed" in found) == (scope == "changed") for scope, found in links)
