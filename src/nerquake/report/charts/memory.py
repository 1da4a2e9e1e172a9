"""Seen and unseen mentions by original and changed context, and what the name alone and the context alone give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nerquake.report.charts.chart import Chart
from nerquake.report.charts.layout import (
    NARROW,
    WIDE,
    Figure,
    Layout,
    fitted,
    head_height,
    head_lines,
    head_words,
    key,
    row_words,
    scale_words,
    top_of,
)
from nerquake.report.charts.marks import INK_HEX, LEFT, MUTED_HEX, PAPER_HEX, WIDTH, Bar, Drawing, Look, Mark, Words
from nerquake.report.charts.rows import (
    ATTACKED_SIGN,
    ORIGINAL_SIGN,
    Sign,
    pair_marks,
    percent_scale,
    rest_words,
    room,
)
from nerquake.report.found import Record, growth
from nerquake.report.numbers import count, interval, level, percent, plural
from nerquake.report.probe_tables import CONTEXT_WORDS, GIVEN_WORDS, seen_lines
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.tables import mark
from nerquake.report.view import MIN_SUPPORT, View

PANELS, BARS = 10, 12
"""Panels of seen and unseen mentions, and bars of the probe, that are drawn."""
ROW, HEAD = 24, 34
WHO = ("seen", "unseen")
SIGNS = {
    "name_only": Sign(Look(MUTED_HEX), "only the name", glyph="N"),
    "both": Sign(Look(MUTED_HEX, 0.45), "each by itself", glyph="E"),
    "context_only": Sign(Look(PAPER_HEX, 1.0, MUTED_HEX), "only the context", glyph="C"),
    "neither": Sign(Look(PAPER_HEX, 1.0, MUTED_HEX, (3, 2)), "neither: the two together", glyph="T"),
}
"""Shares that add up to all mentions that are right; in grey, since none of them holds or falls."""


def seen_chart(view: View) -> Chart | None:
    """Recall of seen and unseen mentions by model and changed context; None where neither group is large enough."""
    every = tuple(view.findings("seen_context") or ())
    records = [record for record in every if any(_drawn(record[who]) for who in WHO)]
    if not records:
        return None
    shown = records[:PANELS]
    caption = (
        "Strict recall, percent, of mentions whose text stands in the training data with this label (seen) and of all "
        "others. Ring: in the original context; square: the same mentions in a context that an attack changed, or "
        f"without one. Band: where the attacked recall lies if the loss is within its {level(view.level)} interval. "
        f"Groups with fewer than {MIN_SUPPORT} mentions are left out.{rest_words((len(every) - len(shown), 'panel'))}"
    )
    said = seen_lines(view)
    title = said[0].removesuffix(".") if said else "Recall of seen and unseen mentions, original and changed context"
    drawings = (_seen_drawing(view, shown, layout) for layout in (WIDE, NARROW))
    return Chart("seen-context", title, caption, _seen_table(view, shown), *drawings)


def _drawn(side: Record) -> bool:
    known = side["mentions"] and None not in (side["original"]["value"], side["changed"]["value"])
    return bool(known) and side["mentions"] >= MIN_SUPPORT


def _sides(record: Record) -> Iterator[tuple[str, Record]]:
    return ((who, record[who]) for who in WHO if _drawn(record[who]))


def _head(view: View, record: Record) -> str:
    name = mark(view, record["tagger"], record["set"], record["set"])
    return f"{record['tagger']} · {name}: context {record['context']}"


def _seen_table(view: View, records: Sequence[Record]) -> Table:
    columns = (Column("Mentions", number=False), Column("Number"), *map(Column, ("Original", "Changed", "Change")))
    rows = []
    for record in records:
        group = _head(view, record)
        for who, side in _sides(record):
            shares = (Cell(percent(side[what]["value"])) for what in ("original", "changed"))
            moved = Cell(growth(None if side["drop"]["value"] is None else -side["drop"]["value"]), _spread(side))
            rows.append(Row((Cell(who), Cell(count(side["mentions"])), *shares, moved), group))
            group = ""
    title = "Seen and unseen mentions, original and changed context: recall (percent)"
    return Table("chart-seen", title, columns, tuple(rows))


def _spread(side: Record) -> str:
    drop = side["drop"]
    return "" if drop["low"] is None or drop["high"] is None else interval(drop["low"], drop["high"])


def _seen_drawing(view: View, records: Sequence[Record], layout: Layout) -> Drawing:
    drawn = [side for record in records for _, side in _sides(record)]
    values = [value for side in drawn for value in (side["original"]["value"], side["changed"]["value"])]
    values += [end / 100 for side in drawn for end in _band(side) or ()]
    heads = [head_lines(layout, _head(view, record)) for record in records]
    height = sum(head_height(HEAD, lines) for lines in heads) + (ROW + layout.above) * len(drawn)
    left = 10 if layout.narrow else room(WHO, 140)
    right = layout.width - (14 if layout.narrow else 260)
    drawing = fitted(layout, percent_scale(values, height, left, right))
    signs = (ORIGINAL_SIGN, ATTACKED_SIGN._replace(words="changed"))
    marks = [*key(layout, signs, left), scale_words(layout, "recall, percent", height, left)]
    y = 0
    for record, lines in zip(records, heads, strict=True):
        marks += head_words(lines, y + 22, 110)
        y += head_height(HEAD, lines)
        for who, side in _sides(record):
            marks += [*_words(drawing, layout, who, side, y), *_pair(drawing, record, who, side, y + layout.above)]
            y += ROW + layout.above
    return drawing._replace(marks=tuple(marks))


def _band(side: Record) -> tuple[float, float] | None:
    """Where the changed recall lies if the loss is within its interval, in percent."""
    low, high = side["drop"]["low"], side["drop"]["high"]
    if low is None or high is None:
        return None
    before = side["original"]["value"]
    return 100 * max(0.0, before - high), 100 * min(1.0, before - low)


def _words(drawing: Drawing, layout: Layout, who: str, side: Record, y: float) -> Iterator[Mark]:
    moved = growth(None if side["drop"]["value"] is None else -side["drop"]["value"])
    figures = (
        Figure(plural(side["mentions"], "mention"), drawing.left - 14, 150, muted=True),
        Figure(" → ".join(_shares(side)), WIDTH - 165, 246),
        Figure(moved, WIDTH - 105, NARROW.width, bold=True),
        Figure(_spread(side), WIDTH, muted=True),
    )
    yield from row_words(layout, y, who, figures, 10)


def _shares(side: Record) -> list[str]:
    return [percent(side[what]["value"]) for what in ("original", "changed")]


def _pair(drawing: Drawing, record: Record, who: str, side: Record, y: float) -> Iterator[Mark]:
    shares, head = _shares(side), f"{record['tagger']}, {who}"
    said = f"{head}, original: {shares[0]} %", f"{head}, changed: {shares[1]} %"
    before, after = (100 * side[what]["value"] for what in ("original", "changed"))
    yield from pair_marks(drawing, y + ROW / 2, before, after, _band(side), said)


def probe_chart(view: View) -> Chart | None:
    """A bar for each model and each string that stood for the mention; None where nothing was asked or right."""
    shares = view.findings("probe").get("shares", ())
    every = [record for record in shares if record["label"] is None and record["right"]]
    records = every[:BARS]
    if not records:
        return None
    meanings = " ".join(f"{sign.glyph}: {GIVEN_WORDS[what][1]}." for what, sign in SIGNS.items())
    caption = (
        "Each bar: the mentions that a model has right in the whole sentence, by what gives the same answer. "
        f"{meanings} Percent; a share of 0 has no bar.{rest_words((len(every) - len(records), 'bar'))}"
    )
    first = records[0]["given"]
    name, context = (percent(first[what]["value"]) for what in ("name", "context"))
    title = f"Of 100 mentions that {records[0]['tagger']} has right, the name alone gives {name}, the context {context}"
    drawings = (_probe_drawing(records, layout) for layout in (WIDE, NARROW))
    return Chart("probe", title, caption, _probe_table(records), *drawings)


def _probe_table(records: Sequence[Record]) -> Table:
    columns = (Column("Model", number=False), Column("Stands for the mention", number=False), Column("Right"),
               *(Column(GIVEN_WORDS[what][0]) for what in SIGNS))  # fmt: skip
    rows = tuple(
        Row((
            data_cell(record["tagger"]),
            Cell(record["context"]),
            Cell(count(record["right"])),
            *(Cell(percent(record["given"][what]["value"])) for what in SIGNS),
        ))
        for record in records
    )  # fmt: skip
    return Table("chart-probe", "What gives the right answers (percent)", columns, rows)


def _probe_drawing(records: Sequence[Record], layout: Layout) -> Drawing:
    above, signs = (30 if layout.narrow else 0), list(SIGNS.values())
    row = above + ROW + 18
    height = row * len(records)
    left, right = (5, layout.width - 12) if layout.narrow else (LEFT, WIDTH - 20)
    drawing = Drawing((), 0, 100, height, (0, 20, 40, 60, 80, 100), left=left, right=right)
    drawing = fitted(layout, drawing, top_of(layout, signs, left))
    marks = [*key(layout, signs, left), scale_words(layout, "percent", height, left)]
    for place, record in enumerate(records):
        y = row * place
        marks.append(Words(record["tagger"], y + 17, at=0, bold=True, length=32))
        words = f"{record['context']} string, {plural(record['right'], 'mention')}"
        at = 0 if layout.narrow else 14
        marks.append(Words(words, y + 33, at=at, fill=MUTED_HEX, size=12, said=CONTEXT_WORDS[record["context"]]))
        marks += _stack(drawing, record, y + 8 + above)
    return drawing._replace(marks=tuple(marks))


def _stack(drawing: Drawing, record: Record, y: float) -> Iterator[Mark]:
    start = 0.0
    for what, sign in SIGNS.items():
        share = 100 * record["given"][what]["value"]
        if share:
            said = f"{record['tagger']}, {sign.words}: {percent(share / 100)} %"
            yield Bar(start, start + share, y, ROW, sign.look, said)
            text = f"{sign.glyph} {percent(share / 100)}"
            if drawing.units(share) > 8 * len(text):
                fill = PAPER_HEX if what == "name_only" else INK_HEX
                yield Words(text, y + 16.5, x=start + share / 2, anchor="middle", fill=fill, size=12)
        start += share
