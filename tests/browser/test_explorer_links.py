"""The address of the explorer, and keys where there is little to act on: nothing open, nothing found, old browsers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from tests.browser.explored import NAMES, address, count, explored_result, write_page
from tests.browser.odd_cases import OTHER_TEXTS, result_of
from tests.browser.opened import READY, Opened

Open = Callable[..., Opened]
ACTIVE = "document.activeElement.id"
CLIPBOARD = ["clipboard-read", "clipboard-write"]


@pytest.fixture(scope="module")
def explored(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(explored_result(), tmp_path_factory.mktemp("explored"))


def title(page: Any) -> str:
    return str(page.locator("#x-case h3").inner_text())


def hash_of(page: Any) -> dict[str, str]:
    """The state in the address."""
    return dict(parse_qsl(page.evaluate("location.hash.slice(1)"), keep_blank_values=True))


def copied(page: Any) -> str:
    """The link after the key `c`."""
    page.keyboard.press("c")
    page.locator("#x-toast", has_text="Link copied.").wait_for()
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_a_link_copied_at_the_start_names_the_open_case(load: Any, explored: Path) -> None:
    page = load(explored, permissions=CLIPBOARD)
    first = title(page)
    link = copied(page)
    assert page.evaluate("location.hash") == "", "who only looks leaves no mark"
    assert dict(parse_qsl(link.split("#")[1])) == dict(zip(("id", "at"), first.split(" · "), strict=True))
    page.goto(address(explored, set=NAMES.sets[1], mine="kept"))
    page.locator(".x-chip", has_text=NAMES.sets[1]).wait_for()
    opened_id = title(page).split(" · ")[0]
    assert dict(parse_qsl(copied(page).split("#")[1])) == {"set": NAMES.sets[1], "mine": "kept", "id": opened_id}


def test_filters_that_leave_nothing_stand_in_the_address_too(load: Any, explored: Path) -> None:
    page = load(explored, permissions=CLIPBOARD)
    page.keyboard.press("j")
    page.keyboard.press("/")
    page.keyboard.type("nowhere")
    page.locator("#x-empty").wait_for()
    assert hash_of(page) == {"q": "nowhere"}
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.textContent") == "Reset", "where no list is, the way out"
    assert copied(page) == page.url
    page.reload()
    page.wait_for_selector(READY)
    assert page.locator("#x-empty").is_visible() and page.locator("#x-notice").inner_text() == ""


def test_keys_do_no_harm_where_no_case_is_open(load: Any, explored: Path) -> None:
    keys = ("1", "0", "a", "n", "p", "j", "k", "[", "]", "PageDown", "End", "Escape")
    page = load(address(explored, kind="all", q="nowhere"))
    for key in keys:
        page.keyboard.press(key)
        assert page.locator("#x-empty").is_visible(), key
    hidden = next(case for case in explored_result().cases if case.set == NAMES.sets[0] and not any(case.fell.values()))
    for key in keys:
        page.goto(address(explored, set=NAMES.sets[0], id=hidden.parent, try_=key))
        page.locator("#x-notice", has_text="does not match the filters of this link").wait_for()
        page.keyboard.press(key)
    page.keyboard.press("j")
    assert page.locator(".x-place").inner_text().startswith("case ")


def test_back_to_the_page_without_a_link_shows_it_as_it_was(load: Any, explored: Path) -> None:
    page = load(explored)
    before = (count(page), title(page))
    link = page.locator("main td a[href*='=']").first
    link.evaluate("link => link.click()")
    page.wait_for_url("**#**")
    assert (count(page), title(page)) != before
    page.go_back()
    page.locator("#x-count", has_text=before[0]).wait_for()
    assert title(page) == before[1] and page.locator(".x-chip").all_inner_texts() == ["fell ✕"]
    page.evaluate("location.hash = 'scores'")
    assert count(page) == before[0], "a section is no state"


def test_a_key_right_behind_a_link_acts_on_what_the_link_opens(load: Any, explored: Path) -> None:
    page = load(explored)
    for number in range(20):
        page.evaluate(
            "link => { location.hash = link; window.dispatchEvent(new KeyboardEvent('keydown', { key: ']' })) }",
            address(explored, kind="all", q=f"s{number:05d}", set=NAMES.sets[0]).split("#")[1],
        )
        assert title(page) == f"s{number:05d} · {NAMES.sets[1]}"


LIMITED = """
const replace = history.replaceState;
let left = 100;
history.replaceState = function (...given) {
  left -= 1;
  if (left < 0) throw new DOMException('too often', 'SecurityError');
  return replace.apply(this, given);
};
"""
"""As Safari does within 30 seconds."""


def test_many_keys_in_a_row_end_in_the_right_address(opened: Open, explored: Path) -> None:
    made = opened(explored)
    page = made.page
    page.add_init_script(LIMITED)
    page.goto(address(explored, kind="all"))
    page.reload()
    page.wait_for_selector(READY)
    page.evaluate("for (let k = 0; k < 400; k += 1) window.dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }))")
    assert page.locator(".x-place").inner_text().startswith("case 401 of")
    name, chosen = title(page).split(" · ")
    page.wait_for_url(f"**id={name}&**")
    assert hash_of(page) == {"kind": "all", "id": name, "at": chosen}
    assert made.said == []


def test_the_next_sentence_is_shown_under_the_same_set(load: Any, explored: Path) -> None:
    page = load(address(explored, kind="all", id="s00010", at=NAMES.sets[1]))
    for key, following in (("n", "s00011"), ("n", "s00012"), ("p", "s00011"), ("p", "s00010"), ("p", "s00009")):
        page.keyboard.press(key)
        assert title(page) == f"{following} · {NAMES.sets[1]}"


def test_who_reads_the_case_stays_in_it(load: Any, explored: Path) -> None:
    page = load(address(explored, kind="all"))
    page.locator("#x-next").focus()
    page.keyboard.press("Enter")
    assert page.locator(".x-place").inner_text().startswith("case 2 of") and page.evaluate(ACTIVE) == "x-next"
    page.locator("#x-case .scroll").focus()
    page.keyboard.press("1")
    assert page.evaluate(ACTIVE) == "x-case", "what had the focus is made anew"
    page.keyboard.press("j")
    assert page.locator(".x-place").inner_text().startswith("case 3 of") and page.evaluate(ACTIVE) == "x-case"
    page.keyboard.press("Escape")
    assert page.evaluate(ACTIVE) == "x-list"


def test_the_key_that_opens_the_help_closes_it(load: Any, explored: Path) -> None:
    page = load(explored)
    for shown in (True, False, True):
        page.keyboard.press("?")
        assert page.locator("#x-help").is_visible() == shown
    page.keyboard.press("j")
    assert page.locator(".x-place").inner_text().startswith("case 1 of")


def test_enter_searches_at_once(load: Any, explored: Path) -> None:
    page = load(explored)
    page.locator("#x-q").fill("Syria")
    page.keyboard.press("Enter")
    assert page.locator(".x-chip").last.inner_text() == "“Syria” ✕"
    page.locator("#x-q").fill("   ")
    page.keyboard.press("Enter")
    assert page.locator(".x-chip").all_inner_texts() == ["fell ✕"]


def test_a_link_fills_the_field_that_has_the_focus(load: Any, explored: Path) -> None:
    page = load(explored)
    page.locator("#x-q").fill("Syr")
    page.evaluate("location.hash = 'kind=all&q=Bonn'")
    page.locator(".x-chip", has_text="Bonn").wait_for()
    page.wait_for_timeout(300)
    assert page.locator("#x-q").input_value() == "Bonn"
    assert page.locator(".x-chip").all_inner_texts() == ["“Bonn” ✕"], "what was half typed comes too late"


def test_another_model_than_the_first_is_a_filter_in_words(load: Any, explored: Path) -> None:
    page = load(address(explored, model=NAMES.models[1]))
    assert page.locator(".x-chip").all_inner_texts() == ["fell ✕", f"{NAMES.models[1]} ✕"]
    page.locator(".x-chip").last.click()
    assert page.locator("#x-model").input_value() == NAMES.models[0]
    page.goto(address(explored, model=NAMES.models[1], q="nowhere", set=NAMES.sets[0]))
    page.locator("#x-empty").wait_for()
    assert "Alone, these would still match something: fell, swap+mask." in page.locator("#x-empty").inner_text()


def test_what_alone_would_match_is_asked_of_the_same_text(load: Any, tmp_path: Path) -> None:
    folder = write_page(result_of(OTHER_TEXTS, NAMES.models[:1]), tmp_path)
    page = load(address(folder, kind="all", met="missed", q="nowhere"))
    words = "Alone, these would still match something: missed in the attacked text."
    assert words in page.locator("#x-empty").inner_text()
    page.goto(address(folder, kind="all", text="original", met="missed", q="nowhere"))
    page.locator(".x-chip", has_text="missed in the original text").wait_for()
    assert "Alone" not in page.locator("#x-empty").inner_text(), "every mention was right before"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_a_phone_covers_cannot_be_reached(load: Any, explored: Path, theme: str) -> None:
    options = {"viewport": {"width": 390, "height": 700}, "has_touch": True, "is_mobile": True}
    page = load(address(explored, set=NAMES.sets[0]), color_scheme=theme, **options)
    page.locator(".x-row").first.tap()
    for _ in range(30):
        page.keyboard.press("Tab")
        outside = page.evaluate(
            "document.activeElement !== document.body && !document.activeElement.closest('#x-case')"
        )
        assert not outside, page.evaluate("document.activeElement.outerHTML.slice(0, 100)")
    page.locator("#x-back").tap()
    page.locator(".x-chip").last.tap()
    assert page.locator(".x-chip").count() == 1


OVERLAPPING = """
[...document.querySelectorAll("#x-form > label")].filter(label =>
  label.offsetWidth < label.lastElementChild.offsetWidth).map(label => label.textContent)
