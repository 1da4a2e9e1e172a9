"""False alarms: mentions that a model finds where the data have none."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.core.variant import ORIGINAL
from nerquake.report.found import Record, growth, records_of, share_cell
from nerquake.report.numbers import UNDEFINED, bounds, change, count, interval, level, percent, plural
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.tables import mark
from nerquake.report.view import View

NONE_FREE = "no sentence without a mention in both texts"
ORIGINAL_ALONE = "the original text has no attack"


def false_alarm_table(view: View, tagger: str) -> Table:
    """One row a set: of the sentences without a mention, those in which the model finds one."""
    columns = (
        Column("Set", number=False),
        Column("Sentences", title="without a gold mention in either text"),
        Column("Original", title="of them with a predicted mention, percent; below it the interval"),
        Column("Attacked", title="the same sentences after the attack, percent; below it the interval"),
        Column("Change", title="in points; below it the interval"),
        Column("New", title="sentences with a predicted mention after the attack only"),
        Column("Gone", title="sentences with a predicted mention before the attack only"),
    )
    rows = tuple(Row(_cells(view, record)) for record in records_of(view, "false_alarms", tagger))
    notes = (
        "Sentences without a gold mention as negative controls: in each of them every predicted mention is a false "
        f"alarm. Small figures: counts, and {level(view.level)} intervals over sentences, which have no width where no "
        "sentence, or every one, has a false alarm.",
    )
    return Table("false-alarms", "False alarms in sentences without a mention (percent)", columns, rows, notes)


def _cells(view: View, record: Record) -> tuple[Cell, ...]:
    name, counts = record["set"], record["counts"]
    head = Cell(name) if name == ORIGINAL else Cell(name, mark(view, record["tagger"], name), data=True)
    first = (head, Cell(count(record["sentences"])), _rate(record["original"], counts["original"]))
    if record["attacked"] is None:
        return (*first, *[Cell("–", title=ORIGINAL_ALONE, faint=True)] * 4)
    return (
        *first,
        _rate(record["attacked"], counts["attacked"]),
        _change(record["change"]),
        *(Cell(count(counts[key])) for key in ("new", "gone")),
    )


def _rate(rate: Record, number: int) -> Cell:
    made = share_cell(rate["value"], NONE_FREE)
    if rate["value"] is None:
        return made
    spread = interval(rate["low"], rate["high"])
    return Cell(made.text, count(number) if spread == UNDEFINED else f"{count(number)} {spread}")


def _change(rate: Record) -> Cell:
    if rate["value"] is None:
        return Cell(UNDEFINED, title=NONE_FREE, faint=True)
    heat = max(-1.0, min(1.0, 2 * rate["value"])) or None
    ends = "" if rate["low"] is None or rate["high"] is None else f"[{change(-rate['low'])}, {change(-rate['high'])}]"
    return Cell(growth(rate["value"]), ends, heat=heat)


def false_alarm_label_table(view: View, tagger: str) -> Table:
    """What the false alarms are taken for: predicted mentions by label and set."""
    columns = (Column("Label", number=False), Column("Original"), Column("Attacked"))
    rows: list[Row] = []
    for record in records_of(view, "false_alarms", tagger):
        if record["attacked"] is not None:
            rows += _label_rows(record)
    notes = ("Predicted mentions in sentences without a gold mention; a sentence may have several.",)
    return Table("false-alarms-labels", "Labels of the false alarms (mentions)", columns, tuple(rows), notes)


def _label_rows(record: Record) -> Iterator[Row]:
    group = record["set"]
    for one in record["labels"]:
        yield Row((data_cell(one["label"]), Cell(count(one["original"])), Cell(count(one["attacked"]))), group)
        group = ""


def false_alarm_lines(view: View, tagger: str) -> tuple[str, ...]:
    """How often a model finds something where nothing is, and under which attack that grows most."""
    found = [one for one in records_of(view, "false_alarms", tagger) if one["sentences"]]
    before = next((one for one in found if one["set"] == ORIGINAL), None)
    if before is None:
        return ()
    what = f"In {percent(before['original']['value'])} % of {plural(before['sentences'], 'sentence')} without a mention"
    lines = [f"{what} {tagger} finds one in the original text."]
    attacked = [one for one in found if one["attacked"] is not None]
    most = max(attacked, key=lambda one: one["change"]["value"], default=None)
    if most is not None:
        lines.append(_most(most, view))
    return tuple(lines)


def _most(record: Record, view: View) -> str:
    rate = record["change"]
    if rate["value"] <= 0:
        return "No attack gives it more false alarms."
    known = rate["low"] is not None and rate["high"] is not None
    spread = f" ({level(view.level)} interval of the growth {bounds(rate['low'], rate['high'])})" if known else ""
    ends = f"from {percent(record['original']['value'])} to {percent(record['attacked']['value'])} %"
    doubt = "" if known and rate["low"] > 0 else "; that this is more than chance is not shown"
    return f"Under {record['set']} this share grows most, {ends}{spread}{doubt}."
