"""The method's line on what the report does not have."""

from __future__ import annotations

from typing import Any

from tests.report.example import Names, example
from tests.report.page import read_page

from nerquake.core.results import AuditResult
from nerquake.report.html import HtmlReport
from nerquake.report.markdown import MarkdownReport, prose
from nerquake.report.method import absent
from nerquake.report.view import View

EVERYTHING = (
    "labels", "errors", "flip_table", "overlap", "draws", "curve", "groups", "probe", "clearest", "harden", "gate",
    "since", "seen_context",
)  # fmt: skip


def everything(grouping: str = "document") -> dict[str, Any]:
    return {section: [{"grouping": grouping}] for section in EVERYTHING}


def view(findings: dict[str, Any], models: int = 2, sets: int = 2) -> View:
    attacks = [{"name": name} for name in ("original", *(f"set{n}" for n in range(sets)))]
    comparisons = [{"set": "original", "a": "m", "b": "n", "difference": 0.1}] if models > 1 else []
    return View(AuditResult({"sets": attacks, "comparisons": comparisons, "findings": findings}))


def test_a_report_with_everything_says_nothing() -> None:
    whole = everything()
    assert absent(view(whole)) == ""


def test_each_part_that_is_left_out_stands_with_the_flag_that_fills_it() -> None:
    whole = everything()
    for section, words in {
        "curve": "attack curve (no --curve)",
        "draws": "several draws of an attack (no --draws)",
        "probe": "names and contexts alone (no --probe)",
        "seen_context": "seen and unseen mentions (no --train)",
        "overlap": "overlap of attacks (not analysed)",
        "clearest": "clearest failures (no mention fell)",
        "errors": "errors (not analysed)",
        "harden": "hardening (no experiment)",
    }.items():
        rest = {name: found for name, found in whole.items() if name != section}
        assert absent(view(rest)) == f"Not in this report: {words}."


def test_groups_by_training_are_enough_where_no_attack_changes_contexts() -> None:
    found = everything("seen-same-label") | {"seen_context": None}
    assert absent(view(found)) == ""


def test_one_model_and_one_attack_name_what_a_second_would_fill() -> None:
    found = everything() | {"overlap": []}
    line = absent(view(found, models=1, sets=1))
    assert line == "Not in this report: model comparisons (no second -t), overlap of attacks (no second -p)."


def test_an_audit_without_attacks_names_the_flag_for_them() -> None:
    line = absent(view({}, sets=0))
    for part in ("labels (no -p)", "errors (no -p)", "groups (no -p)", "attacked sets (no -p)"):
        assert part in line


def test_the_line_stands_in_the_method_of_the_page_and_of_the_markdown() -> None:
    result = example(Names(), 60)
    line = absent(View(result))
    assert "attack curve (no --curve), " in line
    method = read_page(HtmlReport().render(result)).one(id="method")
    assert line in [note.words for note in method.find("p", class_="note")]
    assert prose(line) in MarkdownReport().render(result).split("## Method\n")[1].splitlines()
