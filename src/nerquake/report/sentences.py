"""Sentences side by side: which tokens changed, where the mentions stand, and what each model said of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from nerquake.analyse.flips import Outcome, OutcomeKind, outcomes
from nerquake.core.results import Case
from nerquake.core.span import Span

SHOWN = 10
"""Sentences a set in the page where its explorer cannot run; `cases.jsonl` holds all."""
MARKS: dict[OutcomeKind, tuple[str, str]] = {
    "right": ("✓", ""),
    "type": ("◆", "wrong type: "),
    "boundary": ("◧", "wrong boundary: "),
    "missed": ("○", "missed"),
}
NOTHING = "∅"


class Token(NamedTuple):
    """A token of the text, and whether the attack put it in or takes it away."""

    text: str
    changed: bool


class Chunk(NamedTuple):
    """Tokens in a row: those of one mention under its label, or those between mentions under none."""

    tokens: tuple[Token, ...]
    label: str


class Answer(NamedTuple):
    """What a model made of a mention before and after; `turn` is "fell", "rose", "held" or "wrong"."""

    before: str
    after: str
    turn: str


class MentionRow(NamedTuple):
    """A gold mention, or a false alarm in the attacked text: its texts, its label, and each model's answer."""

    old: str
    new: str
    label: str
    answers: tuple[Answer, ...]


class Shown(NamedTuple):
    """A sentence under an attack, ready to be written in any form."""

    parent: str
    id: str
    original: tuple[Chunk, ...]
    attacked: tuple[Chunk, ...]
    sources: tuple[str, ...]
    mentions: tuple[MentionRow, ...]
    meta: Mapping[str, str]


class Changes(NamedTuple):
    """Positions of the tokens that differ, in the original and in the attacked text."""

    original: frozenset[int]
    attacked: frozenset[int]


def changes(original: Sequence[str], attacked: Sequence[str], edits: Sequence[Mapping[str, Any]]) -> Changes:
    """Which tokens differ: by the stored edits, and for a rewrite, which has none, by the longest common parts."""
    old: set[int] = set()
    new: set[int] = set()
    if edits:
        shift = 0
        for edit in sorted(edits, key=lambda e: (e["start"], e["end"])):
            start = edit["start"] + shift
            old.update(range(edit["start"], edit["end"]))
            new.update(range(start, start + len(edit["new"])))
            shift += len(edit["new"]) - (edit["end"] - edit["start"])
    else:
        matcher = SequenceMatcher(None, list(original), list(attacked), autojunk=False)
        for kind, old_start, old_end, new_start, new_end in matcher.get_opcodes():
            if kind != "equal":
                old.update(range(old_start, old_end))
                new.update(range(new_start, new_end))
    return Changes(frozenset(old), frozenset(new))


def chunks(tokens: Sequence[str], spans: Sequence[Span], changed: frozenset[int]) -> tuple[Chunk, ...]:
    """The text cut at the borders of its mentions."""
    found: list[Chunk] = []
    at = 0
    for span in spans:
        if at < span.start:
            found.append(_chunk(tokens, at, span.start, "", changed))
        found.append(_chunk(tokens, span.start, span.end, span.label, changed))
        at = span.end
    if at < len(tokens):
        found.append(_chunk(tokens, at, len(tokens), "", changed))
    return tuple(found)


def _chunk(tokens: Sequence[str], start: int, end: int, label: str, changed: frozenset[int]) -> Chunk:
    return Chunk(tuple(Token(tokens[i], i in changed) for i in range(start, end)), label)


def show_case(case: Case, taggers: Sequence[str]) -> Shown:
    """A case with one answer a model on every mention, in the order of `taggers`."""
    changed = changes(case.original, case.attacked, case.edits)
    return Shown(
        case.parent,
        case.id,
        chunks(case.original, case.original_spans, changed.original),
        chunks(case.attacked, case.attacked_spans, changed.attacked),
        (*sources(case.edits), *rewritten(case.source)),
        (*_mention_rows(case, taggers), *_false_alarms(case, taggers)),
        case.meta,
    )


