"""The section on attack curves: in every form, only with --curve, points where the figures are."""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.report.example import Names, example
from tests.report.page import Element, read_page
from tests.report.test_html import HOSTILE

from nerquake.core.results import AuditResult
from nerquake.report.curve import curve_tables, curve_title, curves
from nerquake.report.curve_chart import DASHES, NARROW, ROW, SHAPES, WIDE, Line, Point, axes, key_rows, line_chart
from nerquake.report.html import HtmlReport
from nerquake.report.join import join_results
from nerquake.report.latex import LatexTables
from nerquake.report.markdown import MarkdownReport, prose
from nerquake.report.method import absent
from nerquake.report.numbers import MARK
from nerquake.report.tables import NOTE_AGAINST, footnotes
from nerquake.report.view import View

FLAIR, SPACY = "flair:ner", "spacy:en_core_web_sm"
USUAL = Names()
ASKED = ((0, 0), (0.2, 60), (0.6, 171), (1, 279))
SCORES = ((0.924, 0.9), (0.8, 0.91), (0.7, 0.92), (0.585, 0.93))


def point(attack: str, place: int, models: tuple[str, str]) -> dict[str, Any]:
    asked, replaced = ASKED[place]
    return {
        "set": f"{attack}.coverage={100 * asked:g}" if place else "original",
        "asked": asked, "mentions": 300, "replaced": replaced, "share": replaced / 300,
        "scores": [{"tagger": tagger, "f1": f1, "low": f1 - 0.03, "high": f1 + 0.02}
                   for tagger, f1 in zip(models, SCORES[place], strict=True)],
    }  # fmt: skip


def curved(names: Names = USUAL, draw: str = "independent") -> AuditResult:
    """The example with a curve of its first attack."""
    made = example(names, 60)
    data: Any = copy.deepcopy(dict(made.data))
    points = [point(names.sets[0], place, names.models) for place in range(len(ASKED))]
    data["findings"]["curve"] = [{"set": names.sets[0], "draw": draw, "points": points}]
    return AuditResult(data, made.cases)


RESULT = curved()
VIEW = View(RESULT)
TITLE = "Under swap F1 of 1 of 2 models falls by 33.9 points, with 93.0 % of mentions replaced"


def drawn(page: Element, class_: str = "wide") -> Element:
    return page.one(id="curve").one("div", class_=class_).one("svg")


def test_the_table_says_what_was_asked_replaced_and_scored() -> None:
    (table,) = curve_tables(VIEW)
    assert [column.head for column in table.columns] == ["Asked", "Mentions", "Replaced", "Share", FLAIR, SPACY]
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["original", "300", "0", "0.0", "92.4", "90.0"],
        ["20", "300", "60", "20.0", "80.0", "91.0"],
        ["60", "300", "171", "57.0", "70.0", "92.0"],
        ["100", "300", "279", "93.0", "58.5", "93.0"],
    ]
    assert table.rows[3].cells[4].sub == "[55.5, 60.5]"
    assert "its 95 % interval" in table.notes[0]


def test_the_page_shows_drawing_title_and_table_between_labels_and_sets() -> None:
    page = read_page(HtmlReport().render(RESULT))
    ids = [section.attributes["id"] for section in page.find("section")]
    assert ids[ids.index("labels") : ids.index("sets") + 1] == ["labels", "findings", "curve", "sets"]
    assert [link.words for link in page.one("nav").find("a", href="#curve")] == ["Attack curve"]
    section = page.one(id="curve")
    assert section.one(id="curve-1").words == TITLE
    assert "At each share mentions are drawn anew." in section.one("figcaption").words
    assert len(section.one("details").one("table").find("tr")) == 1 + len(ASKED)
    assert "attack curve" not in page.one(id="method").words


def test_without_curve_there_is_no_section_and_the_method_says_so() -> None:
    result = example(USUAL, 60)
    page = read_page(HtmlReport().render(result))
    assert not page.find(id="curve") and not page.find("a", href="#curve")
    assert "attack curve (no --curve)" in page.one(id="method").words
    assert "attack curve (no --curve)" in absent(View(result)) and "attack curve" not in absent(VIEW)
    assert "Attack curve" not in MarkdownReport().render(result)
    assert LatexTables().render(result).count(r"\begin{tabular}") + 1 == LatexTables().render(RESULT).count(
        r"\begin{tabular}"
    )


