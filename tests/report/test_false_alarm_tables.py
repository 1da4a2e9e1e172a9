"""False alarms in words and tables."""

from __future__ import annotations

from typing import Any

from tests.report.found_view import texts, view_of

from nerquake.report.false_alarm_tables import false_alarm_label_table, false_alarm_lines, false_alarm_table
from nerquake.report.view import View


def rate(value: float | None, half: float = 0.1) -> dict[str, float | None]:
    return {"value": value, "low": None if value is None else value - half,
            "high": None if value is None else value + half}  # fmt: skip


def record(name: str, sentences: int, before: Any, after: Any, change: Any, **counts: Any) -> dict[str, Any]:
    return {
        "tagger": "m", "set": name, "sentences": sentences, "original": before, "attacked": after, "change": change,
        "counts": {"original": 2, "attacked": None, "new": None, "gone": None, **counts},
        "labels": [{"label": "PER", "original": 2, "attacked": 5}],
    }  # fmt: skip


def view(change: float, half: float = 0.1) -> View:
    return view_of(
        false_alarms=[
            record("original", 20, rate(0.1), None, None),
            record("swap", 20, rate(0.1), rate(0.1 + change), rate(change, half), attacked=5, new=3, gone=0),
            record("none", 0, rate(None), rate(None), rate(None), original=0, attacked=0, new=0, gone=0),
        ]
    )


def test_table_and_lines_by_hand() -> None:
    found = view(0.15)
    assert texts(false_alarm_table(found, "m")) == [
        ["original", "20", "10.0|2 [0.0, 20.0]", "–", "–", "–", "–"],
        ["swap", "20", "10.0|2 [0.0, 20.0]", "25.0|5 [15.0, 35.0]", "+15.0|[+5.0, +25.0]", "3", "0"],
        ["none", "0", "n/e", "n/e", "n/e", "0", "0"],
    ]
    assert texts(false_alarm_label_table(found, "m"))[0] == ["PER", "2", "5"]
    assert false_alarm_lines(found, "m") == (
        "In 10.0 % of 20 sentences without a mention m finds one in the original text.",
        "Under swap this share grows most, from 10.0 to 25.0 % (95 % interval of the growth 5.0 to 25.0).",
    )


def test_what_is_not_shown_is_not_claimed() -> None:
    assert false_alarm_lines(view(0.05), "m")[1].endswith("; that this is more than chance is not shown.")
    assert false_alarm_lines(view(0.0), "m")[1] == "No attack gives it more false alarms."
    assert false_alarm_lines(view_of(), "m") == ()
    assert false_alarm_table(view_of(), "m").rows == ()
