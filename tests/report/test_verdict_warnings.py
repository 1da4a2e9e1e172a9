"""The verdict's warning of sentences that a model was trained on."""

from __future__ import annotations

from typing import Any

from tests.report.example import example

from nerquake.core.results import AuditResult
from nerquake.report.markdown import MarkdownReport
from nerquake.report.verdict import verdict
from nerquake.report.view import View

ONE, TWO = (entry["name"] for entry in example().data["taggers"])


def overlapping(tagger: str, both: int, id_only: int = 0, hash_only: int = 0) -> dict[str, Any]:
    ids = {"both": both, "id_only": id_only, "hash_only": hash_only}
    listed = {kind: [f"{kind}-{n}" for n in range(number)] for kind, number in ids.items()}
    return {"tagger": tagger, "trained_on": "train.conll", "sources": 900, "audited": 240, **listed}


def result(*records: dict[str, Any], models: int = 2) -> AuditResult:
    made = example()
    found = {**made.data["findings"], "training_overlap": list(records)}
    return AuditResult({**made.data, "taggers": made.data["taggers"][:models], "findings": found}, made.cases)


def test_sentences_that_were_trained_on_are_a_warning_whatever_their_id() -> None:
    warnings = verdict(View(result(overlapping(ONE, 300, 5, 12), overlapping(TWO, 1)))).warnings
    assert f"312 sentences of the audit also stand in the training file of {ONE}." in warnings
    assert f"1 sentence of the audit also stands in the training file of {TWO}." in warnings


def test_one_model_needs_no_name_and_an_id_alone_is_no_overlap() -> None:
    warnings = verdict(View(result(overlapping(ONE, 312), models=1))).warnings
    assert "312 sentences of the audit also stand in the training file." in warnings
    for none in (result(overlapping(ONE, 0, id_only=7)), result()):
        assert not [line for line in verdict(View(none)).warnings if "training file" in line]


def test_it_stands_in_the_report() -> None:
    text = MarkdownReport().render(result(overlapping(ONE, 312)))
    assert "312 sentences of the audit also stand in the training file of" in text
