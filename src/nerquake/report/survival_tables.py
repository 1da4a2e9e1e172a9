"""Several draws of one attack: what survives them, and how far chance moves F1."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from nerquake.report.found import records_of
from nerquake.report.numbers import UNDEFINED, count, decimal, percent, plural
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.tables import mark
from nerquake.report.view import MIN_SUPPORT, Block, View

NONE_RIGHT = "no mention was right before the attack in every compared sentence"
ONE_DRAW = "one draw, or no score that is defined"


def draw_records(view: View) -> tuple[Block, ...]:
    """What the findings say of draws, in the order of models and attacks."""
    return tuple(view.findings("draws") or ())


def survival_table(view: View) -> Table:
    """F1 over draws, its spread, and the shares of mentions never and always broken."""
    columns = (
        Column("Attack", number=False),
        Column("Draws"),
        Column("Sentences", title="that every draw keeps"),
        Column("Original"),
        Column("Worst", title="strict F1 of the worst draw"),
        Column("Mean"),
        Column("Best", title="strict F1 of the best draw"),
        Column("SD, draws", title="of F1 between draws over the same sentences, in points"),
        Column("SD, sentences", title="of F1 between samples of sentences within a draw (bootstrap), in points"),
        Column("Right before", title="mentions that every draw compares and that were right before the attack"),
        Column("Never broken", title="right in every draw, percent of those right before"),
        Column("Always broken", title="wrong in every draw, percent of those right before"),
    )
    rows = []
    for record, group in _grouped(view):
        scores, whole, attacked = record["f1"], record["all"], record["attacked"]
        cells = (
            Cell(_name(record), mark(view, record["tagger"], record["set"]), data=True),
            Cell(count(len(record["draws"]))),
            Cell(count(record["pairs"])),
            _score(scores["original"]),
            _score(scores["worst"] and scores["worst"]["f1"]),
            _score(scores["mean"]),
            _score(scores["best"] and scores["best"]["f1"]),
            _deviation(record["variance"]["draws"]),
            _deviation(record["variance"]["sentences"]),
            Cell(count(whole["right"]), f"{count(attacked['right'])} attacked"),
            _share(whole["never_broken"], attacked["never_broken"]),
            _share(whole["always_broken"], attacked["always_broken"]),
        )
        rows.append(Row(cells, group))
    notes = (
        "Strict F1, percent. Right before, never and always broken: all mentions that every draw compares, and below "
        "them those that every draw reached: their own tokens changed by an attack on mentions, their sentence by any "
        "other. SD: standard deviation in points; between draws the sentences stay and the replacements change, "
        "between sentences it is the bootstrap's within a draw.",
    )
    return Table("survival", "Several draws of one attack: F1, and mentions that survive", columns, tuple(rows), notes)


def histogram_table(view: View) -> Table:
    """How many draws each mention survives."""
    records = draw_records(view)
    most = max((len(record["draws"]) for record in records), default=0)
    columns = (
        Column("Attack", number=False),
        Column("Right before"),
        *(Column(str(times), title=f"mentions that survive {plural(times, 'draw')}") for times in range(most + 1)),
    )
    rows = []
    for record, group in _grouped(view):
        whole = record["all"]
        cells = [_times_cell(number, whole["right"]) for number in whole["survived"]]
        cells += [Cell("–", faint=True, title="not so many draws")] * (most + 1 - len(cells))
        rows.append(Row((Cell(_name(record), data=True), Cell(count(whole["right"])), *cells), group))
    notes = ("Mentions that were right before the attack by the number of draws in which they are right, and percent.",)
    return Table("survival-draws", "How many draws each mention survives", columns, tuple(rows), notes)


def survival_label_table(view: View, tagger: str) -> Table:
    """Mentions never and always broken, label by label."""
    columns = (
        Column("Label", number=False),
        Column("Right before"),
        Column("Never broken", title="percent of those right before"),
        Column("Always broken", title="percent of those right before"),
        Column("Draws survived", title="the mean over mentions that were right before, percent of the draws"),
    )
    rows: list[Row] = []
    for record in records_of(view, "draws", tagger):
        rows += _label_rows(record)
    notes = (f"Most often always broken first; in grey labels with fewer than {MIN_SUPPORT} mentions right before.",)
    return Table("survival-labels", "Mentions that survive, by label", columns, tuple(rows), notes).of(tagger)


def _label_rows(record: Block) -> Iterator[Row]:
    group, draws = _name(record), len(record["draws"])
    for label, block in record["by_label"].items():
        survived = sum(times * number for times, number in enumerate(block["survived"]))
        mean = survived / (block["right"] * draws) if block["right"] else None
        values = (block["never_broken"], block["always_broken"], mean)
        few = block["right"] < MIN_SUPPORT
        cells = (Cell(percent(v), title="" if v is not None else NONE_RIGHT, faint=few or v is None) for v in values)
        yield Row((data_cell(label), Cell(count(block["right"]), faint=few), *cells), group)
        group = ""


def survival_lines(view: View) -> tuple[str, ...]:
    """What survives, and whether another draw could have told another story."""
    return tuple(line for record in draw_records(view) for line in _lines(record))


def _lines(record: Block) -> Iterator[str]:
    whole, draws = record["all"], len(record["draws"])
    if whole["right"]:
        never, always = (decimal(100 * whole[key], 0) for key in ("never_broken", "always_broken"))
        every = f"all {draws} draws" if draws > 1 else "the one draw"
        yield (
            f"Of 100 mentions that {record['tagger']} had right, {never} survive {every} of {_name(record)} and "
            f"{always} {'none' if draws > 1 else 'do not'}."
        )
    between, within, scores = record["variance"]["draws"], record["variance"]["sentences"], record["f1"]
    if between is not None and within is not None:
        ends = (
            f"from {percent(scores['worst']['f1'])} to {percent(scores['best']['f1'])}, mean {percent(scores['mean'])}"
        )
        yield (
            f"Over {draws} draws of {_name(record)} F1 of {record['tagger']} goes {ends}: its standard deviation is "
            f"{_points(between)} points between draws and {_points(within)} between samples of sentences."
        )


def _grouped(view: View) -> Iterator[tuple[Block, str]]:
    before = None
    for record in draw_records(view):
        yield record, "" if record["tagger"] == before else record["tagger"]
        before = record["tagger"]


def _name(record: Block) -> str:
    return f"{record['audit']}: {record['set']}" if "audit" in record else str(record["set"])


def _points(variance: float) -> str:
    """A standard deviation in points, two digits."""
    return decimal(100 * sqrt(variance), 2)


def _score(value: float | None) -> Cell:
    return Cell(percent(value), title="" if value is not None else "no mention, neither gold nor predicted",
                faint=value is None)  # fmt: skip


def _deviation(variance: float | None) -> Cell:
    return Cell(UNDEFINED, title=ONE_DRAW, faint=True) if variance is None else Cell(_points(variance))


def _share(whole: float | None, attacked: float | None) -> Cell:
    if whole is None:
        return Cell(UNDEFINED, title=NONE_RIGHT, faint=True)
    return Cell(percent(whole), f"{percent(attacked)} attacked")


def _times_cell(number: int, right: int) -> Cell:
    return Cell(count(number), f"{percent(number / right)} %" if right else "")
