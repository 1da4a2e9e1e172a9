"""Widths, themes, touch, accessibility, print and figures, as a browser lays them out."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from tests.browser.opened import Opened

Open = Callable[..., Opened]
THEMES = ("light", "dark")
WIDTHS = (320, 390, 768, 1280)
PAGES = 8
"""Pages that two models, two attacks and every analysis stay under; what is folded on screen is not printed."""
TOO_WIDE = (
    "[...document.querySelectorAll('main *, nav')].filter(element =>"
    " !element.closest('.sr') && element.getBoundingClientRect().right > innerWidth + 1"
    " && !element.parentElement.closest('.scroll, nav, .x-row')).map(element => element.outerHTML.slice(0, 120))"
)
SLOW = ("color-contrast", "target-size")
"""Rules that take minutes on a whole page; they are asked about one with fewer rows."""
SMALL = (
    "[...document.querySelectorAll('button, select, summary, nav a, .tabs label, .downloads a,"
    " input:not(.sr)')].map(element => [element, element.getBoundingClientRect()])"
    ".filter(([element, box]) => element.checkVisibility() && (box.height < 44 || box.width < 44))"
    ".map(([element, box]) => `${box.width} x ${box.height}: ${element.outerHTML.slice(0, 80)}`)"
)


@pytest.mark.parametrize("theme", THEMES)
def test_nothing_is_wider_than_the_window(report: Path, opened: Open, theme: str) -> None:
    made = opened(report, color_scheme=theme)
    dark = made.page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    assert dark == (theme == "dark")
    made.unfold()
    for width in WIDTHS:
        made.page.set_viewport_size({"width": width, "height": 800})
        assert made.page.evaluate("document.documentElement.scrollWidth") <= width
        assert made.page.evaluate(TOO_WIDE) == []


@pytest.mark.parametrize("width", (390, 768))
def test_controls_are_large_enough_for_a_finger(report: Path, opened: Open, width: int) -> None:
    made = opened(report, viewport={"width": width, "height": 800}, has_touch=True)
    assert made.page.locator("summary:visible").count() > 5
    assert made.page.evaluate(SMALL) == []


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_no_violation_with_everything_open(report: Path, opened: Open, theme: str) -> None:
    made = opened(report, color_scheme=theme)
    made.unfold()
    made.thin()
    assert made.page.locator(".case").count() >= 2 and made.page.locator("table .heat").count() > 2
    assert made.accessibility() == []


def test_axe_finds_no_violation_in_the_whole_page(report: Path, opened: Open) -> None:
    made = opened(report, viewport={"width": 390, "height": 800})
    assert made.accessibility(*SLOW) == []


def test_the_bar_hides_none_of_its_links(report: Path, opened: Open) -> None:
    made = opened(report, viewport={"width": 390, "height": 800})
    for link in made.page.locator("nav a").all():
        link.scroll_into_view_if_needed()
        link.click(timeout=2000)
    assert made.page.evaluate("location.hash") == "#method"


def test_print_holds_the_verdict_and_the_tables_on_few_pages(report: Path, opened: Open) -> None:
    from pypdf import PdfReader

    made = opened(report)
    made.page.emulate_media(media="print")
    shown = {word for table in made.texts("table:visible") for word in table.split()}
    (headline,) = made.texts("#verdict .headline")
    assert made.page.locator("nav a:visible, button:visible, .downloads :visible").count() == 0
    for size in ("A4", "Letter"):
        reader = PdfReader(BytesIO(made.page.pdf(format=size)))
        words = " ".join(page.extract_text() for page in reader.pages).split()
        assert len(reader.pages) < PAGES
        text = unicodedata.normalize("NFKC", "".join(words))  # a font has one sign for fi
        assert headline.replace(" ", "") in text
        assert [word for word in shown if word.isascii() and word.isalnum() and word not in text] == []
        assert len(shown) > 100


@pytest.mark.parametrize("width", (320, 1280))
def test_every_chart_is_drawn_wide_enough(report: Path, opened: Open, width: int) -> None:
    made = opened(report, viewport={"width": width, "height": 800})
    figures = made.page.locator("figure").all()
    assert len(figures) >= 2
    for figure in figures:
        widths = [chart.bounding_box()["width"] for chart in figure.locator("svg:visible").all()]
        assert widths and min(widths) > 200
        assert figure.locator("figcaption").inner_text()
