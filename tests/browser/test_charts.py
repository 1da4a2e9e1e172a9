"""Charts as a browser draws them: nothing is cut off, colours follow the theme, files and tables hold what is drawn."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.browser.opened import READY, Opened

Open = Callable[..., Opened]
SVG = "{http://www.w3.org/2000/svg}"
WIDTHS = (320, 768, 1280)
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
CUT_OFF = """
[...document.querySelectorAll('figure svg')].filter(svg => svg.checkVisibility()).flatMap(svg => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text, path, rect, circle, line')].filter(mark => {
    const box = mark.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1
      || box.bottom > frame.bottom + 1;
  }).map(mark => `${svg.getAttribute('aria-label').slice(0, 40)}: ${mark.outerHTML.slice(0, 160)}`);
})
"""
OVER_EACH_OTHER = """
[...document.querySelectorAll('figure svg')].filter(svg => svg.checkVisibility()).flatMap(svg => {
  const texts = [...svg.querySelectorAll('text')].filter(text => !text.getAttribute('transform')?.includes('rotate'))
    .map(text => [text, text.getBoundingClientRect()]);
  return texts.flatMap(([one, a], place) => texts.slice(place + 1).filter(([, b]) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.4 * Math.min(a.height, b.height)
  ).map(([other]) => `${one.textContent} / ${other.textContent}`));
})
"""
LETTERS = """
[...document.querySelectorAll('figure svg')].filter(svg => svg.checkVisibility()).map(svg =>
  Math.min(...[...svg.querySelectorAll('text')].map(text =>
    parseFloat(getComputedStyle(text).fontSize) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)))
"""
COLOURS = """
[...document.querySelectorAll('figure svg')].filter(svg => svg.checkVisibility()).map(svg =>
  [...svg.querySelectorAll('*')].map(mark => getComputedStyle(mark).fill + getComputedStyle(mark).stroke).join(' '))
"""
SAVED = """
button => new Promise(done => {
  const make = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
  let text = null;
  URL.createObjectURL = blob => { text = blob.text(); return make(blob); };
  HTMLAnchorElement.prototype.click = async function () {
    URL.createObjectURL = make;
    HTMLAnchorElement.prototype.click = click;
    done([this.download, await text]);
  };
  button.click();
})
"""
"""What would be saved, without the browser's limits for many downloads one after the other."""
SHIFT = """
() => new Promise(done => {
  let sum = 0;
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) { if (!entry.hadRecentInput) { sum += entry.value; } }
  }).observe({type: 'layout-shift', buffered: true});
  setTimeout(() => done(sum), 300);
})
"""


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_of_a_drawing_is_cut_off_small_or_over_another(report: Path, opened: Open, width: int) -> None:
    page = opened(report, viewport={"width": width, "height": 800}).page
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(OVER_EACH_OTHER) == []
    sizes = page.evaluate(LETTERS)
    assert len(sizes) == page.locator("figure").count() and min(sizes) >= 10
    for box in page.locator("figure svg:visible").all():
        bounds = box.bounding_box()
        assert 200 < bounds["width"] <= width


def test_colours_follow_the_theme(report: Path, opened: Open) -> None:
    page = opened(report, color_scheme="light").page
    seen = []
    for theme in ("system", "light", "dark"):
        page.wait_for_selector(f"#theme[aria-label='Theme: {theme}']")
        seen.append(page.evaluate(COLOURS))
        page.locator("#theme").click()
    system, light, dark = seen
    assert system == light and len(light) == page.locator("figure").count()
    assert all(before != after for before, after in zip(light, dark, strict=True))


def test_files_hold_what_is_drawn_and_tables_what_the_files_hold(report: Path, opened: Open) -> None:
    made = opened(report)
    made.page.wait_for_selector(READY)
    made.unfold()
    figures = made.page.locator("figure.chart").all()
    assert len(figures) >= 8
    for figure in figures:
        name, drawing = saved(figure.locator("button[data-svg]"))
        table, text = saved(figure.locator("button[data-form=csv]"))
        assert (name.removesuffix("svg"), "var(" in drawing) == (table.removesuffix("csv"), False)
        rows = list(csv.reader(io.StringIO(text)))
        seen = [row.inner_text().replace("−", "-").split() for row in figure.locator("tbody tr:not(.group)").all()]
        grouped = rows[0][0] == "Group"
        assert seen == [" ".join(row[grouped:]).split() for row in rows[1:]]
        svg = ElementTree.fromstring(drawing)
        assert [*words(svg)] == figure.locator(".wide text").all_text_contents()
        assert figures_in(text_of_drawing(svg)) >= data(rows[1:], grouped), name
    assert made.said == []


def saved(button: Any) -> list[str]:
    """The name and the text that a button gives the browser to save."""
    found: list[str] = button.evaluate(SAVED)
    return found


def words(svg: ElementTree.Element) -> Iterator[str]:
    """The texts, with what pointing at them says, as a browser joins them."""
    return ("".join(found.itertext()) for found in svg.iter(f"{SVG}text"))


def text_of_drawing(svg: ElementTree.Element) -> str:
    return " ".join([*words(svg), *(found.text or "" for found in svg.iter(f"{SVG}title"))])


def figures_in(text: str) -> set[str]:
    return set(NUMBER.findall(text))


def data(rows: list[list[str]], grouped: bool) -> set[str]:
    """The numbers of a table; nothing is drawn for none."""
    cells = (cell for row in rows for cell in row[1 + grouped :])
    return {number for cell in cells for number in NUMBER.findall(cell)} - {"0", "0.0"}


def test_scores_and_curves_are_saved_as_they_are_drawn(report: Path, opened: Open) -> None:
    page = opened(report).page
    page.wait_for_selector(READY)
    every = [button.get_attribute("data-svg") for button in page.locator("button[data-svg]").all()]
    assert len(every) == len(set(every)) == page.locator("figure").count()
    buttons = page.locator("figure:not(.chart) button[data-svg]").all()
    assert len(buttons) == 3, "the scores and two curves"
    for button in buttons:
        svg = ElementTree.fromstring(saved(button)[1])
        assert svg.tag == f"{SVG}svg" and float(svg.attrib["width"]) > 200
        colours = {found.get(side) for found in svg.iter() for side in ("fill", "stroke")} - {None, "none"}
        assert colours and all(re.fullmatch("#[0-9a-f]{6}", str(colour)) for colour in colours)


def test_a_drawing_and_its_figures_are_downloaded(report: Path, opened: Open) -> None:
    page = opened(report).page
    page.wait_for_selector(READY)
    figure = page.locator("figure.chart").first
    figure.locator("summary").click()
    for button, name in (("button[data-svg]", "losses.svg"), ("button[data-form=csv]", "losses.csv")):
        with page.expect_download() as found:
            figure.locator(button).click()
        assert found.value.suggested_filename == name
        text = Path(found.value.path()).read_text("utf-8")
        assert text.startswith("<svg ") if name.endswith("svg") else "Change" in text.splitlines()[0]


def test_nothing_moves_while_the_page_loads(report: Path, opened: Open) -> None:
    for width in (390, 1280):
        page = opened(report, viewport={"width": width, "height": 800}).page
        page.wait_for_selector(READY)
        assert page.evaluate(SHIFT) < 0.05


def test_the_measure_of_moving_sees_what_moves(report: Path, opened: Open) -> None:
    page = opened(report).page
    page.evaluate(
        "document.querySelector('main').prepend(Object.assign(document.createElement('div'), {style: 'height: 300px'}))"
    )
    page.wait_for_timeout(200)
    assert page.evaluate(SHIFT) > 0.05
