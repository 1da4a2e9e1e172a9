"""Confusion of labels: one table for the change, the original and the attacked text, and the pair that moved most."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Literal

from nerquake.report.found import Record, growth, growth_cell, record_of
from nerquake.report.links import link
from nerquake.report.numbers import count, decimal, percent, plural
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.tables import mark
from nerquake.report.view import MIN_SUPPORT, View

SECTION = "confusion"
Side = Literal["difference", "original", "attacked"]
Text = Literal["original", "attacked"]
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


def originals(view: View, tagger: str) -> tuple[tuple[str, ...], ...]:
    """The sets, those together whose matrices of the original text are equal: sets that keep the same sentences."""
    equal: dict[str, list[str]] = {}
    for name in view.sets:
        record = record_of(view, SECTION, tagger, name)
        equal.setdefault(json.dumps([record["labels"], record["original"]] if record else name), []).append(name)
    return tuple(map(tuple, equal.values()))


def confusion_table(
    view: View, tagger: str, set_name: str, side: Side = "difference", equal: Sequence[str] = ()
) -> Table:
    """One matrix; without rows where the model was not run on the set.

    equal   the sets that it holds for, where not for this one alone
    """
    record = record_of(view, SECTION, tagger, set_name)
    labels = tuple(record["labels"]) if record else ()
    what = "points, and below it the share before and after" if side == "difference" else "percent"
    columns = (
        Column("Gold label", number=False),
        Column("Mentions", title="gold mentions" + (", before and after" if side == "difference" else "")),
        *(Column(label, title=f"said, {what}", data=True) for label in labels),
        Column("Missed", title=what),
    )
    group = ", ".join(mark(view, tagger, name, name) for name in equal or (set_name,))
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
        text: Text = "original" if side == "original" else "attacked"
        size = Cell(
            sizes[side], faint=few, link=_link(record, text, row, None, after if text == "attacked" else before)
        )
        yield Row((data_cell(label), size, *cells), "" if row else group)
    if record["labels"]:
        numbers = (_number(record, side, column) for column in range(len(record["labels"])))
        yield Row((Cell("Spurious"), Cell(""), *numbers, Cell("")))


def _number(record: Record, side: Side, column: int) -> Cell:
    number, label = record[side]["counts"][-1][column], record["labels"][column]
    shown = f"+{count(number)}" if side == "difference" and number > 0 else decimal(number, 0)
    text = _shown_text(record, side, -1, column)
    there = record[text]["counts"][-1][column]
    where = {"model": record["tagger"], "set": record["set"], "label": label, "text": _text(text)}
    return Cell(shown, title=f"{count(there)} in the {text} text", link=link(there, kind="spurious", **where))


def _shown_text(record: Record, side: Side, row: int, column: int) -> Text:
    """The text whose mentions a cell opens: of a change the attacked one, or the original where only that has any."""
    if side == "difference":
        return "attacked" if record["attacked"]["counts"][row][column] else "original"
    return side


def _text(text: Text) -> str:
    """The filter for a text; the attacked one is what is meant where none is named."""
    return "original" if text == "original" else ""


def _link(record: Record, text: Text, row: int, column: int | None, number: int) -> str:
    """The mentions of a row, taken for a column's label or missed; all of them where there is no column."""
    labels = record["labels"]
    where = {"model": record["tagger"], "set": record["set"], "label": labels[row], "text": _text(text)}
    if column is not None and column < len(labels):
        return link(number, kind="all", said=labels[column], **where)
    return link(number, kind="all", met="any" if column is None else "missed", **where)


def _cell(record: Record, side: Side, row: int, column: int, few: bool) -> Cell:
    share = record[side]["shares"][row][column]
    if side == "difference":
        return _change_cell(record, row, column, few)
    if share is None:
        return growth_cell(None, NO_GOLD)
    number, size = record[side]["counts"][row][column], sum(n or 0 for n in record[side]["counts"][row])
    title = f"{count(number)} of {plural(size, 'mention')}"
    return Cell(
        percent(share),
        title=title if number else "",
        faint=not number or few,
        link=_link(record, side, row, column, number),
    )


def _change_cell(record: Record, row: int, column: int, few: bool) -> Cell:
    was, now = (record[side]["shares"][row][column] for side in ("original", "attacked"))
    why = (
        NO_GOLD if was is None and now is None else f"{NO_GOLD} in the {'original' if was is None else 'attacked'} text"
    )
    harm = 0.0 if few else (-1 if row == column else 1) / FULL_HEAT
    cell = growth_cell(record["difference"]["shares"][row][column], why, harm)
    if was is None or now is None:
        return cell
    text = _shown_text(record, "difference", row, column)
    there = record[text]["counts"][row][column]
    found = _link(record, text, row, column, there)
    title = f"{plural(there, 'mention')} in the {text} text"
    shares = f"{percent(was)} → {percent(now)}" if was or now else ""
    return Cell(cell.text, shares, title=title if there else "", heat=cell.heat, faint=was == now, link=found)


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


def taken_for(view: View, tagger: str, set_name: str) -> str:
    """Which label is taken for which more often, for the verdict; empty where that rests on little support."""
    moved = (record_of(view, SECTION, tagger, set_name) or {}).get("moved")
    if moved is None or moved["few"] or moved["change"] <= 0:
        return ""
    shares = f"{percent(moved['original'])} → {percent(moved['attacked'])} % of its mentions"
    return f"Most often {moved['gold']} is now taken for {moved['predicted']}: {shares}."
