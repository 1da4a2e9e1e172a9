"""Numbers of tables open exactly the cases that they count: as many of every table, drawn at random."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.browser.opened import READY, Opened

Open = Callable[..., Opened]
EACH = 6
"""Links that are followed of every table."""
NAMES = """
() => [...document.querySelectorAll("main table.grid a[href*='=']")].map(link => link.closest('table').classList[1])
"""
FOLLOWED = """
async places => {
  const links = document.querySelectorAll("main table.grid a[href*='=']"), found = [];
  const heard = () => new Promise(done => addEventListener('hashchange', done, {once: true}));
  for (const place of places) {
    const link = links[place], cell = link.closest('td, th');
    let moved = heard();
    location.hash = '#at=none';
    await moved;
    moved = heard();
    link.click();
    await moved;
    const text = id => document.getElementById(id).textContent;
    found.push({href: link.getAttribute('href'), shown: link.textContent, title: cell.title, cell: cell.textContent,
      count: text('x-count'), notice: text('x-notice'), empty: document.getElementById('x-list').hidden,
      open: document.querySelector('#x-case h3') !== null});
  }
  return found;
}
"""
COUNT = re.compile(r"([\d,]+) of [\d,]+ cases?(?: · ([\d,]+) mentions?)?")
SAID: dict[str, str] = {
    "labels": r"; ([\d,]+) mention",
    "errors": r"(?:parts of |^)([\d,]+)(?: mentions?)?$",
    "errors-left-replaced": r"(?:parts of |^)([\d,]+)(?: mentions?)?$",
    "confusion-difference": r"^([\d,]+) (?:mentions? )?in the",
    "confusion-original": r"^([\d,]+) (?:of|in) ",
    "confusion-attacked": r"^([\d,]+) (?:of|in) ",
    "since": r"in ([\d,]+) sentence",
}
"""Where the title of a cell tells the number; a table that is not here shows it in the cell."""


def told(table: str, found: dict[str, Any]) -> int:
    """How many mentions, or sentences, a cell says that there are."""
    if table.startswith("overlap"):
        text = re.search(r"([\d,]+) of ", found["cell"])
    elif table == "confusion-difference" and "→" in found["shown"]:
        text = re.search(r"→ ([\d,]+)", found["shown"])
    else:
        text = re.search(SAID[table], found["title"]) if table in SAID and found["title"] else None
        text = text or re.fullmatch(r"([\d,]+)", found["shown"])
    assert text, (table, found)
    return int(text[1].replace(",", ""))


def check(made: Opened, wanted: set[str], seed: int) -> None:
    names = made.page.evaluate(NAMES)
    draw, places = random.Random(seed), []
    for name in dict.fromkeys(names):
        there = [place for place, one in enumerate(names) if one == name]
        places += draw.sample(there, min(EACH, len(there)))
    assert wanted <= set(names)
    assert len(places) >= 30
    for place, found in zip(places, made.page.evaluate(FOLLOWED, places), strict=True):
        counted = COUNT.fullmatch(found["count"])
        assert counted and not found["notice"] and not found["empty"] and found["open"], found
        if "id=" not in found["href"]:
            sentences = "since=" in found["href"] or names[place] == "statuses"
            number = counted[1] if sentences else counted[2]
            assert int(number.replace(",", "")) == told(names[place], found), (names[place], found)
    assert made.said == []


def test_drawn_numbers_of_every_table_open_exactly_what_they_count(report: Path, opened: Open) -> None:
    made = opened(report)
    made.page.wait_for_selector(READY)
    tables = {"labels", "strict-exact", "errors", "errors-left-replaced", "kinds", "confusion-difference", "flips",
              "confusion-original", "confusion-attacked", "overlap-fell", "overlap-wrong", "combinations-fell",
              "combinations-wrong", "paired", "schemes", "charges-strict", "charges-partial", "statuses"}  # fmt: skip
    check(made, tables, 13)


def test_so_do_groups_and_what_changed_since_the_last_run(runs: Path, opened: Open) -> None:
    made = opened(runs / "now")
    made.page.wait_for_selector(READY)
    check(made, {"groups", "since", "since-examples", "flips", "paired"}, 7)
