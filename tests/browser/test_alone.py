"""The page stands alone: nothing but the file is asked for, and what matters needs neither scripts nor styles."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.browser.opened import Opened

from nerquake.report.numbers import change, percent
from nerquake.report.verdict import verdict
from nerquake.report.view import View
from nerquake.report.write import read_result

Open = Callable[..., Opened]
TABLES, SHOWN = "table:not(#sentences table)", "table:not(#sentences table, .panel table)"
"""The sentences have tables of their own: of a few cases without scripts, of the open one with them."""
JENKINS = "sandbox; default-src 'none'; img-src 'self'; style-src 'self';"
"""The header with which Jenkins serves the files of a build, unless its administrator says otherwise."""


@pytest.fixture(scope="module")
def data(report: Path) -> Any:
    return json.loads((report / "result.json").read_text("utf-8"))


def test_only_the_file_itself_is_asked_for_and_nothing_is_complained_of(report: Path, opened: Open) -> None:
    made = opened(report)
    made.unfold()
    made.page.locator("#theme").click()
    made.page.wait_for_selector('html[data-theme="light"]')
    made.page.mouse.wheel(0, 20_000)
    assert made.asked == [(report / "report.html").as_uri()]
    assert made.said == []


def test_the_policy_stands_first_in_the_head_and_is_in_force(report: Path, opened: Open) -> None:
    made = opened(report)
    first = made.page.evaluate("[document.head.firstElementChild.httpEquiv, document.head.firstElementChild.content]")
    assert first[0] == "Content-Security-Policy"
    assert {"default-src 'none'", "base-uri 'none'", "form-action 'none'"} <= set(first[1].split("; "))
    with made.page.expect_event("requestfailed") as refused:
        made.page.evaluate("document.body.append(Object.assign(new Image(), {src: 'https://example.org/a.png'}))")
    assert (refused.value.url, refused.value.failure) == ("https://example.org/a.png", "csp")


def test_without_scripts_the_verdict_every_table_and_every_figure_are_there(report: Path, opened: Open) -> None:
    made = opened(report, java_script_enabled=False)
    plain = opened(report)
    for page in (made, plain):
        page.unfold()
    assert made.texts(TABLES) == plain.texts(TABLES)
    assert made.page.locator("table").count() > 50
    assert made.page.locator("figure svg:visible").count() == plain.page.locator("figure svg:visible").count() >= 2
    found = verdict(View(read_result(report)))
    assert made.page.title() == f"NER robustness: {found.title}"
    assert [str(sentence) for sentence in found.sentences] == made.texts("#verdict .card p[class='headline'], "
                                                                        "#verdict .card p:not([class])")  # fmt: skip
    assert not made.page.locator("#theme").is_visible()
    assert made.said == []


def test_without_scripts_every_headline_number_is_that_of_the_result(report: Path, opened: Open, data: Any) -> None:
    made = opened(report, java_script_enabled=False)
    heads = made.texts("table.scores-strict-f1 thead th")
    rows = [
        [row.locator("th, td").nth(at).inner_text().split() for at in range(len(heads))]
        for row in made.page.locator("table.scores-strict-f1 tbody tr").all()
    ]
    shown = {(row[0][0], head): cell[0] for row in rows for head, cell in zip(heads[1:], row[1:], strict=True)}
    assert shown == {(b["tagger"], b["set"]): percent(b["overall"]["strict"]["f1"]) for b in data["results"]}
    paired = [b for b in data["results"] if b.get("paired")]
    worst = max(paired, key=lambda block: block["paired"]["drop"])
    (headline,) = made.texts("#verdict .headline")
    for number in (worst["paired"]["original"], worst["paired"]["attacked"]):
        assert percent(number) in headline
    assert change(worst["paired"]["drop"]).lstrip("−+") in headline
    assert f"{worst['tagger']} loses " in headline and f" under {worst['set']}" in headline


def test_without_scripts_every_loss_is_that_of_the_result(report: Path, opened: Open, data: Any) -> None:
    """Losses, intervals and p of the table that compares original and attacked, written here a second way."""
    made = opened(report, java_script_enabled=False)
    shown = [row.split("\t") for row in made.page.locator("table.paired tbody tr:not(.group)").all_inner_texts()]
    expected = [
        [block["set"], *(points(one[key]) for key in ("original", "attacked")), points(-one["drop"], "+").lstrip("±"),
         f"[{points(one['low'])}, {points(one['high'])}]", chance(one["p"]), chance(one["p_holm"])]
        for block in data["results"] for one in (block.get("paired"), block.get("paired_changed"))
        if one is not None and one["low"] is not None
    ]  # fmt: skip
    found = [[row[0].split("\n")[0], *row[2:6], *row[7:9]] for row in shown if not row[5].startswith("n/e")]
    assert len(expected) > 5 and found == expected


def points(value: float, sign: str = "") -> str:
    """A fraction in percent with one decimal and a true minus; nothing has a sign at zero."""
    text = f"{100 * value:{sign}.1f}"
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", "−")


def chance(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}".rstrip("0") if p < 0.01 else f"{p:.2f}"


@pytest.fixture(scope="module")
def jenkins(report: Path) -> Iterator[str]:
    """The address of the report on this machine, behind Jenkins' header."""
    body = (report / "report.html").read_bytes()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/report.html" else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", JENKINS)
            self.end_headers()
            self.wfile.write(body if self.path == "/report.html" else b"")

        def log_message(self, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/report.html"
        server.shutdown()
        thread.join()


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_behind_jenkins_header_verdict_and_tables_can_be_read(jenkins: str, report: Path, opened: Open) -> None:
    made = opened(jenkins, offline=False)
    assert any("sandbox" in line or "Content Security Policy" in line for line in made.said)
    assert made.page.evaluate("getComputedStyle(document.querySelector('nav')).position") == "static"
    found = verdict(View(read_result(report)))
    (headline,) = made.texts("#verdict .headline")
    assert headline == str(found.sentences[0])
    made.unfold()
    plain = opened(report)
    plain.unfold()
    seen = made.texts(SHOWN)
    assert [text.split() for text in seen] == [text.split() for text in plain.texts(SHOWN)]
    assert all(made.texts(".panel table"))
    assert made.page.locator("figure svg:visible").count() >= 2
    fills = made.page.evaluate(
        "[...document.querySelectorAll('figure svg')].map(svg => [...svg.querySelectorAll('*')]"
        ".map(mark => getComputedStyle(mark).fill + getComputedStyle(mark).stroke).join(' '))"
    )
    # Without styles the variables of the themes are unknown, and charts keep the colours behind them.
    assert all("rgb(89, 97, 107)" in fill or "rgb(21, 24, 29)" in fill for fill in fills)
    assert sum("rgb(11, 92, 173)" in fill or "rgb(179, 71, 0)" in fill for fill in fills) > len(fills) / 2