def test_markdown_and_latex_hold_the_table() -> None:
    text = MarkdownReport().render(RESULT)
    section = text[text.index("## Attack curve") : text.index("## Attacked sets")]
    assert TITLE in section
    assert "| 100 | 300 | 279 | 93.0 | 58.5 <br> \\[55.5, 60.5\\] | 93.0 <br>" in section
    tex = LatexTables().render(RESULT)
    assert r"100 & 300 & 279 & 93.0 & 58.5 & 93.0 \\" in tex
    assert r"% swap: strict F1 by the share of mentions replaced (percent)" in tex


def test_points_stand_where_the_figures_are() -> None:
    for layout, class_ in ((WIDE, "wide"), (NARROW, "narrow")):
        svg = drawn(read_page(HtmlReport().render(RESULT)), class_)
        lines = svg.find("polyline", stroke_width="1.5")
        points = [Point(replaced / 300, f1, f1 - 0.03, f1 + 0.02)
                  for (_, replaced), both in zip(ASKED, SCORES, strict=True) for f1 in both]  # fmt: skip
        across, up = axes(points, layout)
        for model, line in enumerate(lines):
            places = [tuple(map(float, place.split(","))) for place in line.attributes["points"].split()]
            assert len(places) == len(ASKED)
            for (x, y), (_, replaced), both in zip(places, ASKED, SCORES, strict=True):
                share = across.low + (x - across.left) / (across.right - across.left) * (across.high - across.low)
                f1 = up.low + (y - up.left) / (up.right - up.left) * (up.high - up.low)
                assert abs(share - 100 * replaced / 300) < 0.3
                assert abs(f1 - 100 * both[model]) < 0.3
        assert len(lines) == 2


def test_the_original_is_hollow_and_the_key_names_every_model() -> None:
    svg = drawn(read_page(HtmlReport().render(RESULT)))
    marks = [mark for mark in svg.find("polygon") if mark.find("title")]
    hollow = [mark for mark in marks if "stroke" in mark.attributes]
    assert (len(marks), len(hollow)) == (2 * len(ASKED), 2)
    assert all("with 0.0 % of mentions replaced" in mark.text for mark in hollow)
    assert f"{FLAIR}: F1 58.5 [55.5, 60.5] with 93.0 % of mentions replaced" in [mark.text for mark in marks]
    words = [text.words for text in svg.find("text")]
    assert {FLAIR, SPACY, "92.4 → 58.5", "90.0 → 93.0", "Share of mentions replaced, percent"} <= set(words)


def test_every_model_looks_different() -> None:
    lines = [Line(f"m{n}", (Point(0, 0.9, None, None, True), Point(1, 0.5, None, None))) for n in range(30)]
    svg = read_page(line_chart(lines, "x"))
    looks = set()
    for number in range(30):
        dash = DASHES[number % len(DASHES)]
        looks.add((dash, SHAPES[number % len(SHAPES)]))
    assert len(looks) == 30
    dashes = [line.attributes.get("stroke-dasharray", "") for line in svg.find("polyline", stroke_width="1.5")]
    assert dashes == [DASHES[number % len(DASHES)] for number in range(30)]


def test_nested_draws_are_said() -> None:
    (curve,) = curves(View(curved(draw="nested")))
    assert curve.caption.endswith("A mention that is replaced at one share is replaced at every larger one.")


def test_titles() -> None:
    def line(*scores: float) -> Line:
        return Line("m", tuple(Point(n / 10, f1, None, None, n == 0) for n, f1 in enumerate(scores)))

    at = "with 10.0 % of mentions replaced"
    assert curve_title("e", (line(0.9, 0.8),)) == f"Under e F1 falls by 10.0 points, {at}"
    assert curve_title("e", (line(0.9, 0.8), line(0.9, 0.7))) == f"Under e F1 falls by up to 20.0 points, {at}"
    assert curve_title("e", (line(0.9, 0.91), line(0.9, 0.9))) == f"Under e F1 does not fall, {at}"
    assert curve_title("e", (line(0.9),)) == "Under e no curve could be evaluated"
    assert curve_title("e", ()) == "Under e no curve could be evaluated"


