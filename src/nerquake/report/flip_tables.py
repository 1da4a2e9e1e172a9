"""Mentions that went from right to wrong, and from wrong to right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nerquake.report.found import KIND_WORDS, records_of
from nerquake.report.links import link
from nerquake.report.numbers import UNDEFINED, count, decimal, interval, level, percent
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.tables import mark
from nerquake.report.view import MIN_SUPPORT, Block, View

WRONG = ("type", "boundary", "missed")
BECAME = {"type": "under another label", "boundary": "with other tokens", "missed": "not found"}
PARTS = {"all": "all labels", "replaced": "replaced", "left_alone": "left alone"}
NONE = {"right": "no mention was right before", "wrong": "no mention was wrong before"}


def flip_records(view: View) -> tuple[Block, ...]:
    """What the findings say of flips, in the order of models and sets."""
    return tuple(view.findings("flip_table") or ())


def flip_table(view: View, tagger: str) -> Table:
    """Right to wrong and wrong to right of one model: of all mentions, those replaced or not, and each label."""
    columns = (
        Column("Mentions of", number=False),
        Column("Mentions"),
        Column("Right before"),
        Column("Right → wrong"),
        Column("Share", title="of the mentions that were right before, percent"),
        *(Column(f"To {KIND_WORDS[kind]}", title="what they are after the attack") for kind in WRONG),
        Column("Wrong before"),
        Column("Wrong → right", title="below it what they were before"),
        Column("Share", title="of the mentions that were wrong before, percent"),
    )
    rows: list[Row] = []
    for record in records_of(view, "flip_table", tagger):
        rows += _rows(view, record)
    notes = (
        f"Mentions that stand in both texts of the compared sentences. Below each share its {level(view.level)} "
        "interval. Replaced: the attack changed the mention's own tokens; left alone: it did not. Most fallen label "
        f"first; in grey what rests on fewer than {MIN_SUPPORT} mentions.",
    )
    return Table("flips", "Right to wrong and wrong to right, by label", columns, tuple(rows), notes)


def _rows(view: View, record: Block) -> Iterator[Row]:
    group = mark(view, record["tagger"], record["set"], record["set"])
    where = {"model": record["tagger"], "set": record["set"]}
    for part, words in PARTS.items():
        if part == "all" or record[part]["mentions"]:
            only = {} if part == "all" else {"part": part.removesuffix("_alone")}
            yield Row((Cell(words), *_cells(record[part], {**where, **only})), group if part == "all" else "")
    for label, block in record["by_label"].items():
        yield Row((data_cell(label), *_cells(block, {**where, "label": label})))


def _cells(block: Block, where: Mapping[str, str]) -> Iterator[Cell]:
    def cell(number: int, sub: str = "", **filters: str) -> Cell:
        return Cell(count(number), sub, link=link(number, **where, **filters))

    yield cell(block["mentions"], kind="all", was="any")
    yield cell(block["right"], kind="all", was="right")
    yield cell(block["fell"], kind="fell")
    yield _share(block, "fell", "right")
    for kind in WRONG:
        yield cell(block["fell_to"][kind], kind="fell", now=kind)
    yield cell(block["wrong"], kind="all", was="wrong")
    yield cell(block["rose"], _from(block["rose_from"]) if block["rose"] else "", kind="rose")
    yield _share(block, "rose", "wrong")


def _share(block: Block, what: str, of: str) -> Cell:
    share, low, high = (block[f"{what}_{end}"] for end in ("share", "low", "high"))
    if share is None:
        return Cell(UNDEFINED, title=NONE[of], faint=True)
    return Cell(percent(share), interval(low, high) if low is not None else "", faint=block[of] < MIN_SUPPORT)


def _from(kinds: Mapping[str, Any]) -> str:
    """`3 wrong type, 1 missed`: what they were, kinds without any left out."""
    return ", ".join(f"{count(kinds[kind])} {KIND_WORDS[kind]}" for kind in WRONG if kinds[kind])


def flip_lines(view: View) -> tuple[str, ...]:
    """For each model the set under which most of its right mentions fall, and what becomes of them."""
    worst: dict[str, Block] = {}
    for record in flip_records(view):
        block = record["all"]
        before = worst.get(record["tagger"])
        if block["fell"] and (before is None or block["fell_share"] > before["all"]["fell_share"]):
            worst[record["tagger"]] = record
    return tuple(_line(record) for record in worst.values())


def _line(record: Block) -> str:
    block = record["all"]
    kinds = sorted((kind for kind, number in block["fell_to"].items() if number), key=lambda k: -block["fell_to"][k])
    became = [f"{count(block['fell_to'][kind])} {BECAME[kind]}" for kind in kinds]
    listed = became[0] if len(became) == 1 else f"{', '.join(became[:-1])} and {became[-1]}"
    head = f"Under {record['set']} {count(block['fell'])} of {count(block['right'])} mentions that {record['tagger']}"
    return f"{head} had right are wrong: {listed}.{_parts(record)}"


def _parts(record: Block) -> str:
    """How often the mentions fell that were replaced, and those that were not."""
    replaced, alone = record["replaced"]["fell_share"], record["left_alone"]["fell_share"]
    if replaced is None or alone is None:
        return ""
    shares = (decimal(100 * share, 1) for share in (replaced, alone))
    return " Of those replaced {} % fall, of those left alone {} %.".format(*shares)
