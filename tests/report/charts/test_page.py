"""Charts in the page: where they stand, what can be downloaded, and that names of users stay text."""

from __future__ import annotations

import base64
import copy
import csv
import gzip
import io
import json
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


def saved(figure: Element, names: Names = USUAL) -> str:
    """What the button CSV of a chart saves."""
    (packed,) = page(names).find("script", id="tables")
    (button,) = figure.find("button", data_form="csv")
    found: str = json.loads(gzip.decompress(base64.b64decode(packed.text)))[int(button.attributes["data-table"])]["csv"]
    return found


def test_each_section_has_its_charts_with_title_caption_and_both_drawings() -> None:
    sections = [section for section in page().find("section") if section.attributes["id"] != "findings"]
    found = {section.attributes["id"]: section.find("figure", class_="chart") for section in sections}
    # two models: both schemes of outcomes, kinds of errors, combinations; groups for the first of them
    assert {key: len(each) for key, each in found.items() if each} == {
        "labels": 4,
        "errors": 2,
        "flips": 2,
        "groups": 1,
    }
    for figure in figures():
        head = figure.one("h4")
        wide, narrow = (figure.one(class_=size).one("svg") for size in ("wide", "narrow"))
        assert wide.attributes["aria-label"] == narrow.attributes["aria-label"] == head.words
        assert float(wide.attributes["width"]) > float(narrow.attributes["width"]) > 200
        assert figure.one("figcaption").words.endswith(".")
        assert wide.find("title") and not narrow.find("title")
    assert not page().find(id="charts"), "no word on an extra that is there"


def test_each_chart_has_its_table_and_files_of_one_name() -> None:
    for figure in figures():
        (button,) = figure.find("button", data_form="csv")
        (drawn,) = [found for found in figure.find("button") if "data-svg" in found.attributes]
        assert "hidden" in drawn.attributes, "without scripts it would do nothing"
        table = figure.one("details").one("table")
        assert drawn.attributes["data-svg"] in table.attributes["class"].split()
        lines = list(csv.reader(io.StringIO(saved(figure))))
        assert len({len(line) for line in lines}) == 1 and len(lines) > 1
        heads = [head.words for head in table.one("thead").find("th")]
        assert [head for head in lines[0] if not head.endswith(" (below)")][-len(heads) :] == heads
        assert button.attributes["aria-label"] == f"{table.one('caption').words} as CSV"


def test_figures_of_the_files_stand_in_the_drawing() -> None:
    figure = page().one(id="labels").find("figure", class_="chart")[0]
    head, *rows = csv.reader(io.StringIO(saved(figure)))
    said = {title.text for title in figure.one(class_="wide").find("title")}
    for label, side, *numbers in rows:
        for outcome, number in zip(head[2:], numbers, strict=True):
            assert (f"{label}, {side}: {number} {outcome.lower()}" in said) == (number != "0")


def test_no_two_elements_have_one_id_and_drawings_have_none() -> None:
    ids = [element.attributes["id"] for element in page().find() if "id" in element.attributes]
    assert len(set(ids)) == len(ids)
    drawings = [svg for figure in figures() for svg in figure.find("svg")]
    assert not [one for svg in drawings for one in svg.find() if "id" in one.attributes]


def test_hostile_names_stay_text_in_charts_and_their_files() -> None:
    allowed = {"svg", "g", "path", "line", "text", "title"}
    for figure in figures(HOSTILE):
        for svg in figure.find("svg"):
            assert {element.tag for element in (svg, *svg.find())} <= allowed
    text = " ".join(figure.text for figure in figures(HOSTILE))
    assert HOSTILE.models[0] in text and "{{7*7}}" in text
    assert "M‹U+202E›I‹U+200B›SC" in text and "\u202e" not in text
    assert not [e for e in page(HOSTILE).find() if any(name.startswith("on") for name in e.attributes)]
