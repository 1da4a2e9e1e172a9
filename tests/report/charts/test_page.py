"""Charts in the page: where they stand, what can be downloaded, and that names of users stay text."""

from __future__ import annotations

import base64
import copy
import csv
import io
from functools import cache
from typing import Any

from tests.report.charts.every_chart import GROUPS
from tests.report.example import Names, example
from tests.report.explained import explained
from tests.report.page import Element, read_page
from tests.report.test_html import HOSTILE

from nerquake.core.results import AuditResult
from nerquake.report.html import HtmlReport

USUAL = Names()


@cache
def page(names: Names = USUAL) -> Element:
    """The page of the example, with what was found of errors, overlap and groups."""
    data: Any = copy.deepcopy(dict(example(names, 60).data))
    found = explained(names, 60).view.data["findings"]
    groups = [{**one, "tagger": names.models[0], "set": names.sets[0]} for one in GROUPS.findings("groups")]
    data["findings"] |= {**found, "groups": groups}
    return read_page(HtmlReport().render(AuditResult(data)))


def figures(names: Names = USUAL) -> list[Element]:
    return page(names).find("figure", class_="chart")


def content(link: Element) -> str:
    return base64.b64decode(link.attributes["href"].partition("base64,")[2]).decode("utf-8")


def test_each_section_has_its_charts_with_title_caption_and_a_box_of_their_own() -> None:
    found = {section.attributes["id"]: section.find("figure", class_="chart") for section in page().find("section")}
    # two models: both schemes of outcomes, kinds of errors, combinations; groups for the first of them
    assert {key: len(each) for key, each in found.items() if each} == {
        "labels": 4,
        "errors": 2,
        "flips": 2,
        "groups": 1,
    }
    for figure in figures():
        box = figure.one(class_="scroll")
        head = figure.one("h4")
        assert box.attributes["aria-labelledby"] == head.attributes["id"]
        assert box.attributes["tabindex"] == "0"
        drawing = box.one("svg")
        assert drawing.attributes["aria-label"] == head.words
        assert float(drawing.attributes["width"]) > 200
        assert figure.one("figcaption").words.endswith(".")
        assert drawing.find("title")
    assert not page().find(id="charts"), "no word on an extra that is there"


def test_downloads_hold_the_drawing_and_its_figures() -> None:
    for figure in figures():
        svg, table = figure.one(class_="downloads").find("a")
        assert svg.attributes["download"].removesuffix("svg") == table.attributes["download"].removesuffix("csv")
        assert svg.attributes["href"].startswith("data:image/svg+xml;base64,")
        drawing = read_page(content(svg)).one("svg")
        assert drawing.text == figure.one("svg").text
        assert "var(" not in content(svg)
        lines = list(csv.reader(io.StringIO(content(table))))
        assert len({len(line) for line in lines}) == 1 and len(lines) > 1


def test_figures_of_the_files_stand_in_the_drawing() -> None:
    figure = page().one(id="labels").find("figure", class_="chart")[0]
    _, table = figure.one(class_="downloads").find("a")
    head, *rows = csv.reader(io.StringIO(content(table)))
    said = {title.text for title in figure.one("svg").find("title")}
    for label, side, *numbers in rows:
        for outcome, number in zip(head[2:], numbers, strict=True):
            assert (f"{label}, {side}: {number} {outcome.lower()}" in said) == (number != "0")


def test_no_two_elements_have_one_id_and_drawings_have_none() -> None:
    ids = [element.attributes["id"] for element in page().find() if "id" in element.attributes]
    assert len(set(ids)) == len(ids)
    assert not [one for figure in figures() for one in figure.one("svg").find() if "id" in one.attributes]


def test_hostile_names_stay_text_in_charts_and_their_files() -> None:
    allowed = {"svg", "g", "path", "line", "text", "title"}
    for figure in figures(HOSTILE):
        svg = figure.one("svg")
        assert {element.tag for element in (svg, *svg.find())} <= allowed
        link = figure.one(class_="downloads").find("a")[0]
        assert {element.tag for element in read_page(content(link)).find()} <= allowed
    text = " ".join(figure.text for figure in figures(HOSTILE))
    assert HOSTILE.models[0] in text and "{{7*7}}" in text
    assert "M‹U+202E›I‹U+200B›SC" in text and "\u202e" not in text
    assert not [e for e in page(HOSTILE).find() if any(name.startswith("on") for name in e.attributes)]
