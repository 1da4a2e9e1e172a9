"""The section on attack curves (paper R, figure 6): their tables, and what their drawings say in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nerquake.core.spec import safe_name
from nerquake.core.variant import ORIGINAL
from nerquake.report.curve_chart import NARROW, Line, Point, line_chart
from nerquake.report.numbers import UNDEFINED, count, decimal, interval, level, percent
from nerquake.report.table import Cell, Column, Row, Table
from nerquake.report.tables import mark
from nerquake.report.view import Block, View

NO_MENTION = "no mention, neither gold nor predicted"
NOTE = (
    "Asked: percent of the mentions that the attack was told to replace; mentions that it cannot replace stay, so that "
    "fewer are. Below each score its {level} interval. Scores are over all sentences that a set keeps; these sets are "
    "in no comparison and no correction of p."
)
DRAWS = {
    "independent": "At each share mentions are drawn anew.",
    "nested": "A mention that is replaced at one share is replaced at every larger one.",
}


class Curve(NamedTuple):
    """The curve of one attack.

    title    what the drawing shows, in a sentence
    caption  what each mark of the drawing means
    svg      the drawing, and for phones `narrow`; empty where no score is defined
    """

    name: str
    title: str
    caption: str
    svg: str
    narrow: str
    table: Table


def curves(view: View) -> tuple[Curve, ...]:
    """One entry for each attack that has a curve, in the order of the audit."""
    return tuple(_curve(view, found) for found in view.findings("curve"))


def curve_tables(view: View) -> tuple[Table, ...]:
    """The tables alone."""
    return tuple(_table(view, found) for found in view.findings("curve"))


def _curve(view: View, found: Block) -> Curve:
    lines = _lines(view, found)
    title = curve_title(_name(found), lines)
    label = f"Strict F1 of each model against the share of mentions replaced. {title}"
    wide, narrow = line_chart(lines, label), line_chart(lines, label, NARROW)
    return Curve(_name(found), title, _caption(view, found), wide, narrow, _table(view, found))


def _name(found: Block) -> str:
    """The attack's name, behind its audit's where several are joined."""
    return f"{found['audit']}: {found['set']}" if "audit" in found else str(found["set"])


def _models(view: View, found: Block) -> list[str]:
    """The models that were scored on any point, in the order of the audit."""
    scored = {score["tagger"] for point in found["points"] for score in point["scores"]}
    return [tagger for tagger in view.taggers if tagger in scored]


def _lines(view: View, found: Block) -> tuple[Line, ...]:
    """A line for each model: the points whose share and score are defined, by share."""
    lines = []
    for tagger in _models(view, found):
        points = sorted(_points(found, tagger), key=lambda point: point.share)
        lines.append(Line(mark(view, tagger, found["set"], tagger), tuple(points)))
    return tuple(lines)


def _points(found: Block, tagger: str) -> Iterator[Point]:
    for point in found["points"]:
        score = _score(point, tagger)
        if point["share"] is not None and score is not None and score["f1"] is not None:
            yield Point(point["share"], score["f1"], score["low"], score["high"], point["set"] == ORIGINAL)


def _score(point: Block, tagger: str) -> Block | None:
    return next((score for score in point["scores"] if score["tagger"] == tagger), None)


def curve_title(name: str, lines: tuple[Line, ...]) -> str:
    """What becomes of F1 between the original text and the largest share of mentions replaced."""
    known = [line.points for line in lines if len(line.points) > 1 and line.points[0].original]
    if not known:
        return f"Under {name} no curve could be evaluated"
    drops = [points[0].f1 - points[-1].f1 for points in known]
    fallen = [drop for drop in drops if percent(drop) != percent(0) and drop > 0]
    at = f"with {percent(max(points[-1].share for points in known))} % of mentions replaced"
    if not fallen:
        return f"Under {name} F1 does not fall, {at}"
    by = f"{'by' if len(fallen) == 1 else 'by up to'} {percent(max(fallen))} points"
    who = "F1 falls" if len(fallen) == len(drops) else f"F1 of {len(fallen)} of {len(drops)} models falls"
    return f"Under {name} {who} {by}, {at}"


def _caption(view: View, found: Block) -> str:
    return (
        "Each line is a model, with points and dashes of its own: strict F1 against the share of all mentions that "
        "the attack really replaced. Hollow and blue: the original text; filled and orange: attacked. "
        f"Band: {level(view.level)} interval of the score. {DRAWS[found['draw']]}"
    )


def _table(view: View, found: Block) -> Table:
    """A row for each point: what was asked for, what was replaced, and F1 with its interval for each model."""
    models = _models(view, found)
    columns = (
        Column("Asked", title="percent of mentions that the attack was to replace"),
        Column("Mentions"),
        Column("Replaced", title="mentions"),
        Column("Share", title="percent of mentions that were replaced"),
        *(Column(tagger, data=True) for tagger in models),
    )
    rows = tuple(_row(view, found["set"], point, models) for point in found["points"])
    title = f"{_name(found)}: strict F1 by the share of mentions replaced (percent)"
    note = NOTE.format(level=level(view.level))
    return Table(f"curve-{safe_name(_name(found))}", title, columns, rows, (note,))


def _row(view: View, attack: str, point: Block, models: list[str]) -> Row:
    original = point["set"] == ORIGINAL
    return Row((
        Cell(ORIGINAL if original else _asked(point["asked"])),
        Cell(count(point["mentions"])),
        Cell(count(point["replaced"])),
        Cell(percent(point["share"]), title="the data have no mention" if point["share"] is None else ""),
        *(_cell(view, tagger, "" if original else attack, _score(point, tagger)) for tagger in models),
    ))  # fmt: skip


def _asked(share: float) -> str:
    """The share that was asked for, with as many digits as it was given."""
    text = f"{100 * share:.6f}".rstrip("0").rstrip(".")
    return text if "." in text else decimal(100 * share, 0)


def _cell(view: View, tagger: str, attack: str, score: Block | None) -> Cell:
    if score is None:
        return Cell("–", title="not scored: the set keeps no sentence", faint=True)
    if score["f1"] is None:
        return Cell(UNDEFINED, title=NO_MENTION, faint=True)
    has_interval = score["low"] is not None and score["high"] is not None
    return Cell(percent(score["f1"]), mark(view, tagger, attack, interval(score["low"], score["high"])
                                           if has_interval else ""))  # fmt: skip
