"""Redaction: an audit's result without any text of the data, before anything is rendered.

Every token becomes its shape (core/shapes.py), so that counts, offsets, labels, filters and links stay what they are.
Sentence ids that are hashes stay, ids that a file gave become s-numbers; groups by the user's data become numbers;
file names and specifications are cut to their kind; notes and reasons lose what they quote.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from nerquake.core.errors import UsageError
from nerquake.core.redact_text import LOCALE, OWN, redacted_text, short_command, short_file, short_spec
from nerquake.core.results import AuditResult, Case
from nerquake.core.shapes import shape
from nerquake.core.spec import safe_name
from nerquake.core.variant import ORIGINAL

_HASH = re.compile(r"[0-9a-f]{12,64}(?:\.\d+)?")
_WORDS = re.compile(r"[^\W_]+")
KEPT = frozenset(
    """
    format version signature sha256 level metric kind type what scope more less of context status draw unmapped language
    against compare label gold on_conflict decision method
    """.split()  # noqa: SIM905
)
"""Keys whose texts are ours, or labels."""
TOKENS = frozenset({"tokens", "original", "attacked", "old", "new"})
TEXTS = frozenset({"notes", "about", "why", "reason"})
IDS = frozenset(
    """
    parent id both id_only hash_only mentions_newly_fallen mentions_recovered undecided conflicts
    """.split()  # noqa: SIM905
)
SPECS = frozenset({"spec", "surrogate", "judge"})
GROUPS = frozenset({"group", "worst", "best"})


def redacted(result: AuditResult) -> AuditResult:
    """The result without text of the data; one that is redacted already comes back as it is.

    The header says `"redacted": true`. Attacked sets are left out, since they are text.

    Raises:
        UsageError: the result is several audits joined, whose folders name everything in it.
    """
    header = result.data["header"]
    if header.get("redacted"):
        return result
    if "audits" in header:
        raise UsageError("several audits that are joined already cannot be redacted; name their folders with --redact")
    made = _Redaction(result)
    cases = tuple(map(made.case, result.cases))
    return AuditResult(made.data(), cases)


class _Redaction:
    """What stands for what, in one result."""

    def __init__(self, result: AuditResult) -> None:
        self.result = result
        data = result.data
        self.names = _renamed(data["taggers"]) | _renamed(data["sets"])
        self.names_of = dict(self.names)
        self.specs = {
            entry["spec"]: short_spec(entry["spec"]) for key in ("taggers", "sets") for entry in data[key]
        }  # fmt: skip
        self.ids: dict[str, str] = {}
        self.groups: dict[tuple[str, str], str] = {}
        self.sources: dict[tuple[tuple[str, str], ...], dict[str, str]] = {}
        self.labels = _labels(result)
        for case in result.cases:
            self.ident(case.parent)
        self.words = _words(result.cases)
        ids = {old: new for old, new in self.ids.items() if len(old) > 2 and old.casefold() not in OWN}
        self.said = ids | {label: label for label in self.labels} | self.names | self.specs
        self.shown: dict[str, str] = {}
        self.shapes: dict[tuple[str, ...], tuple[str, ...]] = {}

    def name(self, text: str) -> str:
        """A model's or set's name; sets that were derived from one (`swap.draw2`) follow it."""
        if text not in self.names_of:
            known = next((old for old in self.names if text.startswith(f"{old}.")), "")
            self.names_of[text] = self.names[known] + text[len(known) :] if known else text
        return self.names_of[text]

    def ident(self, text: str) -> str:
        """A sentence's id."""
        if text in self.ids:
            return self.ids[text]
        head, tilde, tail = text.rpartition("~")
        if tilde and (head in self.ids or _HASH.fullmatch(head)):
            return f"{self.ident(head)}~{self.name(tail)}"
        made = text if _HASH.fullmatch(text) else f"s{len(self.ids) + 1:05d}"
        self.ids[text] = made
        return made

    def group(self, grouping: str, text: str) -> str:
        """A group that the user's data name."""
        known = self.groups
        if (grouping, text) not in known:
            number = 1 + sum(one == grouping for one, _ in known)
            known[grouping, text] = f"{'document' if grouping == 'document' else 'group'} {number}"
        return known[grouping, text]

    def text(self, text: str) -> str:
        """A message."""
        if text not in self.shown:
            self.shown[text] = redacted_text(text, self.words, self.said)
        return self.shown[text]

    def tokens(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The shapes of tokens."""
        key = tuple(tokens)
        if key not in self.shapes:
            self.shapes[key] = tuple(map(shape, key))
        return self.shapes[key]

    def source(self, source: Mapping[str, str]) -> dict[str, str]:
        """Where a text came from: sentences by their id, everything else as its shape."""
        return {key: self._source(key, str(value)) for key, value in source.items()}

    def _source(self, key: str, value: str) -> str:
        stays = key == "locale" and LOCALE.fullmatch(value)
        return value if stays else self.ids.get(value) or shape(value)

    def case(self, case: Case) -> Case:
        """A case."""

        def by_model(values: Mapping[str, Any]) -> Mapping[str, Any]:
            same = all(self.name(model) == model for model in values)  # equal ones are one object, and stay so
            return values if same else {self.name(model): value for model, value in values.items()}

        return replace(
            case,
            set=self.name(case.set),
            parent=self.ident(case.parent),
            id=self.ident(case.id) if case.id != f"{case.parent}~{case.set}" else self._variant(case),
            original=self.tokens(case.original),
            attacked=self.tokens(case.attacked),
            edits=tuple(self.edit(edit) for edit in case.edits),
            predicted=by_model(case.predicted),
            fell=by_model(case.fell),
            rose=by_model(case.rose),
            meta={key: self.group(f"meta:{key}", value) for key, value in case.meta.items()},
            source=self.source(case.source),
            reason=self.text(case.reason),
            doc_id=None if case.doc_id is None else self.group("document", case.doc_id),
            outcomes=by_model(case.outcomes),
            spurious=by_model(case.spurious),
        )

    def _variant(self, case: Case) -> str:
        return f"{self.ident(case.parent)}~{self.name(case.set)}"

    def edit(self, edit: Mapping[str, Any]) -> dict[str, Any]:
        """An edit."""
        texts = {key: list(self.tokens(edit[key])) for key in ("old", "new")}
        return {**edit, **texts, "source": self.source(edit["source"])}

    def data(self) -> dict[str, Any]:
        """`result.json`."""
        data = self.result.data
        header = {**data["header"], "redacted": True}
        header["inputs"] = [
            {**entry, "name": short_file(entry["name"], number)} for number, entry in enumerate(header["inputs"], 1)
        ]
        found = {key: self._finding(key, value) for key, value in (data.get("findings") or {}).items()}
        own: dict[str, Any] = {"header": header, "findings": found}
        return {key: own[key] if key in own else self.walk(value, key) for key, value in data.items()}

    def _finding(self, key: str, value: Any) -> Any:
        if key == "method":
            return {name: self._method(name, one) for name, one in value.items()}
        if key == "groups":
            return [self._grouping(record) for record in value]
        if key == "gate":
            checks = [self._check(check) for check in value["checks"]]
            return {**value, "policy": "policy", "checks": checks}
        if key == "curation":  # how figures were made is told in our own words
            return {name: one if name == "methods" else self.walk(one, name) for name, one in value.items()}
        return self.walk(value, key)

    def _method(self, key: str, value: Any) -> Any:
        """What an audit says of itself; `labels` holds label names and choices alone."""
        if key == "command":
            return short_command(str(value), self.said)
        if key == "labels":
            return {
                name: {self.name(model): counts for model, counts in one.items()}
                if name == "left_out_predicted" else one
                for name, one in value.items()
            }  # fmt: skip
        return self.walk(value, key)

    def _grouping(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A record of `groups`; groups of our own stay, those that the data name become numbers."""
        grouping = record["grouping"]

        def named(value: Any, key: str) -> Any:
            if isinstance(value, str) and key in GROUPS:
                return self.group(grouping, value) if record["data"] else value
            return self._each(value, key, named)

        made: dict[str, Any] = {key: named(value, key) for key, value in record.items()}
        return made | {"grouping": grouping, "set": self.name(record["set"]), "tagger": self.name(record["tagger"])}

    def _check(self, check: Mapping[str, Any]) -> dict[str, Any]:
        """A check of a gate; its name is the user's, its group may be."""
        grouping, equals, group = check["group"].partition("=")
        why = check["why"]
        data = grouping.partition(":")[0] in ("meta", "column", "source", "document")
        if equals and (data or (grouping, group) in self.groups):
            new = f"{grouping}{equals}{self.group(grouping, group)}"
            why = why.replace(check["group"], new)
        else:
            new = check["group"]
        return {
            **check,
            "model": self.name(check["model"]),
            "set": self.name(check["set"]),
            "group": new,
            "name": f"rule {check['rule']}" if check["name"] else "",
            "why": new.join(map(self.text, why.split(new))) if new else self.text(why),
        }

    def walk(self, value: Any, key: str) -> Any:
        """A value by the key that it stands at; a text at a key that is not known becomes its shape."""
        if isinstance(value, str):
            return self._text_at(value, key)
        if key in ("reasons", "rejected") and isinstance(value, Mapping):
            return _summed((self.text(str(reason)), number) for reason, number in value.items())
        if key == "source" and isinstance(value, Mapping):
            return self.source(value)
        return self._each(value, key, self.walk)

    def _each(self, value: Any, key: str, inside: Callable[[Any, str], Any]) -> Any:
        if isinstance(value, Mapping):
            return {self.name(str(name)): inside(one, str(name)) for name, one in value.items()}
        if isinstance(value, (list, tuple)):
            return [inside(one, key) for one in value]
        return value

    def _text_at(self, value: str, key: str) -> str:
        if key in TOKENS:
            return shape(value)
        if key in IDS:
            return self.ident(value)
        if key in SPECS:
            return self.specs.get(value) or short_spec(value)
        if key in TEXTS:
            return self.text(value)
        if key in KEPT or value in self.labels:
            return value
        known = self.name(value)
        stays = value in _OUTCOMES or value in self.names or _derived(value, self.names)
        if key in ("was", "is"):
            stays = all(word in self.labels or word in _MARKS for word in value.split(" "))
        return known if stays else shape(value)


_OUTCOMES = frozenset({"right", "type", "boundary", "missed", "gone"})
_MARKS = frozenset("✓◆◧○–")


def _derived(text: str, names: Mapping[str, str]) -> bool:
    """Whether it is a set of ours: the original, the probe's, a further draw or a point of the curve."""
    return text == ORIGINAL or text.startswith("probe.") or any(text.startswith(f"{name}.") for name in names)


def _summed(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for text, number in pairs:
        made[text] = made[text] + number if text in made else number
    return made


def _renamed(entries: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Names that are specifications written as file names lose what the specification loses; chosen ones stay."""
    made: dict[str, str] = {}
    for entry in entries:
        name, spec = entry["name"], entry.get("spec") or entry["name"]
        derived = name == safe_name(spec)
        new = safe_name(short_spec(spec)) if derived else name
        number = 2
        while new in made.values():
            new, number = f"{safe_name(short_spec(spec))}-{number}", number + 1
        made[name] = new
    return made


def _labels(result: AuditResult) -> frozenset[str]:
    """Labels of gold and predicted mentions, and those that a gate asks about."""
    found = {label for block in result.data["results"] for label in block["per_type"]}
    gate = (result.data.get("findings") or {}).get("gate") or {}
    found.update(check["label"] for check in gate.get("checks", ()) if check["label"])
    for case in result.cases:
        found.update(span.label for span in (*case.original_spans, *case.attacked_spans))
        found.update(span.label for both in case.predicted.values() for side in both for span in side)
    return frozenset(found)


def _words(cases: Iterable[Case]) -> frozenset[str]:
    """The words of the data, case folded: of both texts, of what was put in, and of what sentences are grouped by."""
    texts: set[str] = set()
    for case in cases:
        texts.update(case.original, case.attacked, case.meta.values(), case.source.values())
        texts.update(_sources(case))
        texts.add(case.doc_id or "")
    return frozenset(word.casefold() for text in texts for word in (text, *_WORDS.findall(text)) if word)


def _sources(case: Case) -> Iterator[str]:
    for edit in case.edits:
        yield from (str(value) for key, value in edit["source"].items() if key != "locale")
