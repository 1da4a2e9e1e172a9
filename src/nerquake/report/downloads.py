"""Every table of the page as CSV and LaTeX, packed once: what the buttons at the tables save."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import dataclass, field

from nerquake.report.latex import to_latex
from nerquake.report.table import Table, to_csv


@dataclass(frozen=True)
class Downloads:
    """The tables in the order in which the page prints them.

    As links that hold their file they were half of the page; packed together they are a tenth of that. Readers without
    scripts have the same figures in tables.csv and tables.tex beside the report.
    """

    _files: list[dict[str, str]] = field(default_factory=list)

    def add(self, table: Table) -> int:
        """Take a table in; returns its number."""
        self._files.append({"name": table.name, "csv": to_csv(table), "tex": to_latex(table)})
        return len(self._files) - 1

    def packed(self) -> str:
        """All of them, `[{"name", "csv", "tex"}]`, as base64 of gzip; the same tables give the same text."""
        text = json.dumps(self._files, ensure_ascii=False).encode("utf-8", "replace")
        return base64.b64encode(gzip.compress(text, 9, mtime=0)).decode()
