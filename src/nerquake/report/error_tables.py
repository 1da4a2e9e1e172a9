"""Tables of errors: paper R's, in both readings, and which kind of error grew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from nerquake.report.found import KIND_WORDS, Record, growth, growth_cell, record_of, records_of, share_cell
from nerquake.report.links import link
from nerquake.report.numbers import count, decimal, percent, plural
from nerquake.report.table import Cell, Column, Row, Table
from nerquake.report.tables import mark
from nerquake.report.view import View

SECTION = "errors"
Reading = Literal["before_after", "left_replaced"]
READINGS: tuple[Reading, ...] = ("before_after", "left_replaced")
READING_WORDS: dict[Reading, str] = {
    "before_after": "the same mentions before and after the attack",
    "left_replaced": "inside the attacked text, mentions left alone and mentions replaced",
}
_COLUMNS: dict[Reading, tuple[tuple[str, str], tuple[str, str]]] = {
    "before_after": (("before", "Before"), ("after", "After")),
    "left_replaced": (("left", "Left alone"), ("replaced", "Replaced")),
}
_EMPTY = {
    "before": "no mention to compare",
    "after": "no mention to compare",
    "left": "no mention was left alone",
    "replaced": "no mention was replaced",
}
BOUNDARY_WORDS = {
    "shorter": "too short, inside the mention",
    "longer": "too long, around the mention",
    "shifted": "shifted, across the mention's end or beginning",
}
FULL_HEAT = 0.25
"""The growth, as a fraction, that gets the deepest colour."""
NOTE = (
    "Percent of the mentions of the column. d: tokens that are in the mention or in the prediction but not in both. A "
    "mention is compared with the prediction on exactly its tokens, else with every prediction that touches it, in "
    "equal parts; so one that is missed in the scores, where each prediction answers one mention, may be touched here."
)


def error_table(view: View, tagger: str) -> Table:
    """Both readings for one model, set by set."""
    columns = [Column("Prediction", number=False)]
    for reading in READINGS:
        columns += [Column(head, title=READING_WORDS[reading]) for _, head in _COLUMNS[reading]]
        columns.append(Column("Change" if reading == "before_after" else "Difference", title="points"))
    rows = [row for record in records_of(view, SECTION, tagger) for row in _set_rows(view, record)]
    title = "Right or wrong type by the number of tokens that differ (percent)"
    return Table("errors", title, tuple(columns), tuple(rows), (NOTE,))


def _set_rows(view: View, record: Record) -> Iterator[Row]:
    cells = [Cell("Mentions")]
    for reading in READINGS:
        cells += [_size_cell(record, side) for side, _ in _COLUMNS[reading]] + [Cell("")]
    yield Row(tuple(cells), mark(view, record["tagger"], record["set"], record["set"]))
    for row in record["rows"]:
        shown = (cell for reading in READINGS for cell in _reading_cells(record, row, reading))
        yield Row((Cell(row_words(row)), *shown))


def _size_cell(record: Record, side: str) -> Cell:
    number = record["mentions"][side]
    return Cell(count(number), link=_side_link(record, side, number))


def _side_link(record: Record, side: str, number: float, d: str = "") -> str:
    """The mentions of a column, in all or of one row."""
    where = {
        "model": record["tagger"],
        "set": record["set"],
        "d": d,
        "text": "original" if d and side == "before" else "",
    }
    return link(number, kind="all", now="" if d else "any", part=side if side in ("left", "replaced") else "", **where)


def _d_filter(row: Record) -> str:
    return "none" if row["type"] is None else f"{row['type']} {row['d']}"


def row_words(row: Record) -> str:
    """The head of a row: `Wrong type, d = 1`."""
    if row["type"] is None:
        return "No prediction"
    d = {0: "d = 0 (same tokens)", 3: "d = 3 or more"}.get(row["d"], f"d = {row['d']}")
    return f"{row['type'].capitalize()} type, {d}"


def _reading_cells(record: Record, row: Record, reading: Reading) -> Iterator[Cell]:
    sides = [side for side, _ in _COLUMNS[reading]]
    for side in sides:
        yield _share(record, row, side)
    was, now = (row["shares"][side] for side in sides)
    grown = None if was is None or now is None else now - was
    harm = -1 / FULL_HEAT if row["kind"] == "right" else 1 / FULL_HEAT
    yield growth_cell(grown, _EMPTY[sides[0] if was is None else sides[1]], harm)


def _share(record: Record, row: Record, side: str) -> Cell:
    """The share of a row in a column, with a link to its mentions."""
    cell = share_cell(row["shares"][side], _EMPTY[side], _mentions(row, side))
    return replace(cell, link=_side_link(record, side, row["counts"][side], _d_filter(row)))


def _mentions(row: Record, side: str) -> str:
    """How many mentions; parts of mentions with two decimals, and the mentions that have one."""
    number, touched = row["counts"][side], row.get("touched", {}).get(side)
    if float(number).is_integer() and touched in (number, None):
        return plural(int(number), "mention")
    parts = "" if touched is None else f", parts of {count(touched)}"
    return f"{count(int(number)) if float(number).is_integer() else decimal(number, 2)} mentions{parts}"


def error_table_by_model(view: View, set_name: str, reading: Reading = "left_replaced") -> Table:
    """One set in the layout of paper R's table 5: a pair of columns for each model, the attacked mentions first."""
    found = [(tagger, record_of(view, SECTION, tagger, set_name)) for tagger in view.taggers]
    records = [(tagger, record) for tagger, record in found if record is not None]
    sides = _COLUMNS[reading][::-1]
    heads = [Column(f"{tagger} {word.lower()}", data=True, over=tagger) for tagger, _ in records for _, word in sides]
    rows = []
    for place in range(len(records[0][1]["rows"]) if records else 0):
        parts = [record["rows"][place] for _, record in records]
        shares = (
            _share(record, part, side) for (_, record), part in zip(records, parts, strict=True) for side, _ in sides
        )
        rows.append(Row((Cell(row_words(parts[0])), *shares), "" if place else set_name))
    title = f"Errors, {READING_WORDS[reading]} (percent)"
    name = f"errors-{reading.replace('_', '-')}"
    return Table(name, title, (Column("Prediction", number=False), *heads), tuple(rows), (NOTE,))