def show_example(example: Mapping[str, Any]) -> Shown:
    """An example of `findings`, which holds no answers."""
    original, attacked = example["original"], example["attacked"]
    changed = changes(original, attacked, example["edits"])
    old, new = ([Span(*span) for span in example[key]] for key in ("original_spans", "attacked_spans"))
    return Shown(
        example["parent"],
        example["id"],
        chunks(original, old, changed.original),
        chunks(attacked, new, changed.attacked),
        (*sources(example["edits"]), *rewritten(example.get("source") or {})),
        (),
        {},
    )


def sources(edits: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """How each replacement was made: `Syria → Hyderabad (from s00871)`."""
    lines = []
    for edit in edits:
        was = " ".join(edit["old"])  # some attacks say it once more
        made = ", ".join(f"{key} {value}" for key, value in edit["source"].items() if value != was)
        old, new = was or NOTHING, " ".join(edit["new"]) or NOTHING
        lines.append(f"{old} → {new} ({made})" if made else f"{old} → {new}")
    return tuple(lines)


def rewritten(source: Mapping[str, str]) -> tuple[str, ...]:
    """How a whole sentence was made: `rewritten (from s00871)`."""
    made = ", ".join(f"{key} {value}" for key, value in source.items())
    return (f"rewritten ({made})",) if made else ()


def models_of(case: Case, taggers: Sequence[str]) -> tuple[str, ...]:
    """The models that answered, in the report's order."""
    return tuple(tagger for tagger in taggers if tagger in case.predicted)


def _mention_rows(case: Case, taggers: Sequence[str]) -> list[MentionRow]:
    models = models_of(case, taggers)
    before = {tagger: outcomes(case.original_spans, case.predicted[tagger][0]).mentions for tagger in models}
    after = {tagger: outcomes(case.attacked_spans, case.predicted[tagger][1]).mentions for tagger in models}
    rows = []
    for old, span in enumerate(case.original_spans):
        new = case.mentions[old]
        texts = _text(case.original, span), NOTHING if new is None else _text(case.attacked, case.attacked_spans[new])
        answers = (_answer(case, before[t][old], None if new is None else after[t][new]) for t in models)
        rows.append(MentionRow(*texts, span.label, tuple(answers)))
    for new, span in enumerate(case.attacked_spans):
        if new not in case.mentions:
            answers = (_answer(case, None, after[tagger][new]) for tagger in models)
            rows.append(MentionRow(NOTHING, _text(case.attacked, span), span.label, tuple(answers)))
    return rows


def _answer(case: Case, before: Outcome | None, after: Outcome | None) -> Answer:
    was, now = before is not None and before.kind == "right", after is not None and after.kind == "right"
    turn = "held" if was and now else "wrong"
    if before is not None and after is not None and was != now:
        turn = "fell" if was else "rose"
    return Answer(_mark(before, case.original), _mark(after, case.attacked), turn)


def _mark(outcome: Outcome | None, tokens: Sequence[str]) -> str:
    if outcome is None:
        return "–"
    sign, words = MARKS[outcome.kind]
    said = ""
    if outcome.said is not None and outcome.kind != "right":
        text = f"[{_text(tokens, outcome.said)}] " if outcome.kind == "boundary" else ""
        said = f"{text}{outcome.said.label}"
    return f"{sign} {words}{said}".rstrip()


def _false_alarms(case: Case, taggers: Sequence[str]) -> list[MentionRow]:
    """Mentions that models found in the attacked text where none is."""
    models = models_of(case, taggers)
    spurious = [set(outcomes(case.attacked_spans, case.predicted[tagger][1]).spurious) for tagger in models]
    rows = []
    for span in sorted(set[Span]().union(*spurious)):
        answers = (Answer("", "+ spurious", "wrong") if span in found else Answer("", "", "") for found in spurious)
        rows.append(MentionRow("", _text(case.attacked, span), span.label, tuple(answers)))
    return rows


def _text(tokens: Sequence[str], span: Span) -> str:
    return " ".join(tokens[span.start : span.end])
