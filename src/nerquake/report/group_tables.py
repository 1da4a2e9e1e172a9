"""Where it breaks: recall by group, and the gap between the best group and the worst."""

from __future__ import annotations

from nerquake.report.found import Record, growth_cell, records_of
from nerquake.report.island.matrix import DOCUMENT
from nerquake.report.links import link
from nerquake.report.numbers import UNDEFINED, bounds, count, interval, level, percent
from nerquake.report.table import Cell, Column, Row, Table
from nerquake.report.tables import mark
from nerquake.report.view import View

TITLES = {
    "seen-same-label": "Seen in training: exactly, same label",
    "seen-any-label": "Seen in training: exactly, any label",
    "seen-folded-same-label": "Seen in training: whatever the case, same label",
    "seen-folded-any-label": "Seen in training: whatever the case, any label",
    "mention-length": "Length of the mention",
    "sentence-length": "Length of the sentence",
    "position": "Position in the sentence",
    "capitals": "Capitals",
    "consistency-training": "Label of the same text in training",
    "consistency-audited": "Label of the same text elsewhere in the audited data",
    "document": "Document",
    "replacement-seen": "Replacement seen in training: whatever the case, any label",
}
"""What groupings are called; the user's own data name the others."""
ONE_GROUP = "fewer than two groups that are large enough"
NO_INTERVAL = "too few resamples define it"


def grouping_title(record: Record) -> str:
    """What a grouping is called, with the user's word for it where the user's data name it."""
    kind, _, name = str(record["grouping"]).partition(":")
    if kind == "source":
        return f"Replacement: {name}"
    if kind == "column":
        return f"Column {name}, at the mention's first token"
    return name if kind == "meta" else TITLES.get(kind, kind)


def gap_table(view: View, tagger: str) -> Table:
    """One row a grouping and set, widest gap under the attack first: the worst group, the best, and the gap."""
    columns = (
        Column("Grouping", number=False),
        Column("Worst group", number=False, title="lowest recall under the attack; below it the recall"),
        Column("Best group", number=False, title="highest recall under the attack; below it the recall"),
        Column("Gap, attacked", title="of recall, best less worst, in points"),
        Column("Gap, original", title="of recall, best less worst, in points; the groups can be others"),
        Column("Gap of the loss", title="between the groups that lose most and least, in points"),
    )
    rows = []
    for name in dict.fromkeys(record["set"] for record in records_of(view, "groups", tagger)):
        found = [record for record in records_of(view, "groups", tagger) if record["set"] == name]
        group = mark(view, tagger, name, name)
        for record in sorted(
            (one for one in found if one["gap"]["after"]), key=lambda one: -one["gap"]["after"]["value"]
        ):
            rows.append(Row(_gap_cells(record), group))
            group = ""
    notes = (
        f"Recall of gold mentions. Below each gap its {level(view.level)} interval, over sentences, about the two "
        "groups that it is between; the widest of many gaps is wide by chance too. Groups with few mentions do not "
        "count.",
    )
    return Table("groups-gaps", "Gaps of recall between groups of mentions, widest first (points)", columns,
                 tuple(rows), notes)  # fmt: skip


def _gap_cells(record: Record) -> tuple[Cell, ...]:
    after = record["gap"]["after"]
    recall = {one["group"]: one["after"]["value"] for one in record["groups"]}
    return (
        Cell(grouping_title(record), data=record["data"]),
        *(Cell(after[end], percent(recall.get(after[end])), data=record["data"]) for end in ("worst", "best")),
        *(_gap_cell(record, side) for side in ("after", "before", "drop")),
    )


def _gap_cell(record: Record, side: str) -> Cell:
    gap = record["gap"][side]
    if gap is None:
        return Cell(UNDEFINED, title=ONE_GROUP, faint=True)
    shown = interval(gap["low"], gap["high"])
    return Cell(percent(gap["value"]), shown if shown != UNDEFINED else "", title=f"{gap['best']} − {gap['worst']}"
                if side != "drop" else f"{gap['worst']} − {gap['best']}", data=record["data"])  # fmt: skip


