"""The example audit, with a first set that a masked language model filled and the second model chose."""

from __future__ import annotations

import copy
from typing import Any

from tests.report.example import Names, example

from nerquake.core.results import AuditResult

USUAL = Names()
NATURAL: dict[str, Any] = {
    "judge": "transformers:base",
    "about": ["base, BertForMaskedLM, on cpu, fp32"],
    "sentences": {"changed": 1200, "measured": 200, "without_ratio": 3},
    "perplexity_ratio": {"median": 1.4239, "low": 1.105, "high": 12.34},
    "words": {"outside_mentions": 10640, "replaced": 1203, "share": 1203 / 10640},
    "parts_of_speech": {"about": ["parts of speech: spacy:en"], "compared": 560, "kept": 301, "share": 301 / 560},
    "notes": [],
}
REJECTED = {
    "piece of a word": 1203, "special token": 40, "punctuation": 400, "other script": 2, "empty": 1,
    "the word that stood there": 98,
}  # fmt: skip
SURROGATE = "spacy:en_core_web_sm"
NOTE = "context: filled by base, BertForMaskedLM, on cpu, fp32"
UNNAMED = "context: no masked language model was named: not the paper's setting (filler=transformers:MODEL is)"


def contextual(names: Names = USUAL, size: int = 120) -> AuditResult:
    """The audit; its first set is a context attack."""
    made = example(names, size)
    data: Any = copy.deepcopy(dict(made.data))
    entry = data["sets"][1]
    entry |= {"level": "context", "context_words": 1203, "rejected": REJECTED, "surrogate": SURROGATE}
    entry["chosen_against"] = [names.models[1]]
    entry["notes"] = [NOTE, UNNAMED]
    data["findings"]["sets"][names.sets[0]] |= {"naturalness": NATURAL, "notes": [NOTE, UNNAMED]}
    return AuditResult(data, made.cases)


def as_before(result: AuditResult) -> AuditResult:
    """The result as versions wrote it that knew no context attacks."""
    data: Any = copy.deepcopy(dict(result.data))
    for entry in data["sets"]:
        for key in ("rejected", "surrogate", "chosen_against"):
            entry.pop(key, None)
    for found in data["findings"]["sets"].values():
        found.pop("naturalness", None)
    return AuditResult(data, result.cases)
