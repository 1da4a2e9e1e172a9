"""What analyses found in several audits, under the names of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nerquake.report.case_tables import named_cases

Found = Mapping[str, Any]
ROWS = (
    "drops",
    "errors",
    "confusion",
    "false_alarms",
    "fine_grained",
    "overlap",
    "flip_table",
    "groups",
    "seen_context",
    "draws",
)
"""Lists of records of one model each."""
LISTS = (*ROWS, "drop_levels", "model_ranks", "clearest", "training_overlap")


def named_explanations(folder: str, found: Found) -> dict[str, Any]:
    """The findings of one audit, its models behind its folder's name."""

    def name(tagger: str) -> str:
        return f"{folder}: {tagger}"

    made: dict[str, Any] = {
        key: [{**row, "tagger": name(row["tagger"]), "audit": folder} for row in found[key]]
        for key in (*ROWS, "training_overlap")
        if found.get(key)
    }
    if found.get("drop_levels"):
        made["drop_levels"] = [_named_levels(folder, row) for row in found["drop_levels"]]
    if found.get("model_ranks"):
        made["model_ranks"] = [_named_ranks(folder, row) for row in found["model_ranks"]]
    if found.get("clearest"):
        made["clearest"] = named_cases(folder, found["clearest"])
    if found.get("probe"):
        shares = [{**row, "tagger": name(row["tagger"]), "audit": folder} for row in found["probe"]["shares"]]
        made["probe"] = {"sets": found["probe"]["sets"], "shares": shares}
    return made


def _named_levels(folder: str, row: Found) -> dict[str, Any]:
    def named(by: Mapping[str, Any]) -> dict[str, Any]:
        return {f"{folder}: {tagger}": value for tagger, value in by.items()}

    levels = [
        {**level, "by_tagger": named(level["by_tagger"])} if isinstance(level.get("by_tagger"), Mapping) else level
        for level in row["levels"]
    ]
    return {**row, "audit": folder, "taggers": [f"{folder}: {one}" for one in row["taggers"]], "levels": levels}


def _named_ranks(folder: str, row: Found) -> dict[str, Any]:
    models = [{**model, "tagger": f"{folder}: {model['tagger']}"} for model in row["models"]]
    overtaken = [
        {key: f"{folder}: {value}" if isinstance(value, str) else value for key, value in pair.items()}
        for pair in row["overtaken"]
    ]
    return {**row, "audit": folder, "models": models, "overtaken": overtaken}


def joined_explanations(found: Sequence[Found]) -> dict[str, Any]:
    """The findings of several audits together, named already."""
    made: dict[str, Any] = {}
    for key in LISTS:
        rows = [row for part in found for row in part.get(key) or ()]
        if rows:
            made[key] = rows
    probes = [part["probe"] for part in found if part.get("probe")]
    if probes:
        made["probe"] = {key: [row for one in probes for row in one[key]] for key in ("sets", "shares")}
    return made
