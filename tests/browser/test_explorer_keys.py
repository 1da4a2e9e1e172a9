"""The explorer without a pointer, under a finger, for every eye, and with names that want to leave their place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.browser.audits import RENAMED
from tests.browser.explored import NAMES, SIZE, address, count, explored_result, write_page
from tests.browser.opened import READY, Opened
from tests.browser.test_layout import SMALL

Open = Callable[..., Opened]
FOCUS = """() => {
  const element = document.activeElement, style = getComputedStyle(element), box = element.getBoundingClientRect();
  return [element.id || element.textContent.trim(), style.outlineStyle, box.bottom > 0 && box.top < innerHeight];
}"""
ACTIVE = "document.activeElement.id"


@pytest.fixture(scope="module")
def explored(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(explored_result(), tmp_path_factory.mktemp("explored"))


def ready(opened: Open, path: Path | str, **options: Any) -> Any:
    page = opened(path, **options).page
    page.wait_for_selector(READY)
    return page


def title(page: Any) -> str:
    return str(page.locator("#x-case h3").inner_text())


def test_from_the_start_to_a_copied_link_without_a_pointer(explored: Path, opened: Open) -> None:
    page = ready(opened, explored, permissions=["clipboard-read", "clipboard-write"])
    keys = page.keyboard
    keys.press("/")
    assert page.evaluate(FOCUS) == ["x-q", "solid", True]
    keys.type("Syria jk[]?")
    for _ in range(6):
        keys.press("Backspace")
    page.locator(".x-chip", has_text="“Syria”").wait_for()
    assert page.locator("#x-q").input_value() == "Syria" and not page.locator("#x-help").is_visible()
    keys.press("Escape")
    assert page.evaluate(FOCUS)[:2] == ["x-list", "solid"]
    first = title(page)
    for key, following in (
        ("j", "case 2 of"),
        ("ArrowDown", "case 3 of"),
        ("k", "case 2 of"),
        ("PageDown", "case 12 of"),
    ):
        keys.press(key)
        assert page.locator(".x-place").inner_text().startswith(following), key
    keys.press("Home")
    assert title(page) == first
    keys.press("n")
    second = title(page)
    assert second.split(" · ")[0] != first.split(" · ")[0]
    keys.press("p")
    assert title(page).split(" · ")[0] == first.split(" · ")[0]
    keys.press("n")
    keys.press("Enter")
    assert page.evaluate(FOCUS) == ["x-case", "solid", True]
    keys.press("c")
    page.locator("#x-toast", has_text="Link copied.").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url and "q=Syria" in link
    again = ready(opened, link)
    assert (title(again), count(again)) == (title(page), count(page))


def test_the_same_sentence_under_the_next_set(explored: Path, opened: Open) -> None:
    page = ready(opened, address(explored, kind="all"))
    assert title(page) == f"s00000 · {NAMES.sets[0]}"
    page.keyboard.press("]")
    assert title(page) == f"s00000 · {NAMES.sets[1]}"
    page.goto(address(explored, kind="all", q="s00003", set=NAMES.sets[0]))
    page.keyboard.press("]")
    assert title(page) == f"s00003 · {NAMES.sets[1]}"
    assert page.locator("#x-set").input_value() == NAMES.sets[1]
    page.keyboard.press("[")
    page.keyboard.press("[")
    assert page.locator("#x-toast").inner_text() == "No other set on this side."
    page.goto(address(explored, set=NAMES.sets[0]))
    name = title(page).split(" · ")[0]
    page.keyboard.press("]")
    assert title(page) == f"{name} · {NAMES.sets[1]}"


def test_focus_is_seen_wherever_it_goes(explored: Path, opened: Open) -> None:
    page = ready(opened, explored)
    page.evaluate("document.querySelectorAll('main > section:not(#sentences)').forEach(section => section.remove())")
    found = []
    for _ in range(40):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        if focus[0].startswith("To the verdict") or focus[0] == "":
            continue
        assert focus[1] != "none" and focus[2], focus
        found.append(focus[0])
    wanted = {
        "theme",
        "help",
        "x-q",
        "x-set",
        "x-model",
        "x-kind",
        "x-label",
        "x-list",
        "x-layer-0",
        "x-stack",
        "x-copy",
    }
    assert wanted <= set(found)


def test_letters_can_be_switched_off_and_stay_off(explored: Path, opened: Open) -> None:
    page = ready(opened, explored)
    page.keyboard.press("?")
    help_box = page.locator("#x-help")
    assert help_box.is_visible() and help_box.locator("tr").count() == 13
    page.keyboard.press("j")
    assert page.locator(".x-place").inner_text().startswith("case 1 of"), "keys rest while help is open"
    page.locator("#x-letters").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    assert not help_box.is_visible()
    page.reload()
    page.wait_for_selector(READY)
    page.locator("#x-list").focus()
    for key in ("j", "]", "2", "?", "/"):
        page.keyboard.press(key)
    assert page.locator(".x-place").inner_text().startswith("case 1 of") and not help_box.is_visible()
    assert page.evaluate(ACTIVE) == "x-list"
    page.keyboard.press("ArrowDown")
    assert page.locator(".x-place").inner_text().startswith("case 2 of")
    page.locator("#help").click()
    assert help_box.is_visible()


def test_finding_in_the_page_is_left_alone_with_a_hint(explored: Path, opened: Open) -> None:
    page = ready(opened, explored)
    page.keyboard.press("Control+f")
    words = f"The browser finds only what is on screen. / searches all {SIZE} sentences."
    assert page.locator("#x-toast").inner_text() == words
    page.locator("#x-toast").wait_for(state="hidden", timeout=5000)


def test_keys_choose_theme_and_filter(explored: Path, opened: Open) -> None:
    page = ready(opened, explored)
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.keyboard.press("f")
    assert page.evaluate(ACTIVE) == "x-set"
    page.keyboard.press("t")
    assert page.evaluate("document.documentElement.dataset.theme") == "light", "dead in a field"


def test_a_phone_shows_the_list_then_the_case(explored: Path, opened: Open) -> None:
    page = ready(opened, explored, viewport={"width": 320, "height": 700}, has_touch=True, is_mobile=True)
    assert not page.locator("#x-case").is_visible() and not page.locator("#x-form").is_visible()
    page.locator(".x-filters > summary").tap()
    assert page.locator(".x-filters > summary").inner_text() == "Filters (1)"
    page.locator("#x-list").scroll_into_view_if_needed()
    assert page.evaluate(SMALL) == []
    page.locator(".x-row").nth(1).tap()
    box = page.locator("#x-case").bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 320, 700)
    assert page.locator(".x-stacked").is_visible() and page.locator("nav").evaluate("bar => bar.inert")
    assert page.evaluate(SMALL) == []
    page.locator("#x-stack").tap()
    assert page.evaluate("document.querySelector('#x-case').scrollWidth") <= 320
    page.locator("#x-back").tap()
    assert not page.locator("#x-case").is_visible() and page.evaluate(ACTIVE) == "x-list"
    page.keyboard.press("Enter")
    assert page.locator("#x-case").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#x-case").is_visible()


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_of_it_is_wider_than_the_window(explored: Path, hostile: Path, opened: Open, width: int) -> None:
    for folder in (explored, hostile):
        page = ready(opened, address(folder, kind="all", id=""), viewport={"width": width, "height": 800})
        page.locator("#x-filters").evaluate("box => { box.open = true }")
        if width <= 640:
            page.locator(".x-row").first.click()
        for _ in range(3):
            page.keyboard.press("j")
            page.keyboard.press("a")
            page.keyboard.press("1")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate("(box => box.scrollWidth - box.clientWidth)(document.getElementById('x-case'))") <= 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_violation_with_list_and_case_open(explored: Path, opened: Open, theme: str) -> None:
    made = opened(explored, color_scheme=theme)
    page = made.page
    page.wait_for_selector(READY)
    page.evaluate("document.querySelectorAll('main > section:not(#sentences)').forEach(section => section.remove())")
    for state in ("2", "a", "?"):
        page.keyboard.press(state)
        assert made.accessibility("page-has-heading-one", "skip-link") == [], state


def test_hostile_names_stay_text_in_list_and_case(hostile: Path, report: Path, opened: Open) -> None:
    tags = "[...new Set([...document.querySelectorAll('*')].map(element => element.localName))].sort()"
    made, plain = opened(hostile), opened(report)
    for one in (made, plain):
        one.page.wait_for_selector(READY)
        one.page.goto(one.page.url.split("#")[0] + "#kind=all")
    allowed = {*plain.page.evaluate(tags), "del", "ins", "u", "optgroup"}
    page = made.page
    for key in ("1", "j", "2", "j", "a", "j", "]", "0", "n"):
        page.keyboard.press(key)
        assert set(page.evaluate(tags)) <= allowed
    for index in range(page.locator("#x-set option").count()):
        page.locator("#x-set").select_option(index=index)
    text = page.locator("#explorer").evaluate("box => box.textContent")
    for name in (name for name in RENAMED.values() if name.isprintable() and "onerror=window.pwned=4" not in name):
        assert name in text, name
    assert "x‹U+202E›y</style>" in text
    assert page.evaluate("window.pwned") is None
    assert made.dialogs == [] and made.said == []
    assert {address.split("#")[0] for address in made.asked} == {(hostile / "report.html").as_uri()}
