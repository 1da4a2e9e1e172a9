"""What was compared, in words: the data, the models, the attacked sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nerquake.core.variant import ORIGINAL
from nerquake.report.numbers import plural
from nerquake.report.tables import shown_name
from nerquake.report.view import View


def compared_lines(view: View) -> tuple[str, ...]:
    """The data, the models with what they are, and the attacked sets."""
    data = [_data(entry) for entry in view.data["sets"] if entry["name"] == ORIGINAL]
    inputs = ", ".join(str(entry["name"]) for entry in view.header["inputs"])
    lines = [f"Data: {inputs}, {'; '.join(filter(None, data))}." if any(data) else f"Data: {inputs}."]
    lines.append(f"Models: {', '.join(map(_model, view.data['taggers']))}.")
    if view.attacks:
        lines.append(f"Attacked sets: {', '.join(map(shown_name, view.attacks))}.")
    return tuple(lines)


def _data(entry: Mapping[str, Any]) -> str:
    sentences = sum(entry.get("status", {}).values())
    mentions = (entry.get("mentions") or {}).get("all")
    if not sentences:
        return ""
    return plural(sentences, "sentence") + (f" with {plural(mentions, 'mention')}" if mentions is not None else "")


def _model(entry: Mapping[str, Any]) -> str:
    spec = str(entry.get("spec") or entry["name"])
    return str(entry["name"]) if spec == entry["name"] else f"{entry['name']} ({spec})"