"""


def test_filters_stand_beside_each_other_at_any_width(load: Any, tmp_path: Path) -> None:
    page = load(write_page(result_of(OTHER_TEXTS, ("spacy_en_core_web_sm_of_a_long_name",)), tmp_path))
    for width in range(641, 900, 4):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(OVERLAPPING) == [], width


OLDEST = """
for (const name of ["replaceChildren"]) { delete Element.prototype[name]; delete Document.prototype[name]; }
delete Uint8Array.fromBase64; delete String.prototype.replaceAll; delete Array.prototype.at; delete Object.hasOwn;
delete Intl.Segmenter; delete Array.prototype.findLast; delete String.prototype.at;
"""
"""What browsers of the oldest promised versions do not have."""


def test_the_oldest_browsers_that_are_promised_can_run_it(opened: Open, explored: Path) -> None:
    made = opened(explored)
    page = made.page
    page.add_init_script(OLDEST)
    page.goto(address(explored, kind="all", set=NAMES.sets[1], id="s00004"))
    page.reload()
    page.wait_for_selector(READY)
    assert page.evaluate("'replaceChildren' in document.body") is False
    assert title(page) == f"s00004 · {NAMES.sets[1]}"
    for key in ("a", "2", "j", "]", "?"):
        page.keyboard.press(key)
    assert page.locator("#x-help").is_visible()
    assert made.said == []


def test_brackets_that_take_another_key_to_write_are_keys_too(load: Any, explored: Path) -> None:
    page = load(address(explored, kind="all", id="s00010", at=NAMES.sets[0]))
    press = "held => window.dispatchEvent(new KeyboardEvent('keydown', { key: ']', ...held }))"
    for number, held in enumerate(({"modifierAltGraph": True, "ctrlKey": True, "altKey": True}, {"altKey": True})):
        page.evaluate(press, held)
        assert title(page) == f"s00010 · {NAMES.sets[number + 1]}"
    page.evaluate(press.replace("']'", "'k'"), {"altKey": True})
    page.evaluate(press.replace("']'", "'k'"), {"ctrlKey": True})
    assert title(page) == f"s00010 · {NAMES.sets[2]}", "shortcuts of the browser are left alone"


def test_going_back_on_a_phone_closes_the_case(load: Any, explored: Path) -> None:
    page = load(explored, viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True)
    page.goto(address(explored, set=NAMES.sets[0]))
    page.locator(".x-chip", has_text=NAMES.sets[0]).wait_for()
    page.locator(".x-row").first.tap()
    assert page.locator("#x-case").is_visible()
    page.go_back()
    page.locator("#x-case").wait_for(state="hidden")
    assert page.locator(".x-chip").all_inner_texts() == ["fell ✕"] and page.evaluate(ACTIVE) == "x-list"


def test_sentences_are_filtered_by_what_the_attack_did_to_them(load: Any, explored: Path) -> None:
    page = load(explored)
    found = Counter(case.status for case in explored_result().cases if case.set == NAMES.sets[2])
    assert len(found) == 4
    for status, number in found.items():
        page.goto(address(explored, kind="all", set=NAMES.sets[2], status=status))
        page.locator(".x-chip", has_text=f"sentences: {status.replace('-', ' ')}").wait_for()
        assert count(page).split(" of ")[0] == f"{number}"
    page.locator(".x-chip").last.click()
    assert count(page).split(" of ")[0] == f"{sum(found.values())}"
