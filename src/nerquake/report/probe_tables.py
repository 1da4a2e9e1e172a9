"""Memory against context: what the name alone and the context alone give, and seen against unseen mentions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nerquake.report.found import Record, growth
from nerquake.report.numbers import UNDEFINED, bounds, count, interval, level, percent
from nerquake.report.table import Cell, Column, Row, Table
from nerquake.report.tables import mark
from nerquake.report.view import MIN_SUPPORT, View

CONTEXT_WORDS = {
    "neutral": "In the context a neutral string stands for the mention",
    "nonsense": "In the context a nonsense string of the same shape stands for the mention",
}
GIVEN_WORDS = {
    "name": ("Name alone", "the mention as a sentence of its own gives the same right answer"),
    "context": ("Context alone", "the sentence with another string in the mention's place gives it"),
    "name_only": ("Only the name", "the name alone gives it, the context alone does not"),
    "context_only": ("Only the context", "the context alone gives it, the name alone does not"),
    "both": ("Each by itself", "the name alone gives it, and so does the context alone"),
    "neither": ("Neither", "it takes the two together"),
}
NO_MENTION = "no mention of this label could be asked about in all three ways"
NONE_RIGHT = "no mention of this label is right in the whole sentence"
NOT_SEEN = "no seen mention, or no unseen one, in sentences with another context"


def shares_of(view: View, tagger: str) -> tuple[Record, ...]:
    """What the probe says of one model, in its order."""
    return tuple(one for one in view.findings("probe").get("shares", ()) if one["tagger"] == tagger)


def given_table(view: View, tagger: str) -> Table:
    """Of the mentions that a model has right: what the name alone gives, the context alone, each of them, neither."""
    columns = (
        Column("Label", number=False),
        Column("Right", title="mentions that are right in the whole sentence"),
        *(Column(head, title=f"{title}; percent") for head, title in GIVEN_WORDS.values()),
    )
    rows = []
    for record, group in _grouped(shares_of(view, tagger)):
        few = record["right"] < MIN_SUPPORT
        cells = (_rate_cell(record["given"][what], NONE_RIGHT, few) for what in GIVEN_WORDS)
        rows.append(Row((_label_cell(record, few), Cell(count(record["right"]), faint=few), *cells), group))
    notes = (
        "Percent of the mentions that the model has right in the whole sentence. Only the name, only the context, each "
        f"by itself and neither add up to 100. Below each share its {level(view.level)} interval over sentences. In "
        f"grey: labels with fewer than {MIN_SUPPORT} such mentions. These are no natural sentences.",
    )
    title = "Right answers that the name alone or the context alone gives (percent)"
    return Table("probe-given", title, columns, tuple(rows), notes)


def recall_table(view: View, tagger: str) -> Table:
    """Recall of the same mentions in the whole sentence, alone, and where only their context stands."""
    columns = (
        Column("Label", number=False),
        Column("Mentions", title="that could be asked about in all three ways"),
        Column("Left out", title="mentions that are their whole sentence, or have no letter to change"),
        Column("Whole sentence", title="recall, percent"),
        Column("Name alone", title="recall, percent"),
        Column("Context alone", title="recall of what stands in the mention's place, percent"),
    )
    rows = []
    for record, group in _grouped(shares_of(view, tagger)):
        few = record["mentions"] < MIN_SUPPORT
        cells = (_rate_cell(record["recall"][what], NO_MENTION, few) for what in ("whole", "name", "context"))
        sizes = (Cell(count(record[key]), faint=few) for key in ("mentions", "left_out"))
        rows.append(Row((_label_cell(record, few), *sizes, *cells), group))
    notes = (
        f"Strict recall over the same mentions, percent; below it the {level(view.level)} interval over sentences. In "
        f"grey: labels with fewer than {MIN_SUPPORT} mentions.",
    )
    title = "Recall in the whole sentence, of the name alone and of the context alone (percent)"
    return Table("probe-recall", title, columns, tuple(rows), notes)


def _grouped(records: tuple[Record, ...]) -> Iterator[tuple[Record, str]]:
    """Records with what stands for the mention, where it is new."""
    before = None
    for record in records:
        yield record, "" if record["context"] == before else CONTEXT_WORDS[record["context"]]
        before = record["context"]


def _label_cell(record: Record, few: bool) -> Cell:
    return Cell("All labels") if record["label"] is None else Cell(record["label"], data=True, faint=few)


def _rate_cell(found: Record, why: str, few: bool = False) -> Cell:
    if found["value"] is None:
        return Cell(UNDEFINED, title=why, faint=True)
    return Cell(percent(found["value"]), _spread(found), faint=few)


def _spread(found: Record) -> str:
    return "" if found["low"] is None or found["high"] is None else interval(found["low"], found["high"])


def seen_table(view: View) -> Table:
    """Seen and unseen mentions by original and changed context, with the interaction."""
    columns = (
        Column("Set", number=False),
        Column("Context", number=False),
        *(
            Column(f"{who}, {what}", title=title)
            for who in ("Seen", "Unseen")
            for what, title in (
                ("original", "recall, percent; below it the mentions"),
                ("changed", "recall of the same mentions, percent"),
                ("change", "in points; below it the interval of the loss"),
            )
        ),
        Column("Interaction", title="what unseen mentions lose more than seen ones, in points; below it its interval"),
    )
    rows, before = [], None
    for record in view.findings("seen_context") or ():
        group, before = "" if record["tagger"] == before else record["tagger"], record["tagger"]
        sides = (cell for who in ("seen", "unseen") for cell in _side_cells(record[who]))
        name = Cell(record["set"], mark(view, record["tagger"], record["set"]), data=True)
        rows.append(Row((name, Cell(record["context"]), *sides, _rate_cell(record["interaction"], NOT_SEEN)), group))
    notes = (
        "Strict recall, percent. Seen: the training data have a mention with exactly this text and label. The context "
        "is changed by attacks that leave mentions alone, in the sentences that they changed; it is taken away where "
        "the mention stands alone. An interaction above zero: where the model knows no name it leans on the context "
        f"more. In brackets {level(view.level)} intervals over sentences: below a change that of the loss, where a "
        "negative limit is a gain.",
    )
    title = "Seen and unseen mentions, original and changed context: recall (percent)"
    return Table("seen-context", title, columns, tuple(rows), notes)


def _side_cells(side: Record) -> tuple[Cell, ...]:
    if not side["mentions"]:
        return (Cell(UNDEFINED, title="no such mention", faint=True),) * 3
    few = side["mentions"] < MIN_SUPPORT
    drop = side["drop"]
    return (
        Cell(percent(side["original"]["value"]), count(side["mentions"]), faint=few),
        Cell(percent(side["changed"]["value"]), faint=few),
        Cell(growth(None if drop["value"] is None else -drop["value"]), _spread(drop), faint=few),
    )


def probe_lines(view: View) -> tuple[str, ...]:
    """What each model's right answers rest on."""
    taggers = dict.fromkeys(one["tagger"] for one in view.findings("probe").get("shares", ()))
    return tuple(line for line in (given_line(view, tagger) for tagger in taggers) if line)


