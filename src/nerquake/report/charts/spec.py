"""A drawing as an Altair specification."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from nerquake.report.charts.marks import (
    LINE_HEX,
    MUTED_HEX,
    Bar,
    Drawing,
    Line,
    Look,
    Mark,
    Point,
    Words,
    cut,
)
from nerquake.report.visible import visible

_NO_XML = dict.fromkeys((0xFFFE, 0xFFFF), "\ufffd")
"""Code points that no SVG file may hold, and that `visible` leaves, since they are no characters."""
_ALIGN = {"start": "left", "middle": "center", "end": "right"}


def specification(drawing: Drawing) -> dict[str, Any]:
    """The drawing in the words of Vega-Lite: at most a layer for each kind of mark, its data inline, nothing to load.

    Sizes are fixed and nothing depends on how wide fonts run, so that the same drawing gives the same SVG anywhere.
    """
    import altair as alt
    from altair.utils.schemapi import debug_mode

    # Altair checks every part against its schema as it is made, which takes ten times as long as making it; the tests
    # check whole specifications instead.
    kinds = list(_kinds(drawing.marks))
    with debug_mode(False):
        layers = [_layer(alt, drawing, f"marks-{place}", marks[0]) for place, marks in enumerate(kinds)]
        chart = alt.layer(*layers, width=drawing.right - drawing.left, height=drawing.height, autosize="none")
        padding = {
            "left": drawing.left,
            "top": drawing.top,
            "right": drawing.width - drawing.right,
            "bottom": drawing.foot,
        }
        chart = chart.properties(padding=padding, background="transparent").configure_view(stroke=None)
        found: dict[str, Any] = chart.to_dict(validate=False)
    # The figures are put in at the end, since Altair copies what it holds at every step.
    data = {f"marks-{place}": [_row(drawing, mark) for mark in marks] for place, marks in enumerate(kinds)}
    return {**found, "datasets": data}


def _kinds(marks: tuple[Mark, ...]) -> Iterator[list[Mark]]:
    """Bars, above them lines, points and words; those of one look side by side, in the order of the first."""
    for kind in (Bar, Line, Point, Words):
        for on_scale in (True, False):
            found = [mark for mark in marks if isinstance(mark, kind) and _on_scale(mark) == on_scale]
            looks = list(dict.fromkeys(map(_look, found)))
            if found:
                yield sorted(found, key=lambda mark: looks.index(_look(mark)))


def _on_scale(mark: Mark) -> bool:
    return getattr(mark, "at", None) is None


def _look(mark: Mark) -> tuple[Any, ...]:
    """What marks have in common that can be written once."""
    if isinstance(mark, Words):
        return (mark.anchor, mark.fill, mark.bold, mark.size)
    return (mark.look,)


def _layer(alt: Any, drawing: Drawing, name: str, first: Mark) -> Any:
    """A layer of marks like this one, over the data of this name."""
    chart = alt.Chart(alt.NamedData(name=name))
    place = _scale(alt, drawing) if _on_scale(first) else alt.X("x:Q", scale=None, axis=None)
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[0, drawing.height], reverse=True, nice=False, zero=False))
    both = {"x": place, "y": y}
    match first:
        case Bar():
            return chart.mark_bar().encode(**both, x2="x2", y2="y2", **_paint(alt), description="said:N")
        case Line():
            return chart.mark_rule().encode(**both, x2="x2", **_paint(alt))
        case Point():
            kinds = {"size": alt.Size("size:Q", scale=None), "shape": alt.Shape("shape:N", scale=None)}
            return chart.mark_point().encode(**both, **kinds, **_paint(alt), description="said:N")
        case Words():
            return _words(alt, chart).encode(
                **both, text="text:N", description="said:N", fill=alt.Fill("fill:N", scale=None),
                size=alt.Size("size:Q", scale=None), angle=alt.Angle("angle:Q", scale=None),
            )  # fmt: skip


def _words(alt: Any, chart: Any) -> Any:
    align, weight = alt.ExprRef("datum.align"), alt.ExprRef("datum.weight")
    return chart.mark_text(baseline="alphabetic", align=align, fontWeight=weight)


def _row(drawing: Drawing, mark: Mark) -> dict[str, Any]:
    """The data of a mark; every text in it is made visible here."""
    match mark:
        case Bar():
            ends = {"x": mark.x, "x2": mark.x2, "y": mark.y, "y2": mark.y + mark.height}
            return {**ends, **_painted(mark.look), "said": _shown(mark.said)}
        case Line():
            return {"x": mark.x, "x2": mark.x2, "y": mark.y, **_painted(mark.look)}
        case Point():
            kinds = {"x": _from_scale(drawing, mark), "y": mark.y, "size": mark.size, "shape": mark.shape}
            return {**kinds, **_painted(mark.look), "said": _shown(mark.said)}
        case Words():
            full = _shown(mark.text)
            short = cut(full, mark.length)
            return {
                "x": _from_scale(drawing, mark), "y": mark.y, "text": short, "fill": mark.fill, "size": mark.size,
                "align": _ALIGN[mark.anchor], "weight": 600 if mark.bold else 400, "angle": mark.angle % 360,
                "said": _shown(mark.said) or (full if short != full else ""),
            }  # fmt: skip


def _from_scale(drawing: Drawing, mark: Point | Words) -> float | None:
    """A figure of the scale, or a place that Vega counts from the scale's beginning."""
    return mark.x if mark.at is None else mark.at - drawing.left


def _shown(text: str) -> str:
    return visible(text).translate(_NO_XML)


def _painted(look: Look) -> dict[str, Any]:
    return {
        "fill": look.fill or "none",
        "opacity": look.opacity,
        "stroke": look.stroke or "none",
        "width": look.width if look.stroke else 0,
        "dash": list(look.dash),
    }


def _paint(alt: Any) -> dict[str, Any]:
    """The channels of a look, whose values stand in the data as they are painted."""
    parts: dict[str, tuple[str, Callable[..., Any]]] = {
        "fill": ("fill:N", alt.Fill),
        "fillOpacity": ("opacity:Q", alt.FillOpacity),
        "stroke": ("stroke:N", alt.Stroke),
        "strokeWidth": ("width:Q", alt.StrokeWidth),
        "strokeDash": ("dash:N", alt.StrokeDash),
    }
    return {channel: made(field, scale=None) for channel, (field, made) in parts.items()}


def _scale(alt: Any, drawing: Drawing) -> Any:
    axis = alt.Axis(
        values=list(drawing.ticks), format=",d", title=None, grid=True, gridColor=LINE_HEX, domain=False, ticks=False,
        labelColor=MUTED_HEX, labelFontSize=12, labelPadding=6, labelOverlap=False, labelFlush=False, labelBound=False,
        zindex=0,
    )  # fmt: skip
    return alt.X("x:Q", axis=axis, scale=alt.Scale(domain=[drawing.low, drawing.high], nice=False, zero=False))
