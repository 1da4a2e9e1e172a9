"""Redaction of a whole result: what is not known becomes a shape, numbers and labels stay."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest
from tests.report.example import example

from nerquake.core.errors import UsageError
from nerquake.core.redact import redacted
from nerquake.core.results import AuditResult


def changed(**findings: Any) -> AuditResult:
    result = example(size=40)
    data: Any = copy.deepcopy(dict(result.data))
    data["findings"] |= findings
    return replace(result, data=data)


def test_a_text_in_a_field_that_is_not_known_becomes_its_shape() -> None:
    found = redacted(changed(new_section=[{"invented": "Wombat 7", "n": 3, "deeper": {"again": ["Numbat"]}}]))
    assert found.data["findings"]["new_section"] == [
        {"invented": "Xxxxxx 0", "n": 3, "deeper": {"again": ["Xxxxxx"]}}
    ]  # fmt: skip


def test_labels_models_sets_and_outcomes_stay() -> None:
    section = [{"tagger": "flair:ner", "set": "swap", "label": "PER", "fell": {"flair:ner": [[0, "missed", None]]}}]
    assert redacted(changed(clear=section)).data["findings"]["clear"] == section


def test_ids_of_a_file_become_numbers_and_hashes_stay() -> None:
    result = example(size=40)
    parents = list(dict.fromkeys(case.parent for case in result.cases))
    ids = {parents[0]: "0123456789ab", parents[1]: "Wombat", parents[2]: "0123456789ab.2"}
    cases = [replace(c, parent=ids.get(c.parent, c.parent), id=f"{ids.get(c.parent, c.parent)}~{c.set}")
             for c in result.cases]  # fmt: skip
    found = redacted(AuditResult(result.data, tuple(cases)))
    new = list(dict.fromkeys(case.parent for case in found.cases))
    assert new[:4] == ["0123456789ab", "s00002", "0123456789ab.2", "s00004"]
    assert all(case.id == f"{case.parent}~{case.set}" for case in found.cases)
    assert len(new) == len(parents)


def test_tokens_spans_and_groups() -> None:
    result = example(size=40)
    case = redacted(result).cases[0]
    old = result.cases[0]
    assert [len(token) for token in case.attacked] == [len(token) for token in old.attacked]
    assert (case.original_spans, case.predicted, case.outcomes) == (old.original_spans, old.predicted, old.outcomes)
    assert case.meta == {"domain": "group 1"}


def test_redacted_once_is_enough_and_joined_audits_are_refused() -> None:
    once = redacted(example(size=40))
    assert once.data["header"]["redacted"] is True
    assert once.sets == ()
    assert redacted(once) is once
    joined = AuditResult({**once.data, "header": {"audits": {}}})
    with pytest.raises(UsageError, match="joined already"):
        redacted(joined)


def test_names_that_come_from_file_names_are_told_apart() -> None:
    result = example(size=40)
    specs = ("rules:Wombat.tsv", "rules:Numbat.tsv")
    names = {old["name"]: spec.replace(":", "_") for old, spec in zip(result.data["taggers"], specs, strict=True)}
    data: Any = copy.deepcopy(dict(result.data))
    data["taggers"] = [{"name": spec.replace(":", "_"), "spec": spec} for spec in specs]
    for block in data["results"]:
        block["tagger"] = names[block["tagger"]]
    found = redacted(AuditResult(data))
    assert [entry["name"] for entry in found.data["taggers"]] == ["rules", "rules-2"]
    assert {block["tagger"] for block in found.data["results"]} == {"rules", "rules-2"}