def given_line(view: View, tagger: str) -> str:
    """What one model's right answers rest on; empty where the probe was not asked."""
    found = {one["context"]: one for one in shares_of(view, tagger) if one["label"] is None and one["right"]}
    shown = found.get("nonsense") or found.get("neutral")
    if shown is None:
        return ""
    given: Any = shown["given"]
    contexts = " and ".join(f"{percent(one['given']['context']['value'])} ({kind})" for kind, one in found.items())
    return (
        f"Of 100 mentions that {tagger} has right, the name alone gives {percent(given['name']['value'])} and the "
        f"context alone {contexts}; {percent(given['neither']['value'])} take the two together."
    )


def seen_lines(view: View) -> tuple[str, ...]:
    """Whether unseen mentions lose more than seen ones where the context changes."""
    return tuple(_seen_line(view, record) for record in view.findings("seen_context") or () if _known(record))


def shown_seen_lines(view: View, tagger: str, set_name: str) -> tuple[str, ...]:
    """The same of one model under one set, only where the interval shows a difference."""
    found = view.findings("seen_context") or ()
    records = (one for one in found if (one["tagger"], one["set"]) == (tagger, set_name) and _known(one))
    return tuple(
        _seen_line(view, one) for one in records if not one["interaction"]["low"] <= 0 <= one["interaction"]["high"]
    )


def _known(record: Record) -> bool:
    return record["interaction"]["low"] is not None and record["interaction"]["high"] is not None


def _seen_line(view: View, record: Record) -> str:
    found = record["interaction"]
    alone = record["context"] == "taken away"
    where = "where mentions stand alone" if alone else f"in the contexts of {record['set']}"
    spread = f"({level(view.level)} interval {bounds(found['low'], found['high'])})"
    if found["low"] <= 0 <= found["high"]:
        return (
            f"{record['tagger']}: {where}, no difference between seen and unseen mentions is shown: "
            f"{percent(found['value'])} points {spread}."
        )
    more = "more" if found["value"] > 0 else "less"
    return (
        f"{record['tagger']}: {where}, unseen mentions lose {percent(abs(found['value']))} points {more} than seen "
        f"ones {spread}."
    )
