"""The same `result.json` gives the same bytes in every file, in processes that order sets differently too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.report.example import Names, example

from nerquake.report.write import CASES, RESULT, write_report


def test_reports_of_two_processes_are_byte_identical(tmp_path: Path) -> None:
    first = tmp_path / "first"
    write_report(example(Names(), 60), first)
    names = {file.name for file in first.iterdir()}
    assert {RESULT, CASES, "report.html", "report.md", "tables.csv", "tables.tex"} <= names
    written = {}
    for seed in ("1", "2"):
        made = tmp_path / seed
        command = [sys.executable, "-m", "nerquake", "report", str(first), "-o", str(made)]
        ran = subprocess.run(
            command, check=False, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": seed}
        )
        assert ran.returncode == 0, ran.stderr
        written[seed] = {file.name: file.read_bytes() for file in made.iterdir()}
    assert written["1"].keys() == written["2"].keys() >= {"report.html", "report.md", "tables.csv", "tables.tex"}
    for name, content in written["1"].items():
        assert content == written["2"][name], name
        assert content == (first / name).read_bytes(), name
