"""What the report says of a review: tables and sentences by hand, nothing without one, hostile names as text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.report.example import example
from tests.report.page import read_page

from nerquake.core.results import AuditResult
from nerquake.report.curation_tables import curation_lines, curation_tables
from nerquake.report.html import HtmlReport
from nerquake.report.latex import to_latex
from nerquake.report.markdown import MarkdownReport
from nerquake.report.table import Table
from nerquake.report.view import View

HOSTILE = "</script><script>window.pwned=5</script>|`x`"


def result(reviewer: str = "mira", **changes: Any) -> AuditResult:
    """The example with a review of one set under one model."""
    plain = example()
    tagger, name = plain.data["taggers"][0]["name"], plain.data["sets"][1]["name"]
    block = {"drop": 0.339, "low": 0.31, "high": 0.368, "pairs": 1200}
    one = {"decision": "reject", "reason": "meaning lost", "spans": None}
    other = {"decision": "relabel", "reason": None, "spans": [[0, 1, "LOC"]]}
    found = {
        "reviewers": [{"file": "d.jsonl", "reviewer": reviewer, "items": 100, "decided": 98, "undecided": 2,
                       "seen_predictions": 3, "unknown": 1, "repeated": 0, "settles": False}],
        "on_conflict": "drop",
        "agreement": [{"a": reviewer, "b": "noor", "items": 20, "agreed": 15,
                       "kappa": {"value": 0.4, "low": -0.05, "high": 0.8}, "table": [], "method": "Cohen's kappa",
                       "disagreements": [{"id": "s1~swap", "a": one, "b": other}]}],
        "undecided": ["s8~swap", "s9~swap"], "unnamed": 0, "conflicts": ["s1~swap"],
        "sets": [{"set": name, "changed": 1200, "reviewed": 96, "accepted": 80, "relabelled": 4, "rejected": 12,
                  "unsure": 1, "disagreed": 1, "undecided": 2, "reasons": {"meaning lost": 11, "other": 1},
                  "invalid": {"value": 0.125, "low": 0.08, "high": 0.2}}],
        "losses": [{"tagger": tagger, "set": name, "before": block, "after": {**block, "drop": None, "pairs": 84},
                    "raw": block, "adjusted": {"original": 0.924, "attacked": 0.7, "drop": 0.224, "low": 0.2,
                                               "high": 0.25}}],
        "methods": {"invalid": "weighted", "adjusted": "stood for"},
        **changes,
    }  # fmt: skip
    return replace(plain, data={**plain.data, "findings": {**plain.data["findings"], "curation": found}})


def cells(table: Table) -> list[list[str]]:
    return [[f"{cell.text} {cell.sub}".strip() for cell in row.cells][1:] for row in table.rows]


def test_tables_by_hand() -> None:
    before, adjusted, decided, reasons, disagreed = curation_tables(View(result()))
    assert cells(before) == [["1,200", "84", "−33.9 [31.0, 36.8]", "n/e"]]
    assert cells(adjusted) == [["−33.9 [31.0, 36.8]", "−22.4 [20.0, 25.0]", "92.4", "70.0"]]
    assert cells(decided) == [["1,200", "80", "4", "12", "1", "1", "2", "12.5 [8.0, 20.0]"]]
    assert [column.head for column in reasons.columns] == ["Set", "Meaning lost", "Other"]
    assert cells(reasons) == [["11", "1"]]
    assert cells(disagreed) == [["reject: meaning lost", "relabel: 0-1 LOC"]]
    assert "their loss does not compare with that before" in before.notes[1]


def test_sentences_by_hand() -> None:
    assert curation_lines(View(result())) == (
        "mira decided 98 of 100 sentences (d.jsonl); 3 after a look at the predictions; 1 unknown id left out.",
        "mira and noor agree on 15 of 20 sentences: Cohen's kappa 0.40, 95 % interval [−0.05, 0.80] "
        "(percentile bootstrap).",
        "Reviewers disagree on 1 sentence, which the curated sets leave out: s1~swap.",
        "Nobody decided 2 sentences, which the curated sets leave out: s8~swap, s9~swap.",
    )


def test_what_is_undefined_is_said_and_many_ids_are_cut_short() -> None:
    many = [f"s{n}~swap" for n in range(25)]
    agreement = [
        {**result().data["findings"]["curation"]["agreement"][0], "kappa": dict.fromkeys(("value", "low", "high"))}
    ]
    lines = curation_lines(View(result(agreement=agreement, undecided=many, unnamed=4, conflicts=[])))
    assert "Cohen's kappa is not evaluated, since both said the same of all of them." in lines[1]
    assert lines[2].endswith("s19~swap and 5 more.") and lines[3].startswith("Nobody decided 4 more sentences")


def test_without_a_review_there_is_nothing() -> None:
    assert curation_tables(View(example())) == () and curation_lines(View(example())) == ()
    assert "curation" not in HtmlReport().render(example())


def test_every_form_of_the_report_holds_it_and_names_stay_text() -> None:
    made = result(HOSTILE)
    page = read_page(HtmlReport().render(made))
    plain = read_page(HtmlReport().render(example()))
    assert len(page.find("script")) == len(plain.find("script"))
    assert HOSTILE in page.text and "Before and after curation" in page.text
    markdown = MarkdownReport().render(made)
    assert "Before and after curation" in markdown
    told = [line for line in markdown.splitlines() if "pwned" in line]
    assert told and not any("<script>" in line for line in told if not line.startswith("|"))
    for table in curation_tables(View(made)):
        assert "\\begin{tabular}" in to_latex(table)
