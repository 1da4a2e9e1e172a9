"""How the report was made: everything that is needed to make it again, and what it does not show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from nerquake.core.variant import ORIGINAL
from nerquake.report.attack_words import attack_words
from nerquake.report.numbers import count
from nerquake.report.table import Cell, Column, Row, Table, data_cell
from nerquake.report.tables import mark, shown_name
from nerquake.report.view import View

COMMAND = "Command"
_WORDS = {
    "command": COMMAND,
    "language": "Language",
    "map": "Labels renamed (--map)",
    "only": "Labels kept (--labels)",
    "unmapped": "Predicted labels that gold does not have (--unmapped)",
    "left_out_gold": "Gold mentions left out",
}
OWN = (
    "The same on a file of your own: pip install nerquake, then this command with your file behind the word audit "
    "(CoNLL, JSON Lines and other forms are recognised), your models behind -t (spacy:NAME, huggingface:FOLDER, or "
    "file:FOLDER for predictions made elsewhere), and another folder for the output. Each -p is an attack; what else "
    "stands there can be left out. nerquake plugins lists all formats, models and attacks."
)
_OWN_TABLES = ("predicted", "labels", "notes", "audits")


class Fact(NamedTuple):
    """A line of the method: what, and the value as the user's own text."""

    what: str
    value: str


class Made(NamedTuple):
    """How one audit was made; `audit` is its name where several are joined, else empty."""

    audit: str
    facts: tuple[Fact, ...]
    notes: tuple[str, ...]

    @property
    def own(self) -> str:
        """How to do the same with other data, where the command is known."""
        return OWN if any(fact.what == COMMAND for fact in self.facts) else ""


def methods(view: View) -> tuple[Made, ...]:
    """One entry an audit."""
    method = view.findings("method")
    headers = view.header.get("audits")
    if headers is None:
        return (_made("", view.header, method),)
    each = method.get("audits") or {}
    joined = Made("", (), tuple(method.get("notes") or ()))
    return (joined, *(_made(name, header, each.get(name) or {}) for name, header in headers.items()))


def _made(name: str, header: Mapping[str, Any], method: Mapping[str, Any]) -> Made:
    facts = [Fact(what.capitalize(), say(header[what])) for what in ("signature", "version", "seed")]
    facts += [Fact(_WORDS.get(key, key), say(value)) for key, value in method.items() if key not in _OWN_TABLES]
    labels = method.get("labels") or {}
    facts += [Fact(_WORDS[key], say(labels[key])) for key in _WORDS if key in labels]
    left_out = labels.get("left_out_predicted") or {}
    facts += [Fact(f"Predicted mentions left out, {tagger}", say(number)) for tagger, number in left_out.items()]
    return Made(name, tuple(fact for fact in facts if fact.value), tuple(method.get("notes") or ()))


