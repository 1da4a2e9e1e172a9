"""A redacted page: nothing of the data is in it, and filters, links, counts and search do what they did before."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from tests.browser.compared import MODELS, PLANTED, TERMINAL, cases
from tests.browser.explored import address, count, rows
from tests.browser.opened import READY, Opened

from nerquake.report.explorer import PLACEHOLDER_REDACTED

Open = Callable[..., Opened]
FILES = {"report.html", "report.md", "tables.csv", "tables.tex", "result.json", "cases.jsonl", "gate.json",
         "junit.xml", "summary.md"}  # fmt: skip
LINKS = "() => [...document.querySelectorAll(\"main table.grid a[href*='=']\")].map(link => link.getAttribute('href'))"

GONE_TO = """
async href => {
  const heard = new Promise(done => addEventListener('hashchange', done, {once: true}));
  if (location.hash === href) return;
  location.hash = href;
  await heard;
}
"""


def unpacked(text: str) -> Iterator[str]:
    """A file, the islands in it, and what its data links hold."""
    yield text
    yield unquote(text)
    for content in re.findall(r'<script type="application/gzip\+base64"[^>]*>([^<]*)</script>', text):
        yield gzip.decompress(base64.b64decode(content)).decode("utf-8", "replace")
    for kind, content in re.findall(r"data:([^\"',]*),([^\"']*)", text):
        yield base64.b64decode(content).decode("utf-8", "replace") if "base64" in kind else unquote(content)


def planted_in(text: str) -> set[str]:
    folded = text.casefold()
    return {
        word
        for word in PLANTED
        if any(form.casefold() in folded for form in (word, json.dumps(word)[1:-1], quote(word)))
    }


def found_in(folder: Path) -> dict[str, set[str]]:
    """By file, the planted words in its name, its text, its islands and its links."""
    found = {}
    for file in sorted(
        one for one in folder.rglob("*") if one.is_file() and one.relative_to(folder).parts[0] != "work"
    ):
        parts = (str(file.relative_to(folder)), *unpacked(file.read_text("utf-8")))
        found[file.name] = set().union(*map(planted_in, parts))
    return {name: words for name, words in found.items() if words}


def test_planted_words_stand_in_no_file_and_in_no_island(runs: Path) -> None:
    assert {file.name for file in (runs / "redacted").iterdir()} == FILES
    assert found_in(runs / "redacted") == {}
    plain = found_in(runs / "now")
    assert {"report.html", "report.md", "result.json", "cases.jsonl", "gate.json", "summary.md"} <= set(plain)
    assert set().union(*plain.values()) == set(PLANTED)


def test_a_terminal_is_shown_none(runs: Path) -> None:
    said = (runs / TERMINAL).read_text("utf-8")
    assert "NER robustness gate failed" in said and "hold the text of the data" in said
    assert planted_in(said) == set()


def test_charts_are_in_the_page_that_is_searched(runs: Path, opened: Open) -> None:
    made = opened(runs / "redacted")
    assert made.page.locator("figure.chart svg").count() > 5


def test_what_is_drawn_shows_no_planted_word(runs: Path, opened: Open) -> None:
    made = opened(runs / "redacted")
    made.page.wait_for_selector(READY)
    made.unfold()
    for case in cases(runs / "redacted")[:: len(cases(runs / "redacted")) // 12]:
        made.page.goto(address(runs / "redacted", kind="all", id=case["parent"], set=case["set"]))
        assert case["parent"] in made.page.locator("#x-case h3").inner_text()
        seen = made.page.evaluate("document.documentElement.outerHTML")
        assert planted_in(seen) == set()
    assert made.said == []


def both(runs: Path, opened: Open) -> tuple[Any, Any]:
    pages = [opened(runs / name, viewport={"width": 1280, "height": 1000}).page for name in ("now", "redacted")]
    for page in pages:
        page.wait_for_selector(READY)
    return pages[0], pages[1]


def known(runs: Path) -> dict[str, str]:
    """By a sentence's own id the one that it has in the redacted report: both files have one order."""
    was, now = cases(runs / "now"), cases(runs / "redacted")
    return {old["parent"]: new["parent"] for old, new in zip(was, now, strict=True)}


def test_filters_leave_the_same_cases(runs: Path, opened: Open) -> None:
    plain, redacted = both(runs, opened)
    ids = known(runs)
    group = {"group": "domain", "value": "qzdomain +&%/"}, {"group": "domain", "value": "group 1"}
    filters: list[tuple[dict[str, str], dict[str, str]]] = [
        ({}, {}), group, ({"doc": ""}, {"doc": ""}),
        *((one, one) for one in ({"kind": "all"}, {"kind": "rose"}, {"kind": "missed", "model": "m"}, {"set": "both"},
                                 {"label": "LOC", "set": "swap"}, {"kind": "all", "since": "fallen", "model": "m"})),
    ]  # fmt: skip
    for was, now in filters:
        plain.goto(address(runs / "now", **({"kind": "fell"} | was)))
        redacted.goto(address(runs / "redacted", **({"kind": "fell"} | now)))
        assert count(plain) == count(redacted), was
        assert [(ids[one], name) for one, name in rows(plain)] == rows(redacted), was
    assert plain.locator("#x-set option").all_inner_texts() == redacted.locator("#x-set option").all_inner_texts()


def test_links_and_counts_are_the_same(runs: Path, opened: Open) -> None:
    plain, redacted = both(runs, opened)
    was, now = plain.evaluate(LINKS), redacted.evaluate(LINKS)
    assert len(was) == len(now) > 300
    assert sum("part=replaced" in href for href in was) > 10, "what is no longer told by the texts"
    for old, new in list(zip(was, now, strict=True))[::20]:
        for page, href in ((plain, old), (redacted, new)):
            page.evaluate(GONE_TO, href)
        assert count(plain) == count(redacted), (old, new)


def test_search_finds_labels_ids_and_shapes_and_says_so(runs: Path, opened: Open) -> None:
    _, page = both(runs, opened)
    assert page.locator("#x-q").get_attribute("placeholder") == PLACEHOLDER_REDACTED
    records = cases(runs / "redacted")
    one = records[5]
    page.goto(address(runs / "redacted", kind="all", q=one["parent"]))
    assert {parent for parent, _ in rows(page)} == {one["parent"]}
    shape = next(token for token in one["original"] if token[:1] == "X")
    page.goto(address(runs / "redacted", kind="all", q=shape))
    assert one["parent"] in {parent for parent, _ in rows(page)}
    page.goto(address(runs / "redacted", kind="all", q="LOC"))
    labelled = {(r["parent"], r["set"]) for r in records if any(s[2] == "LOC" for s in r["original_spans"])}
    assert labelled <= set(rows(page))


def test_the_page_says_that_it_is_redacted_and_names_keep_their_place(runs: Path, opened: Open) -> None:
    made = opened(runs / "redacted")
    made.page.wait_for_selector(READY)
    assert "This report is redacted." in made.page.locator("#verdict").inner_text()
    assert made.page.locator("#x-model option").all_inner_texts() == list(reversed(MODELS))
