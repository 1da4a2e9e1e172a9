"""Why a figure is undefined, in words: the title and the footnote of every `n/e`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def reason_of(block: Mapping[str, Any], scheme: str = "strict", measure: str = "f1") -> str:
    """Why a block's rate is undefined."""
    row = block["overall"][scheme] if "overall" in block else block[scheme]
    gold, predicted = row.get("possible"), row.get("actual")
    if measure == "precision" and not predicted:
        return "the model predicts no mention"
    if measure == "recall" and not gold:
        return "there is no gold mention"
    return "no mention, neither gold nor predicted"
