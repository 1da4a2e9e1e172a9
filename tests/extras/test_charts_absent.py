"""Without the extra `charts` the report has its tables, and one line that says how to get the drawings."""

from __future__ import annotations

import copy
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.extras.test_missing_extras import without
from tests.report.example import example
from tests.report.explained import explained
from tests.report.page import read_page

from nerquake.core.results import AuditResult
from nerquake.report.charts.chart import CHARTS
from nerquake.report.html import HtmlReport

ROOT = Path(__file__).resolve().parents[2]


def result() -> AuditResult:
    data: Any = copy.deepcopy(dict(example(size=60).data))
    data["findings"] |= explained(size=60).view.data["findings"]
    return AuditResult(data)


@pytest.mark.parametrize("library", ["altair", "vl_convert"])
def test_the_page_has_its_tables_and_one_line_with_the_pip_command(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    without(monkeypatch, library)
    page = read_page(HtmlReport().render(result()))
    assert not page.find("figure", class_="chart")
    assert page.find("table", class_="errors") and page.find("table", class_="charges-strict")
    assert page.one(id="scores").one("figure").find("svg"), "the figure of the scores needs no extra"
    line = 'Charts are left out, their figures stand in the tables. To draw them: pip install "nerquake[charts]"'
    assert page.one(id="charts").words == line
    assert page.one("body").text.count("nerquake[charts]") == 1


def test_a_page_that_would_have_no_chart_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "altair")
    assert "nerquake[charts]" not in HtmlReport().render(example())


def test_the_extra_that_the_line_names_is_one_of_the_package_and_of_the_demo() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert {need.split(">")[0].replace("-python", "").replace("-", "_") for need in extras["charts"]} == set(
        CHARTS.library.split()
    )
    assert any("charts" in need for need in extras["demo"])


def test_nothing_of_it_is_loaded_before_a_chart_is_drawn() -> None:
    code = (
        "import sys, nerquake.cli.main, nerquake.report.html, nerquake.report.parts\n"
        "print(sorted({'altair', 'vl_convert', 'narwhals'} & sys.modules.keys()))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
