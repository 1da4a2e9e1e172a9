"""What is drawn is what the tables say: every bar, dot and figure against the table beside the chart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.report import test_probe_tables as probes
from tests.report.charts.every_chart import DRAWS, GROUPS, LOSSES, every_chart, seen
from tests.report.explained import explained
from tests.report.found_view import texts, view_of

from nerquake.core.results import SchemeName
from nerquake.report.charts.chart import Chart
from nerquake.report.charts.groups import group_chart
from nerquake.report.charts.kinds import kinds_chart
from nerquake.report.charts.losses import loss_chart
from nerquake.report.charts.marks import Bar, Mark, Point, Words
from nerquake.report.charts.memory import probe_chart, seen_chart
from nerquake.report.charts.outcomes import SHOWN, outcome_chart
from nerquake.report.charts.survival import survival_chart
from nerquake.report.charts.upset import upset_chart
from nerquake.report.drop_tables import drop_table
from nerquake.report.error_tables import error_table
from nerquake.report.fine_tables import charges_table
from nerquake.report.group_tables import group_table
from nerquake.report.overlap_tables import combination_table
from nerquake.report.probe_tables import given_table, seen_table
from nerquake.report.survival_tables import histogram_table
from nerquake.report.table import Row, Table

VIEW, _ = explained()
FLAIR = VIEW.taggers[0]


def of(chart: Chart | None, kind: type[Mark]) -> list[Any]:
    """The marks of a kind that say something."""
    assert chart is not None
    return [mark for mark in chart.drawing.marks if isinstance(mark, kind) and (kind is Words or mark.said)]


def rows_under(table: Table, group: str) -> list[Row]:
    """The rows of a table from one group's head to the next."""
    found, here = [], ""
    for row in table.rows:
        here = row.group or here
        found += [row] if here == group else []
    return found


@pytest.mark.parametrize("scheme", ["strict", "partial"])
def test_outcomes_are_those_of_the_table(scheme: SchemeName) -> None:
    chart = outcome_chart(VIEW, FLAIR, scheme)
    assert chart is not None
    # no scores are there, so that the first set is as bad as any
    found = {row.cells[0].text: row.cells for row in rows_under(charges_table(VIEW, FLAIR, scheme), "swap")}
    for row in chart.table.rows:
        label, side, *numbers = (cell.text for cell in row.cells)
        shift = 1 if side == "original" else 2
        assert numbers == [cell.text for cell in found[label][shift::2]]
    said = {bar.said: bar.x2 - bar.x for bar in of(chart, Bar)}
    for row in chart.table.rows:
        label, side, *numbers = (cell.text for cell in row.cells)
        for column, number in zip(chart.table.columns[2:], numbers, strict=True):
            bar = said.pop(f"{label}, {side}: {number} {column.head.lower()}", None)
            assert bar == (int(number) or None), "as long as its number, and none for nothing"
    assert not said


def test_of_many_labels_the_most_frequent_have_bars_and_the_rest_is_added_up() -> None:
    def side(gold: int) -> Any:
        block = {"correct": gold - 1, "incorrect": 0, "partial": 0, "missed": 1, "spurious": 2}
        return {"gold": gold, "strict": block}

    records = [
        {"tagger": "m", "set": "swap", "label": label, "original": side(gold), "attacked": side(gold)}
        for label, gold in [(None, 0), *((f"L{place:02}", 40 - place) for place in range(SHOWN + 3))]
    ]
    chart = outcome_chart(view_of(fine_grained=records), "m")
    assert chart is not None
    assert [row[0] for row in texts(chart.table)[::2]] == [*(f"L{place:02}" for place in range(20)), "all others"]
    # the labels with 20, 19 and 18 mentions: 57 less 3 that are missed
    assert texts(chart.table)[-1] == ["all others", "attacked", "54", "0", "3", "6"]
    assert chart.caption.endswith("All others: 3 labels with fewer mentions, added up.")


def test_kinds_are_those_of_the_table() -> None:
    chart = kinds_chart(VIEW, FLAIR)
    assert chart is not None
    rows = rows_under(error_table(VIEW, FLAIR), "swap")
    mentions = [cell.text for cell in rows[0].cells]
    wanted = [[cell.text for place, cell in enumerate(row.cells) if place not in (3, 6)] for row in rows[1:]]
    both = "0" not in mentions[4:6]
    assert texts(chart.table) == (wanted if both else [row[:3] for row in wanted])
    assert ("Left out: inside the attacked text" in chart.caption) == (not both)
    for bar in of(chart, Bar):
        assert bar.x == 0 and bar.said.endswith(f": {bar.x2:.1f} %")
    assert chart.title.startswith(f"{FLAIR} under swap: most additional errors are ")


def test_combinations_are_those_of_the_table() -> None:
    chart = upset_chart(VIEW, FLAIR)
    assert chart is not None
    wanted = texts(combination_table(VIEW, FLAIR))
    shown = texts(chart.table)
    assert [row[-2:] for row in shown] == [row[-2:] for row in wanted]
    combinations = [row for row in wanted if "●" in row]
    assert [row[:-2] for row in shown[: len(combinations)]] == [row[1:-2] for row in combinations]
    assert [bar.x2 for bar in of(chart, Bar)][: len(combinations)] == [int(row[-2]) for row in combinations]
    assert len(of(chart, Point)) == sum(row.count("●") for row in combinations)


