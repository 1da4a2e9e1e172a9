"""The section Since the last run: losses then and now, mentions newly fallen and recovered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from nerquake.report.found import Record
from nerquake.report.island.encode import Since
from nerquake.report.links import link
from nerquake.report.numbers import UNDEFINED, change, count, interval, level, percent, plural
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.view import View

NOT_COMPARED = "the loss is undefined in one of the runs"


def since_of(view: View) -> Since:
    """What the explorer's filters `newly fallen` and `recovered` show: sets, models, and ids of originals."""
    fallen, recovered = (
        frozenset(
            (record["set"], record["tagger"], parent) for record in _records(view) for parent, _ in record[mentions]
        )
        for mentions in ("mentions_newly_fallen", "mentions_recovered")
    )
    return Since(fallen, recovered)


def _records(view: View) -> Sequence[Record]:
    return (view.findings("since") or {}).get("records") or ()


def since_table(view: View) -> Table:
    """One row a set, model by model: the loss then and now, and which mentions changed sides."""
    columns = (
        Column("Set", number=False),
        Column("Original, then", title="strict F1, percent"),
        Column("Original, now", title="strict F1, percent"),
        Column("Loss, then", title="change of F1 under the attack, in points; below it the interval"),
        Column("Loss, now", title="change of F1 under the attack, in points; below it the interval"),
        Column("Difference", title="of the change, now less then, in points; below zero: more is lost now"),
        Column("Newly fallen", title="mentions that fall now and did not then"),
        Column("Recovered", title="mentions that fell then and do not now"),
        Column("Fallen, then"),
        Column("Fallen, now"),
    )
    rows, tagger = [], ""
    for record in _records(view):
        rows.append(Row(_cells(record), "" if record["tagger"] == tagger else record["tagger"]))
        tagger = record["tagger"]
    notes = (
        f"Strict F1 over all compared sentences; {level(view.level)} intervals. A mention falls if it is right in the "
        "original text and wrong in the attacked one. Below newly fallen mentions those that were wrong before the "
        "attack too in the last run, below recovered ones those that are so now.",
    )
    return Table("since", "Loss and fallen mentions, last run and this one", columns, tuple(rows), notes)


def _cells(record: Record) -> tuple[Cell, ...]:
    then, now, difference = record["then"], record["now"], record["change"]
    heat = None if not difference else max(-1.0, min(1.0, 2 * difference))
    new, gone = record["newly_fallen_wrong_then"], record["recovered_wrong_now"]
    return (
        data_cell(record["set"]),
        *(_score(side["original"]) for side in (then, now)),
        *(_loss(side) for side in (then, now)),
        Cell(UNDEFINED, title=NOT_COMPARED, faint=True) if difference is None else Cell(change(difference), heat=heat),
        _sides(record, "newly_fallen", "fallen", new),
        _sides(record, "recovered", "recovered", gone),
        Cell(count(record["fell_then"])),
        Cell(count(record["fell_now"]), link=_now(record)),
    )


def _now(record: Record) -> str:
    """The mentions that fall now; nothing where some of them are left out of the count, since no filter says which."""
    where = {"model": record["tagger"], "set": record["set"]}
    return "" if record["other_text"] else link(record["fell_now"], kind="fell", **where)


def _sides(record: Record, key: str, shown: str, wrong: int) -> Cell:
    """How many mentions changed sides; a link to their sentences."""
    number, sentences = record[key], record[f"sentences_{key}"]
    return Cell(
        count(number),
        f"{count(wrong)} wrong before" if wrong else "",
        f"{plural(number, 'mention')} in {plural(sentences, 'sentence')}",
        link=link(sentences, set=record["set"], model=record["tagger"], kind="all", since=shown),
    )


def _score(value: float | None) -> Cell:
    return Cell(percent(value), title="" if value is not None else NOT_COMPARED, faint=value is None)


def _loss(side: Record) -> Cell:
    if side["drop"] is None:
        return Cell(UNDEFINED, title=NOT_COMPARED, faint=True)
    known = side["low"] is not None and side["high"] is not None
    return Cell(change(side["drop"]), f"loss {interval(side['low'], side['high'])}" if known else "")


def since_examples_table(view: View) -> Table:
    """A few mentions that have newly fallen, drawn by the seed."""
    columns = (
        Column("Sentence", number=False, data=False),
        Column("Set", number=False),
        Column("Model", number=False),
        Column("Original", number=False),
        Column("Attacked", number=False),
        Column("Was", number=False, title="under the attack in the last run"),
        Column("Is", number=False, title="under the attack now"),
    )
    keys = ("id", "set", "tagger", "original", "attacked", "was", "is")
    found = (view.findings("since") or {}).get("examples") or ()
    rows = tuple(Row((_sentence(one), *(data_cell(one[key]) for key in keys[1:]))) for one in found)
    notes = ("Drawn by seed. ✓ right, ◆ wrong type, ◧ wrong boundary, ○ missed, with the label that was said.",)
    return Table("since-examples", "Some mentions that have newly fallen", columns, rows, notes)


def _sentence(one: Record) -> Cell:
    """An example's sentence, opened among those that have newly fallen."""
    where = {"set": one["set"], "model": one["tagger"], "since": "fallen", "id": one["parent"]}
    return replace(data_cell(one["id"]), link=link(kind="all", **where))


def since_lines(view: View) -> tuple[str, ...]:
    """What has changed, in words, and what could not be compared."""
    since = view.findings("since")
    return tuple(_lines(since)) if since else ()


def _lines(since: Record) -> Iterator[str]:
    records: Sequence[Record] = since["records"]
    for tagger in dict.fromkeys(record["tagger"] for record in records):
        yield _line(tagger, [record for record in records if record["tagger"] == tagger])
    for record in records:
        if record["other_text"]:
            one = record["other_text"] == 1
            yield (
                f"{record['set']}, {record['tagger']}: {plural(record['other_text'], 'sentence')} read otherwise in "
                f"the last run, and {'is' if one else 'are'} left out of newly fallen and recovered mentions; the F1 "
                f"scores have {'it' if one else 'them'}."
            )
    for what, one in (("model", since["models"]), ("attacked set", since["sets"])):
        for key, where in (("only_then", "the last run only"), ("only_now", "this run only")):
            if one[key]:
                yield f"In {where}: {what} {', '.join(one[key])}."
    for note in since["notes"]:
        yield f"{note}."


def _line(tagger: str, records: Sequence[Record]) -> str:
    """One model: how many mentions changed sides, and where its loss grew most."""
    fallen, recovered = (sum(record[key] for record in records) for key in ("newly_fallen", "recovered"))
    sides = f"{plural(fallen, 'mention')} newly fallen and {count(recovered)} recovered"
    known = [record for record in records if record["change"] is not None]
    most = max(known, key=lambda record: float(record["change"]), default=None)
    if most is None or most["change"] <= 0:
        return f"{tagger}: {sides} since the last run{'; it loses more under no set' if known else ''}."
    then, now = (change(most[side]["drop"]) for side in ("then", "now"))
    return (
        f"{tagger}: {sides} since the last run; its loss grew most under {most['set']}, from a change of {then} to one "
        f"of {now} points."
    )
