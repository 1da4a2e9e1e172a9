import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.report.example import Names, example
from tests.report.page import read_page

from nerquake.core.results import AuditResult
from nerquake.report.dumbbell import NARROW, WIDE, axis_for, dumbbell, figure_title
from nerquake.report.view import View

RESULT = example(Names(), 120)


def with_pairs(**paired: Any) -> View:
    data = copy.deepcopy(dict(RESULT.data))
    for block in data["results"]:
        if "paired" in block:
            block["paired"] |= paired
    return View(AuditResult(data))


def test_ring_and_square_stand_where_the_scores_are() -> None:
    view = View(RESULT)
    axis = axis_for(view)
    svg = read_page(dumbbell(view))
    rings = [float(ring.attributes["cx"]) for ring in svg.find("circle")]
    squares = [float(square.attributes["x"]) + 4 for square in svg.find("rect", width="8")]
    for pair, ring, square in zip(view.pairs, rings, squares, strict=True):
        for key, place in (("original", ring), ("attacked", square)):
            share = (place - axis.left) / (axis.right - axis.left)
            assert abs(axis.low + share * (axis.high - axis.low) - 100 * pair.paired[key]) < 0.05


def test_every_figure_is_written_beside_its_row() -> None:
    words = [text.words for text in read_page(dumbbell(View(RESULT))).find("text")]
    for pair in View(RESULT).pairs:
        paired = pair.paired
        assert f"{100 * paired['original']:.1f} → {100 * paired['attacked']:.1f}" in words
        assert f"−{100 * paired['drop']:.1f}" in words


def test_an_undefined_comparison_has_words_and_no_marks() -> None:
    undefined = dict.fromkeys(("original", "attacked", "drop", "low", "high"))
    view = with_pairs(**undefined)
    svg = read_page(dumbbell(view))
    assert not svg.find("circle")
    assert sum(text.words == "n/e: not evaluated" for text in svg.find("text")) == len(view.pairs)
    assert figure_title(view) == "No comparison could be evaluated"


def test_without_comparisons_there_is_no_drawing() -> None:
    data = {**RESULT.data, "sets": RESULT.data["sets"][:1], "results": []}
    assert dumbbell(View(AuditResult(data))) == ""


def test_the_title_counts_what_fell() -> None:
    assert figure_title(with_pairs(drop=-0.01)) == "F1 falls in none of 6 comparisons"
    every = "F1 falls in every comparison, by up to 12.3 points"
    assert figure_title(with_pairs(drop=0.123, low=0.1)) == every
    assert figure_title(with_pairs(drop=0.123, low=-0.1)) == f"{every}; in 0 of them the interval excludes zero"
    assert figure_title(with_pairs(drop=0.123, low=None)) == f"{every}; in 0 of them the interval excludes zero"


def test_long_names_are_cut_with_the_whole_name_in_the_title() -> None:
    name = "faker:locales=" + "|".join(f"xx_{number:02d}" for number in range(30))
    svg = read_page(dumbbell(View(example(Names(sets=(name, "b", "c")), 60))))
    cut = next(text for text in svg.find("text") if text.find("title"))
    assert cut.one("title").text == name
    assert len(cut.text) - len(name) == WIDE.name_length


@settings(max_examples=40)
@given(st.floats(0, 1), st.floats(0, 1), st.floats(-1, 1), st.floats(-1, 1))
def test_nothing_is_drawn_outside_the_axis(original: float, attacked: float, low: float, high: float) -> None:
    low, high = sorted((low, high))
    view = with_pairs(original=original, attacked=attacked, drop=original - attacked, low=low, high=high)
    for layout in (WIDE, NARROW):
        axis = axis_for(view, layout)
        assert axis.high - axis.low >= 20
        assert 0 <= axis.low <= 100 * min(original, attacked) + 1e-9
        assert 100 * max(original, attacked) - 1e-9 <= axis.high <= 100
        svg = read_page(dumbbell(view, layout))
        for ring in svg.find("circle"):
            assert layout.left <= float(ring.attributes["cx"]) <= layout.right
        for rect in svg.find("rect", rx="2"):
            assert layout.left <= float(rect.attributes["x"])
            assert float(rect.attributes["x"]) + float(rect.attributes["width"]) <= layout.right + 1.1
