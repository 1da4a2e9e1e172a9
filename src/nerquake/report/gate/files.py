"""Writing what a gate says."""

from __future__ import annotations

import json
from pathlib import Path

from nerquake.core.results import AuditResult
from nerquake.io.output import write_whole
from nerquake.report.gate.junit import junit
from nerquake.report.gate.summary import summary
from nerquake.report.gate.words import head_lines
from nerquake.report.verdict import verdict
from nerquake.report.view import View

FORMAT = "nerquake.gate/1"
GATE, JUNIT, SUMMARY = "gate.json", "junit.xml", "summary.md"


def write_gate(result: AuditResult, folder: Path) -> tuple[str, ...]:
    """Write the gate's three files; returns the lines for a terminal.

    Raises:
        OutputError: a file cannot be written.
    """
    view = View(result)
    gate = view.findings("gate")
    header = {"format": FORMAT, **{key: view.header.get(key) for key in ("version", "signature")}}
    text = json.dumps({**header, **gate}, ensure_ascii=True, allow_nan=False, indent=1)
    write_whole(folder / GATE, [text, "\n"])
    write_whole(folder / JUNIT, [junit(gate)])
    write_whole(folder / SUMMARY, [summary(view)])
    return head_lines(gate, str(verdict(view).sentences[0]))