def test_groups_are_those_of_the_table_and_small_ones_are_left_out() -> None:
    chart = group_chart(GROUPS, "m")
    assert chart is not None
    wanted = [row[:4] for row in texts(group_table(GROUPS, "m", "swap")) if row[0] != "2 tokens"]
    plain = [[row[0], row[1], row[2].partition("|")[0], row[3]] for row in wanted]
    assert texts(chart.table) == plain
    places = [(point.shape, round(point.x, 1)) for point in of(chart, Point)]
    assert places[:2] == [("circle", 90.0), ("square", 40.0)], "the widest gap first, in it the worst group"
    assert "“3 tokens” and 97.0 % of “1 token”: the widest gap, by “Length of the mention”" in chart.title
    assert "groups with fewer than 20 mentions are left out." in chart.caption


def test_survival_is_that_of_the_table() -> None:
    chart = survival_chart(DRAWS)
    assert chart is not None
    # faker only: nothing was right before swap
    cells = texts(histogram_table(DRAWS))[0][2:]
    assert [f"{number}|{share} %" for _, number, share in texts(chart.table)] == cells
    assert [(bar.x, bar.x2) for bar in of(chart, Bar)] == [(0, 15.0), (0, 10.0), (0, 75.0)]
    assert chart.title == "75.0 % of 2,000 mentions that m had right survive all 2 draws of faker, 15.0 % survive none"
    assert chart.caption.endswith("No mention was right before in 1 other panel.")


def test_losses_are_those_of_the_table_and_what_is_undefined_is_left_out() -> None:
    chart = loss_chart(LOSSES)
    assert chart is not None
    f1 = {row[0]: row[-1].partition("|")[2] for row in texts(drop_table(LOSSES))}
    assert [row[0] for row in texts(chart.table)] == ["RS", "zero", "M+R"], "entity, context, both"
    for name, _, moved, share in texts(chart.table):
        below = moved.replace("|", " ") + (f", {share}" if share != "n/e" else "")
        assert f1[name] == below
    bars = [(round(bar.x, 1), round(bar.x2, 1)) for bar in of(chart, Bar)]
    # RS gains 3 points, 3.3 percent of its 91; M+R loses 9, 9.9 percent; nothing is drawn for zero
    assert bars == [(-3.3, 0), (-3.0, 0), (0, 9.9), (0, 9.0)]
    assert "Left out: 1 comparison that could not be evaluated." in chart.caption
    assert "No share where the original score is 0: 1." in chart.caption


def test_seen_and_unseen_are_those_of_the_table() -> None:
    view = seen()
    chart = seen_chart(view)
    assert chart is not None
    row, other = texts(seen_table(view))
    drawn = [[cell.replace("|", " ") for cell in one] for one in texts(chart.table)]
    flat = [f"{one[2]} {one[1]}" for one in drawn]
    assert flat == [row[2].replace("|", " "), row[5].replace("|", " "), other[2].replace("|", " ")]
    assert [one[3] for one in drawn] == [row[3], row[6], other[3]]
    assert [one[4].replace(" ", "|", 1) for one in drawn] == [row[4], row[7], other[4]]
    assert len(of(chart, Point)) == 6, "19 unseen mentions are too few"


def test_the_probe_is_that_of_the_table() -> None:
    view = probes.planted()
    chart = probe_chart(view)
    assert chart is not None
    for model, context, right, *shares in texts(chart.table):
        table = given_table(view, model)
        row = [row for row in texts(table) if row[0] == "All labels"][context == "nonsense"]
        wanted = dict(zip([column.head for column in table.columns], row, strict=True))
        heads = [column.head for column in chart.table.columns[3:]]
        assert right == wanted["Right"]
        assert shares == [wanted[head].partition("|")[0] for head in heads]
    assert all((bar.x, bar.x2) == (0, 100) for bar in of(chart, Bar)), "each model knows only one thing"


def test_without_findings_there_is_no_chart() -> None:
    nothing = view_of()
    assert not any(made(nothing) for made in (loss_chart, survival_chart, seen_chart, probe_chart))
    assert not any(made(nothing, "m") for made in (outcome_chart, kinds_chart, upset_chart, group_chart))


def test_marks_lie_inside_the_drawing_and_say_so_in_words() -> None:
    for chart in every_chart():
        drawing = chart.drawing
        assert chart.title and chart.caption.endswith(".") and chart.table.rows
        left = -(drawing.high - drawing.low) / 2 if chart.name.startswith("combinations") else drawing.low
        for x in numbers(drawing.marks):
            assert left - 1e-9 <= x <= drawing.high + 1e-9, (chart.name, x)
        for mark in drawing.marks:
            assert -drawing.top <= mark.y <= drawing.height + 26
        assert {head.text for head in chart.drawing.marks if isinstance(head, Words)} & {"mentions", "percent",
               "points, percent", "recall, percent"}, "what the scale counts"  # fmt: skip


def numbers(marks: tuple[Mark, ...]) -> Iterator[float]:
    for mark in marks:
        yield from (
            end for end in (mark.x, getattr(mark, "x2", None)) if end is not None and not isinstance(mark, Words)
        )
