"""A chart with its words and its figures; its SVG is made where a form of the report asks for it."""

from __future__ import annotations

from dataclasses import dataclass

from nerquake.registry import Builtin
from nerquake.report.charts.marks import Drawing
from nerquake.report.charts.picture import picture, with_plain_colours
from nerquake.report.table import Table

CHARTS = Builtin("nerquake.report.charts.chart:Chart", "charts", "altair vl_convert", "charts")
"""What charts need; without it the report has its tables alone."""


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart.

    name     what files and anchors are called
    title    what is seen, in a sentence
    caption  what each mark means, and what is left out
    table    the figures that are drawn, as the table beside the chart has them
    """

    name: str
    title: str
    caption: str
    table: Table
    drawing: Drawing

    @property
    def svg(self) -> str:
        """The drawing for the page, in its colours; every text in it is escaped. Needs the extra `charts`."""
        return picture(self.drawing, self.title)

    @property
    def file(self) -> str:
        """The drawing as a file of its own."""
        return with_plain_colours(self.svg)


Charts = tuple[Chart, ...]


def charts_of(*found: Chart | None) -> Charts:
    """Those that there are data for."""
    return tuple(chart for chart in found if chart is not None)


def missing_line() -> str:
    """What the page says where the extra is not installed; empty where it is."""
    if CHARTS.available:
        return ""
    how = f'pip install "nerquake[{CHARTS.extra}]"'
    return f"Charts are left out, their figures stand in the tables. To draw them: {how}"
