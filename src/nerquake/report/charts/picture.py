"""A specification as SVG for the page: only shapes and text, the page's colours, nothing to load or run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from markupsafe import escape

from nerquake.report.charts.marks import COLOURS, Drawing
from nerquake.report.charts.spec import specification
from nerquake.report.visible import visible

PLACE = ("transform", "d", "x", "y", "x1", "y1", "x2", "y2", "width", "height")
PAINT = ("fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "text-anchor", "font-size",
         "font-weight")  # fmt: skip
"""Attributes that are taken over; roles, classes, ids and fonts are not."""
SHAPES = ("path", "line", "rect", "text")
_NUMBER = re.compile(r"-?\d*\.\d+(?:e-?\d+)?")
_TITLE = re.compile(r"<title>[^<]*</title>")
_NOWHERE = re.compile(r"translate\(0(?:\.5)?,0(?:\.5)?\)")


@lru_cache(maxsize=256)
def picture(drawing: Drawing, label: str) -> str:
    """The SVG of a drawing; `label` says in words what it shows. The first takes a second, in which Vega starts."""
    import vl_convert

    spec = json.dumps(specification(drawing))
    return page_svg(vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]), label)


def without_titles(svg: str) -> str:
    """The same without what pointing at a mark says, for drawings that are touched and printed."""
    return _TITLE.sub("", svg)


def page_svg(vega: str, label: str) -> str:
    """What Vega drew, cleaned: known shapes with known attributes, descriptions as titles, colours by name."""
    root = ElementTree.fromstring(vega)
    width, height = (_short(root.attrib[side]) for side in ("width", "height"))
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    # The first shape is the background of the whole, which the page has itself.
    body = "".join(piece for child in root if _name(child) == "g" for piece in _pieces(child))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(visible(label))}" '
        f'font-family="system-ui, sans-serif">{body}</svg>'
    )


def _pieces(element: Element) -> Iterator[str]:
    if _name(element) != "g":
        yield from _runs([element])
        return
    shapes = [child for child in element if _name(child) in SHAPES and _is_seen(child)]
    groups = (child for child in element if _name(child) == "g")
    inside = "".join([*_runs(shapes), *(piece for child in groups for piece in _pieces(child))])
    kept = _written(_attributes(element))
    if inside:
        yield f"<g{kept}>{inside}</g>" if kept else inside


def _runs(shapes: Sequence[Element]) -> Iterator[str]:
    """Shapes; for those of one look that follow each other the look stands once, around them."""
    for look, found in groupby(shapes, lambda shape: _attributes(shape, PAINT)):
        inside = "".join(_shape(shape) for shape in found)
        # Words that say no more than they are let one point at what is below them.
        through = ' pointer-events="none"' if inside.startswith("<text") and "<title>" not in inside else ""
        yield f"<g{_written(look)}{through}>{inside}</g>"


def _shape(element: Element) -> str:
    name = _name(element)
    said = element.get("aria-label") or ""
    title = f"<title>{escape(said)}</title>" if said else ""
    inside = f"{title}{escape(element.text or '') if name == 'text' else ''}"
    kept = _written(_attributes(element, PLACE))
    return f"<{name}{kept}>{inside}</{name}>" if inside else f"<{name}{kept}/>"


def _is_seen(element: Element) -> bool:
    """Whether a shape paints anything; Vega draws an empty frame and ground around every group."""
    if element.get("display") == "none":
        return False
    if _name(element) == "text":
        return bool(element.text)
    return any(element.get(side, "none") not in ("none", "transparent") for side in ("fill", "stroke"))


def _attributes(element: Element, wanted: Sequence[str] = (*PLACE, *PAINT)) -> dict[str, str]:
    found = {}
    for key in wanted:
        value = element.get(key)
        if value is None or (key, value) in _DEFAULTS or (key == "transform" and _NOWHERE.fullmatch(value)):
            continue
        found[key] = _short(value) if key in PLACE else COLOURS.get(value, value.removesuffix("px"))
    return found


def _written(kept: Mapping[str, str]) -> str:
    return "".join(f' {key}="{escape(value)}"' for key, value in kept.items())


_DEFAULTS = {
    ("fill-opacity", "1"),
    ("stroke", "none"), ("stroke-width", "1"), ("stroke-width", "0"), ("stroke-dasharray", ""),
    ("text-anchor", "start"), ("font-weight", "400"), ("font-weight", "normal"),
}  # fmt: skip


def _short(value: str) -> str:
    """Numbers with at most one decimal."""
    return _NUMBER.sub(lambda found: f"{round(float(found.group()), 1):g}", value)


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]
