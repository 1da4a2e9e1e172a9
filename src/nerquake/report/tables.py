"""The tables of the report, computed once for every form in which it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from nerquake.core.results import SCHEME_NAMES, SchemeName
from nerquake.core.variant import ORIGINAL, STATUSES
from nerquake.report.attack_words import attack_words
from nerquake.report.links import link
from nerquake.report.numbers import (
    AGAINST,
    MARK,
    NOT_COMPARABLE,
    UNDEFINED,
    change,
    count,
    interval,
    level,
    p_number,
    percent,
    plural,
    relative,
)
from nerquake.report.reasons import reason_of, rejections
from nerquake.report.table import Cell, Column, Row, Table, data_cell, used_marks
from nerquake.report.view import SCOPE_WORDS, SCOPES, Block, View, set_key

Measure = Literal["f1", "precision", "recall"]
MEASURES: dict[Measure, str] = {"f1": "F1", "precision": "Precision", "recall": "Recall"}
SCHEME_WORDS: dict[SchemeName, str] = {
    "strict": "tokens and label must both be right",
    "exact": "tokens must be right, whatever the label",
    "partial": "as exact, and an overlap earns half",
    "type": "the label must be right on any overlap",
}
NOTE_UNDEFINED = f"{UNDEFINED}: not evaluated, since nothing in the data defines the figure; pointing at it says why."
NOTE_NOT_COMPARABLE = (
    f"{NOT_COMPARABLE}: not comparable, since the set leaves out sentences that the original score includes."
)
NOTE_AGAINST = f"{MARK}: {AGAINST}, its surrogate."
SCORE_CHOICES: tuple[tuple[SchemeName, Measure], ...] = tuple(
    (scheme, measure) for scheme in SCHEME_NAMES for measure in MEASURES
)


def footnotes(table: Table) -> tuple[str, ...]:
    """What `n/e`, `n/c` and the mark of surrogates mean, where they stand in the table."""
    notes = {UNDEFINED: NOTE_UNDEFINED, NOT_COMPARABLE: NOTE_NOT_COMPARABLE}
    found = tuple(notes[mark] for mark in used_marks(table, tuple(notes)))
    return (*found, NOTE_AGAINST) if has_mark(table) else found


def has_mark(table: Table) -> bool:
    """Whether a row says that an attack was chosen against its model."""
    cells = (cell for row in table.rows for cell in row.cells)
    return any(MARK in cell.sub or (MARK in cell.text and not cell.data) for cell in cells)


def mark(view: View, tagger: str, set_name: str, before: str = "") -> str:
    """A text, with the mark behind it where the attack was chosen against this model."""
    return f"{before} {MARK}".lstrip() if view.chosen_against(tagger, set_name) else before


def score_table(view: View, scheme: SchemeName = "strict", measure: Measure = "f1") -> Table:
    """Models by sets, as papers print it: the score, under it the loss, and its interval for strict F1."""
    columns = (
        Column("Model", number=False),
        Column(ORIGINAL, data=False),
        *(Column(name, data=True) for name in view.sets),
    )
    rows = []
    for tagger in view.taggers:
        scored = (_score_cell(view, tagger, name, scheme, measure) for name in (ORIGINAL, *view.sets))
        rows.append(Row((data_cell(tagger), *scored)))
    title = f"{MEASURES[measure]}, {scheme}: {SCHEME_WORDS[scheme]} (percent)"
    strict = scheme == "strict" and measure == "f1"
    notes = (
        f"Below each score: the change against the original in points over the same sentences, and the "
        f"{level(view.level)} interval of the loss; a negative limit is a gain.",
    ) if strict else ("Below each score: the change against the original in points.",)  # fmt: skip
    return Table(f"scores-{scheme}-{measure}", title, columns, tuple(rows), notes)


def _score_cell(view: View, tagger: str, name: str, scheme: SchemeName, measure: Measure) -> Cell:
    block = view.block(tagger, name)
    if block is None:
        return Cell("–", title="not scored: the set keeps no sentence, or the model was not run on it", faint=True)
    value = block["overall"][scheme][measure]
    if value is None:
        return Cell(UNDEFINED, title=reason_of(block, scheme, measure), faint=True)
    if name == ORIGINAL:
        low, high = block["overall"][scheme].get("low"), block["overall"][scheme].get("high")
        has_interval = measure == "f1" and low is not None and high is not None
        return Cell(percent(value), interval(low, high) if has_interval else "")
    return Cell(percent(value), mark(view, tagger, name, _loss_under(view, tagger, name, scheme, measure)))


def _loss_under(view: View, tagger: str, name: str, scheme: SchemeName, measure: Measure) -> str:
    paired = view.paired(tagger, name)
    original = view.block(tagger, ORIGINAL)
    if paired is None or original is None:
        return ""
    if scheme == "strict" and measure == "f1":
        return f"{change(paired['drop'])} {interval(paired['low'], paired['high'])}"
    if not view.comparable(tagger, paired):
        return NOT_COMPARABLE
    block = view.block(tagger, name)
    before, after = original["overall"][scheme][measure], block and block["overall"][scheme][measure]
    return UNDEFINED if before is None or after is None else change(before - after)


def paired_table(view: View) -> Table:
    """Every model and set: original against attacked over the same sentences, all of them and changed ones only."""
    head = ("Original", "Attacked", "Change", f"{level(view.level)} interval of the loss", "Relative")
    columns = (
        Column("Set", number=False),
        Column("Sentences", number=False),
        *map(Column, head),
        Column("p", title="two-sided paired approximate randomisation"),
        Column("p, Holm", title="corrected over all models and sets of the same kind of row"),
        Column("Compared"),
        Column("Left out"),
        Column("Right → wrong", title="mentions"),
        Column("Wrong → right", title="mentions"),
    )
    rows = []
    for tagger in view.taggers:
        group = tagger
        for name in view.sets:
            for scope in SCOPES:
                block = view.paired(tagger, name, scope)
                if block is not None:
                    scope_words = mark(view, tagger, name, SCOPE_WORDS[scope])
                    where = {"model": tagger, "set": name, "status": "changed" if scope == "paired_changed" else ""}
                    rows.append(_paired_row(where, scope_words, block, group))
                    group = ""
    return Table("paired", "Original against attacked, strict F1 (percent)", columns, tuple(rows))


def _paired_row(where: Mapping[str, str], scope: str, block: Block, group: str) -> Row:
    why = "" if block["drop"] is not None else reason_of_pair(block)
    cells = (
        data_cell(where["set"]),
        Cell(scope),
        _measured(percent(block["original"]), why),
        _measured(percent(block["attacked"]), why),
        _measured(change(block["drop"]), why),
        _measured(interval(block["low"], block["high"]), why or "too few resamples define the difference"),
        _measured(relative(block["relative_drop"]), why or "the original score is 0"),
        _measured(p_number(block["p"]), why),
        _measured(p_number(block["p_holm"]), why),
        Cell(count(block["pairs"])),
        Cell(count(block["dropped"])),
        _turned(block["right_to_wrong"], why, kind="fell", **where),
        _turned(block["wrong_to_right"], why, kind="rose", **where),
    )
    return Row(cells, group)


def _measured(text: str, why: str) -> Cell:
    return Cell(text, title=why, faint=True) if text == UNDEFINED else Cell(text)


def _turned(number: int | None, why: str, **filters: str) -> Cell:
    """Mentions that fell or rose, with a link to them."""
    return replace(_measured(count(number), why), link=link(number or 0, **filters))


def reason_of_pair(block: Block) -> str:
    """Why a comparison has no loss."""
    if not block["pairs"]:
        left = f"; {plural(block['dropped'], 'sentence')} left out" if block["dropped"] else ""
        return f"no sentence could be compared{left}"
    sides = [side for side in ("original", "attacked") if block[side] is None]
    where = " and in the ".join(sides) or "compared"
    return f"no mention, neither gold nor predicted, in the {where} sentences"


def status_table(view: View) -> Table:
    """What each attack did: sentences by status, mentions attackable and replaced, words of the context."""
    columns = (
        Column("Set", number=False),
        Column("Level", number=False),
        *(Column(status.replace("-", " ").capitalize(), title="sentences") for status in STATUSES),
        Column("Mentions"),
        Column("Attackable"),
        Column("Replaced"),
        Column("Context words", title="tokens outside mentions that were replaced or removed"),
    )
    return Table("statuses", "What each attack changed", columns, tuple(map(_status_row, view.attacks)))


def _status_row(entry: Mapping[str, Any]) -> Row:
    mentions = entry["mentions"]
    cells = (
        replace(data_cell(shown_name(entry)), sub=attack_words(str(entry["spec"]))),
        Cell(entry["level"]),
        *(_status_cell(entry, status) for status in STATUSES),
        Cell(count(mentions["all"])),
        Cell(count(mentions["attackable"])),
        Cell(count(mentions["replaced"])),
        Cell(count(entry["context_words"])),
    )
    return Row(cells)


def _status_cell(entry: Mapping[str, Any], status: str) -> Cell:
    """Sentences of a status, with a link to them."""
    number = entry["status"].get(status, 0)
    return Cell(count(number), link=link(number, kind="all", set=set_key(entry), status=status))


def reasons_table(view: View) -> Table:
    """Why attacks left sentences as they were, and candidates aside; without rows where none did either.

    A table of its own: beside ten columns of numbers these texts would stand out of sight.
    """
    fills = any(entry.get("rejected") for entry in view.attacks)
    columns = (
        Column("Set", number=False),
        Column("Sentences not changed", number=False, title="by reason"),
        *((Column("Candidates not taken", number=False, title="most frequent reasons first"),) if fills else ()),
    )
    told = [entry for entry in view.attacks if entry["reasons"] or entry.get("rejected")]
    rows = tuple(_reasons_row(entry, fills) for entry in told)
    return Table("reasons", "What attacks left aside, by reason", columns, rows)


def _reasons_row(entry: Mapping[str, Any], fills: bool) -> Row:
    """A row; `fills` says whether there is a column for candidates that were not taken."""
    reasons = "; ".join(f"{reason}: {count(number)}" for reason, number in entry["reasons"].items())
    cells = (data_cell(shown_name(entry)), data_cell(reasons) if reasons else Cell(""))
    return Row((*cells, Cell(rejections(entry), data=bool(entry.get("rejected")))) if fills else cells)


def shown_name(entry: Mapping[str, Any]) -> str:
    """A set's name, behind its audit's where several are joined."""
    return f"{entry['audit']}: {entry['name']}" if "audit" in entry else str(entry["name"])


def models_table(view: View) -> Table:
    """Each pair of models on each set."""
    columns = (
        Column("Set", number=False),
        Column("Models", number=False),
        Column("Difference", title="strict F1 of the first less that of the second, in points"),
        Column(f"{level(view.level)} interval"),
        Column("p"),
        Column("p, Holm"),
        Column("Sentences"),
    )
    rows, group = [], ""
    for block in view.comparisons:
        why = "" if block["difference"] is not None else "one of the two scores is undefined"
        rows.append(
            Row(
                (
                    Cell(block["set"], data=block["set"] != ORIGINAL),
                    _models_cell(view, block),
                    _measured(_signed(block["difference"]), why),
                    _measured(interval(block["low"], block["high"]), why or "too few resamples define the difference"),
                    _measured(p_number(block["p"]), why),
                    _measured(p_number(block["p_holm"]), why),
                    Cell(count(block["pairs"])),
                ),
                group,
            )
        )
    return Table("models", "Model against model, strict F1 (points)", columns, tuple(rows))


def _models_cell(view: View, block: Block) -> Cell:
    against = [tagger for tagger in (block["a"], block["b"]) if view.chosen_against(tagger, block["set"])]
    return Cell(f"{block['a']} − {block['b']}", f"{MARK} {', '.join(against)}" if against else "", data=True)


def _signed(difference: float | None) -> str:
    return change(None if difference is None else -difference)
