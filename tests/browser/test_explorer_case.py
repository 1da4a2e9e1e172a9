"""The open case: what it shows of texts, mentions and models, in every script, theme and on paper."""

from __future__ import annotations

import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from tests.browser import odd_cases as odd
from tests.browser.colours import contrast
from tests.browser.explored import NAMES, address, explored_result, write_page
from tests.browser.odd_cases import odd_result, unchanged_result
from tests.browser.opened import READY, Opened
from tests.browser.test_colours import rgb

from nerquake.report.sentences import show_case

Open = Callable[..., Opened]
SHOWN = """
async links => {
  const found = [];
  for (const link of links) {
    const moved = new Promise(done => addEventListener('hashchange', done, {once: true}));
    location.hash = link;
    await moved;
    const words = element => element.textContent.split(/\\s+/).filter(word => word).join(' ');
    const texts = ['original', 'attacked'].map(side =>
      [...document.querySelectorAll(`.x-${side} .x-cell:not(.x-none) .x-word`)].map(cell => cell.textContent));
    const rows = [...document.querySelectorAll('#x-case tbody tr')].map(row => [...row.children].map(words));
    found.push([document.querySelector('#x-case h3').textContent, ...texts, rows]);
  }
  return found;
}
"""


@pytest.fixture(scope="module")
def folder(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(odd_result(), tmp_path_factory.mktemp("odd"))


@pytest.fixture
def page(folder: Path, opened: Open) -> Any:
    made = opened(folder)
    made.page.wait_for_selector(READY)
    yield made.page
    assert made.said == []


def show(page: Any, folder: Path, name: str) -> Any:
    page.goto(address(folder, kind="all", id=name))
    assert page.locator("#x-case h3").inner_text() == f"{name} · {odd.SET}"
    return page.locator("#x-case")


def side(case: Any, name: str) -> list[str]:
    return [line.inner_text().replace("\n", " ") for line in case.locator(f".x-{name} .x-word").all()]


def test_texts_and_mentions_are_those_of_python(browser: Any, opened: Open, tmp_path: Path) -> None:
    result = explored_result()
    cases = random.Random(13).sample([case for case in result.cases if case.status == "changed"], 150)
    made = opened(write_page(result, tmp_path))
    made.page.wait_for_selector(READY)
    made.page.keyboard.press("a")
    if made.page.locator(".x-stacked").count():
        made.page.keyboard.press("a")
    links = [address(tmp_path, kind="all", id=case.parent, at=case.set).split("#")[1] for case in cases]
    for case, (title, old, new, rows) in zip(cases, made.page.evaluate(SHOWN, links), strict=True):
        assert title == f"{case.parent} · {case.set}"
        assert (tuple(old), tuple(new)) == (case.original, case.attacked)
        expected = []
        for row in show_case(case, NAMES.models).mentions:
            if row.old or not row.new:
                text = row.new if row.old == row.new else f"{row.old} → {row.new}"
                answers = [f"{answer.before} → {answer.after}" for answer in row.answers]
            else:
                text = f"+ spurious in the attacked text: {row.new}"
                answers = [answer.after or "–" for answer in row.answers]
            expected.append([text, row.label, *answers])
        assert [[row[0].lstrip("①②③④ "), *row[1:]] for row in rows] == expected


def test_edits_stand_side_by_side_with_nothing_where_nothing_is(page: Any, folder: Path) -> None:
    case = show(page, folder, odd.INSERTED)
    assert side(case, "original") == ["Anna", "∅", "lives", "happily", "in", "Bonn", "."]
    assert side(case, "attacked") == ["Anna", "Lena", "now", "lives", "∅", "in", "New", "York", "."]
    blocks = case.locator(".x-changed")
    assert blocks.count() == 3
    assert blocks.last.locator(".x-original .x-label").all_inner_texts() == ["LOC"]
    strip = blocks.last.locator(".x-attacked .x-in")
    assert [cell.get_attribute("class").split()[-1] for cell in strip.all()] == ["x-first", "x-last"]
    assert strip.first.evaluate("cell => cell.nextElementSibling.getBoundingClientRect().left - cell.getBoundingClientRect().right") == 0  # fmt: skip  # noqa: E501
    for block in blocks.all():
        tops = [block.locator(f".x-{name}").bounding_box()["y"] for name in ("original", "attacked")]
        assert tops[0] < tops[1]


def test_characters_that_differ_are_underlined_whole(page: Any, folder: Path) -> None:
    case = show(page, folder, odd.TYPO)
    assert case.locator(".x-original .x-char").all_inner_texts() == ["a", "b"]
    assert case.locator(".x-attacked .x-char").all_inner_texts() == ["A", "B"]
    case = show(page, folder, odd.HINDI)
    assert case.locator(".x-original .x-char").all_inner_texts() == ["दा"]
    assert case.locator(".x-attacked .x-char").all_inner_texts() == ["दी"]
    assert not show(page, folder, odd.INSERTED).locator(".x-char").count()


def test_a_sentence_from_the_right_flows_from_the_right(page: Any, folder: Path) -> None:
    case = show(page, folder, odd.HEBREW)
    lefts = case.locator(".x-block").evaluate_all("blocks => blocks.map(block => block.getBoundingClientRect().left)")
    assert lefts == sorted(lefts, reverse=True)
    lefts = (
        show(page, folder, odd.TYPO)
        .locator(".x-block")
        .evaluate_all("blocks => blocks.map(block => block.getBoundingClientRect().left)")
    )
    assert lefts == sorted(lefts)


def test_what_cannot_be_seen_is_a_box_with_its_number(page: Any, folder: Path) -> None:
    case = show(page, folder, odd.HIDDEN)
    assert case.locator(".x-original .hidden-char").all_inner_texts() == ["U+200B", "U+00A0", "U+202E"]
    assert case.locator(".x-attacked .hidden-char").all_inner_texts() == ["U+00AD", "U+00A0", "U+202E"]


def test_a_rewritten_sentence_is_stacked_with_numbers(page: Any, folder: Path) -> None:
    case = show(page, folder, odd.REWRITTEN)
    old, new = case.locator(".x-stacked p").all()
    assert old.locator(".x-number").all_inner_texts() == ["① ", "② ", "③ "]
    assert new.locator(".x-number").all_inner_texts() == ["③ ", "① "]
    assert old.locator("del").all_inner_texts() == ["Anna", "met", "Ben", "in"]
    assert new.locator("ins").all_inner_texts() == ["In", ",", "Anna", "saw", "someone"]
    assert not case.locator("#x-stack").count()
    assert case.locator("tbody th").nth(1).inner_text() == "② Ben → ∅"
    assert "rewritten (by rules)" in case.locator(".x-facts").inner_text()


def test_a_sentence_of_which_little_is_left_starts_stacked(page: Any, folder: Path) -> None:
    case = show(page, folder, odd.INSERTED)
    assert case.locator(".x-aligned").count() == 1
    page.keyboard.press("a")
    assert case.locator(".x-stacked").count() == 1 and case.locator("ins").all_inner_texts() == ["Lena", "now", "New", "York"]  # fmt: skip  # noqa: E501
    case.locator("#x-stack").click()
    assert case.locator(".x-aligned").count() == 1
    assert page.evaluate("document.activeElement.id") == "x-stack", "the focus stays where it was"


def test_a_discarded_and_an_untouched_sentence_say_why(page: Any, folder: Path) -> None:
    case = show(page, folder, odd.DISCARDED)
    assert "discarded: a mention did not survive" in case.inner_text()
    assert case.locator("p").count() == 1 and not case.locator("table").count()
    case = show(page, folder, odd.UNCHANGED)
    assert "not applicable: no mention" in case.inner_text()
    assert "+ spurious in the attacked text: ." in " ".join(case.locator("tbody th").inner_text().split())


def test_a_layer_shows_what_a_model_found(page: Any, folder: Path) -> None:
    case = show(page, folder, odd.INSERTED)
    assert case.locator(".x-attacked .x-label").all_inner_texts() == ["PER", "LOC"]
    page.keyboard.press("2")
    labels = [" ".join(text.split()) for text in case.locator(".x-attacked .x-label").all_inner_texts()]
    assert labels == ["✓ PER", "◧ LOC", "+ ORG"]
    assert case.locator("[aria-pressed=true]").all_inner_texts() == [case.locator("thead th").last.inner_text()]
    page.keyboard.press("0")
    assert case.locator("[aria-pressed=true]").all_inner_texts() == ["Gold"]


def test_nothing_fell_widens_the_list_and_says_so(page: Any, folder: Path) -> None:
    assert page.locator("#x-notice").inner_text() == "No mention fell under any set. Shown: all changed sentences."
    page.goto(address(folder, set=odd.SET))
    assert page.locator("#x-notice").inner_text() == "No mention fell under this set. Shown: all changed sentences."
    assert page.locator("#x-count").inner_text() == "7 of 9 cases"


def test_a_set_that_changed_nothing_says_why(opened: Open, tmp_path: Path) -> None:
    page = opened(address(write_page(unchanged_result(), tmp_path), set=odd.SET)).page
    page.wait_for_selector(READY)
    notice = page.locator("#x-notice")
    assert notice.inner_text() == "swap changed no sentence: no other candidate (9 sentences)."
    assert page.locator("#x-count").inner_text() == "9 of 9 cases"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_muted_tokens_and_every_ground_can_be_read(folder: Path, opened: Open, theme: str) -> None:
    page = opened(folder, color_scheme=theme).page
    page.wait_for_selector(READY)
    case = show(page, folder, odd.INSERTED)
    paper = rgb(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    muted = case.locator(".x-block:not(.x-changed) .x-attacked .x-cell:not(.x-in) .x-word").first
    assert contrast(rgb(muted.evaluate("cell => getComputedStyle(cell).color")), paper) >= 4.5
    cell = case.locator(".x-in").first
    looks = set()
    for edge in ("solid", "dashed", "dotted"):
        for slot in range(1, 7):
            look = cell.evaluate(
                "(cell, look) => { cell.className = `x-cell x-in ${look} x-first x-last`;"
                " const s = getComputedStyle(cell); return [s.backgroundColor, s.borderTopStyle, s.color] }",
                f"g{slot} {edge}",
            )
            assert contrast(rgb(look[0]), rgb(look[2])) >= 4.5
            looks.add((look[0], look[1]))
    assert len(looks) == 18


def test_without_colours_a_mention_has_a_border(folder: Path, opened: Open) -> None:
    page = opened(folder, forced_colors="active").page
    page.wait_for_selector(READY)
    cell = show(page, folder, odd.TYPO).locator(".x-in").first
    ground, edge, text = cell.evaluate(
        "cell => { const s = getComputedStyle(cell); return [s.backgroundColor, s.borderTopColor, s.color] }"
    )
    assert edge == text != ground


def test_print_holds_the_open_case(page: Any, folder: Path) -> None:
    from pypdf import PdfReader

    show(page, folder, odd.TYPO)
    page.emulate_media(media="print")
    assert page.locator("#x-case").is_visible() and not page.locator("#x-list, #x-form, .x-tools").first.is_visible()
    text = "".join(part.extract_text() for part in PdfReader(BytesIO(page.pdf(format="A4"))).pages)
    assert "HyderABad" in "".join(text.split()) and "typo · swap" in " ".join(text.split())


def test_a_file_that_was_cut_short_says_so(folder: Path, opened: Open, tmp_path: Path) -> None:
    whole = (folder / "report.html").read_bytes()
    (tmp_path / "report.html").write_bytes(whole[: whole.index(b'id="data">') + 300])
    page = opened(tmp_path).page
    note = page.locator("#explorer-note", has_text="could not be read")
    note.wait_for()
    words = note.inner_text()
    assert words.startswith("The sentence data could not be read: ")
    assert words.endswith(f" The file may have been cut short; its size should be {len(whole):,} bytes.")
    assert not page.locator("#explorer").is_visible()


def test_an_old_browser_is_told_which_ones_can(folder: Path, opened: Open, tmp_path: Path) -> None:
    page = opened(folder).page
    page.add_init_script("delete window.DecompressionStream")
    page.reload()
    note = page.locator("#explorer-note")
    assert note.inner_text() == (
        "This browser is too old for the sentence explorer (needs Chrome 80, Firefox 113 or Safari 16.4). "
        "Everything above works."
    )


def test_without_scripts_a_few_cases_stand_there(opened: Open, tmp_path: Path) -> None:
    made = opened(write_page(explored_result(), tmp_path), java_script_enabled=False)
    made.unfold()
    section = made.page.locator("#sentences")
    assert "The explorer needs JavaScript. The figures above do not; the sentences are also in cases.jsonl" in (
        section.inner_text()
    )
    assert section.locator("details.cases").count() == 3
    assert section.locator("article:visible").count() == 30
