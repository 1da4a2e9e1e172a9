"""What charts in rows share, by hand."""

from typing import Any

from tests.report.found_view import view_of

from nerquake.core.results import AuditResult
from nerquake.report.charts.marks import LEFT
from nerquake.report.charts.rows import listed, rest_words, room, worst_set
from nerquake.report.view import View


def test_the_worst_set_is_the_one_that_costs_most_and_the_first_of_several_alike() -> None:
    losses = {"a": 0.1, "b": 0.3, "c": 0.3, "d": None}
    results: Any = [{"tagger": "m", "set": name, "paired": {"drop": drop}} for name, drop in losses.items()]
    view = View(AuditResult({**view_of().data, "results": results}))
    assert worst_set(view, "m", list(losses)) == "b"
    assert worst_set(view, "m", ["d", "a"]) == "a"
    assert worst_set(view, "other", ["c", "a"]) == "c"


def test_names_in_a_row() -> None:
    assert [listed(["a", "b", "c"][:number]) for number in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


def test_what_is_not_drawn_is_said() -> None:
    assert rest_words((0, "group"), (0, "grouping")) == ""
    assert rest_words((1, "grouping"), (0, "row"), (25, "group")) == (
        " In the tables alone: 1 other grouping, 25 other groups."
    )


def test_scales_begin_where_the_names_end() -> None:
    # 7.4 units for each letter, twice as many for a wide one, at least 110 and at most what there is
    assert room(["ORG", "WORK_OF_ART"], 84) == 165
    assert room(["北京北京"], 84) == 143
    assert room(["PER"], 20) == 110
    assert room(["x" * 99], 84) == LEFT
    assert room(["x" * 99], 84, 10) == 158
    assert room([], 0) == 110
