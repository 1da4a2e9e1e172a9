"""The section on the last run, by hand."""

from __future__ import annotations

from typing import Any

from tests.report.found_view import texts, view_of

from nerquake.report.island.encode import Since
from nerquake.report.parts import since
from nerquake.report.since_tables import since_examples_table, since_lines, since_of, since_table


def scores(original: float, drop: float | None) -> dict[str, float | None]:
    attacked, low, high = (None, None, None) if drop is None else (original - drop, drop - 0.01, drop + 0.01)
    return {"original": original, "attacked": attacked, "drop": drop, "low": low, "high": high}


def record(name: str, then: float | None, now: float, **changes: Any) -> dict[str, Any]:
    return {
        "tagger": "m", "set": name, "then": scores(0.9, then), "now": scores(0.8, now),
        "change": None if then is None else now - then, "sentences": 10, "other_text": 0, "mentions": 20,
        "fell_then": 3, "fell_now": 5, "newly_fallen": 3, "newly_fallen_wrong_then": 1, "recovered": 1,
        "recovered_wrong_now": 0, "sentences_newly_fallen": 2, "sentences_recovered": 1,
        "mentions_newly_fallen": [["s1", 0], ["s1", 1], ["s4", 0]], "mentions_recovered": [["s2", 0]],
    } | changes  # fmt: skip


EXAMPLE = {"id": "s1", "parent": "s1", "set": "swap", "tagger": "m", "mention": 0, "label": "LOC",
           "original": "… by Syria in …", "attacked": "… by Hyderabad in …", "was": "✓ LOC", "is": "◆ ORG"}  # fmt: skip


def found(*records: dict[str, Any], **changes: Any) -> dict[str, Any]:
    sides = {"shared": ["m"], "only_then": [], "only_now": []}
    return {"version": "0", "signature": "s", "newly_fallen": 3, "recovered": 1, "models": sides, "sets": sides,
            "notes": [], "records": list(records), "examples": [EXAMPLE]} | changes  # fmt: skip


def test_table_and_line() -> None:
    view = view_of(since=found(record("swap", 0.1, 0.25), record("mask", 0.2, 0.1)))
    assert texts(since_table(view))[0] == [
        "swap", "90.0", "80.0", "−10.0|loss [9.0, 11.0]", "−25.0|loss [24.0, 26.0]", "−15.0", "3|1 wrong before", "1",
        "3", "5",
    ]  # fmt: skip
    cell = since_table(view).rows[0].cells[6]
    assert (cell.title, cell.link) == ("3 mentions in 2 sentences", "#set=swap&model=m&kind=all&since=fallen")
    assert since_table(view).rows[0].group == "m"
    assert since_table(view).rows[1].group == ""
    assert since_lines(view) == (
        "m: 6 mentions newly fallen and 2 recovered since the last run; its loss grew most under swap, from a change "
        "of −10.0 to one of −25.0 points.",
    )
    assert texts(since_examples_table(view)) == [
        ["s1", "swap", "m", "… by Syria in …", "… by Hyderabad in …", "✓ LOC", "◆ ORG"]
    ]


def test_what_cannot_be_compared_is_said() -> None:
    sides = {"shared": ["swap"], "only_then": ["old", "older"], "only_now": ["new"]}
    view = view_of(
        since=found(
            record("swap", None, 0.1, other_text=1), models=sides, notes=["repair differs: a, this one b"], examples=[]
        )
    )
    assert since_lines(view) == (
        "m: 3 mentions newly fallen and 1 recovered since the last run.",
        "swap, m: 1 sentence read otherwise in the last run, and is left out of newly fallen and recovered mentions; "
        "the F1 scores have it.",
        "In the last run only: model old, older.",
        "In this run only: model new.",
        "repair differs: a, this one b.",
    )
    assert texts(since_table(view))[0][3:6] == ["n/e", "−10.0|loss [9.0, 11.0]", "n/e"]


def test_less_is_lost_under_every_set() -> None:
    (line, *_) = since_lines(view_of(since=found(record("swap", 0.2, 0.1))))
    assert line.endswith("since the last run; it loses more under no set.")


def test_what_the_explorer_filters_by() -> None:
    assert since_of(view_of(since=found(record("swap", 0.1, 0.2)))) == Since(
        frozenset({("swap", "m", "s1"), ("swap", "m", "s4")}), frozenset({("swap", "m", "s2")})
    )
    assert since_of(view_of()) == Since()
    assert since(view_of()) == ()
