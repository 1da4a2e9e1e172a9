"""The sentences of each set, chosen for a page of limited size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from nerquake.core.results import Case
from nerquake.report.naturalness import said_of
from nerquake.report.numbers import count, plural
from nerquake.report.reasons import rejections
from nerquake.report.sentences import Shown, show_case, show_example
from nerquake.report.tables import shown_name
from nerquake.report.view import View, set_key


class SetSentences(NamedTuple):
    """The sentences of a set where a right mention fell.

    summary   how many there are
    more      what the page leaves out, empty where it shows all
    models    the columns of the answers
    """

    name: str
    summary: str
    more: str
    models: tuple[str, ...]
    shown: tuple[Shown, ...]


class SetExamples(NamedTuple):
    """An attacked set with its notes and the examples drawn from it.

    said   what was found of it in lines: its surrogate, candidates not taken, how natural it is
    """

    name: str
    spec: str
    facts: str
    said: tuple[str, ...]
    notes: tuple[str, ...]
    examples: tuple[Shown, ...]


def fallen(view: View, limit: int) -> tuple[SetSentences, ...]:
    """For each attacked set the sentences where a right mention of any model fell, in the order of the file."""
    return tuple(_fallen_of(view, entry, limit) for entry in view.attacks)


def _fallen_of(view: View, entry: Mapping[str, Any], limit: int) -> SetSentences:
    cases = [case for case in view.cases if _is_of(case, entry) and any(case.fell.values())]
    total = int((view.findings("sentences").get("fell") or {}).get(set_key(entry), len(cases)))
    models = tuple(t for t in view.taggers if any(t in case.predicted for case in cases))
    name = shown_name(entry)
    if not total:
        return SetSentences(name, f"No mention fell under {name}.", "", models, ())
    summary = f"{plural(total, 'sentence')} where a mention that was right fell"
    rest = total - min(len(cases), limit)
    stand = "stands" if rest == 1 else "stand"
    more = f"{count(rest)} more {stand} in cases.jsonl beside this report." if rest > 0 else ""
    return SetSentences(name, summary, more, models, tuple(show_case(case, models) for case in cases[:limit]))


def _is_of(case: Case, entry: Mapping[str, Any]) -> bool:
    return case.set == entry["name"] and ("audit" not in entry or case.meta.get("audit") == entry["audit"])


def examples(view: View) -> tuple[SetExamples, ...]:
    """Every attacked set in words, with its examples."""
    return tuple(_examples_of(view, entry) for entry in view.attacks)


def _examples_of(view: View, entry: Mapping[str, Any]) -> SetExamples:
    found = view.set_findings(entry)
    return SetExamples(
        shown_name(entry),
        entry["spec"],
        _facts(entry, found),
        tuple(_said(entry, found)),
        tuple(found.get("notes") or ()),
        tuple(map(show_example, found.get("examples") or ())),
    )


def _said(entry: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    if entry.get("surrogate"):
        yield f"the attack was chosen against {entry['surrogate']}"
    if entry.get("rejected"):
        yield f"candidates not taken: {rejections(entry)}"
    yield from said_of(found)


def _facts(entry: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    status, mentions = entry["status"], entry["mentions"]
    total = sum(status.values())
    by_label = ", ".join(f"{label} {count(number)}" for label, number in (found.get("changed_labels") or {}).items())
    replaced = f"{count(mentions['replaced'])} of {plural(mentions['all'], 'mention')} replaced"
    facts = [
        f"level {entry['level']}",
        f"{count(status.get('changed', 0))} of {plural(total, 'sentence')} changed",
        f"{replaced} ({by_label})" if by_label else replaced,
        f"{count(mentions['attackable'])} attackable",
    ]
    if entry["context_words"]:
        facts.append(f"{plural(entry['context_words'], 'context word')} changed")
    return " · ".join(facts)
