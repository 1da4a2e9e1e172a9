"""Confusion of labels: one table for the change, the original and the attacked text, and the pair that moved most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from nerquake.report.found import Record, growth, growth_cell, record_of
from nerquake.report.numbers import count, decimal, percent, plural
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.tables import mark
from nerquake.report.view import MIN_SUPPORT, View

SECTION = "confusion"
Side = Literal["difference", "original", "attacked"]
SIDES: tuple[Side, ...] = ("difference", "original", "attacked")
"""In the order of the tabs: the change is what is shown first."""
SIDE_WORDS: dict[Side, str] = {"difference": "change", "original": "original text", "attacked": "attacked text"}
FULL_HEAT = 0.3
"""The change of a share that gets the deepest colour."""
NO_GOLD = "no gold mention of this label"
NOTES = (
    "Rows are gold labels, columns what the model said; each row is in percent of its gold mentions. Tokens need not "
    "agree: who answers whom is the pairing of the scores.",
    "Over the sentences that the set keeps. "
    "Missed: gold mentions that nothing answers. Spurious: predicted mentions that answer none, as numbers.",
)
FEW = f"Under {MIN_SUPPORT} gold mentions: shown without colour."


def confusion_table(view: View, tagger: str, set_name: str, side: Side = "difference") -> Table:
    """One matrix; without rows where the model was not run on the set."""
    record = record_of(view, SECTION, tagger, set_name)
    labels = tuple(record["labels"]) if record else ()
    what = "points, and below it the share before and after" if side == "difference" else "percent"
    columns = (
        Column("Gold label", number=False),
        Column("Mentions", title="gold mentions" + (", before and after" if side == "difference" else "")),
        *(Column(label, title=f"said, {what}", data=True) for label in labels),
        Column("Missed", title=what),
    )
    group = mark(view, tagger, set_name, set_name)
    rows = tuple(_rows(record, side, group)) if record else ()
    notes = (*NOTES, FEW) if record and _has_few(record) else NOTES
    unit = "points" if side == "difference" else "percent"
    title = f"Confusion of labels, {SIDE_WORDS[side]} ({unit})"
    return Table(f"confusion-{side}", title, columns, rows, notes)


def _supports(record: Record, row: int) -> tuple[int, int]:
    """Gold mentions of a label before and after."""
    before, after = (sum(number or 0 for number in record[side]["counts"][row]) for side in ("original", "attacked"))
    return before, after


def _has_few(record: Record) -> bool:
    return any(min(_supports(record, row)) < MIN_SUPPORT for row in range(len(record["labels"])))


def _rows(record: Record, side: Side, group: str) -> Iterator[Row]:
    for row, label in enumerate(record["labels"]):
        before, after = _supports(record, row)
        sizes = {"original": count(before), "attacked": count(after), "difference": f"{count(before)} → {count(after)}"}
        few = min(before, after) < MIN_SUPPORT
        places = range(len(record["labels"]) + 1)
        cells = (_cell(record, side, row, column, few) for column in places)
        yield Row((data_cell(label), Cell(sizes[side], faint=few), *cells), "" if row else group)
    if record["labels"]:
        numbers = (_number(number, side == "difference") for number in record[side]["counts"][-1][:-1])
        yield Row((Cell("Spurious"), Cell(""), *numbers, Cell("")))


def _number(number: int, signed: bool) -> Cell:
    return Cell(f"+{count(number)}" if signed and number > 0 else decimal(number, 0))


def _cell(record: Record, side: Side, row: int, column: int, few: bool) -> Cell:
    share = record[side]["shares"][row][column]
    if side == "difference":
        return _change_cell(record, row, column, few)
    if share is None:
        return growth_cell(None, NO_GOLD)
    number, size = record[side]["counts"][row][column], sum(n or 0 for n in record[side]["counts"][row])
    title = f"{count(number)} of {plural(size, 'mention')}"
    return Cell(percent(share), title=title, faint=not number or few)


def _change_cell(record: Record, row: int, column: int, few: bool) -> Cell:
    was, now = (record[side]["shares"][row][column] for side in ("original", "attacked"))
    why = (
        NO_GOLD if was is None and now is None else f"{NO_GOLD} in the {'original' if was is None else 'attacked'} text"
    )
    harm = 0.0 if few else (-1 if row == column else 1) / FULL_HEAT
    cell = growth_cell(record["difference"]["shares"][row][column], why, harm)
    if was is None or now is None:
        return cell
    return Cell(cell.text, f"{percent(was)} → {percent(now)}" if was or now else "", heat=cell.heat, faint=was == now)


def moved_sentence(view: View, tagger: str, set_name: str) -> str:
    """The pair of labels that moved most; empty where the model was not run on the set."""
    record = record_of(view, SECTION, tagger, set_name)
    if record is None:
        return ""
    moved = record["moved"]
    if moved is None:
        return f"{tagger} under {set_name}: no label is taken for another more or less often than before."
    more = "more" if moved["change"] > 0 else "less"
    shares = f"{percent(moved['original'])} → {percent(moved['attacked'])} % of its mentions"
    support = f"support {count(moved['support'])}" + (f", no label has {MIN_SUPPORT}" if moved["few"] else "")
    return (
        f"{tagger} under {set_name}: {moved['gold']} is taken for {moved['predicted']} {more} often, {shares} "
        f"({growth(moved['change'])} points; {support})."
    )
