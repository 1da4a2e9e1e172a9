"""What a gate leaves behind: for pull requests, for test viewers, for a terminal. Hostile names stay text in all."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from tests.report.example import Names, example

from nerquake.core.results import AuditResult
from nerquake.report.gate.files import write_gate
from nerquake.report.gate.summary import LARGEST, summary
from nerquake.report.gate.words import headline, tally
from nerquake.report.view import View

HOSTILE = Names(
    models=("@user/m", "<script>alert(1)</script>"),
    sets=("a|b", "``x`` #12", "https://example.org"),
    labels=("PER", "@org", "<img onerror=x>", "]]>\u0001"),
)


def check(**more: Any) -> dict[str, Any]:
    return {
        "rule": 1, "name": "", "kind": "max_drop", "model": "m", "set": "swap+mask", "label": "", "group": "",
        "metric": "strict_f1", "against": "original", "compare": "point", "limit": 0.1, "measured": 0.275,
        "low": 0.268, "high": 0.281, "support": 900, "last": 0.241, "status": "failed", "why": "",
    } | more  # fmt: skip


def gated(checks: list[dict[str, Any]], status: str = "failed", names: Names | None = None) -> AuditResult:
    made = example(names or Names())
    checks = [{**one, "rule": number} for number, one in enumerate(checks, 1)]
    counts = {one: sum(c["status"] == one for c in checks) for one in ("failed", "undecided", "passed", "ignored")}
    gate = {"policy": "gate.toml", "status": status, "counts": counts, "checks": checks}
    return replace(made, data={**made.data, "findings": {**made.data["findings"], "gate": gate}})


UNDECIDED = check(kind="max_drop", set="faker", label="EVENT", limit=0.05, measured=None, low=None, high=None,
                  last=0.03, status="undecided", why="no EVENT mention in the attacked set")  # fmt: skip
PASSED = check(kind="min", set="swap", limit=0.5, measured=0.61, low=0.6, high=0.62, last=None, status="passed")
FLIPS = check(kind="max_flip_rate", set="swap", limit=0.1, measured=0.24, low=0.23, high=0.25, last=0.22)


def test_the_summary_reads_as_it_was_designed() -> None:
    text = summary(View(gated([check(), FLIPS, UNDECIDED, PASSED])))
    lines = text.splitlines()
    assert lines[0] == "<!-- nerquake:gate:default -->"
    assert lines[1] == "### ✗ NER robustness gate failed: 2 of 4 rules, 1 undecided"
    assert "| | Rule | Limit | Measured | 95 % interval | Last run |" in lines
    assert "| ✗ | max_drop · swap+mask | 10.0 | 27.5 | 26.8 to 28.1 | 24.1 |" in lines
    assert "| ✗ | max_flip_rate · swap | 0.10 | 0.24 | 0.23 to 0.25 | 0.22 |" in lines
    assert "| ? | max_drop · faker · EVENT | 5.0 | n/e: no EVENT mention in the attacked set |  | 3.0 |" in lines
    assert "<details><summary>1 rule passed</summary>" in lines
    assert "<details><summary>All scores</summary>" in lines
    assert "Open `report.html#set=swap%2Bmask&kind=fell` in the artifact **ner-robustness**." in lines[-1]
    assert "policy `gate.toml`" in lines[-1]


@pytest.mark.parametrize(("checks", "status", "words"), [
    ([PASSED], "passed", "✓ NER robustness gate passed: 1 rule"),
    ([PASSED, UNDECIDED], "undecided", "? NER robustness gate undecided: 1 of 2 rules"),
    ([check(status="ignored", measured=None), PASSED], "passed", "✓ NER robustness gate passed: 1 rule, 1 ignored"),
    ([], "undecided", "? NER robustness gate undecided: no rule fits this audit"),
])  # fmt: skip
def test_headlines(checks: list[dict[str, Any]], status: str, words: str) -> None:
    assert headline(gated(checks, status).data["findings"]["gate"]) == words


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("|")]


def cells(row: str) -> int:
    """Cells of a table row as GitHub parts them: by pipes that no backslash stands before, in code spans too."""
    return len(re.findall(r"(?<!\\)\|", row)) - 1


@pytest.mark.parametrize("number", [1, 500])
def test_it_stays_small_and_its_rows_stay_rows(number: int) -> None:
    """Test 20 of the page's design: 500 failing rules with pipes and backticks, and no live name."""
    bad = [check(set="a|b", label=f"@user``{n}`|x", model="@m", why="an @org's fault | here") for n in range(number)]
    text = summary(View(gated(bad, names=HOSTILE)))
    assert len(text.encode("utf-8")) <= LARGEST
    assert {cells(row) for row in rows(text) if " · " in row} == {6}
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text, flags=re.S)
    assert not re.search(r"@\w|#\d|://|(?<!\\)<(?!/?(?:details|summary|br)>|!--)", outside)
    assert ("more checks that did not pass stand in gate.json" in text) == (number == 500)
    assert text.count("<details>") == text.count("</details>")


