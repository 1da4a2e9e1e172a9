"""On paper: the verdict, every chart, every table or its name, the open case, on few pages that hold all of it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from tests.browser.opened import READY, Opened

from nerquake.report.html import HtmlReport
from nerquake.report.write import read_result

Open = Callable[..., Opened]
PAGES = {"A4": 7, "Letter": 8}
"""Pages, at most, that two models and every analysis take: tables of a part that is drawn, folded tables and long ones
are named there, not printed."""
DEMO = Path(__file__).parents[2] / "demo-report"
PAPER = {"width": 740, "height": 1000}
"""An A4 page without its margins, in pixels."""
TITLES = (
    "[...document.querySelectorAll('main table.grid caption')].filter(caption => !caption.closest('figure'))"
    ".map(caption => caption.textContent)"
)
"""Names of tables; those in a figure are drawn above."""
TOO_WIDE = """
[...document.querySelectorAll('main table, main figure, main p')].filter(box => box.checkVisibility())
  .filter(box => box.getBoundingClientRect().right > innerWidth + 1 || box.scrollWidth > box.clientWidth + 2
    && getComputedStyle(box).display !== 'inline')
  .map(box => `${box.getBoundingClientRect().right}: ${box.textContent.trim().slice(0, 80)}`)
"""
OVER_EACH_OTHER = """
(boxes => boxes.flatMap(([one, a], place) => boxes.slice(place + 1).filter(([other, b]) => !one.contains(other)
    && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2)
  .map(([other]) => `${one.textContent.trim().slice(0, 40)} / ${other.textContent.trim().slice(0, 40)}`)))(
  [...document.querySelectorAll('#scores, #models, #labels, #sets, #method')].flatMap(section =>
    [...section.querySelectorAll(':scope > .table, :scope > figure, :scope > .lines, :scope > .set, :scope > dl')])
  .filter(box => box.checkVisibility()).map(box => [box, box.getBoundingClientRect()]))
"""


@pytest.fixture(scope="module", params=["tests", "demo"])
def printed(request: pytest.FixtureRequest, report: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the tests, and the demo's where one was made, rendered anew."""
    if request.param == "tests":
        return report
    if not (DEMO / "result.json").is_file():
        pytest.skip("there is no demo-report: make demo")
    folder = tmp_path_factory.mktemp("demo")
    (folder / "report.html").write_text(HtmlReport().render(read_result(DEMO)), "utf-8")
    return folder


def pages_of(page: Any, size: str) -> list[str]:
    """The text of each page, without blanks, with letters that a font joins taken apart."""
    from pypdf import PdfReader

    reader = PdfReader(BytesIO(page.pdf(format=size)))
    return [plain(found.extract_text()) for found in reader.pages]


def plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def on_paper(made: Opened) -> Any:
    made.page.wait_for_selector(READY)
    made.page.emulate_media(media="print")
    return made.page


@pytest.mark.parametrize("size", ["A4", "Letter"])
def test_few_pages_hold_the_verdict_every_chart_and_every_table_or_its_name(
    printed: Path, opened: Open, size: str
) -> None:
    made = opened(printed)
    page = on_paper(made)
    assert page.locator("nav a:visible, button:visible, .downloads :visible, select:visible").count() == 0
    found = pages_of(page, size)
    assert len(found) <= PAGES[size]
    text = "".join(found)
    (headline,) = made.texts("#verdict .headline")
    titles = page.evaluate(TITLES)
    assert len(titles) > 50
    for words in (headline, *made.texts("#verdict .card p"), *made.texts("figure h3, figure h4"), *titles):
        assert plain(words) in text, words


def test_what_is_shown_stands_on_the_pages_word_by_word(report: Path, opened: Open) -> None:
    made = opened(report)
    page = on_paper(made)
    shown = {word for table in made.texts("table:visible") for word in table.split()}
    text = "".join(pages_of(page, "A4"))
    assert [word for word in shown if word.isascii() and word.isalnum() and word not in text] == []
    assert len(shown) > 100


def test_the_open_case_is_printed_and_what_is_folded_is_when_it_is_opened(report: Path, opened: Open) -> None:
    made = opened(report)
    before = "".join(pages_of(on_paper(made), "A4"))
    (case,) = made.texts("#x-case h3")
    assert plain(case) in before
    (row, *_) = [text for text in made.page.locator(".folded tbody tr").all_text_contents() if len(plain(text)) > 20]
    assert plain(row) not in before
    made.unfold()
    assert plain(row) in "".join(pages_of(made.page, "A4"))


def test_every_chart_is_drawn_on_paper_or_its_tables_are_printed(report: Path, opened: Open) -> None:
    page = on_paper(opened(report, viewport=PAPER))
    for figure in page.locator("figure").all():
        (drawing,) = figure.locator("svg:visible").all()
        assert drawing.bounding_box()["width"] > 100 and drawing.bounding_box()["height"] > 100
    page.evaluate("document.querySelectorAll('figure').forEach(figure => figure.remove())")
    assert page.locator("table:visible").count() >= 8


def test_nothing_is_wider_than_the_paper_or_over_another(printed: Path, opened: Open) -> None:
    page = on_paper(opened(printed, viewport=PAPER))
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER["width"]
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(OVER_EACH_OTHER) == []


def test_tables_that_go_on_repeat_their_head(report: Path, opened: Open) -> None:
    page = on_paper(opened(report))
    assert {"table-header-group"} == set(
        page.evaluate("[...document.querySelectorAll('thead')].map(head => getComputedStyle(head).display)")
    )
    page.evaluate(
        "(body => { for (let at = 0; at < 200; at++) { body.append(body.lastElementChild.cloneNode(true)); } })"
        "(document.querySelector('table.paired tbody:last-of-type'))"
    )
    pages = pages_of(page, "A4")
    (head,) = {plain(text) for text in page.locator("table.paired thead").all_text_contents()}
    assert sum(head in text for text in pages) >= 2
