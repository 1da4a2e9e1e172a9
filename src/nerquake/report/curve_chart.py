"""The drawing of an attack curve: F1 against the share of mentions replaced, a line for each model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import escape

from nerquake.report.numbers import interval, percent
from nerquake.report.svg import FELL, HELD, INK, LINE, MUTED, PAPER, Axis, around, drawing, words
from nerquake.report.visible import visible

DASHES = ("", "9 5", "2 4", "12 4 2 4", "18 6")
"""How lines differ; with six shapes of points thirty models look different."""
SHAPES: tuple[tuple[tuple[float, float], ...], ...] = (
    ((-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)),
    ((0, -6), (5.5, 4), (-5.5, 4)),
    ((0, -6.5), (6.5, 0), (0, 6.5), (-6.5, 0)),
    ((0, 6), (5.5, -4), (-5.5, -4)),
    ((-2, -6), (2, -6), (2, -2), (6, -2), (6, 2), (2, 2), (2, 6), (-2, 6), (-2, 2), (-6, 2), (-6, -2), (-2, -2)),
    ((-6, 0), (-3, -5), (3, -5), (6, 0), (3, 5), (-3, 5)),
)
"""Corners of a point, around its place: square, triangles, diamond, cross, hexagon."""
ROW = 22
"""Height of a line of the key."""


class Point(NamedTuple):
    """One score of a model; shares and scores are fractions."""

    share: float
    f1: float
    low: float | None
    high: float | None
    original: bool = False


class Line(NamedTuple):
    """A model's points, by share."""

    name: str
    points: tuple[Point, ...]


class Layout(NamedTuple):
    """Where things stand, in the drawing's own units.

    left, right, top, bottom   edges of the plot
    beside                     whether the key stands at the ends of the lines, else below the plot
    key, end                   where the key begins, and where its figures end
    """

    width: int
    left: int
    right: int
    top: int
    bottom: int
    beside: bool
    key: int
    end: int
    name_length: int


WIDE = Layout(1080, 44, 720, 34, 354, True, 752, 1078, 21)
NARROW = Layout(300, 34, 286, 34, 234, False, 0, 298, 18)
"""For phones: the key below the plot, in a width that needs no scrolling."""


def line_chart(lines: Sequence[Line], label: str, layout: Layout = WIDE) -> str:
    """The drawing as SVG; every text in it is escaped. Empty where there is no point.

    label   what the drawing shows, for those who do not see it
    """
    points = [point for line in lines for point in line.points]
    if not points:
        return ""
    across, up = axes(points, layout)
    rows = key_rows(lines, up, layout)
    lowest = max([layout.bottom + 42, *(y + 10 for y in rows.values())])
    body = [*_frame(across, up, layout)]
    for line in lines:
        body += _bands(across, up, line)
    for number, line in enumerate(lines):
        body += _line(across, up, number, line)
    for number, y in rows.items():
        body += _key(across, up, layout, number, lines[number], y)
    return drawing(layout.width, lowest, label, body)


def axes(points: Sequence[Point], layout: Layout) -> tuple[Axis, Axis]:
    """Across: from nothing to the largest share, in whole tens. Up: whole tens around scores and intervals."""
    most = max(point.share for point in points)
    values = [value for point in points for value in (point.f1, point.low, point.high) if value is not None]
    across = Axis(0, around([0.0, most])[1], layout.left, layout.right)
    return across, Axis(*around(values), layout.bottom, layout.top)


def key_rows(lines: Sequence[Line], up: Axis, layout: Layout) -> dict[int, float]:
    """Where each line of the key stands, by the line's number: near the line's end, none over another."""
    drawn = [number for number, line in enumerate(lines) if line.points]
    if not layout.beside:
        return {number: layout.bottom + 62.0 + ROW * place for place, number in enumerate(drawn)}
    wanted = sorted((up.x(100 * lines[number].points[-1].f1), number) for number in drawn)
    # From the top each moves down as far as it must; what then hangs below the plot moves up together.
    rows: dict[int, float] = {}
    free = float(layout.top)
    for y, number in wanted:
        rows[number] = max(y, free)
        free = rows[number] + ROW
    floor = float(max(layout.bottom, layout.top + ROW * (len(drawn) - 1)))
    for _, number in reversed(wanted):
        rows[number] = round(min(rows[number], floor), 1)
        floor = rows[number] - ROW
    return rows


