"""The section Gate and the verdict's last sentence, by hand."""

from __future__ import annotations

from typing import Any

from tests.report.found_view import texts, view_of
from tests.report.tex import tables_of

from nerquake.report.gate.tables import gate_lines, gate_more, gate_table
from nerquake.report.latex import to_latex
from nerquake.report.markdown import MarkdownReport
from nerquake.report.parts import gate
from nerquake.report.verdict import verdict


def check(status: str, **changes: Any) -> dict[str, Any]:
    return {
        "rule": 1, "name": "", "kind": "max_drop", "model": "m", "set": "swap", "label": "", "group": "",
        "metric": "strict_f1", "against": "original", "compare": "point", "limit": 0.1, "measured": 0.275,
        "low": 0.268, "high": 0.281, "support": 1204, "last": None, "status": status, "why": "",
    } | changes  # fmt: skip


FAILED = check("failed", last=0.241)
OPEN = check("undecided", label="EVENT", limit=0.05, measured=None, low=None, high=None, support=0,
             why="no EVENT mention in the attacked set")  # fmt: skip
FLIPS = check("passed", kind="max_flip_rate", limit=0.3, measured=0.24, low=0.23, high=0.25)
COUNTS = {"failed": 1, "undecided": 1, "passed": 1, "ignored": 0}
GATE = {"policy": "gate.toml", "status": "failed", "counts": COUNTS, "checks": [FAILED, OPEN, FLIPS]}


def test_open_rules_first_and_passed_ones_behind_a_line() -> None:
    view = view_of(gate=GATE)
    assert texts(gate_table(view)) == [
        ["max_drop · swap", "✗ failed", "≤ 10.0", "27.5", "26.8 to 28.1", "1,204", "24.1", ""],
        ["max_drop · swap · EVENT", "? undecided", "≤ 5.0", "n/e", "", "0", "–",
         "no EVENT mention in the attacked set"],
    ]  # fmt: skip
    assert texts(gate_table(view, True)) == [
        ["max_flip_rate · swap", "✓ passed", "≤ 0.30", "0.24", "0.23 to 0.25", "1,204", "–"]
    ]
    assert gate_more(view) == "1 check passed"
    assert gate_lines(view) == ("✗ Gate failed: 1 of 3 checks, 1 undecided (policy gate.toml).",)
    (part,) = gate(view)
    assert [table.name for table in part.all_tables] == ["gate", "gate-passed"]


def test_nothing_without_a_policy() -> None:
    assert gate(view_of()) == ()
    assert gate_lines(view_of()) == ()


def test_the_verdict_ends_with_it_and_links_to_it() -> None:
    said = verdict(view_of(gate=GATE)).sentences[-1]
    assert str(said) == (
        "✗ Gate failed: 1 of 3 checks, 1 undecided: max_drop[swap] ≤ 10.0 was 27.5; max_drop[swap, EVENT] ≤ 5.0 is "
        "undefined: no EVENT mention in the attacked set."
    )
    assert said.parts[0] == ("✗ Gate failed", True, "gate")
    passed = {**GATE, "status": "passed", "checks": [FLIPS], "counts": {**COUNTS, "failed": 0, "undecided": 0}}
    assert str(verdict(view_of(gate=passed)).sentences[-1]) == "✓ Gate passed: 1 rule."
    undecided = {**passed, "status": "undecided", "checks": [OPEN], "counts": {**COUNTS, "failed": 0, "passed": 0}}
    assert str(verdict(view_of(gate=undecided)).sentences[-1]).startswith("? Gate undecided: 1 of 1 rule: max_drop[")


def test_every_other_form_has_it() -> None:
    view = view_of(gate={**GATE, "checks": [{**FAILED, "set": "a|b`@me"}, OPEN, FLIPS]})
    data: dict[str, Any] = dict(view.data)
    data["header"] = {"version": "0", "signature": "s", "seed": 0, "level": 0.95, "inputs": []}
    text = MarkdownReport().render(type(view.result)(data))
    assert "## Gate" in text
    assert "[**✗ Gate failed**](#gate)" in text
    assert "| ``max_drop · a\\|b`@me`` |" in text


def test_papers_have_it_in_letters_that_every_latex_has() -> None:
    text = to_latex(gate_table(view_of(gate=GATE)))
    assert text.isascii()
    (table,) = tables_of(text)
    assert table.rows[0][:3] == ["max_drop · swap", "✗ failed", "≤ 10.0"]