def test_what_is_not_defined_has_words_and_no_point() -> None:
    data: Any = copy.deepcopy(dict(RESULT.data))
    points = data["findings"]["curve"][0]["points"]
    points[1]["scores"][0] |= {"f1": None, "low": None, "high": None}
    points[2]["scores"] = []
    view = View(AuditResult(data))
    (table,) = curve_tables(view)
    assert [row.cells[4].text for row in table.rows] == ["92.4", "n/e", "–", "58.5"]
    assert table.rows[1].cells[4].title and footnotes(table)
    svg = drawn(read_page(HtmlReport().render(AuditResult(data, RESULT.cases))))
    assert len([mark for mark in svg.find("polygon") if mark.find("title")]) == 2 + 3
    for one in points:
        one |= {"mentions": 0, "share": None}
    page = read_page(HtmlReport().render(AuditResult(data, RESULT.cases)))
    assert not page.one(id="curve").find("svg")
    assert "open" in page.one(id="curve").one("details").attributes


def test_a_model_that_the_attack_was_chosen_against_is_marked() -> None:
    data: Any = copy.deepcopy(dict(RESULT.data))
    data["sets"][1]["chosen_against"] = [SPACY]
    (table,) = curve_tables(View(AuditResult(data)))
    marked = [[MARK in cell.sub for cell in row.cells[4:]] for row in table.rows]
    assert marked == [[False, False], *[[False, True]] * 3]
    assert NOTE_AGAINST in footnotes(table)


def test_joined_reports_keep_curves() -> None:
    plain = example(Names(models=("stanza:de", "x")), 60)
    joined = join_results({"a/en": RESULT, "a/de": plain, "b/fr": curved(draw="nested")})
    view = View(joined)
    first, second = curves(view)
    assert (first.name, second.name) == ("en: swap", "fr: swap")
    assert [column.head for column in first.table.columns[4:]] == [f"en: {FLAIR}", f"en: {SPACY}"]
    assert [column.head for column in second.table.columns[4:]] == [f"fr: {FLAIR}", f"fr: {SPACY}"]
    assert [cell.text for cell in first.table.rows[3].cells] == [
        cell.text for cell in curve_tables(VIEW)[0].rows[3].cells
    ]
    page = read_page(HtmlReport().render(joined))
    ids = [element.attributes["id"] for element in page.find() if "id" in element.attributes]
    assert len(set(ids)) == len(ids)
    MarkdownReport().render(joined)
    assert "attack curve (no --curve)" in absent(View(join_results({"x": plain})))


def test_hostile_names_stay_text() -> None:
    result = curved(HOSTILE)
    html = HtmlReport().render(result)
    assert "<script>window" not in html and "onerror=alert(1)>'" not in html
    page = read_page(html)
    assert not page.find("img")
    assert HOSTILE.models[0] in [text.one("title").text for text in drawn(page).find("text") if text.find("title")]
    assert prose(curves(View(result))[0].title) in MarkdownReport().render(result)
    LatexTables().render(result)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20))
def test_nothing_is_drawn_outside_and_no_line_of_the_key_over_another(ends: list[tuple[float, float]]) -> None:
    lines = [Line(f"m{n}", (Point(0, 0.5, 0.4, 0.6, True), Point(share, f1, f1, f1)))
             for n, (share, f1) in enumerate(ends)]  # fmt: skip
    for layout in (WIDE, NARROW):
        points = [point for line in lines for point in line.points]
        across, up = axes(points, layout)
        assert 100 * max(point.share for point in points) <= across.high <= 100
        assert up.low <= 100 * min(f1 for _, f1 in ends) + 1e-9 and 100 * max(f1 for _, f1 in ends) <= up.high + 1e-9
        rows = sorted(key_rows(lines, up, layout).values())
        assert len(rows) == len(lines)
        assert all(below - above >= ROW - 0.2 for above, below in pairwise(rows))
        assert rows[0] >= layout.top - 0.2
        svg = read_page(line_chart(lines, "x", layout)).one("svg")
        assert rows[-1] + 5 <= float(svg.attributes["height"])
