"""The buttons at tables save what Python packed for them."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable
from pathlib import Path

from tests.browser.opened import Opened

Open = Callable[..., Opened]


def test_a_table_is_saved_as_csv_and_latex(report: Path, opened: Open) -> None:
    made = opened(report)
    packed = made.page.locator("script#tables").text_content()
    tables = json.loads(gzip.decompress(base64.b64decode(packed)))
    assert made.page.locator("button[data-table]").count() == 2 * len(tables)
    at = next(number for number, table in enumerate(tables) if table["name"] == "paired")
    for form in ("csv", "tex"):
        with made.page.expect_download() as saved:
            made.page.locator(f'button[data-table="{at}"][data-form="{form}"]').click()
        assert saved.value.suggested_filename == f"paired.{form}"
        assert Path(saved.value.path()).read_text("utf-8") == tables[at][form]
    assert made.said == []


def test_without_scripts_no_button_is_shown_and_the_files_are_named(report: Path, opened: Open) -> None:
    made = opened(report, java_script_enabled=False)
    assert made.page.locator("button[data-table]:visible").count() == 0
    assert "tables.csv and tables.tex beside this report" in made.page.locator("#scores").inner_text()
