"""The papers' tables from values: R's Tables 1, 6 and 7, M's Tables 3, 4, 5 and 7, in their order of rows and columns.

R prints per cent with one decimal, M fractions with two; what is undefined is `n/e` and what is not there `–`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nerquake.core.spec import safe_name
from nerquake.report.layouts import (
    HARDENED,
    WAYS,
    Paper,
    hardened_name,
    language_name,
    ordered,
    set_name,
    set_order,
    way_name,
)
from nerquake.report.numbers import UNDEFINED, decimal, relative
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.tables import MEASURES, Measure
from nerquake.report.values import Place, Value, Values, in_order, known

ABSENT = Cell("–", title="not given", faint=True)
STAR, LEVEL = "*", 0.05
R_MEASURES: tuple[Measure, ...] = ("precision", "recall", "f1")
NOTE_RELATIVE = "In parentheses: the loss (↓) or gain (↑) as a share of the original F1."
NOTE_STAR = f"{STAR}: higher than the other way of training, corrected p below {LEVEL:g}."


def paper_tables(values: Values) -> tuple[Table, ...]:
    """Every table that the values fill, the notes on them below the first.

    Each data set and split as R has them, then each language and the ways of training as M has them.
    """
    hardened = hardened_places(values)
    plain = [item for item in values.items if item.place not in hardened]
    tables: list[Table] = []
    for place in in_places(plain):
        here = [item for item in plain if item.place == place]
        tables.append(relative_table(values, place))
        if known(here, "precision") or known(here, "recall"):
            tables.append(measures_table(values, place))
    tables += [sets_table(values, language) for language in in_order(item.place.language for item in plain)]
    if len(plain) < len(values.items):
        tables.append(hardening_table(values))
    return tuple(
        replace(table, notes=(*table.notes, *values.notes)) if at == 0 else table for at, table in enumerate(tables)
    )


def in_places(items: Sequence[Value]) -> list[Place]:
    """Data sets and splits, in the order in which they come."""
    return list(dict.fromkeys(item.place for item in items))


def hardened_places(values: Values) -> list[Place]:
    """The data sets that ways of training are compared on."""
    trained = (WAYS["fine-tuning"], WAYS["re-training"])
    return in_places([item for item in values.items if way_name(item.model) in trained])


def relative_table(values: Values, place: Place) -> Table:
    """Paper R, Table 1: a row a model, a column a set, F1 and behind it the relative drop."""
    models, sets = _models(values, place), _sets(values, place)
    columns = (Column("Model", number=False), *(Column(head, data=True) for head in _heads(sets, "R")))
    rows = [Row((data_cell(model), *(_dropped(values, place, model, name) for name in sets))) for model in models]
    title = f"F1 under each attack with relative drops{_where(place)} (percent)"
    return Table(_name("r1", *place), title, columns, tuple(rows), (NOTE_RELATIVE,))


def measures_table(values: Values, place: Place) -> Table:
    """Paper R, Tables 6 and 7: a row a model; precision, recall and F1, each with a column a set."""
    models, sets = _models(values, place), _sets(values, place)
    columns = [Column("Model", number=False)]
    for measure in R_MEASURES:
        over = MEASURES[measure]
        columns += [Column(f"{over} {head}", data=True, over=over) for head in _heads(sets, "R")]
    rows = []
    for model in models:
        found = [values.get(place, model, name) for name in sets]
        rows.append(Row((data_cell(model), *(_percent(values, value, m) for m in R_MEASURES for value in found))))
    title = f"Precision, recall and F1 under each attack{_where(place)} (percent)"
    return Table(_name("r6", *place), title, tuple(columns), tuple(rows))


def sets_table(values: Values, language: str = "") -> Table:
    """Paper M, Tables 3 to 5: a row a set, a column a model under its data set; micro F1 as a fraction.

    Where all data sets have one and the same model, the data sets alone are columns and the title names the model.
    """
    hardened = hardened_places(values)
    items = [item for item in values.items if item.place.language == language and item.place not in hardened]
    pairs = [(place, model) for place in in_places(items) for model in _models(values, place)]
    sets = set_order(item.set for item in items)
    models = in_order(model for _, model in pairs)
    columns = [Column("Test set", number=False)]
    for place, model in pairs:
        over = _short(place, [place for place, _ in pairs])
        alone = len(models) == 1 and bool(over)
        columns.append(Column(over if alone else f"{over} {model}".strip(), data=True, over="" if alone else over))
    rows = tuple(
        Row((data_cell(head), *(_fraction(values.get(place, model, name)) for place, model in pairs)))
        for name, head in zip(sets, _heads(sets, "M"), strict=True)
    )
    whose = f", {models[0]}" if len(models) == 1 else ""
    title = f"{language_name(language)} NER performance (micro F1){whose}".lstrip()
    return Table(_name("m3", language), title, tuple(columns), rows)


def hardening_table(values: Values) -> Table:
    """Paper M, Table 7: for every data set a row a set, a column a way of training; micro F1 as a fraction."""
    places = hardened_places(values)
    items = [item for item in values.items if item.place in places]
    models = ordered((item.model for item in items), WAYS)
    columns = (Column("Test set", number=False), *(Column(way_name(model) or model, data=True) for model in models))
    rows = []
    for place in places:
        group = ", ".join(filter(None, place[:2]))
        for name in ordered((item.set for item in items if item.place == place), HARDENED):
            cells = [_starred(values.get(place, model, name)) for model in models]
            rows.append(Row((data_cell(hardened_name(name)), *cells), group))
            group = ""
    notes = (NOTE_STAR,) if any(STAR in cell.text for row in rows for cell in row.cells[1:]) else ()
    title = "Micro F1 for adversarial fine-tuning versus re-training"
    return Table(_name("m7"), title, columns, tuple(rows), notes)


def _models(values: Values, place: Place) -> list[str]:
    return in_order(item.model for item in values.items if item.place == place)


def _sets(values: Values, place: Place) -> list[str]:
    return set_order(item.set for item in values.items if item.place == place)


def _heads(sets: Sequence[str], paper: Paper) -> list[str]:
    """The paper's names of sets; one that would stand twice stays as it is."""
    shown = [set_name(name, paper) for name in sets]
    return [name if shown.count(short) > 1 else short for name, short in zip(sets, shown, strict=True)]


