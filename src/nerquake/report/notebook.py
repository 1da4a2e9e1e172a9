"""An audit in a notebook: the verdict, charts and tables, in one piece of HTML that runs nothing."""

from __future__ import annotations

import hashlib
import json

from markupsafe import Markup

from nerquake.core.results import AuditResult
from nerquake.report import parts, tables
from nerquake.report.charts.chart import CHARTS, Charts, missing_line
from nerquake.report.dumbbell import caption, dumbbell, figure_title
from nerquake.report.html import environment_of_pages, template_text
from nerquake.report.label_tables import loss_table, rows_of
from nerquake.report.table import Table
from nerquake.report.verdict import verdict
from nerquake.report.view import View

CLOSING = "The whole report, with every sentence: nerquake.report.write.write_report(result, folder)."


def fragment(result: AuditResult) -> str:
    """What a notebook shows of a result; the same result gives the same text.

    It holds its own style, no script and no link, and every text of the data in it is escaped. Without the extra
    `charts` it has the figure of the scores and the tables.
    """
    view = View(result)
    shown, folded = _shown(view), _folded(view)
    return environment_of_pages().get_template("notebook.html").render(
        verdict=verdict(view),
        signature=view.header["signature"],
        style=Markup(template_text("notebook.css")),
        figure=Markup(dumbbell(view)),
        title=figure_title(view) if view.pairs else "",
        caption=caption(view) if view.pairs else "",
        charts=_charts(view),
        shown=_filled(shown),
        folded=_filled(folded),
        prefix=f"nerquake-{_mark(view)}",
        closing=" ".join(filter(None, (missing_line(), CLOSING))),
    )  # fmt: skip


def _charts(view: View) -> Charts:
    if not CHARTS.available:
        return ()
    made = (part for found in (parts.losses(view), parts.errors(view)) for part in found)
    return tuple(chart for part in made for chart in part.charts)


def _shown(view: View) -> tuple[Table, ...]:
    made = (part for found in (parts.gate(view), parts.since(view)) for part in found)
    return (tables.score_table(view), tables.paired_table(view), *(table for part in made for table in part.tables))


def _folded(view: View) -> tuple[Table, ...]:
    models = (tables.models_table(view),) if view.comparisons else ()
    labels = tuple(loss_table(view, tagger) for tagger in view.taggers if rows_of(view, tagger))
    return (*models, tables.status_table(view), tables.reasons_table(view), *labels)


def _filled(made: tuple[Table, ...]) -> tuple[Table, ...]:
    return tuple(table for table in made if table.rows)


def _mark(view: View) -> str:
    """What tells the anchors of one result in a notebook from those of another."""
    said = json.dumps([view.header, view.data["results"]], sort_keys=True, default=str)
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:8]
