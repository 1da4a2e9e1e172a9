"""Widths, themes, touch, accessibility and figures, as a browser lays them out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.browser.opened import Opened

Open = Callable[..., Opened]
THEMES = ("light", "dark")
WIDTHS = (320, 390, 768, 1280)
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


def test_the_bar_leaves_its_room_to_the_links(report: Path, opened: Open) -> None:
    made = opened(report, viewport={"width": 320, "height": 800}, has_touch=True)
    bar, links = (made.page.locator(name).bounding_box()["width"] for name in ("body > nav", "nav .links"))
    assert links > 0.6 * bar
    button = made.page.locator("#theme")
    assert button.bounding_box()["width"] >= 44
    for width in WIDTHS:
        made.page.set_viewport_size({"width": width, "height": 800})
        assert button.evaluate("button => button.scrollWidth <= button.clientWidth + 1")
    assert button.inner_text().split() == ["◐", "Theme:", "system"]
    assert button.get_attribute("aria-label") == "Theme: system"


def test_no_figure_scrolls_sideways(report: Path, opened: Open) -> None:
    made = opened(report)
    for width in WIDTHS:
        made.page.set_viewport_size({"width": width, "height": 800})
        wide = "figures => figures.filter(figure => figure.scrollWidth > figure.clientWidth).length"
        assert made.page.locator("figure, figure > div").evaluate_all(wide) == 0


@pytest.mark.parametrize("width", (320, 1280))
def test_every_chart_is_drawn_wide_enough(report: Path, opened: Open, width: int) -> None:
    made = opened(report, viewport={"width": width, "height": 800})
    figures = made.page.locator("figure").all()
    assert len(figures) >= 2
    for figure in figures:
        widths = [chart.bounding_box()["width"] for chart in figure.locator("svg:visible").all()]
        assert widths and min(widths) > 200
        assert figure.locator("figcaption").text_content()
