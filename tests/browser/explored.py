"""A report with hundreds of cases under names that need quoting, and what its filters should leave, worked out here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.report.example import Names, example

from nerquake.core.results import AuditResult, Case
from nerquake.report.html import HtmlReport

SIZE = 240
NAMES = Names(
    models=("flair:ner", "a&b=c %/हिन्दी"),
    sets=("swap+mask", "50 %/x&y=1#?", "हिन्दी सेट"),
    labels=("PER", "L&O/C", "ORG", "MISC"),
)
FIRST = NAMES.models[0]


def explored_result() -> AuditResult:
    """The audit."""
    return example(NAMES, SIZE)


def write_page(result: AuditResult, folder: Path) -> Path:
    """Write the page alone; returns its folder."""
    (folder / "report.html").write_text(HtmlReport().render(result), "utf-8")
    return folder


def address(folder: Path, **filters: str) -> str:
    """The page with these filters."""
    return f"{(folder / 'report.html').as_uri()}#{urlencode(filters)}"


def order(cases: Iterable[Case]) -> list[tuple[str, str]]:
    """Ids and sets, as the list has them: sentence by sentence, sets in their order."""
    sets = {name: place for place, name in enumerate(NAMES.sets)}
    return [(case.parent, case.set) for case in sorted(cases, key=lambda case: (case.parent, sets[case.set]))]


def outcomes(case: Case, tagger: str = FIRST) -> list[tuple[str, str, str]]:
    """Label, outcome before and after of every mention of the original."""
    pairs = case.outcomes.get(tagger, ())[: len(case.original_spans)]
    return [(span.label, *pair) for span, pair in zip(case.original_spans, pairs, strict=bool(pairs))]


def fell(label: str, before: str, after: str) -> bool:
    """Right before, wrong after."""
    return before == "right" and after not in ("right", "gone")


def with_mention(cases: Iterable[Case], wanted: Callable[[str, str, str], bool]) -> tuple[list[Case], int]:
    """The cases with such a mention, and how many such mentions there are."""
    found = [(case, sum(wanted(*one) for one in outcomes(case))) for case in cases]
    return [case for case, times in found if times], sum(times for _, times in found)


def count(page: Any) -> str:
    """What the explorer says of how many cases match."""
    return str(page.locator("#x-count").inner_text())


def rows(page: Any) -> list[tuple[str, str]]:
    """Id and set of every row, scrolled through from the first to the last."""
    return [tuple(row) for row in page.evaluate(SCROLLED)]


SCROLLED = """
async () => {
  const list = document.getElementById('x-list'), found = new Map(), frame = () => new Promise(requestAnimationFrame);
  for (let top = 0; ; top += list.clientHeight) {
    list.scrollTop = top;
    await frame(); await frame();  // one to hear of it, one to draw
    for (const row of list.querySelectorAll('[role=option]')) {
      const parts = [...row.querySelectorAll('.x-head > b, .x-head > bdi')].map(part => part.textContent);
      found.set(Number(row.getAttribute('aria-posinset')), parts);
    }
    if (list.hidden || top + list.clientHeight >= list.scrollHeight) break;
  }
  return [...found].sort((a, b) => a[0] - b[0]).map(([, row]) => row);
}
"""
