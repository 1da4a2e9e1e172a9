"""Case 19 for the tables of errors: what users call things stays text in every form, and is marked as theirs."""

import csv
import io
from collections.abc import Iterator

from tests.report.explained import explained
from tests.report.test_html import HOSTILE

from nerquake.report.confusion_tables import SIDES, confusion_table, moved_sentence
from nerquake.report.error_tables import error_sentences, error_table, error_table_by_model, kinds_table, new_errors
from nerquake.report.fine_tables import charges_table, fine_sentences, scheme_table
from nerquake.report.latex import to_latex
from nerquake.report.markdown import table_lines
from nerquake.report.overlap_tables import combination_table, jaccard_table, overlap_sentences
from nerquake.report.table import Table, to_csv

VIEW, _ = explained(HOSTILE, 60)
THEIRS = {*HOSTILE.models, *HOSTILE.sets, *HOSTILE.labels}


def tables() -> Iterator[Table]:
    for tagger in HOSTILE.models:
        yield from (error_table(VIEW, tagger), kinds_table(VIEW, tagger))
        yield from (scheme_table(VIEW, tagger), charges_table(VIEW, tagger))
        yield from (jaccard_table(VIEW, tagger), combination_table(VIEW, tagger))
        for name in HOSTILE.sets:
            yield from (confusion_table(VIEW, tagger, name, side) for side in SIDES)
    yield from (error_table_by_model(VIEW, name) for name in HOSTILE.sets)


def test_what_users_name_is_marked_as_theirs_and_stands_in_no_title_or_note() -> None:
    for table in tables():
        assert table.rows
        for text in (table.title, table.name, *table.notes):
            assert not any(name in text for name in THEIRS)
        for cell in (cell for row in table.rows for cell in row.cells):
            assert cell.data or not any(name in f"{cell.text} {cell.sub} {cell.title}" for name in THEIRS)
        for column in table.columns:
            assert column.data or not any(name in column.head for name in THEIRS)


def test_pipes_and_backticks_break_no_table() -> None:
    for table in tables():
        body = [line for line in table_lines(table) if line.startswith("|")]
        bars = {line.replace("\\|", "").count("|") for line in body}
        assert bars == {len(table.columns) + 1}
        assert not any("<script>" in line.replace("`<script>", "") for line in body)


def test_latex_and_csv_have_as_many_cells_as_the_table() -> None:
    for table in tables():
        for line in to_latex(table).splitlines():
            if "&" in line and "multicolumn" not in line:
                assert line.replace("\\&", "").count("&") == len(table.columns) - 1
        widths = {len(row) for row in csv.reader(io.StringIO(to_csv(table)))}
        below = sum(any(row.cells[at].sub for row in table.rows) for at in range(len(table.columns)))
        assert widths == {len(table.columns) + below + any(row.group for row in table.rows)}


def test_sentences_hold_the_names_as_they_are() -> None:
    tagger, name = HOSTILE.models[0], HOSTILE.sets[0]
    for text in (*error_sentences(VIEW, tagger, name)[:1], moved_sentence(VIEW, tagger, name)):
        assert text.startswith(f"{tagger} under {name}: ")
    assert fine_sentences(VIEW, tagger, name)[0].startswith(f"{tagger} under {name}: ")
    assert overlap_sentences(VIEW, tagger)[0].startswith(f"{tagger}: ")
    assert new_errors(VIEW, tagger, name).startswith("Most new errors are ")
