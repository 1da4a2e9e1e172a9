"""A view of nothing but findings."""

from __future__ import annotations

import copy
import json
from typing import Any

from nerquake.core.results import AuditResult
from nerquake.report.table import Cell, Table
from nerquake.report.view import View


def view_of(comparisons: Any = (), **findings: Any) -> View:
    """A result that holds these findings, as JSON brings them back, and no models or sets besides."""
    data = {
        "header": {"level": 0.95},
        "sets": [],
        "taggers": [],
        "results": [],
        "comparisons": list(comparisons),
        "findings": findings,
    }
    return View(AuditResult(json.loads(json.dumps(copy.deepcopy(data)))))


def texts(table: Table) -> list[list[str]]:
    """The cells of every row, the smaller line behind a bar."""
    return [[f"{cell.text}|{cell.sub}" if cell.sub else cell.text for cell in row.cells] for row in table.rows]


def cells(table: Table) -> list[Cell]:
    """All cells."""
    return [cell for row in table.rows for cell in row.cells]
