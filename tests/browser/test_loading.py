"""A large page lays out what is out of sight when its explorer answers; then all of it is, whatever happens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.browser.explored import write_page
from tests.browser.opened import READY, Opened

from nerquake.report import explorer
from nerquake.report.write import read_result

Open = Callable[..., Opened]
WAITED = "getComputedStyle(document.querySelector('#findings > section')).contentVisibility"
SEEN = """
window.waited = [];
new MutationObserver(() => window.waited.push(document.documentElement.className))
  .observe(document, { attributes: true, subtree: true, attributeFilter: ["class"] });
"""


@pytest.fixture(scope="module")
def large(report: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a page that takes itself for a large one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explorer, "LARGE", 0)
        return write_page(read_result(report), tmp_path_factory.mktemp("large"))


def test_everything_is_laid_out_once_the_explorer_answers(large: Path, opened: Open) -> None:
    made = opened("about:blank")
    made.page.add_init_script(SEEN)
    made.page.goto((large / "report.html").as_uri())
    made.page.wait_for_selector(READY)
    made.page.wait_for_selector("html:not(.loading)")
    assert made.page.evaluate("window.waited") == ["loading", ""]
    assert made.page.evaluate(WAITED) == "visible"
    assert all(made.texts("#findings > section h2"))
    assert made.said == []


def test_a_place_in_the_page_is_where_the_link_says(large: Path, opened: Open) -> None:
    made = opened("about:blank")
    made.page.add_init_script(SEEN)
    made.page.goto((large / "report.html").as_uri() + "#method")
    made.page.wait_for_selector(READY)
    assert made.page.evaluate("window.waited") == []
    box = made.page.locator("#method").bounding_box()
    assert box is not None and 0 <= box["y"] < 800


def test_a_damaged_island_leaves_nothing_waiting(large: Path, opened: Open, tmp_path: Path) -> None:
    head, mark, rest = (large / "report.html").read_text("utf-8").partition('id="data">')
    (tmp_path / "report.html").write_text(head + mark + "AAAA" + rest, "utf-8")
    made = opened(tmp_path)
    made.page.wait_for_selector("html:not(.loading)")
    assert "could not be read" in made.page.locator("#explorer-note").inner_text()
    assert made.page.evaluate(WAITED) == "visible"


def test_without_scripts_nothing_waits(large: Path, opened: Open) -> None:
    made = opened(large, java_script_enabled=False)
    assert all(made.texts("#findings > section h2"))
    assert all(made.texts("#findings > section > .table:not(details *) caption"))


def test_a_small_page_has_nothing_to_wait_for(report: Path) -> None:
    text = (report / "report.html").read_text("utf-8")
    assert 'className = "loading"' not in text
