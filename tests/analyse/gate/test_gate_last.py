"""What an earlier run gave for the same rule, from its gate or else from its scores."""

from __future__ import annotations

from typing import Any

import pytest

from nerquake.analyse.gate.last import last_value, metric_then
from nerquake.analyse.gate.measure import Asked

ALARMS = {"tagger": "m", "set": "s", "original": {"value": 0.1}, "attacked": {"value": 0.3}}
GROUP = {"tagger": "m", "set": "s", "grouping": "meta:domain",
         "groups": [{"group": "news", "before": {"value": 0.8}, "after": {"value": 0.6}}]}  # fmt: skip
DATA: dict[str, Any] = {
    "results": [
        {"tagger": "m", "set": "s", "overall": {"strict": {"f1": 0.7, "recall": 0.5}},
         "per_type": {"PER": {"gold": 3, "strict": {"f1": 0.4}}, "LOC": {"gold": 0, "strict": {"f1": 0.0}}},
         "paired": {"drop": 0.2, "relative_drop": 0.25}}
    ],
    "findings": {
        "labels": [{"tagger": "m", "set": "s", "label": "PER", "original": {"strict": 0.8}, "drop": 0.4}],
        "flips": [{"tagger": "m", "set": "s", "fell": 1, "right": 4, "by_label": {"PER": {"fell": 1, "right": 2}}}],
        "false_alarms": [ALARMS],
        "groups": [GROUP],
    },
}  # fmt: skip


@pytest.mark.parametrize(("kind", "metric", "label", "group", "wanted"), [
    ("max_drop", "strict_f1", "", "", 0.2),
    ("max_relative_drop", "strict_f1", "", "", 0.25),
    ("max_drop", "strict_f1", "PER", "", 0.4),
    ("max_relative_drop", "strict_f1", "PER", "", 0.5),
    ("max_drop", "strict_f1", "ORG", "", None),
    ("max_drop", "strict_recall", "", "", None),
    ("min", "strict_recall", "", "", 0.5),
    ("min", "strict_f1", "PER", "", 0.4),
    ("min", "strict_f1", "LOC", "", None),
    ("max_flip_rate", "strict_f1", "", "", 0.25),
    ("max_flip_rate", "strict_f1", "PER", "", 0.5),
    ("max_flip_rate", "strict_f1", "ORG", "", None),
    ("max", "false_alarm_rate", "", "", 0.3),
    ("max_drop", "false_alarm_rate", "", "", -0.2),
    ("min", "strict_recall", "", "meta:domain=news", 0.6),
    ("max_drop", "strict_recall", "", "meta:domain=news", 0.2),
    ("min", "strict_recall", "", "meta:domain=web", None),
])  # fmt: skip
def test_from_its_scores(kind: str, metric: str, label: str, group: str, wanted: float | None) -> None:
    found = last_value(DATA, kind, metric, "original", Asked("m", "s", label, group))
    assert found == (None if wanted is None else pytest.approx(wanted))
    assert last_value(DATA, kind, metric, "original", Asked("other", "s", label, group)) is None
    assert last_value({}, kind, metric, "original", Asked("m", "s", label, group)) is None
    assert last_value(DATA, kind, metric, "baseline", Asked("m", "s", label, group)) is None


def test_what_its_gate_measured_comes_first() -> None:
    check = {"kind": "max_drop", "metric": "strict_f1", "against": "original", "model": "m", "set": "s", "label": "",
             "group": "", "measured": 0.21}  # fmt: skip
    data = {**DATA, "findings": {**DATA["findings"], "gate": {"checks": [check]}}}
    assert last_value(data, "max_drop", "strict_f1", "original", Asked("m", "s")) == 0.21


def test_a_rule_against_it_finds_rates_and_groups() -> None:
    assert metric_then(DATA, "false_alarm_rate", Asked("m", "s")) == 0.3
    assert metric_then(DATA, "strict_recall", Asked("m", "s", "", "meta:domain=news")) == 0.6
    assert metric_then(DATA, "strict_f1", Asked("m", "s")) == 0.7
