"""A page that was asked to hold fewer sentences says so beside every count, since tables count all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tests.browser.explored import address, count, explored_result, write_page
from tests.browser.opened import READY, Opened

KEPT = 20


def test_counts_say_what_the_page_leaves_out(opened: Callable[..., Opened], tmp_path: Path) -> None:
    whole = explored_result()
    header = {**whole.data["header"], "cases": KEPT}
    folder = write_page(replace(whole, data={**whole.data, "header": header}), tmp_path)
    page = opened(address(folder, kind="all")).page
    page.wait_for_selector(READY)
    assert count(page).startswith(f"{KEPT} of {KEPT} cases in this page, which leaves out {len(whole.cases) - KEPT:,}")
    page.goto(address(folder, id="s99999"))
    assert "No sentence s99999 in this page (" in page.locator("#x-notice").inner_text()


def test_a_page_of_all_sentences_leaves_out_nothing(opened: Callable[..., Opened], tmp_path: Path) -> None:
    page = opened(address(write_page(explored_result(), tmp_path), kind="all")).page
    page.wait_for_selector(READY)
    assert "leaves out" not in count(page)
