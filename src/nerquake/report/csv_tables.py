"""`tables.csv`: every table of the report, one below the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nerquake.core.results import AuditResult
from nerquake.report.curve import curve_tables
from nerquake.report.label_tables import loss_table, rows_of
from nerquake.report.naturalness import naturalness_table
from nerquake.report.parts import every_table
from nerquake.report.table import all_to_csv
from nerquake.report.tables import models_table, paired_table, score_table, status_table
from nerquake.report.view import View


@dataclass(frozen=True)
class CsvTables:
    """All figures for a spreadsheet; the title of each table stands above it."""

    name: ClassVar[str] = "tables.csv"

    def render(self, result: AuditResult) -> str:
        """The file's text."""
        view = View(result)
        found = [score_table(view), paired_table(view), status_table(view)]
        found += [models_table(view)] if view.comparisons else []
        found += [loss_table(view, tagger) for tagger in view.taggers if rows_of(view, tagger)]
        found += [naturalness_table(view), *curve_tables(view), *every_table(view)]
        return all_to_csv([table for table in found if table.rows])
