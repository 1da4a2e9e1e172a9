"""Losses of precision, recall and F1, their split into span and type, and by level of attack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nerquake.report.numbers import (
    UNDEFINED,
    bounds,
    change,
    count,
    decimal,
    interval,
    level,
    percent,
    plural,
    relative,
)
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.tables import mark
from nerquake.report.view import Block, View

HEADS = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
LEVEL_WORDS = {
    "entity": "attacks on mentions",
    "context": "attacks on the context",
    "both": "attacks on both at once",
    "surface": "attacks on spelling",
}
SCOPE_WORDS = {"all": "that every set keeps", "changed": "that every set changed"}
NOTHING = "nothing gold or predicted that would define it"


def drop_records(view: View) -> tuple[Block, ...]:
    """What the findings say of losses, in the order of models and sets."""
    return tuple(view.findings("drops") or ())


def drop_table(view: View) -> Table:
    """Strict precision, recall and F1 of every model under every set: before and after, the change, the share."""
    heads = HEADS.values()
    columns = (
        Column("Set", number=False),
        Column("Level", number=False),
        Column("Sentences"),
        *(Column(head, title="before → after; below it the change in points, and as a share") for head in heads),
    )
    rows = []
    for row, group in _grouped(view):
        cells = (_change_cell(row[name], view, row if name == "f1" else None) for name in HEADS)
        rows.append(Row((data_cell(row["set"]), Cell(row["level"]), Cell(count(row["pairs"])), *cells), group))
    notes = (
        f"Strict, percent, over the same sentences before and after. Below each score: the change in points, the "
        f"{level(view.level)} interval of the loss (a negative limit is a gain), and the change as a share of the "
        "score before.",
    )
    return Table("drops", "Precision, recall and F1, before and after (percent)", columns, tuple(rows), notes)


def split_table(view: View) -> Table:
    """How much of each strict loss is lost by span and how much by type."""
    columns = (
        Column("Set", number=False),
        Column("Strict F1", title="span and label must be right"),
        Column("Change", title="of strict F1, in points"),
        Column("Exact F1", title="the span must be right, whatever the label"),
        Column("By span", title="the change of exact F1, in points"),
        Column("By type", title="what the change of strict F1 leaves: right spans under another label, in points"),
        Column("Share by type", title="of the strict loss, percent"),
    )
    rows = []
    for row, group in _grouped(view):
        strict, exact, kind = row["f1"], row["exact"], row["type"]
        share = row["type_share"]
        cells = (
            data_cell(row["set"]),
            _measured(_both(strict)),
            _measured(change(strict["drop"]), _spread(strict)),
            _measured(_both(exact)),
            _measured(change(exact["drop"]), _spread(exact)),
            _measured(change(kind["drop"]), _spread(kind)),
            Cell(percent(share)) if share is not None else _no_share(strict["drop"]),
        )
        rows.append(Row(cells, group))
    notes = (
        "By span and by type add up to the change of strict F1. By span: mentions missed, made up or with other "
        f"tokens. By type: the tokens are right, the label is not. In brackets the {level(view.level)} interval of the "
        "loss; a negative limit is a gain.",
    )
    return Table("drops-split", "The change of strict F1, by span and by type (percent)", columns, tuple(rows), notes)


def level_table(view: View) -> Table:
    """The loss by level of attack, over the same sentences for all of them."""
    found = tuple(view.findings("drop_levels") or ())
    models = tuple(dict.fromkeys(tagger for record in found for tagger in record["taggers"]))
    columns = (
        Column("Level", number=False),
        Column("Sets", number=False),
        *map(Column, ("Original", "Attacked", "Change", "Relative")),
        *(Column(tagger, data=True, title="change in points") for tagger in models),
    )
    rows: list[Row] = []
    for record in found:
        group = f"{_audit(record)}{plural(record['pairs'], 'sentence')} {SCOPE_WORDS[record['scope']]}"
        for one in record["levels"]:
            cells = (
                Cell(one["level"]),
                data_cell(", ".join(one["sets"])),
                _measured(percent(one["original"])),
                _measured(percent(one["attacked"])),
                _measured(change(one["drop"]), _spread(one)),
                _measured(relative(one["relative_drop"])),
                *(_measured(change(one["by_tagger"].get(tagger))) for tagger in models),
            )
            rows.append(Row(cells, group))
            group = ""
    notes = (
        "Strict F1, percent. Each level is the mean over its sets and over models, and all are over the same "
        "sentences, so that neither many sets of one level nor easier sentences decide.",
    )
    return Table("drops-levels", "The change of F1 by level of attack, largest loss first", columns, tuple(rows), notes)


def split_lines(view: View) -> tuple[str, ...]:
    """For each model its largest loss, and what it is made of."""
    worst: dict[str, Block] = {}
    for row in drop_records(view):
        drop = row["f1"]["drop"]
        if (
            drop is not None
            and drop > 0
            and drop > (worst[row["tagger"]]["f1"]["drop"] if row["tagger"] in worst else 0)
        ):
            worst[row["tagger"]] = row
    return tuple(_split_line(row) for row in worst.values())


def _split_line(row: Block) -> str:
    span, kind = row["exact"]["drop"], row["type"]["drop"]
    head = f"{row['tagger']} loses {percent(row['f1']['drop'])} points of F1 under {row['set']}"
    if row["type_share"] is None:
        return f"{head}: {_moved(span)} by span, {_moved(kind)} by type."
    return (
        f"{head}: {percent(span)} because the span is not found as it stands, {percent(kind)} because a right span has "
        f"another label ({decimal(100 * row['type_share'], 0)} % of the loss)."
    )


def level_lines(view: View) -> tuple[str, ...]:
    """Which level of attack hurts more, in plain sentences."""
    found = tuple(view.findings("drop_levels") or ())
    return tuple(line for record in found for line in _level_lines(record, found))


def _level_lines(record: Block, found: tuple[Block, ...]) -> Iterator[str]:
    known = [one for one in record["levels"] if one["drop"] is not None]
    same = [other for other in found if other["scope"] == "all" and other.get("audit") == record.get("audit")]
    if len(known) < 2 or (record["scope"] == "changed" and same and same[0]["pairs"] == record["pairs"]):
        return
    who = plural(len(record["taggers"]), "model")
    costs = [f"{LEVEL_WORDS[one['level']]} {change(one['drop'])} ({plural(len(one['sets']), 'set')})" for one in known]
    over = f"{plural(record['pairs'], 'sentence')} {SCOPE_WORDS[record['scope']]}"
    yield f"{_audit(record)}Change of F1 in points, the mean over {who}, over the {over}: {', '.join(costs)}."
    yield from (
        _difference(one, len(record["taggers"])) for one in record["differences"] if one["difference"] is not None
    )


def shown_levels(view: View) -> tuple[str, ...]:
    """Which level of attack hurts more, for the verdict: the widest difference that its interval shows.

    Over the sentences that every set keeps; nothing in joined audits, each of which has levels of its own.
    """
    records = [one for one in view.findings("drop_levels") or () if one["scope"] == "all" and "audit" not in one]
    shown = [
        (one, len(record["taggers"]))
        for record in records
        for one in record["differences"]
        if one["low"] is not None and one["low"] > 0
    ]
    widest = sorted(shown, key=lambda pair: -pair[0]["difference"])[:1]
    return tuple(_difference(one, models) for one, models in widest)


def _difference(one: Mapping[str, Any], models: int) -> str:
    more, less = LEVEL_WORDS[one["more"]], LEVEL_WORDS[one["less"]]
    points = percent(one["difference"])
    if one["low"] is None or one["high"] is None:
        return f"{_capital(more)} cost {points} points more than {less}; too few resamples define an interval."
    spread = bounds(one["low"], one["high"])
    if one["low"] <= 0 <= one["high"]:
        return f"Neither is shown to hurt more, {more} or {less}: they differ by {points} points, interval {spread}."
    shown = f"interval {spread}; for {one['taggers']} of {models} models" if models > 1 else f"interval {spread}"
    return f"{_capital(more)} hurt more than {less}, by {points} points ({shown})."


def _grouped(view: View) -> Iterator[tuple[Block, str]]:
    """Records with the model's name where it is a new one."""
    before = None
    for row in drop_records(view):
        yield row, "" if row["tagger"] == before else row["tagger"]
        before = row["tagger"]


