"""Paper M's fine-grained tables: four schemes by label, and what was correct, incorrect, partial, missed, spurious."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nerquake.core.results import SCHEME_NAMES, SchemeName
from nerquake.report.found import Record, records_of, share_cell
from nerquake.report.links import link
from nerquake.report.numbers import UNDEFINED, count, percent
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.tables import SCHEME_WORDS, mark
from nerquake.report.view import MIN_SUPPORT, View

SECTION = "fine_grained"
CHARGES = ("correct", "incorrect", "partial", "missed", "spurious")
SIDES = ("original", "attacked")
OVERALL = "Overall"
NO_GOLD = "no gold mention of this label in this text"
CHARGED = (
    "A label's strict F1 counts whatever was predicted as that label, as seqeval does; the other schemes count a "
    "mention under a wrong label for its gold label alone. So a label's strict F1 may be above the others; overall it "
    "never is."
)
NOTHING = "neither a gold nor a predicted mention"


def scheme_table(view: View, tagger: str, schemes: Sequence[SchemeName] = SCHEME_NAMES) -> Table:
    """F1 by label in each scheme, original and attacked, set by set (paper M, tables 9-11)."""
    columns = (
        Column("Label", number=False),
        Column("Support", title="gold mentions in the original text"),
        *(
            Column(f"{side.capitalize()} {scheme}", title=SCHEME_WORDS[scheme], over=side.capitalize())
            for side in SIDES
            for scheme in schemes
        ),
    )
    rows = []
    for record, group in _grouped(view, tagger):
        cells = (_f1_cell(record, side, scheme) for side in SIDES for scheme in schemes)
        support = Cell(
            count(record["original"]["gold"]), link=_link(record, "original", record["original"]["gold"], met="any")
        )
        rows.append(Row((_label_cell(record), support, *cells), group))
    words = "; ".join(f"{scheme}: {SCHEME_WORDS[scheme]}" for scheme in schemes)
    notes = (f"{words[0].upper()}{words[1:]}. Both sides cover the sentences that the set keeps.", CHARGED)
    return Table("schemes", "F1 by label in each scheme, original and attacked (percent)", columns, tuple(rows), notes)


def _grouped(view: View, tagger: str) -> Iterator[tuple[Record, str]]:
    """Records of a model, the first of each set with the set's name."""
    before = None
    for record in records_of(view, SECTION, tagger):
        name = record["set"]
        yield record, mark(view, tagger, name, name) if name != before else ""
        before = name


def _label_cell(record: Record) -> Cell:
    return Cell(OVERALL) if record["label"] is None else data_cell(record["label"])


def _f1_cell(record: Record, side: str, scheme: SchemeName) -> Cell:
    """F1; a label without gold mentions is not evaluated, though its false alarms count in the overall score."""
    if record["label"] is not None and not record[side]["gold"]:
        return Cell(UNDEFINED, title=NO_GOLD, faint=True)
    return share_cell(record[side][scheme]["f1"], NOTHING)


def charges_table(view: View, tagger: str, scheme: SchemeName = "strict") -> Table:
    """How mentions are charged by label, original and attacked, set by set (paper M, figures 1-3)."""
    columns = (
        Column("Label", number=False),
        *(Column(f"{name.capitalize()} {side}", over=name.capitalize()) for name in _used(scheme) for side in SIDES),
    )
    rows = []
    for record, group in _grouped(view, tagger):
        numbers = (_charge_cell(record, side, scheme, name) for name in _used(scheme) for side in SIDES)
        rows.append(Row((_label_cell(record), *numbers), group))
    notes = (
        "A pair and a missed mention count for the gold label, a false alarm (spurious) for the predicted one. All but "
        "spurious add up to the gold mentions.",
    )
    title = f"Mentions by outcome and label, {scheme}: {SCHEME_WORDS[scheme]}"
    return Table(f"charges-{scheme}", title, columns, tuple(rows), notes)


MET: Mapping[tuple[SchemeName, str], str] = {
    ("strict", "correct"): "right",
    ("strict", "missed"): "missed",
    ("partial", "partial"): "boundary",
    ("partial", "missed"): "missed",
}
"""What the explorer calls an outcome; the others are two of its outcomes together, which no filter asks for."""


def _charge_cell(record: Record, side: str, scheme: SchemeName, name: str) -> Cell:
    number, met = record[side][scheme][name], MET.get((scheme, name), "")
    spurious = name == "spurious"
    where = _link(record, side, number, met=met, kind="spurious" if spurious else "all") if met or spurious else ""
    return Cell(count(number), link=where)


def _link(record: Record, side: str, number: float, *, met: str, kind: str = "all") -> str:
    """The mentions of a label, or of all, in one of the texts."""
    where = {"model": record["tagger"], "set": record["set"], "label": record["label"] or ""}
    return link(number, kind=kind, met=met, text="original" if side == "original" else "", **where)


def _used(scheme: SchemeName) -> tuple[str, ...]:
    """The outcomes that a scheme knows: only `partial` has partly correct mentions, and it has no incorrect ones."""
    without = "incorrect" if scheme == "partial" else "partial"
    return tuple(name for name in CHARGES if name != without)


def bars(view: View, tagger: str, set_name: str, scheme: SchemeName = "strict") -> list[dict[str, Any]]:
    """The same numbers for a chart of stacked bars, most frequent label first.

    ```
    [{"label", "text": "original" | "attacked", "outcome": one of CHARGES, "mentions": n}]
    ```
    """
    records = [r for r in records_of(view, SECTION, tagger) if r["set"] == set_name and r["label"] is not None]
    records.sort(key=lambda record: (-record["original"]["gold"], record["label"]))
    return [
        {"label": record["label"], "text": side, "outcome": name, "mentions": record[side][scheme][name]}
        for record in records
        for side in SIDES
        for name in _used(scheme)
    ]


def fine_sentences(view: View, tagger: str, set_name: str) -> tuple[str, ...]:
    """Missed against spurious mentions, and the label whose share of correct mentions falls most (paper M, 5.2)."""
    records = [record for record in records_of(view, SECTION, tagger) if record["set"] == set_name]
    whole = next((record for record in records if record["label"] is None), None)
    if whole is None:
        return ()
    missed, spurious = (
        f"{count(whole['original']['strict'][name])} → {count(whole['attacked']['strict'][name])}"
        for name in ("missed", "spurious")
    )
    first = f"{tagger} under {set_name}: missed mentions {missed}, spurious ones {spurious}."
    fallen = _most_fallen(records)
    if fallen is None:
        return (first,)
    was, now = (_correct(fallen, side) for side in SIDES)
    label = f"{fallen['label']}, {percent(was)} → {percent(now)} % of its mentions"
    return (first, f"Correct mentions fall most for {label} (support {count(fallen['original']['gold'])}).")


def _correct(record: Record, side: str) -> float:
    """The share of gold mentions that are correct, strict; only where there are gold mentions."""
    return float(record[side]["strict"]["correct"] / record[side]["gold"])


def _most_fallen(records: Sequence[Record]) -> Record | None:
    """The label with enough support whose share of correct mentions falls most; None where none falls."""
    enough = [
        record
        for record in records
        if record["label"] is not None and min(record[side]["gold"] for side in SIDES) >= MIN_SUPPORT
    ]
    drops = {record["label"]: _correct(record, "original") - _correct(record, "attacked") for record in enough}
    worst = max(enough, key=lambda record: (drops[record["label"]], record["label"]), default=None)
    return worst if worst is not None and drops[worst["label"]] > 0 else None
