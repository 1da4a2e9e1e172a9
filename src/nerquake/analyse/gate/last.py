"""What an earlier run gave for the same rule: the column `Last run`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nerquake.analyse.gate.measure import Asked
from nerquake.analyse.gate.policy import FALSE_ALARMS

Data = Mapping[str, Any]


def last_value(data: Data, kind: str, metric: str, against: str, asked: Asked) -> float | None:
    """The value of an earlier run, fractions; None where that run does not tell it.

    What its own gate measured comes first; without the same rule in it, its scores are looked at.

    data  `result.json` of the earlier run
    """
    gate = (data.get("findings") or {}).get("gate") or {}
    for one in gate.get("checks") or ():
        if (one["kind"], one["metric"], one["against"]) == (kind, metric, against) and _asked(one) == asked:
            return None if one["measured"] is None else float(one["measured"])
    if against == "baseline":
        return None
    if asked.group:
        found = _group(data, asked)
        return None if found is None or kind == "max_flip_rate" else _of_sides(found, kind)
    if metric == FALSE_ALARMS:
        return _false_alarms(data, kind, asked)
    if kind in ("min", "max"):
        return metric_then(data, metric, asked)
    if kind == "max_flip_rate":
        return _flip_rate(data, asked)
    return _drop(data, kind, metric, asked)


def _asked(check: Data) -> Asked:
    return Asked(check["model"], check["set"], check["label"], check["group"])


def metric_then(data: Data, metric: str, asked: Asked) -> float | None:
    """A metric under the same set in the earlier run; None where it is undefined or not there."""
    if metric == FALSE_ALARMS:
        return _false_alarms(data, "max", asked)
    if asked.group:
        sides = _group(data, asked)
        return None if sides is None else sides[1]
    scheme, _, measure = metric.partition("_")
    block = _of(data.get("results") or (), asked)
    if block is None:
        return None
    found: Data
    if not asked.label:
        found = block["overall"][scheme]
    else:
        entry = block["per_type"].get(asked.label) or {}
        found = entry.get(scheme, {}) if entry.get("gold") else {}
    value = found.get(measure)
    return None if value is None else float(value)


def _of(records: Sequence[Data], asked: Asked) -> Data | None:
    return next((one for one in records if (one["tagger"], one["set"]) == (asked.model, asked.set)), None)


def _drop(data: Data, kind: str, metric: str, asked: Asked) -> float | None:
    """The loss of strict F1 that the comparison or the table of labels holds; other losses are not kept."""
    block = _of(data.get("results") or (), asked)
    if metric != "strict_f1" or block is None:
        return None
    relative = kind == "max_relative_drop"
    if not asked.label:
        value = (block.get("paired") or {}).get("relative_drop" if relative else "drop")
        return None if value is None else float(value)
    for row in (data.get("findings") or {}).get("labels") or ():
        if (row["tagger"], row["set"], row["label"]) == (asked.model, asked.set, asked.label):
            before, lost = row["original"]["strict"], row["drop"]
            if lost is None or (relative and not before):
                return None
            return float(lost / before) if relative else float(lost)
    return None


def _flip_rate(data: Data, asked: Asked) -> float | None:
    record = _of((data.get("findings") or {}).get("flips") or (), asked)
    counts = record if record is None or not asked.label else record["by_label"].get(asked.label)
    return counts["fell"] / counts["right"] if counts and counts["right"] else None


def _group(data: Data, asked: Asked) -> tuple[float, float] | None:
    """Recall of a group before and after; None where the earlier run did not list it."""
    grouping, _, group = asked.group.partition("=")
    for record in (data.get("findings") or {}).get("groups") or ():
        if (record["tagger"], record["set"], record["grouping"]) == (asked.model, asked.set, grouping):
            for one in record["groups"]:
                if one["group"] == group and None not in (one["before"]["value"], one["after"]["value"]):
                    return float(one["before"]["value"]), float(one["after"]["value"])
    return None


def _false_alarms(data: Data, kind: str, asked: Asked) -> float | None:
    record = _of((data.get("findings") or {}).get("false_alarms") or (), asked)
    if record is None or record["attacked"] is None or record["attacked"]["value"] is None:
        return None
    return _of_sides((record["original"]["value"], record["attacked"]["value"]), kind)


def _of_sides(sides: tuple[float, float], kind: str) -> float | None:
    """What a limit is about, from the value before and after."""
    before, after = sides
    if kind in ("min", "max"):
        return after
    if kind == "max_relative_drop":
        return (before - after) / before if before else None
    return before - after
