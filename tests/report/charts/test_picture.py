"""What is left of Vega's SVG, and what never is."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from tests.report.charts.every_chart import every_chart
from tests.report.test_html import HOSTILE
from tests.strategies import labels, tokens

from nerquake.report.charts.marks import BLUE, HOLLOW, RING, Bar, Drawing, Line, Point, Words
from nerquake.report.charts.picture import page_svg, picture, without_titles
from nerquake.report.charts.spec import specification
from nerquake.report.visible import visible

SVG = "{http://www.w3.org/2000/svg}"
HELD = "var(--held,#0b5cad)"
VEGA = """<svg xmlns="http://www.w3.org/2000/svg" width="300.04" height="20" onload="alert(1)">
<defs><clipPath id="clip0"><rect width="9" height="9" fill="#000"/></clipPath></defs>
<style>@import url(http://example.org)</style><script>alert(1)</script>
<rect width="300" height="20" fill="white"/>
<g class="root" role="graphics-object" clip-path="url(#clip0)"><path class="background" d="M0,0h0v0h0Z"/>
<g><image href="http://example.org/x.png" width="3" height="3" fill="#000"/><foreignObject fill="#000"/>
<path id="a" aria-label="&lt;b&gt;" d="M0,1.26h10.04v2h-10.04Z" fill="#0b5cad" fill-opacity="0.25"/>
<path d="M5,5h1v1h-1Z" fill="#0b5cad" fill-opacity="0.25" onclick="alert(1)"/>
<text font-family="sans-serif" font-size="12px" transform="translate(0,0)" fill="#15181d">a &amp; b</text>
<path d="M0,0h1" fill="none" stroke="transparent"/><line x2="3" stroke="#888" display="none"/></g></g></svg>"""


def test_shapes_keep_place_and_look_and_nothing_else() -> None:
    assert page_svg(VEGA, 'He said "x" <y>') == (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 20" width="300" height="20" role="img" '
        'aria-label="He said &#34;x&#34; &lt;y&gt;" font-family="system-ui, sans-serif">'
        f'<g fill="{HELD}" fill-opacity="0.25"><path d="M0,1.3h10v2h-10Z"><title>&lt;b&gt;</title></path>'
        '<path d="M5,5h1v1h-1Z"/></g>'
        '<g fill="var(--ink,#15181d)" font-size="12" pointer-events="none"><text>a &amp; b</text></g></svg>'
    )


def test_a_small_drawing_loses_titles_and_its_texts_stay() -> None:
    svg = "<svg><text><title>a &lt;b&gt;</title>a</text><path><title>c</title></path></svg>"
    assert without_titles(svg) == "<svg><text>a</text><path></path></svg>"


def drawn(*marks: Bar | Line | Point | Words) -> Drawing:
    return Drawing(tuple(marks), 0, 10, 40, (0, 5, 10), left=100, right=600)


def test_marks_stand_where_their_figures_are() -> None:
    # the scale has 50 units for each of 10 figures, from 100 units to the right of the edge
    svg = picture(drawn(Bar(2, 4, 5, 10, BLUE, "two"), Words("here", 12, at=30)), "label")
    assert f'<g fill="{HELD}"><path d="M100,5h100v10h-100Z"><title>two</title></path></g>' in svg
    assert '<text transform="translate(-70,12)">here</text>' in svg
    assert [*re.findall(r">(\d+)</text>", svg)] == ["0", "5", "10"]


def test_looks_differ_in_more_than_colour() -> None:
    svg = picture(drawn(Bar(0, 1, 0, 9, BLUE), Bar(1, 2, 0, 9, HOLLOW), Point(5, 20, "circle", 110, RING)), "label")
    assert 'fill="var(--paper,#ffffff)" stroke="var(--fell,#b34700)" stroke-width="1.5"' in svg
    assert f'fill="var(--paper,#ffffff)" fill-opacity="0.6" stroke="{HELD}" stroke-width="2.5"' in svg


def test_words_that_are_cut_are_said_in_full() -> None:
    svg = picture(drawn(Words("a" * 30 + "b" * 30, 10, at=0, length=20)), "label")
    assert f"<title>{'a' * 30}{'b' * 30}</title>aaaaaaaaaaa…bbbbbbbb</text>" in svg


@settings(max_examples=15)
@given(labels(), tokens())
def test_any_text_stays_text(label: str, token: str) -> None:
    text = f"{label}{token}\uffff\x07"
    root = ElementTree.fromstring(picture(drawn(Words(text, 10, at=0, length=999), Bar(0, 5, 5, 9, BLUE, text)), token))
    shown = visible(text).replace("\uffff", "\ufffd")
    assert [found.text for found in root.iter(f"{SVG}text")] == ["0", "5", "10", shown]
    assert [found.text for found in root.iter(f"{SVG}title")] == [shown]
    assert root.get("aria-label") == visible(token)


@pytest.mark.parametrize("chart", [*every_chart(), *every_chart(HOSTILE)], ids=lambda chart: chart.name[:24])
def test_every_chart_is_a_drawing_of_shapes_and_text_alone(chart: object) -> None:
    from altair import Chart as Specification

    from nerquake.report.charts.chart import Chart

    assert isinstance(chart, Chart)
    for drawing, svg in ((chart.drawing, chart.svg), (chart.small, chart.narrow)):
        Specification.from_dict(specification(drawing))
        shapes_and_text_alone(svg)
    titles = [found.text for found in ElementTree.fromstring(chart.svg).iter(f"{SVG}title")]
    assert titles and all(titles)
    assert "<title>" not in chart.narrow
    assert (chart.drawing.width, chart.small.width) == (1080, 300)


def shapes_and_text_alone(svg: str) -> None:
    root = ElementTree.fromstring(svg)
    assert {found.tag.removeprefix(SVG) for found in root.iter()} <= {"svg", "g", "path", "line", "text", "title"}
    attributes = {name for found in root.iter() for name in found.attrib}
    assert not attributes & {"id", "class", "style", "href", "clip-path"} and not [
        n for n in attributes if n[:2] == "on"
    ]
    colours = {found.get(side) for found in root.iter() for side in ("fill", "stroke")} - {None, "none"}
    assert all(re.fullmatch(r"var\(--[a-z]+,#[0-9a-f]{6}\)", str(colour)) for colour in colours)
    assert not re.search("[\u200b\u202a-\u202e\x00-\x08]", svg)
    assert float(root.attrib["width"]) > 200
    assert len(svg) < 30_000


def test_the_same_figures_give_the_same_bytes() -> None:
    chart = next(chart for chart in every_chart() if chart.name.startswith("outcomes"))
    first = chart.svg
    picture.cache_clear()
    assert chart.svg == first
