"""A chart with its words and its figures; its SVG is made where a form of the report asks for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nerquake.registry import Builtin
from nerquake.report.charts.marks import Drawing
from nerquake.report.charts.picture import picture, without_titles
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
    drawing  for windows in which it need not be made smaller; `small` for phones and for columns of paper
    """

    name: str
    title: str
    caption: str
    table: Table
    drawing: Drawing
    small: Drawing

    @property
    def svg(self) -> str:
        """The drawing for the page, in its colours; every text in it is escaped. Needs the extra `charts`."""
        return picture(self.drawing, self.title)

    @property
    def narrow(self) -> str:
        """The small drawing, of the same figures."""
        return without_titles(picture(self.small, self.title))

    @property
    def figures(self) -> Table:
        """The table under the chart's own name, which its files have."""
        return replace(self.table, name=self.name)


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
