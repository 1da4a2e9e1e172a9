"""The clearest failures as papers print them: each text as a model read it, what it did not identify written out.

From `findings.clearest` of `result.json`. A text's marks are `[Bad Homburg]LOC` for what a model found, and
`[Hanau](not identified)` for what is left of a mention that it did not find.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nerquake.core.spec import safe_name
from nerquake.core.variant import ORIGINAL
from nerquake.report.numbers import percent, plural, times
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.view import Block, View

GOLD, NO_ANSWER, NOT_IDENTIFIED = "gold", "no answer", "not identified"
NOTE = (
    f"Each text as a model read it: [text]LABEL is what it found, [text]({NOT_IDENTIFIED}) what it left out of a "
    "mention."
)
Mark = Sequence[Any]
"""A mention: `[start, end, label]`."""


def cases_said(view: View) -> str:
    """How many sentences are shown and why these; empty where there is none."""
    found = list(view.findings("clearest"))
    if not found:
        return ""
    most = max(case["fell"]["models"] for case in found)
    shown = plural(len(found), "sentence")
    return (
        f"The {shown} whose failure is clearest: most models fell ({plural(most, 'model')} on the first), then most "
        "sets, then those that models were surer of, then the more natural text."
    )


def case_tables(view: View) -> tuple[Table, ...]:
    """A table for each of the clearest failures: every attack, and what every model made of the text."""
    return tuple(_case_table(number, found) for number, found in enumerate(view.findings("clearest"), 1))


def model_case_table(view: View, tagger: str) -> Table:
    """Paper M, Tables 6 and 12: for each sentence where one model fails the original and the attacks it fell under."""
    rows: list[Row] = []
    fallen = [case for case in view.findings("clearest") if any(tagger in one["fell"] for one in case["attacks"])]
    for number, case in enumerate(fallen):
        texts = [one for one in case["attacks"] if tagger in one["fell"]]
        rows.append(_line(ORIGINAL, case, tagger, f"({_letter(number)}) {_parent(case)}"))
        rows += [_line(one["set"], one, tagger) for one in texts]
    columns = (Column("Set", number=False), Column("Text", number=False))
    title = f"Sentences where {tagger} fails under attack"
    return Table(f"cases-{safe_name(tagger)}", title, columns, tuple(rows), (NOTE,))


def named_cases(folder: str, found: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The cases of one of several audits that are joined: models stand behind their audit's folder."""

    def named(by: Mapping[str, Any]) -> dict[str, Any]:
        return {f"{folder}: {tagger}": value for tagger, value in by.items()}

    return [
        {
            **case,
            "audit": folder,
            "said": named(case["said"]),
            "attacks": [{**one, "said": named(one["said"]), "fell": named(one["fell"])} for one in case["attacks"]],
        }
        for case in found
    ]


def as_read(tokens: Sequence[str], gold: Sequence[Mark], said: Sequence[Mark]) -> str:
    """A text as a model read it: its mentions marked, and what it left out of gold ones as `not identified`."""
    marks = [(start, end, label) for start, end, label in said]
    taken = {at for start, end, _ in marks for at in range(start, end)}
    for start, end, _ in gold:
        marks += [(left, right, f"({NOT_IDENTIFIED})") for left, right in _left(start, end, taken)]
    words: list[str] = []
    at = 0
    for start, end, label in sorted(marks):
        words += tokens[at:start]
        words.append(f"[{' '.join(tokens[start:end])}]{label}")
        at = max(at, end)
    return " ".join([*words, *tokens[at:]])


def _left(start: int, end: int, taken: set[int]) -> Iterator[tuple[int, int]]:
    """The stretches of a mention that no answer covers."""
    begin = None
    for at in range(start, end + 1):
        free = at < end and at not in taken
        if free and begin is None:
            begin = at
        elif not free and begin is not None:
            yield begin, at
            begin = None


def _parent(case: Block) -> str:
    return f"{case['audit']}: {case['parent']}" if "audit" in case else str(case["parent"])


def _letter(number: int) -> str:
    """a to z, then aa, ab and so on."""
    rest, place = divmod(number, 26)
    return (_letter(rest - 1) if rest else "") + chr(ord("a") + place)


def _line(name: str, text: Block, tagger: str, group: str = "") -> Row:
    said = text["said"].get(tagger)
    read = Cell(NO_ANSWER, faint=True) if said is None else data_cell(as_read(text["tokens"], text["spans"], said))
    return Row((Cell(name, data=name != ORIGINAL), read), group)


def _case_table(number: int, case: Block) -> Table:
    columns = (
        Column("Read by", number=False),
        Column("Text", number=False),
        Column("What fell", number=False),
    )
    rows = [*_rows(ORIGINAL, case, case)]
    for one in case["attacks"]:
        rows += _rows(one["set"], one, case)
    return Table(f"case-{number}", f"{_parent(case)}: {_facts(case)}", columns, tuple(rows), (NOTE,))


def _facts(case: Block) -> str:
    fell = case["fell"]
    facts = [f"{plural(fell['models'], 'model')} fell", f"under {', '.join(fell['sets'])}"]
    if case["margin"] is not None:
        facts.append(f"confidence {percent(case['margin'])} % in the mean")
    if case["naturalness"] is not None:
        facts.append(f"pseudo-perplexity {times(case['naturalness'])} times the original's")
    return ", ".join(facts)


def _rows(name: str, text: Block, case: Block) -> Iterator[Row]:
    """A row for each way in which the text was read, the gold one first; models that read it alike share a row."""
    if text.get("status", "changed") != "changed":
        why = f"{text['status']}: {text['reason']}" if text["reason"] else text["status"]
        yield Row((Cell("–"), data_cell(why), Cell("")), name)
        return
    readers = {as_read(text["tokens"], text["spans"], text["spans"]): [GOLD]}
    for tagger, said in text["said"].items():
        readers.setdefault(as_read(text["tokens"], text["spans"], said), []).append(tagger)
    group = name
    for read, taggers in readers.items():
        yield Row((data_cell(", ".join(taggers)), data_cell(read), _fell(text, case, taggers)), group)
        group = ""


def _fell(text: Block, case: Block, taggers: Sequence[str]) -> Cell:
    """What fell for these models, each thing once, with its models where they are not all of the row's."""
    models = [tagger for tagger in taggers if tagger != GOLD]
    found: dict[str, list[str]] = {}
    for tagger in models:
        for place, _, said in text.get("fell", {}).get(tagger, ()):
            found.setdefault(_turn(text, case, place, said), []).append(tagger)
    lines = [turn if who == models else f"{turn} ({', '.join(who)})" for turn, who in found.items()]
    return data_cell("; ".join(lines)) if lines else Cell("")


def _turn(text: Block, case: Block, place: int, said: Mark | None) -> str:
    """What became of a mention: `Syria → Hyderabad: LOC → ORG`, `Major: PER → not identified`."""
    old_start, old_end, label = case["spans"][place]
    new_start, new_end, _ = text["spans"][dict(map(tuple, text["mentions"]))[place]]
    old, new = " ".join(case["tokens"][old_start:old_end]), " ".join(text["tokens"][new_start:new_end])
    if said is None:
        answer = NOT_IDENTIFIED
    elif [said[0], said[1]] == [new_start, new_end]:
        answer = said[2]
    else:
        answer = f"[{' '.join(text['tokens'][said[0] : said[1]])}]{said[2]}"
    return f"{old if old == new else f'{old} → {new}'}: {label} → {answer}"
