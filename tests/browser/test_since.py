"""The filters `newly fallen` and `recovered` in the page are the set differences of two runs; links lead to them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.browser.compared import MODELS, cases, fallen
from tests.browser.explored import address, count, rows
from tests.browser.opened import READY, Opened
from tests.browser.test_redaction import GONE_TO

Open = Callable[..., Opened]
SINCE = {"fallen": "newly fallen", "recovered": "recovered"}
Turned = dict[tuple[str, str], set[tuple[str, str, int]]]


@pytest.fixture(scope="module")
def turned(runs: Path) -> Turned:
    """By filter and model, the mentions that it is about: differences of what two `cases.jsonl` say."""
    found: Turned = {}
    for model in MODELS:
        then, now = fallen(runs / "then", model), fallen(runs / "now", model)
        found["fallen", model], found["recovered", model] = now - then, then - now
    return found


@pytest.fixture
def page(runs: Path, opened: Open) -> Any:
    made = opened(runs / "now", viewport={"width": 1280, "height": 1000})
    made.page.wait_for_selector(READY)
    yield made.page
    assert made.said == []


def listed(runs: Path, wanted: set[tuple[str, str]]) -> list[tuple[str, str]]:
    """Id and set of these cases, in the order of the list."""
    everything = [(one["parent"], one["set"]) for one in cases(runs / "now")]
    parents = list(dict.fromkeys(parent for parent, _ in everything))
    sets = list(dict.fromkeys(name for _, name in everything))
    return [(parent, name) for parent in parents for name in sets if (name, parent) in wanted]


def test_filters_equal_set_differences(page: Any, runs: Path, turned: Turned) -> None:
    for (since, model), mentions in turned.items():
        expected = {(name, parent) for name, parent, _ in mentions}
        page.goto(address(runs / "now", kind="all", since=since, model=model))
        assert rows(page) == listed(runs, expected), (since, model)
        assert count(page).split(" of ")[0] == f"{len(expected):,}"
        assert SINCE[since] in " ".join(page.locator(".x-chip").all_inner_texts())
        for name in {name for name, _ in expected}:
            page.goto(address(runs / "now", kind="all", since=since, model=model, set=name))
            assert rows(page) == listed(runs, {one for one in expected if one[0] == name}), (since, model, name)
    assert len(turned["fallen", "m"]) > 5 and len(turned["recovered", "m"]) > 5
    assert not turned["fallen", "steady"] and not turned["recovered", "steady"]


def test_the_control_filters_too_and_says_what_it_can(page: Any, runs: Path, turned: Turned) -> None:
    assert page.locator("#x-since option").all_inner_texts() == ["all", *SINCE.values()]
    page.locator("#x-kind").select_option("all")
    page.locator("#x-since").select_option("recovered")
    expected = {(name, parent) for name, parent, _ in turned["recovered", page.locator("#x-model").input_value()]}
    assert count(page).split(" of ")[0] == f"{len(expected):,}"


def test_without_an_earlier_run_there_is_no_such_control(runs: Path, opened: Open) -> None:
    made = opened(runs / "then")
    made.page.wait_for_selector(READY)
    assert not made.page.locator("#x-since").is_visible()
    assert made.page.locator("#since").count() == 0


def test_numbers_of_the_table_open_exactly_their_sentences(page: Any, runs: Path, turned: Turned) -> None:
    links = page.locator("table.since td a")
    hrefs = links.evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert len(hrefs) > 5
    for place, href in enumerate(hrefs):
        number, title = links.nth(place).text_content(), links.nth(place).locator("xpath=..").get_attribute("title")
        page.evaluate(GONE_TO, href)
        words = count(page)
        if "since=" in href:
            assert title is not None and title.split(" in ")[1].split(" ")[0] == words.split(" of ")[0]
        else:
            assert words.endswith(f" · {number} mentions") or words.endswith(f" · {number} mention")
        assert page.locator("#x-list").is_visible()


def test_examples_open_their_sentence(page: Any, turned: Turned) -> None:
    links = page.locator("table.since-examples th a")
    assert links.count() == 5
    for place in range(5):
        cells = links.nth(place).locator("xpath=../..").locator("th, td").all_text_contents()
        page.evaluate(GONE_TO, links.nth(place).get_attribute("href"))
        heading = page.locator("#x-case h3").inner_text()
        assert heading == f"{cells[0]} · {cells[1]}"
        assert (cells[1], cells[0]) in {(name, parent) for name, parent, _ in turned["fallen", cells[2]]}
