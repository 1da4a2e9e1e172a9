"""The explorer's list: filters, search and links give what a few lines of Python give."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.browser.explored import (
    FIRST,
    NAMES,
    SIZE,
    address,
    count,
    explored_result,
    fell,
    order,
    rows,
    with_mention,
    write_page,
)
from tests.browser.opened import READY, Opened

from nerquake.core.results import Case

Open = Callable[..., Opened]
ALL = SIZE * len(NAMES.sets)


@pytest.fixture(scope="module")
def explored(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(explored_result(), tmp_path_factory.mktemp("explored"))


@pytest.fixture(scope="module")
def cases() -> tuple[Case, ...]:
    return explored_result().cases


@pytest.fixture
def page(explored: Path, opened: Open) -> Any:
    made = opened(explored, viewport={"width": 1280, "height": 1700})
    made.page.wait_for_selector(READY)
    yield made.page
    assert made.said == []
    assert {address.split("#")[0] for address in made.asked} == {(explored / "report.html").as_uri()}


def go(page: Any, explored: Path, **filters: str) -> None:
    """Follow a link to these filters; without one, to the default."""
    page.goto(address(explored, **(filters or {"kind": "fell"})))


def test_it_opens_with_what_fell_under_any_set_for_the_first_model(page: Any, cases: tuple[Case, ...]) -> None:
    expected = [case for case in cases if case.fell.get(FIRST)]
    mentions = sum(len(case.fell[FIRST]) for case in expected)
    assert count(page) == f"{len(expected):,} of {ALL:,} cases · {mentions:,} mentions"
    assert rows(page) == order(expected)
    assert page.evaluate("location.hash") == ""
    assert page.locator("#x-case h3").inner_text() == " · ".join(order(expected)[0])


def test_each_filter_gives_the_cases_that_python_gives(page: Any, explored: Path, cases: tuple[Case, ...]) -> None:
    second, (swap, _, para), label = NAMES.models[1], NAMES.sets, NAMES.labels[1]
    flips = [case for case in cases if case.fell.get(FIRST)]
    labelled, _ = with_mention(cases, lambda gold, before, after: fell(gold, before, after) and gold == label)
    expected: dict[tuple[tuple[str, str], ...], list[Case]] = {
        (("kind", "all"),): list(cases),
        (("kind", "rose"),): [case for case in cases if case.rose.get(FIRST)],
        (("kind", "spurious"),): [case for case in cases if case.spurious.get(FIRST)],
        **{
            (("kind", kind),): [c for c in cases if any(now == kind for _, now in c.outcomes.get(FIRST, ()))]
            for kind in ("type", "boundary", "missed")
        },
        (("set", swap),): [case for case in flips if case.set == swap],
        (("model", second),): [case for case in cases if case.fell.get(second)],
        (("label", label),): labelled,
        (("group", "domain"), ("value", "news")): flips,
        (("group", "domain"), ("value", "sport")): [],
        (("kind", "all"), ("set", para)): [case for case in cases if case.set == para],
        (("set", swap), ("label", label)): [case for case in labelled if case.set == swap],
        (("kind", "missed"), ("model", second)): [
            case for case in cases if any(now == "missed" for _, now in case.outcomes.get(second, ()))
        ],
    }
    for filters, found in expected.items():
        go(page, explored, **dict(filters))
        assert count(page).split(" of ")[0] == f"{len(found):,}", filters
        assert rows(page) == order(found), filters
    assert len({len(found) for found in expected.values()}) > 10


def test_a_count_of_mentions_stands_beside_that_of_cases(page: Any, explored: Path, cases: tuple[Case, ...]) -> None:
    label = NAMES.labels[0]
    go(page, explored, kind="all", was="wrong", now="missed", label=label, set=NAMES.sets[0])
    here = [case for case in cases if case.set == NAMES.sets[0]]
    wanted = ("type", "boundary", "missed")
    found, mentions = with_mention(here, lambda gold, was, now: gold == label and was in wanted and now == "missed")
    assert count(page) == f"{len(found)} of {ALL:,} cases · {mentions} mention{'' if mentions == 1 else 's'}"
    go(page, explored, kind="all", label=label, set=NAMES.sets[2])
    found = [case for case in cases if case.set == NAMES.sets[2] and any(s.label == label for s in case.original_spans)]
    assert count(page).split(" of ")[0] == str(len(found))


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("blunder", "one word"),
        ("lunde", "a part of a word"),
        ("New York", "two words side by side"),
        ("दिल्ली", "Devanagari"),
        ("NEW YORK", "a text of the attacked side only, and case is folded"),
        ("Hydirebed", "an inserted word"),
        ("s00042", "an id"),
        ("nowhere to be found", "nothing"),
    ],
)
def test_search_finds_what_python_finds(
    page: Any, explored: Path, cases: tuple[Case, ...], query: str, wanted: str
) -> None:
    words = query.lower()
    found = [
        case
        for case in cases
        if words in " ".join(case.original).lower() or words in " ".join(case.attacked).lower() or case.parent == query
    ]
    assert bool(found) == (wanted != "nothing"), wanted
    go(page, explored, kind="all", q=query)
    assert rows(page) == order(found)


ROWS_AT = """
async (list, share) => {
  list.scrollTop = share * list.scrollHeight;
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  return [...list.querySelectorAll('[role=option]')].map(row => [row.offsetTop, row.offsetHeight,
    row.getAttribute('aria-posinset'), row.getAttribute('aria-setsize')]);
}
"""


def test_rows_are_few_wherever_the_list_stands_and_say_their_place(page: Any, explored: Path) -> None:
    page.set_viewport_size({"width": 1280, "height": 3000})
    go(page, explored, kind="all")
    listbox = page.locator("#x-list")
    assert listbox.evaluate("list => list.clientHeight") > 1400
    for share in (0, 0.013, 0.5, 0.77, 1):
        shown = listbox.evaluate(ROWS_AT, share)
        assert 20 <= len(shown) <= 40
        for top, height, place, size in shown:
            assert (top, height, size) == (72 * (int(place) - 1), 72, str(ALL))
    listbox.focus()
    page.keyboard.press("End")
    assert page.locator(".x-place").inner_text() == f"case {ALL:,} of {ALL:,}"
    selected = page.locator("[aria-selected=true]")
    assert selected.get_attribute("aria-posinset") == str(ALL)
    assert listbox.get_attribute("aria-activedescendant") == selected.get_attribute("id")
    assert selected.evaluate(
        "row => row.getBoundingClientRect().bottom <= row.parentElement.parentElement.getBoundingClientRect().bottom"
    )


def test_a_link_opens_its_case_under_its_filters(page: Any, explored: Path, cases: tuple[Case, ...]) -> None:
    swap, model = NAMES.sets[1], NAMES.models[1]
    fallen = [case for case in cases if case.set == swap and case.fell.get(model)]
    wanted = fallen[len(fallen) // 2]
    go(page, explored, set=swap, model=model, id=wanted.parent, unknown="kept")
    assert page.locator("#x-case h3").inner_text() == f"{wanted.parent} · {swap}"
    assert page.locator("[aria-selected=true] b").inner_text() == wanted.parent
    assert page.locator("#x-model").input_value() == model and page.locator("#x-set").input_value() == swap
    page.keyboard.press("j")
    following = order(fallen)[order(fallen).index((wanted.parent, swap)) + 1]
    assert page.locator("#x-case h3").inner_text() == " · ".join(following)
    params = dict(page.evaluate("[...new URLSearchParams(location.hash.slice(1))]"))
    assert params == {"set": swap, "model": model, "id": following[0], "unknown": "kept"}
    page.reload()
    page.wait_for_selector(READY)
    assert page.locator("#x-case h3").inner_text() == " · ".join(following)


def test_names_survive_the_way_through_the_address(page: Any, explored: Path, cases: tuple[Case, ...]) -> None:
    for model, name in ((NAMES.models[1], NAMES.sets[1]), (NAMES.models[1], NAMES.sets[2]), (FIRST, NAMES.sets[0])):
        page.locator("#x-model").select_option(model)
        page.locator("#x-set").select_option(name)
        page.locator("#x-label").select_option(NAMES.labels[1])
        page.locator("#x-next").click()
        shown, link = (page.locator("#x-case h3").inner_text(), count(page)), page.url
        go(page, explored)
        assert (page.locator("#x-case h3").inner_text(), count(page)) != shown
        page.goto(link)
        assert (page.locator("#x-case h3").inner_text(), count(page)) == shown
        go(page, explored, set=name, model=model, label=NAMES.labels[1], id=shown[0].split(" · ")[0])
        assert (page.locator("#x-case h3").inner_text(), count(page)) == shown


def test_back_returns_to_the_state_before(page: Any, explored: Path) -> None:
    go(page, explored, kind="all", set=NAMES.sets[0])
    before = count(page)
    go(page, explored, kind="missed")
    assert count(page) != before
    page.go_back()

    page.locator("#x-count", has_text=before).wait_for()
    assert page.locator("#x-set").input_value() == NAMES.sets[0]


def test_links_that_lead_nowhere_say_so(page: Any, explored: Path, cases: tuple[Case, ...]) -> None:
    notice = page.locator("#x-notice")
    go(page, explored, kind="fell", id="s99999")
    assert notice.inner_text() == f"No sentence s99999 in this report ({SIZE} sentences)."
    hidden = next(case for case in cases if case.set == NAMES.sets[0] and not case.fell.get(FIRST))
    go(page, explored, set=NAMES.sets[0], id=hidden.parent)
    words = f"Sentence {hidden.parent} does not match the filters of this link. Reset filters to see it."
    assert " ".join(notice.inner_text().split()) == words
    notice.get_by_role("button").click()
    assert page.locator("#x-case h3").inner_text().startswith(hidden.parent)
    assert count(page) == f"{ALL:,} of {ALL:,} cases"
    go(page, explored, set="gone")
    assert notice.inner_text() == "No set gone in this report."


def test_where_nothing_matches_it_says_what_to_do(page: Any, explored: Path) -> None:
    go(page, explored, set=NAMES.sets[0], q="nowhere")
    empty = page.locator("#x-empty")
    assert empty.locator("p").first.inner_text() == "No case matches. Remove a filter, or press Reset."
    assert "Alone, these would still match something: fell, swap+mask." in empty.inner_text()
    assert not page.locator("#x-list").is_visible()
    empty.get_by_role("button", name="Reset").click()
    assert page.locator("#x-list").is_visible() and int(count(page).split()[0]) > 50
    assert page.locator(".x-chip").all_inner_texts() == ["fell ✕"]


def test_filters_in_use_stand_above_the_list_and_go_one_by_one(page: Any, explored: Path) -> None:
    go(page, explored, set=NAMES.sets[0], label="PER", q="the")
    chips = page.locator(".x-chip")
    assert chips.all_inner_texts() == ["fell ✕", "swap+mask ✕", "PER ✕", "“the” ✕"]
    for left in (3, 2, 1, 0):
        chips.last.click()
        assert chips.count() == left
    assert count(page) == f"{ALL:,} of {ALL:,} cases"
    page.keyboard.press("/")
    page.keyboard.type("Syria")
    page.locator(".x-chip", has_text="Syria").wait_for()
    assert page.locator("#x-q").evaluate("field => field === document.activeElement"), "typing goes on"


FOLLOWED = """
async places => {
  const links = document.querySelectorAll("main td a[href*='model=']"), found = [];
  for (const place of places) {
    const link = links[place], moved = new Promise(done => addEventListener('hashchange', done, {once: true}));
    location.hash = '#at=none';
    await moved;
    const again = new Promise(done => addEventListener('hashchange', done, {once: true}));
    link.click();
    await again;
    const empty = document.getElementById('x-list').hidden;
    found.push([link.getAttribute('href'), link.textContent, link.closest('td').title, link.closest('td').textContent,
      document.getElementById('x-count').textContent, document.getElementById('x-notice').textContent, empty]);
  }
  return found;
}
"""
COUNTED = re.compile(r" · ([\d,]+) mentions?$")


def test_numbers_of_tables_open_exactly_the_mentions_that_they_count(report: Path, opened: Open) -> None:
    made = opened(report)
    made.page.wait_for_selector(READY)
    total = made.page.locator("main td a[href*='model=']").count()
    assert total > 300
    for table in ("labels", "strict-exact", "errors", "kinds", "confusion-difference", "flips", "combinations-fell"):
        assert made.page.locator(f"table.{table} td a").count() > 3, table
    places = random.Random(13).sample(range(total), 40)
    for href, shown, title, cell, words, notice, empty in made.page.evaluate(FOLLOWED, places):
        mentions = COUNTED.search(words)
        assert mentions and not notice and not empty, (href, words, notice)
        counted = int(mentions[1].replace(",", ""))
        assert counted > 0
        texts = [shown, title, cell] if title else [shown, cell]
        numbers = {float(found) for text in texts for found in re.findall(r"\d+(?:\.\d+)?", text.replace(",", ""))}
        if "d=" in href and counted not in numbers:
            numbers |= {math.ceil(number) for number in numbers if number % 1}  # a row may hold parts of mentions
        assert counted in numbers, (href, texts, words)
    assert made.said == []