def _where(place: Place) -> str:
    named = ", ".join(filter(None, place[:2]))
    return f": {named}" if named else ""


def _short(place: Place, places: Sequence[Place]) -> str:
    """A data set's name, with its split where another split of it stands beside it."""
    several = len({other for other in places if other.dataset == place.dataset}) > 1
    return f"{place.dataset} {place.split}".strip() if several else place.dataset


def _name(*parts: str) -> str:
    return safe_name("-".join(("paper", *filter(None, parts))))


def _scored(value: Value | None, measure: Measure, written: str) -> Cell:
    """A score as it is written; undefined or absent ones as such."""
    if value is None or measure not in value.scores:
        return ABSENT
    return Cell(written) if written != UNDEFINED else Cell(UNDEFINED, title="undefined", faint=True)


def _percent(values: Values, value: Value | None, measure: Measure) -> Cell:
    rate = None if value is None else value.scores.get(measure)
    return _scored(value, measure, UNDEFINED if rate is None else decimal(100 * rate, values.decimals))


def _dropped(values: Values, place: Place, model: str, name: str) -> Cell:
    value = values.get(place, model, name)
    cell = _percent(values, value, "f1")
    if value is not None and value.spread is not None:
        cell = replace(cell, sub=f"± {decimal(100 * value.spread)}")
    if value is None or value.is_original or cell.text in (UNDEFINED, ABSENT.text) or not values.has_original(value):
        return cell
    share = values.relative(value)
    title = "the original score is 0 or undefined" if share is None else ""
    return replace(cell, text=f"{cell.text} ({relative(share)})", title=title)


def _fraction(value: Value | None) -> Cell:
    f1 = None if value is None else value.scores.get("f1")
    return _scored(value, "f1", UNDEFINED if f1 is None else f"{f1:.2f}")


def _starred(value: Value | None) -> Cell:
    cell = _fraction(value)
    if value is None or cell.faint:
        return cell
    star = STAR if value.p is not None and value.p < LEVEL else ""
    return Cell(f"{cell.text}{star}", "" if value.spread is None else f"± {value.spread:.3f}")
