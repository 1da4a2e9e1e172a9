"""`report.html`: one file, readable offline and without scripts."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from nerquake.core.results import AuditResult
from nerquake.report import about, method, parts, sections, tables
from nerquake.report.charts.chart import CHARTS, missing_line
from nerquake.report.curve import Curve, curves
from nerquake.report.downloads import Downloads
from nerquake.report.dumbbell import NARROW, caption, dumbbell, figure_title
from nerquake.report.explorer import SCRIPTS, explorer, script_hash, with_size, wrapped
from nerquake.report.label_tables import loss_table, rows_of, strict_exact_table
from nerquake.report.latex import to_latex
from nerquake.report.naturalness import naturalness_table
from nerquake.report.sentences import SHOWN
from nerquake.report.table import Table, to_csv
from nerquake.report.verdict import best_on_original, overtaken, verdict
from nerquake.report.view import View
from nerquake.report.visible import pieces, visible

GROUNDS = 6
"""Label colours: six grounds by three edges; labels after the eighteenth have an edge only."""
EDGES = ("solid", "dashed", "dotted")
PRINTED = 15
"""Rows of a table of findings that paper has room for; longer ones stand on screen and in tables.csv alone."""


class LabelTables(NamedTuple):
    """The tables by label of one model."""

    tagger: str
    loss: Table
    strict_exact: Table


@dataclass(frozen=True)
class HtmlReport:
    """The page. It loads nothing: a policy in its head forbids the network."""

    name: ClassVar[str] = "report.html"

    def render(self, result: AuditResult) -> str:
        """The page's text; the same result gives the same bytes, and no time of day stands in it."""
        view = View(result)
        environment = environment_of_pages()
        slots = _slots(view.labels)
        found = explorer(view, slots)
        explained = {made.__name__: made(view) for made in parts.EXPLAINING}
        page = environment.get_template("page.html").render(
            view=view,
            verdict=verdict(view),
            style=Markup(template_text("style.css") + (template_text("explorer/explorer.css") if found else "")),
            scripts=[Markup(script) for script in _scripts(found is not None)],
            first=[Markup(template_text("explorer/first.js"))] if found and found.large else [],
            script_hash=script_hash,
            explorer=found,
            files=Downloads(),
            figure=_figure(view),
            schemes=tables.SCHEME_WORDS,
            measures=tables.MEASURES,
            scores=[(*choice, tables.score_table(view, *choice)) for choice in tables.SCORE_CHOICES],
            paired=tables.paired_table(view),
            statuses=[tables.status_table(view), tables.reasons_table(view)],
            models=_models(view),
            labels=_labels(view),
            curves=_curves(view),
            sets=sections.examples(view),
            naturalness=naturalness_table(view),
            fallen=sections.fallen(view, SHOWN),
            **explained,
            missing_charts=missing_line() if any(part.charts for made in explained.values() for part in made) else "",
            clearest=parts.clearest(view),
            method=method,
            about=about,
            slots=slots,
        )
        return with_size(page) if found else page

    def fragment(self, result: AuditResult) -> str:
        """What a notebook shows of the result: no script, no link, a style of its own."""
        from nerquake.report.notebook import fragment

        return fragment(result)


def _scripts(explored: bool) -> tuple[str, ...]:
    """What the page runs: first what any browser understands, then the explorer."""
    plain = template_text("theme.js") + template_text("downloads.js")
    if not explored:
        return (plain,)
    explorer_script = wrapped(template_text(f"explorer/{name}") for name in SCRIPTS)
    return plain + template_text("explorer/old.js"), explorer_script


def _figure(view: View) -> dict[str, Any]:
    drawings = {"svg": Markup(dumbbell(view)), "narrow": Markup(dumbbell(view, NARROW))}
    return {**drawings, "title": figure_title(view), "caption": caption(view)}


def _curves(view: View) -> list[Curve]:
    return [curve._replace(svg=Markup(curve.svg), narrow=Markup(curve.narrow)) for curve in curves(view)]


def _models(view: View) -> dict[str, Any] | None:
    if not view.comparisons:
        return None
    best = best_on_original(view)
    return {"table": tables.models_table(view), "best": best, "ahead": overtaken(view, best) if best else ()}


def _labels(view: View) -> list[LabelTables]:
    return [
        LabelTables(tagger, loss_table(view, tagger), strict_exact_table(view, tagger))
        for tagger in view.taggers
        if rows_of(view, tagger)
    ]


def _slots(labels: Sequence[str]) -> dict[str, str]:
    """CSS classes of each label, most frequent first."""
    places = {label: divmod(index, GROUNDS) for index, label in enumerate(labels)}
    return {label: f"g{g + 1} {EDGES[edge]}" if edge < len(EDGES) else "plain" for label, (edge, g) in places.items()}


@cache
def environment_of_pages() -> Environment:
    """What renders templates: everything is escaped, nothing undefined passes."""
    environment = Environment(
        loader=PackageLoader("nerquake.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    environment.filters.update(
        pieces=pieces, data_uri=_data_uri, csv=to_csv, latex=to_latex, picture=_picture, address=_address
    )
    environment.globals.update(footnotes=tables.footnotes, charts_drawn=lambda: CHARTS.available, tuple=tuple)
    environment.tests.update(lengthy=lambda table: len(table.rows) > PRINTED)
    return environment


def _finalize(value: Any) -> Any:
    """Every text that a template prints passes here, so that none can hold a character that is not seen."""
    return value if isinstance(value, Markup) else visible(str(value))


def template_text(name: str) -> str:
    """A template as it stands, such as the style sheet."""
    environment = environment_of_pages()
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


def _picture(svg: str) -> Markup:
    """A drawing of a chart as it stands in the page: its own text is escaped already."""
    return Markup(svg)


def _address(link: str) -> Markup:
    """A link within the page: percent-encoded but for `&`, which HTML leaves alone in front of a name and `=`.

    There are thousands of them in a page, and `&amp;` for each `&` would be a twentieth of its tables.
    """
    return Markup(str(escape(link)).replace("&amp;", "&"))


def _data_uri(text: str, kind: str) -> str:
    return f"data:{kind};base64,{base64.b64encode(text.encode('utf-8')).decode()}"
