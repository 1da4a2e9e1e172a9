"""An audit in a notebook: tables and charts, nothing that runs, nothing of the data that is not escaped."""

from __future__ import annotations

import re

import pytest
from tests.extras.test_missing_extras import without
from tests.report.example import example
from tests.report.explained import explained
from tests.report.page import read_page
from tests.report.test_html import HOSTILE

from nerquake.core.results import AuditResult
from nerquake.report.numbers import percent
from nerquake.report.verdict import verdict
from nerquake.report.view import View


def test_verdict_scores_and_figure_stand_in_it() -> None:
    result = example()
    html = result._repr_html_()
    page = read_page(html).one("div", class_="nerquake")
    said = verdict(View(result))
    assert str(said.sentences[0]) in page.text
    assert page.one("figure").find("svg")
    for block in result.data["results"]:
        assert percent(block["overall"]["strict"]["f1"]) in page.text
    assert page.find("table", class_="labels") or page.find("details")


def test_nothing_runs_and_nothing_is_loaded() -> None:
    for result in (example(), example(HOSTILE, 60)):
        page = read_page(result._repr_html_())
        assert not any(page.find(tag) for tag in ("script", "iframe", "img", "link", "object", "a", "form"))
        assert len(page.find("style")) == 1
        for element in page.find():
            assert not any(name.startswith("on") or name in ("href", "src") for name in element.attributes)


def test_hostile_text_stays_text() -> None:
    usual, hostile = (read_page(example(*names)._repr_html_()) for names in ((), (HOSTILE,)))
    tags = [[element.tag for element in page.find() if element.tag in ("table", "figure", "tr")]
            for page in (usual, hostile)]  # fmt: skip
    assert tags[0] == tags[1]
    assert any(name in hostile.text or name[:9] in hostile.text for name in HOSTILE.models)
    assert "\u202e" not in hostile.text


def test_every_rule_of_its_style_is_for_itself_alone() -> None:
    """Cells above and below in the notebook look as they did."""
    (style,) = re.findall(r"<style>(.*?)</style>", example()._repr_html_(), re.DOTALL)
    found = re.findall(r"([^{}]+)\{", style)
    assert len(found) > 5
    for selectors in found:
        assert all(".nerquake" in selector for selector in selectors.split(",")), selectors


def test_without_charts_the_tables_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    data = {**example(size=60).data}
    data["findings"] = {**data["findings"], **explained(size=60).view.data["findings"]}
    with_charts = read_page(AuditResult(data)._repr_html_())
    without(monkeypatch, "altair")
    bare = read_page(AuditResult(data)._repr_html_())
    assert len(bare.find("figure")) == 1
    assert len(with_charts.find("figure")) > 1
    assert len(bare.find("table")) == len(with_charts.find("table"))
    assert "nerquake[charts]" in bare.text


def test_ids_of_two_results_differ() -> None:
    first, second = (
        {element.attributes["id"] for element in read_page(example(size=size)._repr_html_()).find() if
         "id" in element.attributes} for size in (60, 80)
    )  # fmt: skip
    assert first and second and not first & second


def test_its_line_is_short_and_it_has_no_attack() -> None:
    result = example()
    assert repr(result) == (
        f"<AuditResult: models flair:ner, spacy:en_core_web_sm; sets original, swap, letters, para; "
        f"{len(result.cases):,} cases>"
    )
    alone = {**result.data, "sets": result.data["sets"][:1], "findings": {"method": {}}, "comparisons": [],
             "results": [block for block in result.data["results"] if block["set"] == "original"]}  # fmt: skip
    page = read_page(AuditResult(alone)._repr_html_())
    assert "No attack was run" in page.text
    assert not page.find("figure")
