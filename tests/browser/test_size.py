"""A report of a real size, smaller than the largest: its bytes, its rows, that it is ready, and what its page decodes.

20,000 sentences, five sets and three models are to stay under 6 MB; how long that takes is measured by
benchmarks/page.py. Here the bytes of a sentence are held to the same share, and the rest of the page to not growing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.browser import audits
from tests.browser.explored import address, count
from tests.browser.opened import READY, Opened
from tests.browser.test_explorer import ROWS_AT
from tests.cli.runner import nerquake
from tests.report.island import node
from tests.report.island.test_decode_js import Expected

from nerquake.report.view import View
from nerquake.report.write import read_result

Open = Callable[..., Opened]
ATTACKS = ("swap", "letters", "mixup", "case:upper", "typo:share=0.3")
MODELS = 3
LARGEST, SENTENCES = 6_000_000, 20_000
MOST_ROWS = 40
FIFTH = 150
"""Sentences of the smaller report."""


@pytest.fixture(scope="module")
def sizes(browser: Any, uncharted: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folders of two reports on the sentences of the three samples: all of them, and a fifth of them."""
    folder = tmp_path_factory.mktemp("size")
    names = audits.mixed(folder / "all.conll", per_language=1000, without_mentions=True)
    made = {}
    taggers = []
    for step in range(1, MODELS + 1):
        rows = (f"{label}\t{name}" for label, found in names.items() for name in sorted(set(found))[::step])
        (folder / f"{step}.tsv").write_text("\n".join(rows) + "\n", "utf-8")
        taggers += ["-t", f"rules:{folder / f'{step}.tsv'},name=names-{step}"]
    attacks = [part for attack in ATTACKS for part in ("-p", attack)]
    for name, more in (("all", ()), ("fifth", ("--sample", FIFTH))):
        ran = nerquake("audit", folder / "all.conll", *taggers, *attacks, "--resamples", 5, "-o", folder / name, *more)
        assert ran.code == 0, ran.err
        made[name] = folder / name
    return made


def island_of(folder: Path) -> str:
    (text,) = re.findall(r'<script[^>]* id="data">([^<]*)</script>', (folder / "report.html").read_text("utf-8"))
    return str(text)


def test_a_sentence_takes_its_share_of_six_megabytes_and_the_rest_does_not_grow(sizes: dict[str, Path]) -> None:
    view = View(read_result(sizes["all"]))
    sentences = len({case.parent for case in view.all_cases})
    assert (sentences > 700, len(view.sets), len(view.taggers)) == (True, len(ATTACKS), MODELS)
    islands = {name: len(island_of(folder)) for name, folder in sizes.items()}
    rest = {name: len((folder / "report.html").read_bytes()) - islands[name] for name, folder in sizes.items()}
    assert islands["all"] < LARGEST / SENTENCES * sentences
    assert rest["all"] < 1.25 * rest["fifth"], "tables have as many rows, and a few sentences more stand in the page"
    more = (islands["all"] - islands["fifth"]) / (sentences - FIFTH)
    assert rest["all"] + islands["all"] + more * (SENTENCES - sentences) < LARGEST


def test_it_is_ready_with_few_rows_wherever_the_list_stands(sizes: dict[str, Path], opened: Open) -> None:
    made = opened(sizes["all"], viewport={"width": 1280, "height": 1700})
    made.page.wait_for_selector(READY)
    total = len(View(read_result(sizes["all"])).all_cases)
    made.page.goto(address(sizes["all"], kind="all"))
    assert count(made.page) == f"{total:,} of {total:,} cases"
    for share in (0, 0.25, 0.5, 0.75, 0.99, 1):
        found = made.page.locator("#x-list").evaluate(ROWS_AT, share)
        assert 0 < len(found) <= MOST_ROWS
    made.page.locator("#x-list").focus()
    made.page.keyboard.press("End")
    assert made.page.locator(".x-place").inner_text() == f"case {total:,} of {total:,}"
    assert made.said == [] and {one.split("#")[0] for one in made.asked} == {(sizes["all"] / "report.html").as_uri()}


def test_every_case_of_the_page_is_the_one_in_cases_jsonl(sizes: dict[str, Path], opened: Open) -> None:
    made = opened(sizes["all"])
    made.page.wait_for_selector(READY)
    script = files("nerquake.report").joinpath(node.DECODE).read_text("utf-8")
    assert script.strip() in made.page.locator("script:not([type])").last.text_content(), "the page decodes with it"
    text = made.page.evaluate(
        f"async () => {{ {script}\n{node.EVERYTHING}\n"
        "const data = await decodeIsland(document.getElementById('data').textContent);"
        "return JSON.stringify([data.header, everything(data)]); }"
    )
    told = json.loads(text)
    view = View(read_result(sizes["all"]))
    expected = Expected(view)
    assert told[0]["labels"] == expected.labels
    rows = expected.rows(told[0]["groups"])
    assert len(rows) * len(ATTACKS) > 3000
    assert len(told[1]) == len(rows)
    for one, row in zip(told[1], rows, strict=True):
        assert one == row, json.dumps(row["id"])
