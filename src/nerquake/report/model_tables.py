"""Models together: their order before and under attack, and whether better models stand firmer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nerquake.report.numbers import UNDEFINED, count, decimal, p_number, p_value, percent, plural
from nerquake.report.table import Cell, Column, Row, Table
from nerquake.report.tables import mark
from nerquake.report.verdict import ALPHA
from nerquake.report.view import Block, View, p_of

FEW = "fewer than three models, or one side does not vary"
ALL_SETS = "all sets, mean"
MEASURES = {"spearman": "Spearman", "kendall": "Kendall"}
AGAINST = {"attacked_f1": "attacked F1", "relative_drop": "relative loss"}


def rank_records(view: View) -> tuple[Block, ...]:
    """What the findings say of the models' order, set by set, all sets last."""
    return tuple(view.findings("model_ranks") or ())


def rank_table(view: View) -> Table:
    """Rank correlation of original F1 with attacked F1 and with the relative loss, set by set."""
    columns = (
        Column("Set", number=False),
        Column("Models", title="with a defined score before and after"),
        *(
            Column(f"{word}, {what}", title=f"rank correlation of original F1 with {what}, two-sided permutation p")
            for what in AGAINST.values()
            for word in MEASURES.values()
        ),
    )
    rows = []
    for record in rank_records(view):
        cells = (_correlation(record[what], measure) for what in AGAINST for measure in MEASURES)
        rows.append(Row((_set_cell(record), Cell(count(_models(record))), *cells)))
    notes = (
        "From −1 to 1. Where better models stand firmer, original F1 goes with attacked F1 (near 1) and against the "
        "relative loss (near −1). Below each its p over all orders of the models: with few models none can be small.",
    )
    title = "Original F1 of the models against what is left of it: rank correlation"
    return Table("model-ranks", title, columns, tuple(rows), notes)


def order_table(view: View) -> Table:
    """Each model's rank before and under attack, set by set."""
    records = rank_records(view)
    models = tuple(dict.fromkeys(model["tagger"] for record in records for model in record["models"]))
    columns = (
        Column("Model", number=False),
        *(Column(_name(record), data=record["set"] is not None) for record in records),
    )
    rows = []
    for tagger in models:
        cells = (_rank_cell(view, record, tagger) for record in records)
        rows.append(Row((Cell(tagger, data=True), *cells)))
    notes = ("Rank on the original text → under attack, 1 is the best; below it strict F1 over the same sentences.",)
    return Table("model-order", "The order of the models, before and under attack", columns, tuple(rows), notes)


def rank_lines(view: View) -> tuple[str, ...]:
    """Whether better models stand firmer, and where their order changes."""
    return (*_correlation_lines(view), *_order_lines(view))


def _correlation_lines(view: View) -> Iterator[str]:
    """Over all sets; where there is one set only, under that one."""
    records = rank_records(view)
    for record in [one for one in records if one["set"] is None] or records[:1]:
        for what, words in AGAINST.items():
            if record[what] is not None:
                yield _correlation_line(record, record[what], words if what == "attacked_f1" else f"the {words}")


def _correlation_line(record: Block, found: Block, words: str) -> str:
    rho = found["spearman"]
    over = f"over {plural(found['n'], 'model')} " + (
        f"and {plural(len(record['sets']), 'set')}" if record["set"] is None else f"under {record['set']}"
    )
    figures = (
        f"Spearman {decimal(rho['value'], 2)}, Kendall {decimal(found['kendall']['value'], 2)}, {p_value(rho['p'])}"
    )
    if rho["p"] < ALPHA:
        which = "positively" if rho["value"] > 0 else "negatively"
        return f"{_audit(record)}Original F1 is {which} correlated with {words} {over} ({figures})."
    least = (
        f"; {found['n']} models cannot give a p below {p_number(rho['smallest_p'])}"
        if rho["smallest_p"] >= ALPHA
        else ""
    )
    return f"{_audit(record)}No correlation of original F1 with {words} is shown {over} ({figures}{least})."


def _order_lines(view: View) -> Iterator[str]:
    records = [record for record in rank_records(view) if record["set"] is not None]
    for record in records:
        if record["order_changes"]:
            pairs = [_overtaking(view, record, pair) for pair in record["overtaken"]]
            yield f"{_audit(record)}The order of the models changes under {record['set']}: {'; '.join(pairs)}."
    if records and not any(record["order_changes"] for record in records):
        yield "No model overtakes another under any set."


def _overtaking(view: View, record: Block, pair: Block) -> str:
    lead = f"+{percent(pair['lead_attacked'])} points"
    block = next(
        (b for b in view.comparisons if b["set"] == record["set"] and {b["a"], b["b"]} == set(pair_of(pair))), None
    )
    tested = f", {p_value(p_of(block))}" if block is not None and p_of(block) is not None else ""
    return f"{pair['ahead']} overtakes {pair['behind']} ({lead}{tested})"


def pair_of(pair: Block) -> tuple[str, str]:
    """Both models of an overtaking."""
    return pair["ahead"], pair["behind"]


def _models(record: Block) -> int:
    return sum(None not in (model["original"], model["attacked"]) for model in record["models"])


def _correlation(found: Any, measure: str) -> Cell:
    if found is None:
        return Cell(UNDEFINED, title=FEW, faint=True)
    one = found[measure]
    title = "" if found["exact"] else "over orders drawn by seed"
    return Cell(decimal(one["value"], 2), p_value(one["p"]), title=title)


def _rank_cell(view: View, record: Block, tagger: str) -> Cell:
    model = next((one for one in record["models"] if one["tagger"] == tagger), None)
    if model is None:
        return Cell("–", title="the model did not answer this set", faint=True)
    before, after = (UNDEFINED if model[key] is None else str(model[key]) for key in ("rank_original", "rank_attacked"))
    scores = f"{percent(model['original'])} → {percent(model['attacked'])}"
    below = scores if record["set"] is None else mark(view, tagger, record["set"], scores)
    return Cell(f"{before} → {after}", below, faint=UNDEFINED in (before, after))


def _name(record: Block) -> str:
    return _audit(record) + (ALL_SETS if record["set"] is None else str(record["set"]))


def _set_cell(record: Block) -> Cell:
    return Cell(_name(record), data=record["set"] is not None or "audit" in record)


def _audit(record: Block) -> str:
    """The audit's name, where several are joined."""
    return f"{record['audit']}: " if "audit" in record else ""
