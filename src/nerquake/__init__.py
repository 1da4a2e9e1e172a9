"""Shake a named entity recogniser and see what falls.

The public names; each loads its module when it is first used.
"""

from __future__ import annotations

import importlib
from typing import Any

_PUBLIC = {
    "AttackedSet": "nerquake.core.variant",
    "AuditResult": "nerquake.core.results",
    "Chain": "nerquake.core.spec",
    "CountTable": "nerquake.core.results",
    "Dataset": "nerquake.core.dataset",
    "Edit": "nerquake.core.edits",
    "LabelRules": "nerquake.core.labels",
    "NerquakeError": "nerquake.core.errors",
    "Predictions": "nerquake.core.results",
    "Prepared": "nerquake.core.protocols",
    "Proposal": "nerquake.core.protocols",
    "Rewrite": "nerquake.core.edits",
    "Sentence": "nerquake.core.sentence",
    "Span": "nerquake.core.span",
    "Spec": "nerquake.core.spec",
    "Tagging": "nerquake.core.protocols",
    "Variant": "nerquake.core.variant",
    "attack": "nerquake.perturb.run",
    "load": "nerquake.io.load",
    "parse_chain": "nerquake.core.spec",
    "parse_spec": "nerquake.core.spec",
    "run_tagger": "nerquake.core.tagging",
    "save": "nerquake.io.load",
    "score_document": "nerquake.stats.system",
}

__all__ = [
    "AttackedSet",
    "AuditResult",
    "Chain",
    "CountTable",
    "Dataset",
    "Edit",
    "LabelRules",
    "NerquakeError",
    "Predictions",
    "Prepared",
    "Proposal",
    "Rewrite",
    "Sentence",
    "Span",
    "Spec",
    "Tagging",
    "Variant",
    "attack",
    "load",
    "parse_chain",
    "parse_spec",
    "run_tagger",
    "save",
    "score_document",
]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'nerquake' has no attribute {name!r}")
    return getattr(importlib.import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PUBLIC])