def test_junit_parses_and_what_is_undecided_is_an_error(tmp_path: Path) -> None:
    write_gate(
        gated([check(), FLIPS, UNDECIDED, PASSED, check(status="ignored", measured=None, why="too few")]), tmp_path
    )
    root = ET.parse(tmp_path / "junit.xml").getroot()
    assert (root.get("tests"), root.get("failures"), root.get("errors"), root.get("skipped")) == ("5", "2", "1", "1")
    assert [suite.get("name") for suite in root] == [
        "nerquake.gate.swap+mask",
        "nerquake.gate.swap",
        "nerquake.gate.faker",
    ]
    first = root.find(".//testcase")
    assert first is not None
    assert (first.get("classname"), first.get("name")) == ("nerquake.gate.swap+mask", "max_drop ≤ 10.0")
    failure = first.find("failure")
    assert failure is not None
    assert failure.get("message") == "27.5 (26.8 to 28.1) > 10.0"
    error = root.find(".//error")
    assert error is not None
    assert (error.get("type"), error.get("message")) == ("undecided", "no EVENT mention in the attacked set")
    values = {one.get("name"): one.get("value") for one in first.iter("property")}
    assert values["measured"] == "0.275"


def test_hostile_names_are_text_in_every_file(tmp_path: Path) -> None:
    bad = [check(set=name, label="]]>\u0001\ud800", model="<b>") for name in HOSTILE.sets]
    write_gate(gated(bad, names=HOSTILE), tmp_path)
    root = ET.parse(tmp_path / "junit.xml").getroot()
    assert [suite.get("name") for suite in root] == [f"nerquake.gate.{name}" for name in HOSTILE.sets]
    assert "\ufffd\ufffd" in str(root.find(".//testcase").get("name"))  # type: ignore[union-attr]
    assert json.loads((tmp_path / "gate.json").read_text("utf-8"))["format"] == "nerquake.gate/1"


def test_three_lines_for_a_terminal(tmp_path: Path) -> None:
    first, second, third = write_gate(gated([check(), FLIPS, UNDECIDED, check(set="para")]), tmp_path)
    assert first == "✗ NER robustness gate failed: 3 of 4 rules, 1 undecided"
    assert "points of F1" in second or "No loss" in second
    assert third == (
        "max_drop[swap+mask] ≤ 10.0 was 27.5; max_flip_rate[swap] ≤ 0.10 was 0.24; max_drop[faker, EVENT] ≤ 5.0 is "
        "undefined: no EVENT mention in the attacked set; and 1 more"
    )


def test_where_a_rule_has_several_checks_these_are_counted() -> None:
    made = gated([check(), check(set="para"), PASSED]).data["findings"]["gate"]
    assert tally(made) == "2 of 3 rules"
    several = {**made, "checks": [{**one, "rule": 1} for one in made["checks"]]}
    assert tally(several) == "2 of 3 checks"