def say(value: Any) -> str:
    """A value as text: mappings as `A = B, C = D`, lists by commas, empty ones as nothing."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} = {say(item) or 'none'}" for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(say, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def input_table(view: View) -> Table:
    """The input files with their fingerprints."""
    columns = (Column("Input", number=False), Column("SHA-256", number=False))
    rows = tuple(Row((data_cell(entry["name"]), data_cell(entry["sha256"]))) for entry in view.header["inputs"])
    return Table("inputs", "Inputs", columns, rows)


def attack_table(view: View) -> Table:
    """The attacks as typed."""
    columns = (
        Column("Set", number=False),
        Column("Specification", number=False),
        Column("What it does", number=False),
        Column("Level", number=False),
    )
    rows = tuple(
        Row((data_cell(shown_name(one)), data_cell(one["spec"]), Cell(attack_words(one["spec"])), Cell(one["level"])))
        for one in view.attacks
    )
    return Table("attacks", "Attacks", columns, rows)


def attack_notes(view: View) -> tuple[str, ...]:
    """What attacks on the words around mentions ran with: the masked language model, how precisely, who chose."""
    return tuple(line for entry in view.attacks for line in _notes_of(view, entry))


def _notes_of(view: View, entry: Mapping[str, Any]) -> Iterator[str]:
    if entry["level"] not in ("context", "both"):
        return
    name, found = shown_name(entry), view.set_findings(entry)
    natural = found.get("naturalness") or {}
    parts = (natural.get("parts_of_speech") or {}).get("about") or ()
    lines = [
        *(found.get("notes") or ()),
        *(f"naturalness measured by {line}" for line in natural.get("about") or ()),
        *(f"naturalness, {line}" for line in parts),
    ]
    for line in lines:
        yield line if line.startswith(f"{name}: ") else f"{name}: {line}"


def tagger_table(view: View) -> Table:
    """The models, and what their output needed: repairs, tokens not seen, false alarms where no entity is."""
    columns = (
        Column("Set", number=False),
        Column("Invalid transitions", title="in the raw tags, repaired before scoring"),
        Column("Unseen tokens", title="cut off or without a sub-token"),
        Column("Unseen mentions", title="gold mentions that hold an unseen token"),
        Column("Sentences without entities"),
        Column("of them with false alarms"),
    )
    rows = tuple(row for entry in view.data["taggers"] for row in _tagger_rows(view, entry))
    return Table("taggers", "Models and their raw output", columns, rows)


def _tagger_rows(view: View, entry: Mapping[str, Any]) -> Iterator[Row]:
    spec = entry.get("spec") or entry["name"]
    group = entry["name"] if spec == entry["name"] else f"{entry['name']} ({spec})"
    for name in (ORIGINAL, *view.sets):
        block = view.block(entry["name"], name)
        if block is not None:
            free = block.get("entity_free") or {}
            numbers = [block.get(key) for key in ("invalid_transitions", "unseen_tokens", "unseen_mentions")]
            numbers += [free.get(key) for key in ("sentences", "with_false_alarms")]
            head = Cell(name, mark(view, entry["name"], name), data=name != ORIGINAL)
            yield Row((head, *(Cell(count(n)) for n in numbers)), group)
            group = ""


def absent(view: View) -> str:
    """One line on the sections and parts that this report does not have, each with the flag that would fill it."""
    named = ", ".join(f"{name} ({why})" for name, why, there in _sections(view) if not there)
    return f"Not in this report: {named}." if named else ""


def _sections(view: View) -> Iterator[tuple[str, str, bool]]:
    """Sections and parts, why one may be absent, and whether it is there; those shown always are left out."""
    attacked = "not analysed" if view.attacks else "no -p"
    yield "model comparisons", "no second -t", bool(view.comparisons)
    for name, section in (("labels", "labels"), ("errors", "errors"), ("flips", "flip_table")):
        yield name, attacked, bool(view.findings(section))
    yield "overlap of attacks", attacked if len(view.sets) > 1 else "no second -p", bool(view.findings("overlap"))
    yield "several draws of an attack", "no --draws", bool(view.findings("draws"))
    yield "attack curve", "no --curve", bool(view.findings("curve"))
    yield "groups", attacked, bool(view.findings("groups"))
    yield "seen and unseen mentions", "no --train", _has_training(view)
    yield "names and contexts alone", "no --probe", bool(view.findings("probe"))
    yield "attacked sets", "no -p", bool(view.attacks)
    yield "clearest failures", "no mention fell" if view.attacks else "no -p", bool(view.findings("clearest"))
    yield "hardening", "no experiment", bool(view.findings("harden"))
    yield "gate", "no policy", bool(view.findings("gate"))
    yield "since last run", "no --baseline", bool(view.findings("since"))


def _has_training(view: View) -> bool:
    """Whether the report tells mentions that training had from those that it had not."""
    seen = any(str(record["grouping"]).startswith("seen-") for record in view.findings("groups") or ())
    return seen or bool(view.findings("seen_context"))
