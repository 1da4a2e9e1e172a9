"""Tables by label: losses under each set, worst first, and strict against exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nerquake.report.fine_tables import CHARGED, NO_GOLD
from nerquake.report.links import link
from nerquake.report.numbers import AGAINST, MARK, UNDEFINED, change, count, percent, plural
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.view import MIN_SUPPORT, Pair, View

FULL_HEAT = 0.5
"""The loss, as a fraction, that gets the deepest colour."""
NO_MENTION = "no mention of this label, neither gold nor predicted"
_NO_SCORES = {"strict": None, "exact": None}
SMALL = f"Support under {MIN_SUPPORT}: shown without colour"
Rows = Mapping[tuple[str, str], Mapping[str, Any]]
"""Findings of one model by (label, set)."""


def rows_of(view: View, tagger: str) -> Rows:
    """What the findings say of one model, by label and set; a label without support is not evaluated.

    Its false alarms would make its F1 0, which is no loss and no score: nothing could be found.
    """
    records = view.findings("labels") or ()
    none = {"original": _NO_SCORES, "attacked": _NO_SCORES, "drop": None}
    return {
        (row["label"], row["set"]): row if row["support"] else {**row, **none}
        for row in records
        if row["tagger"] == tagger
    }


def support_of(rows: Rows, label: str) -> int:
    """Gold mentions of a label in the original text: of the set that compares most sentences."""
    return max((row["support"] for (name, _), row in rows.items() if name == label), default=0)


def labels_by_loss(rows: Rows) -> tuple[str, ...]:
    """Labels, largest loss under any set first; those with little support after all others."""

    def key(label: str) -> tuple[bool, float, str]:
        drops = [row["drop"] for (name, _), row in rows.items() if name == label and row["drop"] is not None]
        return support_of(rows, label) < MIN_SUPPORT, -max(drops, default=-2.0), label

    return tuple(sorted({label for label, _ in rows}, key=key))


def loss_table(view: View, tagger: str) -> Table:
    """Loss by label and set: support, the original score, then for each set the change with the attacked score."""
    rows = rows_of(view, tagger)
    columns = (
        Column("Label", number=False),
        Column("Support", title="gold mentions in the original text"),
        Column("Original", title="strict F1, percent"),
        *(Column(name, data=True, title="change in points, below it the attacked strict F1") for name in view.sets),
    )
    fell = _fell_by_label(view, tagger)
    lines, small = [], False
    for label in labels_by_loss(rows):
        support = support_of(rows, label)
        group = SMALL if support < MIN_SUPPORT and not small else ""
        small = small or support < MIN_SUPPORT
        cells = (_loss_cell(rows.get((label, name)), support, fell.get((label, name))) for name in view.sets)
        lines.append(Row((data_cell(label), _support_cell(rows, label), _original_cell(rows, label), *cells), group))
    notes = (
        "Each cell: the change of strict F1 in points over the same sentences, and the attacked score below it. "
        f"The deeper the orange, the larger the loss; blue is a gain; full colour at {100 * FULL_HEAT:.0f} points.",
        *_against(view, tagger),
    )
    return Table("labels", "Loss by label and set, worst first", columns, tuple(lines), notes)


def _fell_by_label(view: View, tagger: str) -> dict[tuple[str, str], int]:
    """How many mentions fell, by label and set."""
    records = (record for record in view.findings("flip_table") or () if record["tagger"] == tagger)
    return {(label, r["set"]): block["fell"] for r in records for label, block in r["by_label"].items()}


def _support_cell(rows: Rows, label: str) -> Cell:
    """Gold mentions in the original text, with a link to them under the set that compares most sentences."""
    number = support_of(rows, label)
    row = next((row for (name, _), row in rows.items() if name == label and row["support"] == number), None)
    return Cell(count(number), link="" if row is None else _gold_link(row))


def _gold_link(row: Mapping[str, Any]) -> str:
    where = {"model": row["tagger"], "set": row["set"], "label": row["label"]}
    return link(row["support"], kind="all", text="original", met="any", **where)


def _original_cell(rows: Rows, label: str) -> Cell:
    """The score over the most sentences that any set compares."""
    found = [row for (name, _), row in rows.items() if name == label]
    row = max(found, key=lambda row: row["support"])
    return _rate(row["original"]["strict"], row)


def _rate(value: float | None, row: Mapping[str, Any]) -> Cell:
    return Cell(percent(value)) if value is not None else Cell(UNDEFINED, title=_why(row), faint=True)


def _why(row: Mapping[str, Any] | None) -> str:
    return NO_MENTION if row is None or row["support"] else NO_GOLD


def _loss_cell(row: Mapping[str, Any] | None, support: int, fell: int | None) -> Cell:
    if row is None or row["drop"] is None:
        after = None if row is None else row["attacked"]["strict"]
        return Cell(UNDEFINED, "" if after is None else percent(after), title=_why(row), faint=True)
    few = support < MIN_SUPPORT
    heat = None if few else max(-1.0, min(1.0, row["drop"] / FULL_HEAT))
    title = f"{percent(row['original']['strict'])} → {percent(row['attacked']['strict'])}"
    title += "" if fell is None else f"; {plural(fell, 'mention')} that {'was' if fell == 1 else 'were'} right fell"
    where = link(fell or 0, model=row["tagger"], set=row["set"], kind="fell", label=row["label"])
    return Cell(change(row["drop"]), percent(row["attacked"]["strict"]), title=title, heat=heat, faint=few, link=where)


def strict_exact_table(view: View, tagger: str) -> Table:
    """Strict against exact F1 by label, original and attacked side by side: what is lost to wrong labels alone."""
    rows = rows_of(view, tagger)
    columns = (
        Column("Label", number=False),
        Column("Support"),
        *(Column(head) for head in ("Strict, original", "Exact, original", "Strict, attacked", "Exact, attacked")),
    )
    lines = []
    for name in view.sets:
        lines += _strict_exact_rows(rows, name, labels_by_loss(rows))
    notes = (
        "Exact ignores the label: where exact holds and strict falls, the tokens are found under a wrong label.",
        CHARGED,
        *_against(view, tagger),
    )
    return Table("strict-exact", "Strict against exact F1 by label (percent)", columns, tuple(lines), notes)


def _against(view: View, tagger: str) -> tuple[str, ...]:
    """A note on the sets whose attack was chosen against this model."""
    names = [name for name in view.sets if view.chosen_against(tagger, name)]
    return (f"{MARK} {', '.join(names)}: {AGAINST}, its surrogate.",) if names else ()


def _strict_exact_rows(rows: Rows, name: str, labels: Sequence[str]) -> list[Row]:
    lines: list[Row] = []
    for label in labels:
        row = rows.get((label, name))
        if row is not None:
            rates = [row[side][scheme] for side in ("original", "attacked") for scheme in ("strict", "exact")]
            cells = (
                data_cell(label),
                Cell(count(row["support"]), link=_gold_link(row)),
                *(_rate(rate, row) for rate in rates),
            )
            lines.append(Row(cells, "" if lines else name))
    return lines


def hardest_hit(view: View, pair: Pair) -> Mapping[str, Any] | None:
    """The label that loses most under a set, among those with enough support; None where none loses."""
    rows = rows_of(view, pair.tagger)
    enough = [
        row
        for (_, name), row in rows.items()
        if name == pair.set and row["support"] >= MIN_SUPPORT and row["drop"] is not None
    ]
    worst = max(enough, key=lambda row: (row["drop"], row["label"]), default=None)
    return worst if worst is not None and worst["drop"] > 0 else None


def not_evaluated(view: View) -> tuple[str, ...]:
    """Labels without a defined loss for any model under any set, though gold or predictions have them."""
    records = view.findings("labels") or ()
    seen = {row["label"] for row in records}
    defined = {row["label"] for row in records if row["support"] and row["drop"] is not None}
    return tuple(sorted(seen - defined))