def kinds_table(view: View, tagger: str) -> Table:
    """Kinds of outcome by the pairing of the scores, before and after, set by set."""
    columns = (
        Column("Outcome", number=False),
        Column("Before"),
        Column("After"),
        Column("Change", title="mentions"),
        Column("Change, points", title="of all mentions in both texts"),
    )
    rows = []
    for record in records_of(view, SECTION, tagger):
        group = mark(view, tagger, record["set"], record["set"])
        for kind in record["kinds"]:
            rows.append(Row(_kind_cells(record, kind), group))
            group = ""
    notes = ("Each prediction answers at most one mention, as in the scores; what answers none is spurious.",)
    return Table("kinds", "Outcomes of mentions before and after the attack", columns, tuple(rows), notes)


def _kind_cells(record: Record, kind: Record) -> tuple[Cell, ...]:
    more = kind["after"] - kind["before"]
    harm = -1 / FULL_HEAT if kind["kind"] == "right" else 1 / FULL_HEAT
    return (
        Cell(KIND_WORDS[kind["kind"]].capitalize()),
        Cell(count(kind["before"]), link=_kind_link(record, kind, "before")),
        Cell(count(kind["after"]), link=_kind_link(record, kind, "after")),
        Cell(f"+{count(more)}" if more > 0 else decimal(more, 0)),
        growth_cell(kind["added"], _EMPTY["before"], harm),
    )


def _kind_link(record: Record, kind: Record, side: Literal["before", "after"]) -> str:
    where = {"model": record["tagger"], "set": record["set"]}
    if kind["kind"] == "spurious":
        return link(kind[side], kind="spurious", text="original" if side == "before" else "", **where)
    return link(kind[side], kind="all", **where, **{"was" if side == "before" else "now": kind["kind"]})


def boundary_words(view: View, tagger: str, set_name: str) -> str:
    """How the wrong boundaries that came with the attack differ from the mentions; empty where none did."""
    record = record_of(view, SECTION, tagger, set_name) or {}
    more = {one["what"]: one["after"] - one["before"] for one in record.get("boundaries") or ()}
    what = max(more, key=lambda name: more[name], default="")
    if not what or more[what] <= 0:
        return ""
    of = sum(number for number in more.values() if number > 0)
    return f"New wrong boundaries are most often {BOUNDARY_WORDS[what]}: {count(more[what])} of {count(of)}."


def error_sentences(view: View, tagger: str, set_name: str) -> tuple[str, ...]:
    """Which kind carries most of the additional errors, in both readings of paper R's table."""
    record = record_of(view, SECTION, tagger, set_name)
    if record is None:
        return ()
    start = f"{tagger} under {set_name}: "
    if not record["mentions"]["before"]:
        return (f"{start}no mention to compare.",)
    first = f"{start}{_most_words(record['most']['before_after'])}."
    inside = record["most"]["left_replaced"]
    if inside is None:
        return (first,)
    kind, added = KIND_WORDS[inside["kind"]], growth(inside["added"])
    where = "Inside the attacked text, replaced mentions differ from those left alone most by being"
    return (first, f"{where} {kind} ({added} points).")


def _most_words(most: Record | None) -> str:
    if most is None:
        return "no kind of error grows"
    kind, added = KIND_WORDS[most["kind"]], growth(most["added"])
    if most["of"] <= 0:
        return f"errors do not grow in all ({growth(most['of'])} points); {kind} alone grows ({added})"
    return f"most additional errors are {kind}, {added} points of all mentions; all kinds together {growth(most['of'])}"


def _grown(view: View, tagger: str, set_name: str) -> list[Record]:
    """The kinds of error that grew by the pairing of the scores, most grown first."""
    record = record_of(view, SECTION, tagger, set_name)
    grown = [kind for kind in record["kinds"] if kind["kind"] != "right" and kind["added"]] if record else []
    return sorted((kind for kind in grown if kind["added"] > 0), key=lambda kind: -kind["added"])


def grown_most(view: View, tagger: str, set_name: str) -> str:
    """The kind of error that grew most, by the pairing of the scores; empty where none grew."""
    return next((str(kind["kind"]) for kind in _grown(view, tagger, set_name)), "")


def new_errors(view: View, tagger: str, set_name: str) -> str:
    """The verdict's sentence on the two kinds that grew most, by the pairing of the scores; empty where none grew."""
    most = _grown(view, tagger, set_name)[:2]
    parts = [f"{KIND_WORDS[kind['kind']]} (+{percent(kind['added'])}" for kind in most]
    if not parts:
        return ""
    words = " and ".join([f"{parts[0]} points of all mentions)", *(f"{part})" for part in parts[1:])])
    return f"Most new errors are {words}."
