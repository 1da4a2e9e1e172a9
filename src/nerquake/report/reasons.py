"""Reasons in words: why a figure is undefined (the title and the footnote of every `n/e`), what was not taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nerquake.report.numbers import count, plural

SHOWN = 4
"""Reasons for which candidates were not taken that are written out."""


def reason_of(block: Mapping[str, Any], scheme: str = "strict", measure: str = "f1") -> str:
    """Why a block's rate is undefined."""
    row = block["overall"][scheme] if "overall" in block else block[scheme]
    gold, predicted = row.get("possible"), row.get("actual")
    if measure == "precision" and not predicted:
        return "the model predicts no mention"
    if measure == "recall" and not gold:
        return "there is no gold mention"
    return "no mention, neither gold nor predicted"


def rejections(entry: Mapping[str, Any]) -> str:
    """Why candidates of a set were not taken, most frequent reasons first; empty where nothing was left aside."""
    found = sorted((entry.get("rejected") or {}).items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{reason} {count(number)}" for reason, number in found[:SHOWN]]
    rest = found[SHOWN:]
    if rest:
        shown.append(f"{plural(len(rest), 'other reason')} {count(sum(number for _, number in rest))}")
    return ", ".join(shown)
