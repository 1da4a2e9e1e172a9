"""`tables.csv`: every table of the report, one below the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nerquake.core.results import AuditResult
from nerquake.report.all_tables import all_tables
from nerquake.report.table import all_to_csv
from nerquake.report.view import View


@dataclass(frozen=True)
class CsvTables:
    """All figures for a spreadsheet; the title of each table stands above it."""

    name: ClassVar[str] = "tables.csv"

    def render(self, result: AuditResult) -> str:
        """The file's text."""
        return all_to_csv(all_tables(View(result)))
