"""Whether attacks break the same mentions: similarity of every two sets, and which sets break a mention together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from nerquake.report.found import Record, records_of
from nerquake.report.links import exactly, link
from nerquake.report.numbers import UNDEFINED, count, decimal, percent, plural
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.view import View

SECTION = "overlap"
Reading = Literal["fell", "wrong"]
READINGS: tuple[Reading, ...] = ("fell", "wrong")
READING_WORDS: dict[Reading, str] = {
    "fell": "mentions right before the attack and wrong after",
    "wrong": "all mentions wrong after the attack",
}
DOT = "●"
"""Marks the sets of a combination."""


def overlap_of(view: View, tagger: str) -> Record | None:
    """What was found of one model; None where it answered fewer than two sets."""
    return next(records_of(view, SECTION, tagger), None)


def jaccard_table(view: View, tagger: str, reading: Reading = "fell") -> Table:
    """Set by set: the Jaccard similarity of the mentions that fail, below it how many fail under both."""
    record = overlap_of(view, tagger)
    names = tuple(record["sets"]) if record else ()
    columns = (Column("Set", number=False), *(Column(name, data=True) for name in names))
    pairs = {frozenset((pair["a"], pair["b"])): pair for pair in record[reading]["pairs"]} if record else {}
    rows = []
    for name in names:
        cells = (
            Cell("–") if other == name else _pair_cell(pairs[frozenset((name, other))], tagger, reading)
            for other in names
        )
        rows.append(Row((data_cell(name), *cells)))
    notes = (
        "Jaccard similarity: of the mentions that fail under one set or the other, the share that fails under both; "
        "below it their numbers. Over mentions that stand in the texts of both sets.",
    )
    return Table(f"overlap-{reading}", f"Similarity of sets: {READING_WORDS[reading]}", columns, tuple(rows), notes)


def _failing(reading: Reading) -> dict[str, str]:
    """The filters for mentions that fail."""
    return {"kind": "fell"} if reading == "fell" else {"kind": "all", "now": "wrong"}


def _pair_cell(pair: Record, tagger: str, reading: Reading) -> Cell:
    either = pair["only_a"] + pair["only_b"] + pair["both"]
    over = f"over {plural(pair['mentions'], 'mention')} in both texts"
    if pair["jaccard"] is None:
        return Cell(UNDEFINED, title=f"no mention fails under either; {over}", faint=True)
    both = link(pair["both"], model=tagger, set=pair["a"], also=pair["b"], **_failing(reading))
    return Cell(decimal(pair["jaccard"], 2), f"{count(pair['both'])} of {count(either)}", title=over, link=both)


def combination_table(view: View, tagger: str, reading: Reading = "fell") -> Table:
    """Which sets break a mention together, the most frequent combinations first, then all others and none."""
    record = overlap_of(view, tagger)
    names = tuple(record["sets"]) if record else ()
    columns = (
        Column("Fails under", number=False),
        *(Column(name, number=False, data=True) for name in names),
        Column("Mentions"),
        Column("Share", title="percent of the mentions that stand in every set's text"),
    )
    rows = tuple(_combination_rows(record[reading], names, tagger, reading)) if record else ()
    notes = (
        f"A mention is in one row only: {DOT} marks exactly the sets under which it fails. Over the mentions that "
        "stand in the text of every set" + (", and were right before any attack." if reading == "fell" else "."),
    )
    title = f"Sets that break a mention together: {READING_WORDS[reading]}"
    return Table(f"combinations-{reading}", title, columns, rows, notes)


def _combination_rows(found: Record, names: Sequence[str], tagger: str, reading: Reading) -> list[Row]:
    most = max((one["mentions"] for one in found["combinations"]), default=0)
    rows = []
    for one in found["combinations"]:
        dots = [Cell(DOT if name in one["sets"] else "") for name in names]
        head = "all sets" if len(one["sets"]) == len(names) else plural(len(one["sets"]), "set")
        where = link(
            one["mentions"],
            model=tagger,
            set=one["sets"][0],
            under=exactly(one["sets"], names),
            **_failing(reading),
        )
        rows.append(_combination_row(head, dots, one["mentions"], found["mentions"], one["mentions"] / most, where))
    blank = [Cell("")] * len(names)
    others = found["others"]
    if others["combinations"]:
        head = f"all others ({plural(others['combinations'], 'combination')})"
        rows.append(_combination_row(head, blank, others["mentions"], found["mentions"]))
    was = {"was": "right"} if reading == "fell" else {"was": "any"}
    where = link(found["never"], model=tagger, set=names[0], kind="all", under=exactly((), names), **was)
    rows.append(_combination_row("none: never broken", blank, found["never"], found["mentions"], None, where))
    return rows


def _combination_row(
    head: str, dots: Sequence[Cell], mentions: int, whole: int, heat: float | None = None, where: str = ""
) -> Row:
    share = (
        Cell(percent(mentions / whole), heat=heat)
        if whole
        else Cell(UNDEFINED, title="no mention stands in every set's text", faint=True)
    )
    return Row((Cell(head), *dots, Cell(count(mentions), link=where), share))


def overlap_sentences(view: View, tagger: str) -> tuple[str, ...]:
    """The two sets that break the most and the least alike mentions, and how many mentions no set breaks."""
    record = overlap_of(view, tagger)
    if record is None:
        return ()
    pairs = [pair for pair in record["fell"]["pairs"] if _both_break(pair)]
    sentences = []
    if pairs:
        least = min(pairs, key=lambda pair: float(pair["jaccard"]))
        sentences.append(f"{tagger}: {_alike(least)}{_most_alike(pairs, least)}.")
    never = record["fell"]["never_share"]
    if never is not None:
        of = plural(record["fell"]["mentions"], "mention")
        sets = f"{len(record['sets'])} sets"
        verb = "was" if record["fell"]["mentions"] == 1 else "were"
        sentences.append(f"{percent(never)} % of {of} that {tagger} had right {verb} broken by none of {sets}.")
    return tuple(sentences)


def _both_break(pair: Record) -> bool:
    """Whether mentions fall under each of the two sets: where one breaks nothing there is nothing to be alike."""
    return bool(pair["both"] or (pair["only_a"] and pair["only_b"]))


def _alike(pair: Record) -> str:
    either = pair["only_a"] + pair["only_b"] + pair["both"]
    mentions = plural(either, "mention")
    return (
        f"of {mentions} that fall under {pair['a']} or {pair['b']}, {count(pair['both'])} "
        f"{'falls' if pair['both'] == 1 else 'fall'} under both (Jaccard {decimal(pair['jaccard'], 2)})"
    )


def _most_alike(pairs: Sequence[dict[str, Any]], least: Record) -> str:
    """The pair that is most alike, where there are several."""
    most = max(pairs, key=lambda pair: float(pair["jaccard"]))
    if len(pairs) < 2 or most["jaccard"] == least["jaccard"]:
        return ""
    return f"; most alike are {most['a']} and {most['b']} ({decimal(most['jaccard'], 2)})"
