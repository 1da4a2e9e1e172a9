"""An experiment as tables: a row a set and a column an arm, as paper M's Table 7 has it, then the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nerquake.cli.show import to_table

NAMES: Mapping[str, str] = {
    "original_unused": "original, sources not adapted to",
    "adversarial": "adversarial, held out",
}
"""What tables call sets."""


def table_of(result: Mapping[str, Any]) -> tuple[str, str]:
    """Tables for the terminal, and the same in Markdown."""
    scores = _scores(result)
    tested = _tests(result)
    runs = {row["arm"]: row["n"] for row in result["summary"]}
    note = "strict micro F1, mean ± standard deviation over seeds: " + ", ".join(
        f"{arm} {n}" for arm, n in runs.items()
    )
    notes = [note, *_remarks(result)]
    text = to_table(scores[0], scores[1:]) + "\n".join(notes) + "\n\n"
    markdown = _markdown(scores) + "\n" + "\n".join(f"{line}  " for line in notes) + "\n\n"
    if len(tested) > 1:
        text += to_table(tested[0], tested[1:])
        markdown += _markdown(tested)
    return text, markdown


def _scores(result: Mapping[str, Any]) -> list[list[str]]:
    found = {(row["arm"], row["set"]): row for row in result["summary"]}
    rows = [["set", *result["arms"]]]
    for name in result["sets"]:
        rows.append([NAMES.get(name, name), *(_figure(found[arm, name]) for arm in result["arms"])])
    return rows


def _figure(row: Mapping[str, Any]) -> str:
    spread = f" ± {row['sd'] * 100:.2f}" if row["sd"] is not None else ""
    return f"{row['mean'] * 100:.2f}{spread}"


def _tests(result: Mapping[str, Any]) -> list[list[str]]:
    rows = [["comparison", "set", "difference", "t", "df", "p", "p (Holm)", "p (permutation)"]]
    for row in result["tests"]:
        rows.append([
            f"{row['a']} - {row['b']}",
            NAMES.get(row["set"], row["set"]),
            f"{row['mean_difference'] * 100:+.2f}",
            "" if row["t"] is None else f"{row['t']:.2f}",
            str(row["df"]),
            _p(row["p"]),
            _p(row["p_holm"]),
            _p(row["p_permutation"]),
        ])  # fmt: skip
    return rows


def _p(value: float | None) -> str:
    if value is None:
        return ""
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _remarks(result: Mapping[str, Any]) -> list[str]:
    settings, made = result.get("settings", {}), []
    if "split" in result:
        split = result["split"]
        made.append(
            f"{len(split['sources_adapt'])} source sentences adapt, {len(split['sources_test'])} test; `original` "
            "holds sentences that models were adapted to the attacked versions of"
        )
    for key in ("fine_tuning", "re_training"):
        if settings.get(key):
            made.append(f"{key.replace('_', '-')}: {settings[key]}")
    if settings.get("rates_tried"):
        tried = ", ".join(f"{rate}: {f1 * 100:.2f}" for rate, f1 in settings["rates_tried"].items())
        made.append(f"rates tried on held-out sentences (F1): {tried}")
    return made


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *body]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)
