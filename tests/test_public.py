"""The public names of the package, pinned: a name that goes or comes is a decision."""

from __future__ import annotations

import nerquake


def test_the_public_names() -> None:
    assert nerquake.__all__ == [
        "AttackedSet", "AuditResult", "Chain", "CountTable", "Dataset", "Edit", "LabelRules", "NerquakeError",
        "Predictions", "Prepared", "Proposal", "Rewrite", "Sentence", "Span", "Spec", "Tagging", "Variant", "attack",
        "load", "parse_chain", "parse_spec", "run_tagger", "save", "score_document",
    ]  # fmt: skip


def test_every_public_name_is_there_and_documented() -> None:
    for name in nerquake.__all__:
        assert getattr(nerquake, name).__doc__, name
