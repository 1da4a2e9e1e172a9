"""Every table of figures that the report has, for the files beside it: `tables.csv` and `tables.tex`."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.report.curve import curve_tables
from nerquake.report.label_tables import loss_table, rows_of, strict_exact_table
from nerquake.report.naturalness import naturalness_table
from nerquake.report.parts import every_table
from nerquake.report.table import Table
from nerquake.report.tables import (
    SCORE_CHOICES,
    models_table,
    paired_table,
    reasons_table,
    score_table,
    status_table,
)
from nerquake.report.view import View


def all_tables(view: View) -> tuple[Table, ...]:
    """The tables with rows, in the order of the page."""
    return tuple(table for table in _tables(view) if table.rows)


def _tables(view: View) -> Iterator[Table]:
    yield from (score_table(view, *choice) for choice in SCORE_CHOICES)
    yield from (paired_table(view), status_table(view), reasons_table(view))
    if view.comparisons:
        yield models_table(view)
    for tagger in view.taggers:
        if rows_of(view, tagger):
            yield from (loss_table(view, tagger).of(tagger), strict_exact_table(view, tagger).of(tagger))
    yield naturalness_table(view)
    yield from curve_tables(view)
    yield from every_table(view)
