"""How natural the sentences of context attacks are, in words and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nerquake.report.numbers import UNDEFINED, count, percent, plural, times
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.tables import shown_name
from nerquake.report.view import View


def said_of(entry: Mapping[str, Any]) -> Iterator[str]:
    """The naturalness of a set in lines; `entry` is its entry in the findings, or in `summary.json`."""
    found = entry.get("naturalness")
    if not found:
        return
    yield _ratio_line(found)
    words = found["words"]
    yield (
        f"{percent(words['share'])} % of the words outside mentions of changed sentences replaced "
        f"({count(words['replaced'])} of {count(words['outside_mentions'])})"
    )
    parts = found["parts_of_speech"]
    if parts and parts["compared"]:
        yield f"part of speech kept in {percent(parts['share'])} % of {plural(parts['compared'], 'replaced word')}"
    yield from found["notes"]


def _ratio_line(found: Mapping[str, Any]) -> str:
    ratio = found["perplexity_ratio"]
    over = _over(found["sentences"])
    if ratio is None:
        return f"pseudo-perplexity not evaluated ({over})"
    quartiles = f"quartiles {times(ratio['low'])} and {times(ratio['high'])}"
    return (
        f"pseudo-perplexity {times(ratio['median'])} times the original's in the median ({quartiles}; {over}; "
        f"measured by {found['judge']})"
    )


def _over(sentences: Mapping[str, int]) -> str:
    """Which sentences were measured."""
    changed, measured, without = (sentences[key] for key in ("changed", "measured", "without_ratio"))
    what = plural(changed, "changed sentence")
    text = f"{count(measured)} of {what}, drawn by seed" if measured < changed else what
    return f"{text}; {count(without)} without a ratio" if without else text


def naturalness_table(view: View) -> Table:
    """A row for every set that was measured."""
    columns = (
        Column("Set", number=False),
        Column(
            "Perplexity ratio", title="pseudo-perplexity of the attacked sentence over that of the original, median"
        ),
        Column("Quartiles"),
        Column("Sentences", title="changed sentences that were measured"),
        Column("Words replaced", title="percent of the words outside mentions of changed sentences"),
        Column("Part of speech kept", title="percent of the replaced words"),
        Column("Measured by", number=False),
    )
    found = [(entry, view.set_findings(entry).get("naturalness")) for entry in view.attacks]
    rows = tuple(_row(entry, block) for entry, block in found if block)
    notes = (
        "Perplexity ratio: how many times the pseudo-perplexity of the original the attacked sentence has under a "
        "masked language model, one word masked at a time; 1 is as natural as the original. Median and quartiles over "
        "changed sentences. Words replaced: percent of the words outside mentions of changed sentences.",
    )
    return Table("naturalness", "How natural the attacked sentences are", columns, rows, notes)


def _row(entry: Mapping[str, Any], block: Mapping[str, Any]) -> Row:
    ratio, parts = block["perplexity_ratio"], block["parts_of_speech"]
    none = Cell(UNDEFINED, title="; ".join(block["notes"]) or "no word was seen on both sides", faint=True)
    cells = (
        data_cell(shown_name(entry)),
        Cell(times(ratio["median"])) if ratio else none,
        Cell(f"[{times(ratio['low'])}, {times(ratio['high'])}]") if ratio else none,
        Cell(count(block["sentences"]["measured"] - block["sentences"]["without_ratio"])),
        Cell(percent(block["words"]["share"])),
        Cell(percent(parts["share"])) if parts and parts["compared"] else none,
        data_cell(block["judge"]) if block["judge"] else Cell("–"),
    )
    return Row(cells)
