"""`nerquake check-pair ORIGINAL ATTACKED`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nerquake.analyse.pairing.model import CODES, KINDS, Kind, damaging
from nerquake.cli.options import Settings, data_options, output_option
from nerquake.cli.show import Cell, emit, note, to_csv, to_json, to_table

if TYPE_CHECKING:
    from nerquake.analyse.pairing.model import Fault, PairAudit, Place

_ORDER = "".join(f"  {code:<22}{text}\n" for code, text in CODES.items())


@click.command(
    epilog="\b\nThe codes:\n" + _ORDER,
)
@click.argument("original")
@click.argument("attacked")
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default="any",
    show_default=True,
    help="What the attack was to change: the mentions' text, the words around them, both, or not known.",
)
@click.option(
    "--input-attacked", default="", metavar="FORMAT", help="Format of ATTACKED where it is not that of ORIGINAL."
)
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="How many examples of each code to show; 0 shows all.",
)
@output_option
@data_options
def command(
    original: str,
    attacked: str,
    kind: Kind,
    input_attacked: str,
    examples: int,
    output: str,
    settings: Settings,
) -> int:
    """Audit an adversarial set that someone else made: what became of sentences, mentions and labels.

    Sentences are aligned by ids where both files have them, else by content, never by their place in the file.
    Damaged lines are read as far as they can be understood.

    Exit code 1 when something is found, except sentence-moved and unchanged, which are no damage.
    mention-text-changed is looked for with --kind context only, context-changed with --kind entity only. With --kind
    any, both or context a mention may stand at another place of its sentence; a line of ATTACKED that cannot be read
    is damage too.
    """
    from nerquake.analyse.pairing.check import check_pair

    audit = check_pair(
        original, attacked, kind, (settings.input, input_attacked or settings.input), settings.reading, settings.rules
    )
    for line in audit.notes:
        note(line)
    emit(_shown(audit, _examples(audit, examples), settings.format), output)
    return int(audit.damaged)


def _examples(audit: PairAudit, limit: int) -> list[Fault]:
    """The first faults of each code."""
    shown: dict[str, int] = {}
    kept = []
    for fault in audit.faults:
        shown[fault.code] = shown.get(fault.code, 0) + 1
        if not limit or shown[fault.code] <= limit:
            kept.append(fault)
    return kept


def _shown(audit: PairAudit, examples: list[Fault], form: str) -> str:
    if form == "json":
        return to_json({"counts": dict(audit.counts), "examples": [fault.to_json() for fault in examples]})
    if form == "csv":
        rows: list[list[Cell]] = [
            [fault.code, audit.counts[fault.code], *_cells(fault), fault.message] for fault in examples
        ]
        head = ["code", "count", "original_line", "original_sentence", "attacked_line", "attacked_sentence", "message"]
        return to_csv(head, rows)
    return _table(audit, examples)


def _cells(fault: Fault) -> list[Cell]:
    return [
        cell for place in (fault.original, fault.attacked)
        for cell in ((place.line, place.sentence) if place else (None, None))
    ]  # fmt: skip


def _table(audit: PairAudit, examples: list[Fault]) -> str:
    sizes = f"{audit.original:,} original and {audit.attacked:,} attacked sentences, {audit.pairs:,} pairs"
    parts = [f"{sizes}, checked as an attack on {_WHAT[audit.kind]}\n"]
    harmful = damaging(audit.kind)
    rows = [
        [code, f"{count:,}", "yes" if code in harmful else "no", CODES[code]] for code, count in audit.counts.items()
    ]
    if rows:
        parts.append(to_table(["code", "found", "damage", "meaning"], rows))
    told = [fault for fault in examples if fault.code != "unchanged"]
    if told:
        cells = [[fault.code, _line(fault.original), _line(fault.attacked), fault.message] for fault in told]
        parts.append(to_table(["code", "original line", "attacked line", "what"], cells))
    parts.append("damaged\n" if audit.damaged else "no damage\n")
    return "".join(parts)


def _line(place: Place | None) -> str:
    if place is None:
        return "–"
    return "?" if place.line is None else str(place.line)


_WHAT: dict[Kind, str] = {
    "entity": "mentions",
    "context": "the context",
    "both": "mentions and context",
    "any": "anything",
}