def _change_cell(found: Block, view: View, marked: Block | None) -> Cell:
    text = _both(found)
    if found["drop"] is None:
        return Cell(text, title=NOTHING, faint=True)
    below = " ".join(filter(None, (change(found["drop"]), _spread(found))))
    if found["relative_drop"] is not None:
        below += f", {relative(found['relative_drop'])}"
    return Cell(text, mark(view, marked["tagger"], marked["set"], below) if marked else below)


def _both(found: Block) -> str:
    if found["original"] is None and found["attacked"] is None:
        return UNDEFINED
    return f"{percent(found['original'])} → {percent(found['attacked'])}"


def _spread(found: Block) -> str:
    return interval(found["low"], found["high"]) if found["low"] is not None else ""


def _measured(text: str, below: str = "") -> Cell:
    return Cell(text, title=NOTHING, faint=True) if text == UNDEFINED else Cell(text, below)


def _no_share(drop: float | None) -> Cell:
    why = NOTHING if drop is None else "no share: nothing is lost, or one part is a gain"
    return Cell(UNDEFINED if drop is None else "–", title=why, faint=True)


def _moved(drop: float) -> str:
    return f"{percent(drop)} lost" if drop > 0 else f"{percent(-drop)} gained" if drop < 0 else "nothing"


def _audit(record: Block) -> str:
    """The audit's name, where several are joined."""
    return f"{record['audit']}: " if "audit" in record else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