def group_table(view: View, tagger: str, set_name: str) -> Table:
    """Recall of one model under one set, grouping by grouping, worst group first."""
    columns = (
        Column("Group", number=False),
        Column("Mentions"),
        Column("Original", title="recall, percent; below it the interval"),
        Column("Attacked", title="recall of the same mentions, percent; below it the interval"),
        Column("Change", title="in points; below it the interval of the loss"),
    )
    rows, minimum = [], 0
    for record in records_of(view, "groups", tagger):
        if record["set"] == set_name:
            rows += _group_rows(record)
            minimum = record["minimum"]
    notes = (
        f"Recall of gold mentions, percent, with {level(view.level)} intervals over sentences; a negative limit of a "
        f"loss is a gain. Worst group under the attack first; in grey, and behind all others, groups with fewer than "
        f"{minimum} mentions.",
    )
    title = f"Recall by group of mentions under {set_name}, worst first (percent)"
    return Table("groups", title, columns, tuple(rows), notes)


def _group_rows(record: Record) -> list[Row]:
    rest = record["not_shown"]
    title = grouping_title(record)
    if rest["groups"]:
        title = f"{title} ({count(rest['groups'])} other groups with {count(rest['mentions'])} mentions are not shown)"
    rows: list[Row] = []
    for one in record["groups"]:
        cells = (
            Cell(one["group"], data=record["data"], faint=one["small"]),
            Cell(count(one["mentions"]), faint=one["small"], link=_link(record, one)),
            *(_recall_cell(one, side) for side in ("before", "after")),
            _change_cell(one),
        )
        rows.append(Row(cells, "" if rows else title))
    return rows


def _link(record: Record, one: Record) -> str:
    """The mentions of a group, where a field of the sentences names it: only these can be filtered by."""
    kind, _, name = str(record["grouping"]).partition(":")
    field = {"meta": name, "document": DOCUMENT}.get(kind, "")
    where = {"model": record["tagger"], "set": record["set"], "group": field, "value": one["group"]}
    return link(one["mentions"], kind="all", was="any", **where) if field else ""


def _recall_cell(one: Record, side: str) -> Cell:
    found = one[side]
    return Cell(percent(found["value"]), _spread(found), title=_why(found), faint=one["small"])


def _change_cell(one: Record) -> Cell:
    drop = one["drop"]
    made = growth_cell(-drop["value"], "", 0.0 if one["small"] else -2.0)
    return Cell(made.text, _spread(drop), title=_why(drop), heat=made.heat, faint=one["small"])


def _spread(found: Record) -> str:
    return "" if found["low"] is None or found["high"] is None else interval(found["low"], found["high"])


def _why(found: Record) -> str:
    return NO_INTERVAL if found["low"] is None or found["high"] is None else ""


def group_lines(view: View) -> tuple[str, ...]:
    """For each model the widest gap that its interval shows, over all sets and groupings."""
    taggers = dict.fromkeys(record["tagger"] for record in view.findings("groups") or ())
    return tuple(line for line in (_line(view, tagger) for tagger in taggers) if line)


def _line(view: View, tagger: str) -> str:
    found = [record for record in records_of(view, "groups", tagger) if record["gap"]["after"] is not None]
    shown = [record for record in found if (record["gap"]["after"]["low"] or 0) > 0]
    if not shown:
        return f"{tagger}: no gap between groups of mentions is shown." if found else ""
    widest = max(shown, key=lambda record: record["gap"]["after"]["value"])
    gap = widest["gap"]["after"]
    recall = {one["group"]: one["after"]["value"] for one in widest["groups"]}
    before = {one["group"]: one["before"]["value"] for one in widest["groups"]}
    apart = before[gap["best"]] - before[gap["worst"]]
    return (
        f"{tagger} breaks most unevenly under {widest['set']} by “{grouping_title(widest)}”: it finds "
        f"{percent(recall[gap['worst']])} % of “{gap['worst']}” and {percent(recall[gap['best']])} % of "
        f"“{gap['best']}”, a gap of {percent(gap['value'])} points ({level(view.level)} interval "
        f"{bounds(gap['low'], gap['high'])}); between these two it was {percent(apart)} before the attack."
    )
