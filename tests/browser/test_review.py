"""The review page as a reviewer uses it: keys, files, drafts, and what keeps it from harm."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.browser.opened import READY, Opened
from tests.browser.reviewed import Review, written
from tests.browser.test_hostile import HANDLERS, TAGS
from tests.browser.test_layout import SMALL, TOO_WIDE
from tests.cli.runner import nerquake

Open = Callable[..., Opened]
SEED = ("--sample", 12, "--seed", 13)
FOCUS_SEEN = (
    "(() => { const style = getComputedStyle(document.activeElement);"
    " return document.activeElement.matches(':focus-visible')"
    " && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 })()"
)


@pytest.fixture(scope="module")
def page(report: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(report, tmp_path_factory.mktemp("review") / "review.html", *SEED)


@pytest.fixture(scope="module")
def hostile_page(hostile: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(hostile, tmp_path_factory.mktemp("review-hostile") / "review.html", *SEED)


def labelled(data: Any, start: int) -> int:
    """The first item from a place on whose first mention has another label than the third."""
    third = data["labels"][2]
    return next(n for n, one in enumerate(data["items"]) if n >= start and one["spans"] and one["spans"][0][2] != third)


def decide_all_ways(made: Review) -> dict[str, tuple[Any, ...]]:
    """Decide five sentences, each in another way; returns by id what must be in the file."""
    data, ids = made.data, [one["id"] for one in made.data["items"]]
    made.press("a", "r", "Shift+R", "2", "x")
    relabelled = labelled(data, 4)
    made.press(*["j"] * (relabelled - 4), "e", "3")
    spans = [list(span) for span in data["items"][relabelled]["spans"]]
    spans[0][2] = data["labels"][2]
    return {
        ids[0]: ("accept", None, None),
        ids[1]: ("reject", None, None),
        ids[2]: ("reject", "label now wrong", None),
        ids[3]: ("unsure", None, None),
        ids[relabelled]: ("relabel", None, spans),
    }


def test_every_key_decides_goes_on_and_is_said(page: Path, opened: Open) -> None:
    made = Review(opened, page)
    ids = [one["id"] for one in made.data["items"]]
    said = ["accept", "reject", "reject: label is now wrong", "unsure"]
    for place, keys in enumerate((["a"], ["r"], ["Shift+R", "2"], ["x"])):
        assert made.at == ids[place]
        made.press(*keys)
        assert made.status == f"{said[place]} · {ids[place]} · u undoes"
        assert made.at == ids[place + 1]
    assert made.text("#count") == "4 of 12 decided: 1 accept, 2 reject, 0 relabel, 1 unsure"
    assert made.text("#unsaved") == "4 unsaved"


def test_undo_goes_back_card_by_card_without_an_end(page: Path, opened: Open) -> None:
    made = Review(opened, page)
    ids = [one["id"] for one in made.data["items"]]
    made.press("a", "r", "x")
    for place, key in ((2, "u"), (1, "Control+z"), (0, "u")):
        made.press(key)
        assert made.at == ids[place]
        assert made.text("#place").endswith("undecided")
    assert made.text("#count").startswith("0 of 12")
    made.press("u")
    assert made.status == "nothing to undo"


def test_a_digit_labels_the_mention_and_zero_takes_the_label_away(page: Path, opened: Open, tmp_path: Path) -> None:
    made = Review(opened, page)
    data = made.data
    place = labelled(data, 0)
    item, third = data["items"][place], data["labels"][2]
    made.press(*["j"] * place, "e", "3")
    mention = " ".join(item["attacked"][item["spans"][0][0] : item["spans"][0][1]])
    assert made.status == f"relabel: {mention} is now {third} · {item['id']} · u undoes, n goes on"
    assert made.at == item["id"]
    made.press("u", "e", "0")
    assert made.text("#card table tr:nth-child(1) td") == "no mention"
    _, (_, record) = made.save(tmp_path / "d.jsonl")
    assert record["decision"] == "relabel" and record["spans"] == item["spans"][1:]
    made.press("u")
    assert made.text("#place").endswith("undecided")


def test_a_label_given_back_is_no_decision(page: Path, opened: Open) -> None:
    made = Review(opened, page)
    data = made.data
    place = labelled(data, 0)
    own = data["labels"].index(data["items"][place]["spans"][0][2]) + 1
    made.press(*["j"] * place, "e", "3")
    made.press("j", "k", "e", str(own))
    assert "as it was: undecided" in made.status
    assert made.text("#count").startswith("0 of 12")


def test_looking_around_decides_nothing_and_n_finds_what_is_open(page: Path, opened: Open) -> None:
    made = Review(opened, page)
    ids = [one["id"] for one in made.data["items"]]
    made.press("j", "ArrowRight", "ArrowDown", "k", "ArrowLeft")
    assert made.at == ids[1] and made.text("#count").startswith("0 of 12")
    made.press("a", "k", "k", "n")
    assert made.at == ids[2]


def test_predictions_are_hidden_and_a_look_is_recorded(page: Path, opened: Open, tmp_path: Path) -> None:
    made = Review(opened, page)
    models = made.data["models"]
    assert not any(model in made.text("#work") for model in models)
    made.press("m")
    assert all(model in made.text("#card") for model in models)
    made.press("a")
    assert not any(model in made.text("#work") for model in models)
    made.press("r")
    _, (_, *records) = made.save(tmp_path / "d.jsonl")
    assert [one["seen_predictions"] for one in records] == [True, False]


def test_what_is_saved_is_read_again_anywhere(page: Path, opened: Open, tmp_path: Path) -> None:
    made = Review(opened, page)
    made.page.locator("#reviewer").fill("Mira")
    made.press("Escape")
    expected = decide_all_ways(made)
    name, (head, *records) = made.save(tmp_path / "mira.jsonl")
    assert name == "decisions-mira.jsonl"
    ids = [one["id"] for one in made.data["items"]]
    assert head == {
        "format": "nerquake-decisions", "version": 1, "fingerprint": made.data["fingerprint"], "reviewer": "Mira",
        "items": 12, "undecided": [key for key in ids if key not in expected],
    }  # fmt: skip
    assert {one["id"]: (one["decision"], one["reason"], one["spans"]) for one in records} == expected
    assert {(one["reviewer"], one["seen_predictions"]) for one in records} == {("Mira", False)}
    assert all(0 <= one["seconds"] < 60 for one in records)
    other = Review(opened, page)
    assert other.text("#count").startswith("0 of 12")
    other.load(tmp_path / "mira.jsonl")
    assert other.status.startswith("loaded 5 decisions of Mira from mira.jsonl")
    other.save(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "mira.jsonl").read_bytes()


def test_curate_reads_what_the_page_saved(page: Path, report: Path, opened: Open, tmp_path: Path) -> None:
    made = Review(opened, page)
    expected = decide_all_ways(made)
    made.save(tmp_path / "d.jsonl")
    ran = nerquake("curate", report, "--decisions", tmp_path / "d.jsonl", "-o", tmp_path / "out", "--format", "json")
    assert ran.code == 0, ran.err
    counts = {
        key: sum(one[key] for one in ran.json["sets"]) for key in ("accepted", "rejected", "unsure", "relabelled")
    }
    assert counts == {"accepted": 1, "rejected": 2, "unsure": 1, "relabelled": 1}
    assert set(ran.json["undecided"]) == {one["id"] for one in made.data["items"]} - set(expected)


def test_the_draft_outlives_the_page(page: Path, opened: Open) -> None:
    made = Review(opened, page)
    decide_all_ways(made)
    counts, unsaved = made.text("#count"), made.text("#unsaved")
    again = made.page.context.new_page()
    again.goto(page.as_uri())
    again.wait_for_selector(READY)
    assert again.locator("#count").inner_text() == counts
    assert again.locator("#unsaved").inner_text() == unsaved == "5 unsaved"
    again.keyboard.press("u")
    assert again.locator("#count").inner_text().startswith("4 of 12")


def test_leaving_with_unsaved_decisions_asks(page: Path, opened: Open, tmp_path: Path) -> None:
    made = Review(opened, page)
    made.press("a")
    made.page.close(run_before_unload=True)
    made.page.wait_for_timeout(300)
    assert len(made.opened.dialogs) == 1 and not made.page.is_closed()
    made.save(tmp_path / "d.jsonl")
    with made.page.expect_event("close"):
        made.page.close(run_before_unload=True)
    assert len(made.opened.dialogs) == 1


def test_a_foreign_file_is_refused_by_name_and_unknown_ids_are_counted(
    page: Path, opened: Open, tmp_path: Path
) -> None:
    made = Review(opened, page)
    made.press("a", "r")
    _, (head, first, second) = made.save(tmp_path / "d.jsonl")
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_text(json.dumps({**head, "fingerprint": "f" * 64, "reviewer": "Noor"}) + "\n", "utf-8")
    made.load(foreign)
    said = made.text("#alert")
    assert said.startswith("foreign.jsonl holds decisions of Noor about another audit")
    assert "f" * 12 in said and made.data["fingerprint"][:12] in said
    assert made.text("#count").startswith("2 of 12")
    rows = [head, {**first, "id": "nowhere~swap"}, first, {**second, "decision": "accept"}, second]
    known = tmp_path / "known.jsonl"
    known.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    other = Review(opened, page)
    other.load(known)
    assert "loaded 2 decisions" in other.status and "1 unknown ids left out" in other.status
    assert other.text("#count") == "2 of 12 decided: 1 accept, 1 reject, 0 relabel, 0 unsure"
    (tmp_path / "broken.jsonl").write_text(json.dumps(head) + '\n{"id": 7}\n', "utf-8")
    other.load(tmp_path / "broken.jsonl")
    assert other.text("#alert").startswith("broken.jsonl, line 2: this is no decision")


def test_where_the_browser_can_it_writes_the_same_file_again(page: Path, opened: Open) -> None:
    made = Review(opened, page)
    made.page.evaluate("""() => {
      window.asked = 0; window.files = [];
      window.showSaveFilePicker = async options => { window.asked += 1; return {
        name: options.suggestedName,
        createWritable: async () => ({ write: async text => { window.files.push(text) }, close: async () => {} }) } };
    }""")
    for count in (1, 2):
        made.press("a", "Control+s")
        made.page.wait_for_selector("#unsaved", state="hidden")
        assert made.page.evaluate("window.files.length") == count
    assert made.page.evaluate("window.asked") == 1
    assert made.status == "saved 2 decisions as decisions-reviewer.jsonl"
    assert len(made.page.evaluate("window.files[1]").splitlines()) == 3


def test_at_the_end_the_page_says_what_to_run(page: Path, report: Path, opened: Open) -> None:
    made = Review(opened, page)
    assert not made.page.locator("#end").is_visible()
    made.page.locator("#reviewer").fill("Mira")
    made.press("Escape", *["a"] * 12)
    command = f"nerquake curate {report} --decisions decisions-mira.jsonl -o {report}-curated"
    assert made.text("#end") == f"All 12 decided. Save, then run: {command}"
    made.press("u")
    assert not made.page.locator("#end").is_visible()


def test_where_nothing_changed_there_is_nothing_to_review(opened: Open, tmp_path: Path) -> None:
    (tmp_path / "d.conll").write_text("Acme B-ORG\nsells O\n\nrain O\n", "utf-8")
    (tmp_path / "names.tsv").write_text("ORG\tAcme\n", "utf-8")
    ran = nerquake("audit", tmp_path / "d.conll", "-p", "swap", "-t", f"rules:{tmp_path / 'names.tsv'},name=n",
                   "-o", tmp_path / "out")  # fmt: skip
    assert ran.code == 0, ran.err
    made = Review(opened, written(tmp_path / "out", tmp_path / "review.html"))
    assert made.text("main").endswith("Nothing to review: swap changed no sentence.")
    made.press("a", "u", "e", "?")
    assert made.opened.said == []


def test_keys_are_dead_in_fields_and_letters_can_be_switched_off(page: Path, opened: Open) -> None:
    made = Review(opened, page)
    made.page.locator("#reviewer").focus()
    made.press("a", "r", "x")
    assert made.page.locator("#reviewer").input_value() == "arx"
    assert made.text("#count").startswith("0 of 12")
    made.press("Escape", "?")
    assert made.page.locator("#help").is_visible()
    made.press("a")
    made.page.locator("#letters").focus()
    made.press("Space", "Escape")
    assert not made.page.locator("#help").is_visible()
    made.press("a", "Shift+R", "?")
    assert made.text("#count").startswith("0 of 12") and not made.page.locator("#help").is_visible()
    made.press("ArrowRight", "Control+z")
    assert made.text("#place").startswith("Sentence 2 of 12") and made.status == "nothing to undo"


def test_on_a_keyboard_of_another_script_the_place_of_the_key_counts(page: Path, opened: Open) -> None:
    made = Review(opened, page)
    for key, code in (("\u094b", "KeyA"), ("\u0930", "KeyX")):
        made.page.evaluate("([key, code]) => document.body.dispatchEvent(new KeyboardEvent('keydown', "
                           "{ key, code, bubbles: true, cancelable: true }))", [key, code])  # fmt: skip
    assert made.text("#count") == "2 of 12 decided: 1 accept, 0 reject, 0 relabel, 1 unsure"


def test_without_a_pointer_everything_can_be_reached_and_focus_is_seen(page: Path, opened: Open) -> None:
    made = Review(opened, page)
    reached = set()
    for _ in range(40):
        made.press("Tab")
        if made.page.evaluate("document.activeElement === document.body"):
            break
        assert made.page.evaluate(FOCUS_SEEN), made.page.evaluate("document.activeElement.outerHTML.slice(0, 100)")
        reached.add(made.page.evaluate("document.activeElement.id"))
    buttons = made.page.evaluate(
        "[...document.querySelectorAll('button')].filter(b => b.checkVisibility()).map(b => b.id)"
    )
    assert set(buttons) <= reached and "reviewer" in reached
    made.page.locator("#reject").focus()
    made.press("Enter", "a")
    assert made.text("#count") == "2 of 12 decided: 1 accept, 1 reject, 0 relabel, 0 unsure"


def test_every_label_can_be_typed_where_there_are_more_than_nine(opened: Open, tmp_path: Path) -> None:
    lines = [f"n{n} B-L{n}\nis O\n\nm{n} B-L{n}\nwas O\n" for n in range(12)]
    (tmp_path / "d.conll").write_text("\n".join(lines), "utf-8")
    (tmp_path / "names.tsv").write_text("L0\tn0\n", "utf-8")
    ran = nerquake("audit", tmp_path / "d.conll", "-p", "swap", "-t", f"rules:{tmp_path / 'names.tsv'},name=n",
                   "-o", tmp_path / "out")  # fmt: skip
    assert ran.code == 0, ran.err
    made = Review(opened, written(tmp_path / "out", tmp_path / "review.html"))
    first = made.at
    own = made.data["items"][0]["spans"][0][2]
    wanted = "L11" if own != "L11" else "L10"
    made.press("e")
    made.page.keyboard.type("l")
    made.page.locator("#filter").fill(wanted)
    made.press("1")
    assert f"is now {wanted} · {first}" in made.status
    made.press("n")
    assert made.at != first


def test_nothing_but_the_file_is_asked_for_and_the_policy_is_first(page: Path, opened: Open) -> None:
    made = Review(opened, page)
    decide_all_ways(made)
    made.page.locator("#theme").click()
    head = made.page.evaluate("[document.head.firstElementChild.httpEquiv, document.head.firstElementChild.content]")
    assert head[0] == "Content-Security-Policy"
    assert {"default-src 'none'", "base-uri 'none'", "form-action 'none'"} <= set(head[1].split("; "))
    assert made.opened.asked == [page.as_uri()] and made.opened.said == []


def test_hostile_names_stay_text(hostile_page: Path, page: Path, opened: Open) -> None:
    made, plain = Review(opened, hostile_page), Review(opened, page)
    tags = set()
    for review in (plain, made):
        for _ in range(12):
            review.press("m", "e", "Escape", "Shift+R")
            found = set(review.page.evaluate(TAGS))
            if review is plain:
                tags |= found
            else:
                assert found <= tags
            review.press("1")
    assert made.text("#count").startswith("12 of 12")
    assert made.page.locator("script, style").count() == plain.page.locator("script, style").count()
    assert made.page.evaluate(HANDLERS) == []
    assert made.page.evaluate("window.pwned") is None
    assert made.opened.dialogs == [] and made.opened.said == []
    assert made.opened.asked == [hostile_page.as_uri()]


def test_hostile_names_are_seen_and_the_file_holds_them(hostile_page: Path, opened: Open, tmp_path: Path) -> None:
    made = Review(opened, hostile_page, viewport={"width": 320, "height": 700})
    made.press("m")
    text = made.text("#work")
    assert "<script>window.pwned=1</script>" in text and '"><img src=x onerror=alert(1)>' in text
    assert made.page.evaluate("document.documentElement.scrollWidth") <= 320
    made.press("a")
    _, (_, record) = made.save(tmp_path / "d.jsonl")
    assert record["id"] == made.data["items"][0]["id"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_violation(page: Path, opened: Open, theme: str) -> None:
    made = Review(opened, page, color_scheme=theme)
    made.press("a", "m", "e")
    assert made.page.locator("#panel button").count() > 2
    assert made.opened.accessibility() == []
    made.press("Escape", "?")
    assert made.opened.accessibility() == []
    made.press("Escape", *["a"] * 12)
    assert made.opened.accessibility() == []


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_is_wider_than_the_window_and_fingers_find_every_control(page: Path, opened: Open, width: int) -> None:
    made = Review(opened, page, viewport={"width": width, "height": 800}, has_touch=width < 1280)
    for keys in (["m"], ["e"], ["Escape", "Shift+R"], ["1", "?"]):
        made.press(*keys)
        assert made.page.evaluate("document.documentElement.scrollWidth") <= width
        assert made.page.evaluate(TOO_WIDE) == []
        assert width == 1280 or made.page.evaluate(SMALL) == []
    made.press("Escape")
    if width < 640:
        made.page.mouse.wheel(0, -5000)
        boxes = [made.page.locator(f"#{key}").bounding_box() for key in ("accept", "reject", "relabel", "unsure")]
        assert all(box["y"] > 700 and box["y"] + box["height"] <= 800 for box in boxes)