def _frame(across: Axis, up: Axis, layout: Layout) -> Iterator[str]:
    yield words(0, 16, "Strict F1, percent", fill=MUTED, size=12)
    for tick in up.ticks:
        y = up.x(tick)
        yield f'<line x1="{layout.left}" y1="{y}" x2="{layout.right}" y2="{y}" stroke="{LINE}"/>'
        yield words(layout.left - 8, y + 4, str(tick), anchor="end", fill=MUTED)
    for tick in across.ticks:
        x = across.x(tick)
        yield f'<line x1="{x}" y1="{layout.bottom}" x2="{x}" y2="{layout.bottom + 5}" stroke="{MUTED}"/>'
        yield words(x, layout.bottom + 20, str(tick), anchor="middle", fill=MUTED)
    yield words(layout.right, layout.bottom + 38, "Share of mentions replaced, percent", anchor="end", fill=MUTED,
                size=12)  # fmt: skip


def _bands(across: Axis, up: Axis, line: Line) -> Iterator[str]:
    for point in line.points:
        if point.low is None or point.high is None:
            continue
        x, top, bottom = across.x(100 * point.share), up.x(100 * point.high), up.x(100 * point.low)
        yield (
            f'<rect x="{round(x - 4, 1)}" y="{top}" width="8" height="{max(round(bottom - top, 1), 1)}" rx="2" '
            f'fill="{HELD if point.original else FELL}" fill-opacity="0.25"/>'
        )


def _line(across: Axis, up: Axis, number: int, line: Line) -> Iterator[str]:
    places = [(across.x(100 * point.share), up.x(100 * point.f1)) for point in line.points]
    if len(places) > 1:
        along = " ".join(f"{x},{y}" for x, y in places)
        yield f'<polyline points="{along}" fill="none" stroke="{INK}" stroke-width="1.5"{_dashed(number)}/>'
    for point, (x, y) in zip(line.points, places, strict=True):
        limits = f" {interval(point.low, point.high)}" if point.low is not None else ""
        said = f"{line.name}: F1 {percent(point.f1)}{limits} with {percent(point.share)} % of mentions replaced"
        yield _mark(number, x, y, original=point.original, said=said)


def _key(across: Axis, up: Axis, layout: Layout, number: int, line: Line, y: float) -> Iterator[str]:
    """A piece of the line, the model's name, its first and last score."""
    first, last = line.points[0], line.points[-1]
    start = layout.key
    if layout.beside:
        end = across.x(100 * last.share)
        yield (
            f'<polyline points="{round(end + 9, 1)},{up.x(100 * last.f1)} {layout.right + 8},{up.x(100 * last.f1)} '
            f'{start - 4},{y}" fill="none" stroke="{MUTED}" stroke-opacity="0.5"/>'
        )
    yield f'<line x1="{start}" y1="{y}" x2="{start + 36}" y2="{y}" stroke="{INK}" stroke-width="1.5"{_dashed(number)}/>'
    yield _mark(number, start + 18, y)
    yield words(start + 44, y + 4.5, line.name, weight=600, length=layout.name_length)
    scores = percent(first.f1) if len(line.points) == 1 else f"{percent(first.f1)} → {percent(last.f1)}"
    yield words(layout.end, y + 4.5, scores, anchor="end", fill=MUTED)


def _dashed(number: int) -> str:
    dash = DASHES[number % len(DASHES)]
    return f' stroke-dasharray="{dash}"' if dash else ""


def _mark(number: int, x: float, y: float, *, original: bool = False, said: str = "") -> str:
    corners = " ".join(f"{round(x + across, 1)},{round(y + down, 1)}" for across, down in SHAPES[number % len(SHAPES)])
    look = f'fill="{PAPER}" stroke="{HELD}" stroke-width="2"' if original else f'fill="{FELL}"'
    title = f"<title>{escape(visible(said))}</title>" if said else ""
    return f'<polygon points="{corners}" {look}>{title}</polygon>'
