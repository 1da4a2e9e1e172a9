"""The explorer with texts and audits that are seldom: many models, joined audits, two directions, names of objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.browser.explored import address, count, rows, write_page
from tests.browser.odd_cases import DISCARDED, OTHER_TEXTS, SET, odd_result, result_of
from tests.browser.opened import READY, Opened
from tests.report.example import Names, example

from nerquake.core.edits import Edit
from nerquake.core.span import Span
from nerquake.report.join import join_results

Open = Callable[..., Opened]
MODELS = tuple(f"org/model-{number}" for number in range(12))
OBJECTS = Names(
    models=("swap", "constructor"),
    sets=("swap", "toString", "__proto__"),
    labels=("__proto__", "constructor", "toString", "hasOwnProperty"),
)
LEFTS = "cells => cells.map(cell => cell.getBoundingClientRect().left)"


@pytest.fixture(scope="module")
def folder(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(result_of(OTHER_TEXTS, MODELS), tmp_path_factory.mktemp("seldom"))


def show(page: Any, folder: Path, name: str) -> Any:
    page.goto(address(folder, kind="all", id=name))
    page.locator("#x-case h3", has_text=f"{name} · {SET}").wait_for()
    return page.locator("#x-case")


def test_a_gap_within_a_mention_does_not_break_its_strip(load: Any, folder: Path) -> None:
    page = load(folder)
    for name, side in (("inner", "original"), ("cut", "attacked")):
        strip = show(page, folder, name).locator(f".x-{side} .x-in")
        boxes = [cell.bounding_box() for cell in strip.all()]
        assert strip.locator(".x-word", has_text="∅").count() == 1
        for left, right in pairwise(boxes):
            assert left["x"] + left["width"] == pytest.approx(right["x"], abs=0.5)
            assert left["y"] + left["height"] == pytest.approx(right["y"] + right["height"], abs=0.2)


def test_edges_of_a_strip_are_level_and_rows_of_all_blocks_too(load: Any, folder: Path) -> None:
    case = show(load(folder), folder, "crowd")
    bottoms = "cells => cells.map(cell => cell.getBoundingClientRect()).map(box => [box.top, box.bottom])"
    assert case.locator(".x-attacked .x-in").count() == 450
    first_row = case.locator(".x-attacked .x-in").evaluate_all(bottoms)[:8]
    assert max(top for top, _ in first_row) - min(top for top, _ in first_row) < 0.2
    assert max(bottom for _, bottom in first_row) - min(bottom for _, bottom in first_row) < 0.2


def test_words_against_the_direction_of_the_sentence_keep_their_order(load: Any, folder: Path) -> None:
    page = load(folder)
    case = show(page, folder, "arabic")
    new, york = case.locator(".x-attacked .x-cell", has_text="New").or_(
        case.locator(".x-attacked .x-cell", has_text="York")
    ).evaluate_all(LEFTS)  # fmt: skip
    assert new < york
    assert case.locator(".x-facts li").last.inner_text() == "القاهرة → New York (from s7)"
    arrow = (
        "fact => { const range = document.createRange(), [old, , now] = fact.childNodes; const x = node => {"
        " range.selectNodeContents(node); return range.getBoundingClientRect().left }; return [x(old), x(now)] }"
    )
    old, now = case.locator(".x-facts li").last.evaluate(arrow)
    assert old < now, "the arrow points at what was put in"
    for view in ("aligned", "stacked"):
        if view == "stacked":
            page.keyboard.press("a")
        place = ".x-attacked" if view == "aligned" else ".x-stacked p:last-of-type"
        lefts = dict(
            case.locator(f"{place} .x-cell").evaluate_all(
                "cells => cells.map(cell => [cell.textContent.replace(/[^\\p{L}\\p{Nd}]|PER|LOC/gu, ''),"
                " cell.getBoundingClientRect().left])"
            )
        )
        assert lefts["زار"] > lefts["محمد"] > lefts["علي"] > lefts["New"], view
        assert lefts["New"] < lefts["York"] < lefts["مدينة"] and lefts["in"] < lefts["2020"] < lefts["أمس"], view
    case = show(page, folder, "latin")
    muhammad, ali = case.locator(".x-stacked p:first-of-type .x-in").evaluate_all(LEFTS)
    assert muhammad > ali


def test_a_change_of_case_alone_is_underlined_by_character(load: Any, folder: Path) -> None:
    case = show(load(folder), folder, "capitals")
    assert "".join(case.locator(".x-original .x-char").all_inner_texts()) == "traße"
    assert "".join(case.locator(".x-attacked .x-char").all_inner_texts()) == "TRASSE"


def test_a_long_label_does_not_tear_its_mention_apart(load: Any, folder: Path) -> None:
    cells = show(load(folder), folder, "initials").locator(".x-original .x-in")
    widths = cells.evaluate_all("cells => cells.map(cell => cell.getBoundingClientRect().width)")
    assert widths[0] < 1.5 * widths[1]
    label = cells.first.locator(".x-label")
    assert label.inner_text() == "ORGANIZATION"
    hit = "label => { const box = label.querySelector('bdi').getBoundingClientRect(); return label.contains(document.elementFromPoint(box.right - 2, box.top + 4)) }"  # noqa: E501
    assert label.evaluate(hit), "the next tokens' ground does not cover it"


@pytest.mark.parametrize("name", ["crowd", "endless", "plain"])
@pytest.mark.parametrize("width", [320, 1280])
def test_twelve_models_three_hundred_mentions_and_endless_tokens_have_room(
    load: Any, folder: Path, name: str, width: int
) -> None:
    page = load(folder, viewport={"width": width, "height": 800})
    case = show(page, folder, name)
    for key in ("9", "a"):
        page.keyboard.press(key)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert case.evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    assert case.locator(".x-aligned, .x-stacked").bounding_box()["y"] < 500, "the names leave room for the text"
    chosen = case.locator("[aria-pressed=true]").bounding_box()
    assert chosen["x"] >= 0 and chosen["x"] + chosen["width"] <= width, "what was chosen is seen"
    marks = page.locator("[aria-selected=true] .x-marks > span")
    page.keyboard.press("Escape")
    assert marks.count() == len(MODELS)
    edge = page.locator("#x-list").bounding_box()
    assert all(box["x"] + box["width"] <= edge["x"] + edge["width"] for box in (m.bounding_box() for m in marks.all()))


def test_one_model_and_one_set_suffice(load: Any, tmp_path: Path) -> None:
    page = load(write_page(result_of(OTHER_TEXTS, MODELS[:1]), tmp_path))
    assert page.locator("#x-model option").all_inner_texts() == [MODELS[0]]
    for key in ("1", "2", "j", "n", "p", "]", "[", "0"):
        page.keyboard.press(key)
    assert page.locator("#x-case th[scope=col]").all_inner_texts() == ["Mention", "Label", MODELS[0]]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("strasse", ["capitals"]),
        ("STRASSE", ["capitals"]),
        ("istanbul", ["dotted"]),
        ("İSTANBUL", ["dotted"]),
        ("οδος", ["dotted"]),
        ("(a|b)*", ["signs"]),
        ("[^x]", ["signs"]),
        ("\\d+ ?", ["signs"]),
        ("c.*", ["signs"]),
        (".*", ["signs"]),
        ("New  York", ["inner", "cut", "arabic"]),
    ],
)
def test_search_takes_signs_as_they_are_and_letters_in_any_case(
    load: Any, folder: Path, query: str, found: list[str]
) -> None:
    page = load(address(folder, kind="all", q=query))
    assert [name for name, _ in rows(page)] == found


def test_names_of_objects_are_names(load: Any, tmp_path: Path) -> None:
    page = load(write_page(example(OBJECTS, 60), tmp_path))
    for key, value in (("kind", "constructor"), ("kind", "__proto__"), ("since", "toString")):
        page.goto(address(tmp_path, **{key: value}))
        page.locator("#x-notice", has_text=f"“{value}” is no filter of this report.").wait_for()
        assert page.locator(".x-chip").all_inner_texts() == ["fell ✕"]
    page.goto(address(tmp_path, was="constructor"))
    page.locator(".x-chip", has_text="before: constructor").wait_for()
    page.goto(address(tmp_path, kind="all", set="__proto__", model="constructor", label="toString"))
    page.locator(".x-chip", has_text="toString").wait_for()
    assert page.locator(".x-chip").all_inner_texts() == ["constructor ✕", "__proto__ ✕", "toString ✕"]
    grounds = page.locator("#x-case .x-in").evaluate_all("cells => cells.map(cell => cell.className.split(' ')[2])")
    assert set(grounds) <= {"g1", "g2", "g3", "g4", "g5", "g6"}


def test_a_label_without_a_colour_has_an_edge_alone(load: Any, tmp_path: Path) -> None:
    texts = {"s1": ("see Bonn .", [Span(1, 2, "constructor")], [Edit(1, 2, ("Ulm",), "mention")])}
    page = write_page(result_of(texts, MODELS[:1]), tmp_path) / "report.html"
    start, slots, rest = page.read_text("utf-8").partition('data-slots="')
    page.write_text(start + slots + "{}" + rest[rest.index('"') :], "utf-8")
    cell = load(address(tmp_path, kind="all")).locator("#x-case .x-in").first
    assert cell.get_attribute("class").split() == ["x-cell", "x-in", "plain", "x-first", "x-last"]


def test_a_case_without_answers_has_no_marks(load: Any, tmp_path: Path) -> None:
    page = load(address(write_page(odd_result(), tmp_path), kind="all", id=DISCARDED))
    marks = page.locator("[aria-selected=true] .x-marks > span")
    assert [mark.get_attribute("title") for mark in marks.all()] == [
        "flair:ner: no answer",
        "spacy:en_core_web_sm: no answer",
    ]
    assert [mark.inner_text()[0] for mark in marks.all()] == ["–", "–"]


@pytest.fixture(scope="module")
def joined(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    both = join_results({"runs/a": example(), "runs/b": example(size=100)})
    return write_page(both, tmp_path_factory.mktemp("joined"))


def test_joined_audits_with_the_same_ids_are_told_apart(load: Any, joined: Path) -> None:
    page = load(address(joined, kind="all", id="s00007", at="letters", audit="b"))
    assert page.locator("#x-set option").all_inner_texts() == ["all sets", "swap", "letters", "para"]
    assert page.locator("#x-case h3").inner_text() == "s00007 · letters · b"
    assert page.locator("[aria-selected=true] .x-head").inner_text().startswith("s00007\nletters\n·\nb")
    heads = page.locator("#x-case th[scope=col]").all_inner_texts()
    assert heads == ["Mention", "Label", "b: flair:ner", "b: spacy:en_core_web_sm"]
    assert page.locator("#x-layer-1").is_disabled() and page.locator("#x-layer-3").is_enabled()
    page.keyboard.press("1")
    page.locator("#x-toast", has_text="No answer of a: flair:ner for this sentence.").wait_for()
    page.keyboard.press("[")
    assert page.locator("#x-case h3").inner_text() == "s00007 · swap · b"
    page.keyboard.press("[")
    page.locator("#x-toast", has_text="No other set on this side.").wait_for()
    page.reload()
    page.wait_for_selector(READY)
    assert page.locator("#x-case h3").inner_text() == "s00007 · swap · b"
    page.goto(address(joined, model="b: flair:ner", set="swap"))
    page.locator(".x-chip", has_text="swap").wait_for()
    shown = page.locator(".x-head > bdi:nth-of-type(2)").all_inner_texts()
    assert set(shown) == {"b"} and page.locator("#x-case h3").inner_text().endswith("· b")


def test_a_set_in_which_a_sentence_has_no_case_is_passed_over(load: Any, tmp_path: Path) -> None:
    result = example(size=30)
    gone = {case.parent for case in result.cases if case.set == "letters"}
    kept = tuple(case for case in result.cases if case.set != "letters" or case.parent != "s00003")
    assert "s00003" in gone and len(kept) == len(result.cases) - 1
    page = load(address(write_page(replace(result, cases=kept), tmp_path), kind="all", id="s00003", at="swap"))
    page.keyboard.press("]")
    assert page.locator("#x-case h3").inner_text() == "s00003 · para"


def _limited(folder: Path, most: int) -> Path:
    page = folder / "report.html"
    page.write_text(page.read_text("utf-8").replace('data-most="200000"', f'data-most="{most}"'), "utf-8")
    return folder


def test_over_the_limit_a_row_is_a_sentence_and_its_other_sets_are_within_reach(load: Any, tmp_path: Path) -> None:
    folder = _limited(write_page(example(size=30), tmp_path), 20)
    page = load(address(folder, kind="all", id="s00004", at="letters"))
    assert count(page) == "90 of 90 cases · one row a sentence, [ and ] go to its other sets"
    assert [name for name, _ in rows(page)] == [f"s{number:05d}" for number in range(30)]
    title = page.locator("#x-case h3")
    assert title.inner_text() == "s00004 · letters"
    for key, following in (("]", "para"), ("[", "letters"), ("[", "swap")):
        page.keyboard.press(key)
        assert title.inner_text() == f"s00004 · {following}" and page.locator("#x-notice").inner_text() == ""
    page.keyboard.press("j")
    assert title.inner_text().startswith("s00005")


def test_a_group_of_more_values_than_a_list_takes_says_so(load: Any, tmp_path: Path) -> None:
    text: dict[str, Any] = {f"s{number:04d}": ("Anna left .", [], []) for number in range(1100)}
    page = load(write_page(result_of(text, MODELS[:1], "of {}"), tmp_path))
    options = page.locator("#x-group option")
    assert options.last.inner_text() == "… and 100 more" and options.last.is_disabled()
    page.goto(address(tmp_path, kind="all", group="domain", value="of s1099"))
    page.locator(".x-chip", has_text="domain: of s1099").wait_for()
    assert page.locator("#x-group").evaluate("list => list.selectedOptions[0].textContent") == "domain: of s1099"
    assert count(page) == "1 of 1,100 cases"


def test_an_audit_of_nothing_changed_in_every_set_is_shown(load: Any, tmp_path: Path) -> None:
    page = load(write_page(result_of({"same": ("Rain fell .", [], [])}, MODELS[:2]), tmp_path))
    assert page.locator("#x-notice").inner_text() == "No set changed a sentence."
    assert count(page) == "1 of 1 case" and page.locator("#x-case h3").inner_text() == f"same · {SET}"
