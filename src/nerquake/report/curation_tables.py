"""What reviewers decided, and what it does to the figures: before and after curation, losses raw and adjusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nerquake.core.decisions import CHOICES
from nerquake.report.numbers import UNDEFINED, change, count, decimal, interval, level, percent, plural
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.view import View

LOSS = (
    "Loss: the change against the original in points of strict F1; below it its interval, a negative limit is a gain."
)
NAMED = 20
"""Undecided sentences that are named in a line; `result.json` names all."""


def curation_lines(view: View) -> tuple[str, ...]:
    """The review in sentences: who decided what, how far they agree, what nobody decided."""
    found = view.findings("curation")
    return tuple(_lines(view, found)) if found else ()


def _lines(view: View, found: Mapping[str, Any]) -> Iterator[str]:
    for one in found["reviewers"]:
        yield _reviewer(one)
    for pair in found["agreement"]:
        yield _agreement(view, pair)
    if found["conflicts"]:
        what = plural(len(found["conflicts"]), "sentence")
        yield f"Reviewers disagree on {what}, which the curated sets leave out: {_named(found['conflicts'])}."
    if found["undecided"]:
        what = plural(len(found["undecided"]), "sentence")
        yield f"Nobody decided {what}, which the curated sets leave out: {_named(found['undecided'])}."
    if found["unnamed"]:
        what = plural(found["unnamed"], "more sentence")
        yield f"Nobody decided {what} that the files do not name; the curated sets leave them out."


def _reviewer(one: Mapping[str, Any]) -> str:
    who = one["reviewer"] or "A reviewer"
    looked = one["seen_predictions"]
    parts = [f"{who} decided {count(one['decided'])} of {plural(one['items'], 'sentence')} ({one['file']})"]
    parts.append(f"{count(looked)} after a look at the predictions" if looked else "all without seeing predictions")
    if one["settles"]:
        parts.append("on a page of conflicts, so these decisions stand above others")
    if one["unknown"]:
        parts.append(f"{plural(one['unknown'], 'unknown id')} left out")
    if one["repeated"]:
        parts.append(f"{plural(one['repeated'], 'id')} decided more than once, the last decision counts")
    return f"{'; '.join(parts)}."


def _agreement(view: View, pair: Mapping[str, Any]) -> str:
    kappa = pair["kappa"]
    said = f"{pair['a']} and {pair['b']} agree on {count(pair['agreed'])} of {plural(pair['items'], 'sentence')}"
    if kappa["value"] is None:
        return f"{said}; Cohen's kappa is not evaluated, since both said the same of all of them."
    ends = f"[{_kappa(kappa['low'])}, {_kappa(kappa['high'])}]" if kappa["low"] is not None else UNDEFINED
    return (
        f"{said}: Cohen's kappa {_kappa(kappa['value'])}, {level(view.level)} interval {ends} (percentile bootstrap)."
    )


def _kappa(value: float) -> str:
    return decimal(value, 2)


def _named(ids: Sequence[str]) -> str:
    more = len(ids) - NAMED
    return f"{', '.join(ids[:NAMED])}{f' and {count(more)} more' if more > 0 else ''}"


def curation_tables(view: View) -> tuple[Table, ...]:
    """Before and after, raw and adjusted, what was decided by set, reasons, disagreements; none without a review."""
    found = view.findings("curation")
    if not found:
        return ()
    made = (_before_after(view, found), _adjusted(view, found), _decided(view, found), _reasons(found))
    return tuple(table for table in (*made, *map(_disagreements, found["agreement"])) if table.rows)


def _before_after(view: View, found: Mapping[str, Any]) -> Table:
    columns = (
        Column("Set", number=False),
        Column("Sentences kept before", title="changed sentences that were compared"),
        Column("Sentences kept after", title="changed sentences that reviewers accepted or relabelled"),
        Column("Loss before", title=f"points of strict F1, with its {level(view.level)} interval"),
        Column("Loss after", title=f"points of strict F1, with its {level(view.level)} interval"),
    )
    rows = []
    for tagger in view.taggers:
        group = tagger
        for one in (one for one in found["losses"] if one["tagger"] == tagger):
            after = one["after"] or {}
            kept = count(after.get("pairs", 0))
            rows.append(Row((data_cell(one["set"]), Cell(count(one["before"]["pairs"])), Cell(kept),
                             _loss(one["before"]), _loss(after)), group))  # fmt: skip
            group = ""
    part = any(one["reviewed"] < one["changed"] for one in found["sets"])
    note = (
        "After curation only sentences that somebody reviewed are left, drawn from fallen and held ones in equal "
        "parts, so their loss does not compare with that before: the adjusted loss below does."
    )
    title = "Before and after curation, changed sentences"
    return Table("curation", title, columns, tuple(rows), (LOSS, *((note,) if part else ())))


def _loss(block: Mapping[str, Any]) -> Cell:
    drop = block.get("drop")
    if drop is None:
        return Cell(UNDEFINED, title="no sentence is left in which a mention could be right or wrong", faint=True)
    return Cell(change(drop), interval(block["low"], block["high"]))


def _adjusted(view: View, found: Mapping[str, Any]) -> Table:
    columns = (
        Column("Set", number=False),
        Column("Loss raw", title="all compared sentences, as in the audit before"),
        Column("Loss adjusted", title="without the variants that are invalid, estimated from those reviewed"),
        Column("Original adjusted", title="strict F1 of the same sentences before the attack"),
        Column("Attacked adjusted"),
    )
    rows = []
    for tagger in view.taggers:
        group = tagger
        for one in (one for one in found["losses"] if one["tagger"] == tagger):
            made = one["adjusted"]
            sides = (Cell(percent(made[key]), faint=made[key] is None) for key in ("original", "attacked"))
            rows.append(Row((data_cell(one["set"]), _loss(one["raw"]), _loss(made), *sides), group))
            group = ""
    notes = (LOSS, f"Adjusted: {found['methods']['adjusted']}.")
    return Table("curation-adjusted", "Loss raw and adjusted, all sentences", columns, tuple(rows), notes)


def _decided(view: View, found: Mapping[str, Any]) -> Table:
    keys = ("changed", "accepted", "relabelled", "rejected", "unsure", "disagreed", "undecided")
    columns = (
        Column("Set", number=False),
        *(Column(key.capitalize()) for key in keys),
        Column("Invalid", title=f"percent of the changed sentences, estimated, with its {level(view.level)} interval"),
    )
    rows = tuple(
        Row((data_cell(one["set"]), *(Cell(count(one[key])) for key in keys), _invalid(one["invalid"])))
        for one in found["sets"]
    )
    notes = (
        "Invalid: rejected, or relabelled because the labels were wrong; unsure, disagreed and undecided ones are left "
        f"out of the estimate. {found['methods']['invalid'].capitalize()}.",
    )
    return Table("curation-decided", "What reviewers decided", columns, rows, notes)


def _invalid(made: Mapping[str, Any]) -> Cell:
    if made["value"] is None:
        return Cell(UNDEFINED, title="no sentence of this set was judged", faint=True)
    return Cell(percent(made["value"]), interval(made["low"], made["high"]))


def _reasons(found: Mapping[str, Any]) -> Table:
    reasons = list(dict.fromkeys(reason for one in found["sets"] for reason in one["reasons"]))
    columns = (Column("Set", number=False), *(Column(reason.capitalize()) for reason in reasons))
    rows = tuple(
        Row((data_cell(one["set"]), *(Cell(count(one["reasons"].get(reason, 0))) for reason in reasons)))
        for one in found["sets"]
        if one["reasons"]
    )
    return Table("curation-reasons", "Rejected, by reason", columns, rows)


def _disagreements(pair: Mapping[str, Any]) -> Table:
    columns = (
        Column("Sentence", number=False),
        Column(pair["a"], number=False, data=True),
        Column(pair["b"], number=False, data=True),
    )
    rows = tuple(
        Row((data_cell(one["id"]), *(_decision(one[who]) for who in ("a", "b")))) for one in pair["disagreements"]
    )
    title = f"Where {pair['a']} and {pair['b']} disagree"
    return Table("curation-disagreements", title, columns, rows, (f"{pair['method']}.",))


def _decision(one: Mapping[str, Any]) -> Cell:
    assert one["decision"] in CHOICES
    spans = ", ".join(f"{start}-{end} {label}" for start, end, label in one["spans"] or ())
    more = one["reason"] or spans
    return Cell(f"{one['decision']}: {more}" if more else one["decision"], data=True)
