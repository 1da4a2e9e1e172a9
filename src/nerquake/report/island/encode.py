"""Cases as an island: columns of numbers in one gzip stream, as base64 (docs/formats.md).

What follows from something else is not stored: a variant is its edits, its gold mentions follow from them, and answers
that equal the gold mentions, or the original's answer where it has moved to, are one number.
"""

from __future__ import annotations

import base64
import gzip
import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from nerquake.analyse.cases import met
from nerquake.core.results import Case
from nerquake.core.span import Span
from nerquake.core.variant import STATUSES
from nerquake.report.island.answers import (
    AS_GOLD,
    NOTHING,
    STORED,
    WHOLE,
    Answers,
    Said,
    Text,
    come,
    form_of,
    text_of,
)
from nerquake.report.island.columns import Columns, Texts, json_bytes
from nerquake.report.island.flags import CODES, Flag, codes_after, flags_of
from nerquake.report.island.matrix import Matrix, group_of, matrix
from nerquake.report.view import View, set_key

VERSION = 1
LEVEL = 6
ABSENT = len(STATUSES)
"""The status of a sentence that has no case in a set."""
STATUS_CODES = {status: code for code, status in enumerate(STATUSES)}
OLD_TEXT, NEW_TEXT, OTHER = range(3)
"""The value of a source: the edit's old text, its new text, or (counted from here) another text."""


class Since(NamedTuple):
    """What has changed since an earlier run: keys are (set, model, id of the original sentence).

    A set of several joined audits has its audit in front, as in the findings.
    """

    newly_fallen: frozenset[tuple[str, str, str]] = frozenset()
    recovered: frozenset[tuple[str, str, str]] = frozenset()


def island(view: View, *, since: Since | None = None) -> str:
    """The island's text. The same result gives the same bytes.

    since   what an earlier run did otherwise

    Raises:
        InputError: a case is of a set or a model that the result does not have.
    """
    chosen = view.page_cases
    made = _Writer(matrix(view, chosen), since or Since())
    made.write()
    header = {
        "version": VERSION,
        "sentences": len(made.cases.originals),
        "sets": [_set_entry(entry) for entry in made.cases.sets],
        "models": [{"name": name} for name in made.cases.models],
        "labels": made.labels,
        "groups": list(made.cases.groups),
        "fingerprint": " ".join(str(entry["sha256"]) for entry in view.header["inputs"]),
        "redacted": bool(view.header.get("redacted")),
        "kept": view.kept,
        "cases": {"all": len(view.all_cases), "kept": len(chosen)},
    }
    return base64.b64encode(made.packed(header)).decode("ascii")


def _set_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: entry[key] for key in ("name", "spec", "level", "audit") if key in entry}


class _Writer:
    """Fills the columns."""

    def __init__(self, cases: Matrix, since: Since) -> None:
        self.cases = cases
        self.since = since
        self.columns = Columns()
        self.words = Texts()
        self.word_columns: list[str] = []
        self.strings = Texts()
        self.labels = _labels(cases)
        self.label_codes = {label: code for code, label in enumerate(self.labels)}

    def packed(self, header: Mapping[str, Any]) -> bytes:
        """The gzip stream of header, texts and columns."""
        counts = self.columns.counts(self.word_columns, len(self.words.number))
        tokens, ranks = self.words.ranks(counts)
        self.columns.renumber(self.word_columns, ranks)
        head = json_bytes({**header, "columns": self.columns.table()})
        texts = json_bytes({"tokens": tokens, "strings": list(self.strings.number)})
        sizes = struct.pack("<II", len(head), len(texts))
        return gzip.compress(sizes + head + texts + self.columns.packed(), LEVEL, mtime=0)

    def write(self) -> None:
        """Add all columns: of the sentences, then of every set."""
        originals = self.cases.originals
        self.columns.add("id", [self.strings.of(case.parent) for case in originals])
        self._tokens("tokens", [case.original for case in originals])
        self._spans("gold", [case.original_spans for case in originals])
        for place, name in enumerate(self.cases.groups):
            values = (group_of(case, name) for case in originals)
            self.columns.add(f"group{place}", [0 if v is None else self.strings.of(v) + 1 for v in values])
        before = [self._model(place, name) for place, name in enumerate(self.cases.models)]
        for place, row in enumerate(self.cases.rows):
            self._set(place, row, before)

    def _tokens(self, name: str, texts: Sequence[Sequence[str]]) -> None:
        self.columns.add(f"{name}.count", list(map(len, texts)))
        number = self.words.of
        self.columns.add(name, [number(token) for tokens in texts for token in tokens])
        self.word_columns.append(name)

    def _spans(self, name: str, lists: Sequence[Sequence[Span]]) -> None:
        self.columns.add(f"{name}.count", list(map(len, lists)))
        spans = [span for found in lists for span in found]
        self.columns.add(f"{name}.start", [span.start for span in spans])
        self.columns.add(f"{name}.length", [span.end - span.start for span in spans])
        self.columns.add(f"{name}.label", [self.label_codes[span.label] for span in spans])

    def _model(self, place: int, name: str) -> list[Said | None]:
        """The columns of a model on the originals; returns its answers."""
        said = [self.cases.said_before(name, sentence) for sentence in range(len(self.cases.originals))]
        answers = Answers()
        for case, answer in zip(self.cases.originals, said, strict=True):
            if answer is None:
                answers.none()
            else:
                gold = case.original_spans
                kinds, spurious = met(gold, answer)
                form = AS_GOLD if answer == gold else STORED
                answers.add(form, answer, gold, bytes(CODES[kind] for kind in kinds), spurious, range(len(gold)))
        self._answers(f"m{place}", answers)
        return said

    def _answers(self, name: str, answers: Answers) -> None:
        self.columns.add(f"{name}.form", answers.forms)
        self._spans(name, answers.stored)
        self.columns.add(f"{name}.met", answers.met)
        self.columns.add(f"{name}.partner", answers.partners)
        self.columns.add(f"{name}.spurious.count", answers.spurious_counts)
        self.columns.add(f"{name}.spurious", answers.spurious)

    def _set(self, place: int, row: Sequence[Case | None], before: Sequence[Sequence[Said | None]]) -> None:
        name = f"s{place}"
        texts = [None if case is None else text_of(case) for case in row]
        self._statuses(name, place, row)
        self.columns.add(f"{name}.form", bytearray(NOTHING if text is None else text.form for text in texts))
        self.columns.add(f"{name}.come", [0 if case is None else len(come(case)) for case in row])
        self._edits(f"{name}.edit", row)
        self._pairs(f"{name}.source", ([] if case is None else list(case.source.items()) for case in row))
        whole = [case for case, text in zip(row, texts, strict=True) if case and text and text.form == WHOLE]
        self._tokens(f"{name}.whole", [case.attacked for case in whole])
        self._spans(f"{name}.whole.gold", [case.attacked_spans for case in whole])
        self.columns.add(
            f"{name}.whole.map", [0 if new is None else new + 1 for case in whole for new in case.mentions]
        )
        for number, model in enumerate(self.cases.models):
            self._model_under(place, number, model, row, texts, before[number])

    def _statuses(self, name: str, place: int, row: Sequence[Case | None]) -> None:
        derived = f"~{self.cases.sets[place]['name']}"
        self.columns.add(f"{name}.status", bytearray(STATUS_CODES[case.status] if case else ABSENT for case in row))
        self.columns.add(
            f"{name}.reason", [self.strings.of(case.reason) + 1 if case and case.reason else 0 for case in row]
        )
        self.columns.add(
            f"{name}.id",
            [self.strings.of(case.id) + 1 if case and case.id != case.parent + derived else 0 for case in row],
        )

    def _edits(self, name: str, row: Sequence[Case | None]) -> None:
        self.columns.add(f"{name}.count", [len(case.edits) if case else 0 for case in row])
        edits = [edit for case in row if case for edit in case.edits]
        self.columns.add(f"{name}.start", [edit["start"] for edit in edits])
        self.columns.add(f"{name}.length", [edit["end"] - edit["start"] for edit in edits])
        self.columns.add(f"{name}.kind", bytearray(edit["kind"] == "context" for edit in edits))
        self._tokens(f"{name}.new", [edit["new"] for edit in edits])
        self.columns.add(f"{name}.source.count", [len(edit["source"]) for edit in edits])
        pairs = [(key, self._value(value, edit)) for edit in edits for key, value in edit["source"].items()]
        self.columns.add(f"{name}.source.key", [self.strings.of(key) for key, _ in pairs])
        self.columns.add(f"{name}.source.value", [value for _, value in pairs])

    def _value(self, value: str, edit: Mapping[str, Any]) -> int:
        if value == " ".join(edit["old"]):
            return OLD_TEXT
        return NEW_TEXT if value == " ".join(edit["new"]) else self.strings.of(value) + OTHER

    def _pairs(self, name: str, sources: Iterable[Sequence[tuple[str, str]]]) -> None:
        found = list(sources)
        self.columns.add(f"{name}.count", list(map(len, found)))
        self.columns.add(f"{name}.key", [self.strings.of(key) for pairs in found for key, _ in pairs])
        self.columns.add(f"{name}.value", [self.strings.of(value) for pairs in found for _, value in pairs])

    def _model_under(
        self,
        place: int,
        number: int,
        model: str,
        row: Sequence[Case | None],
        texts: Sequence[Text | None],
        before: Sequence[Said | None],
    ) -> None:
        """The columns of a model under a set."""
        key = set_key(self.cases.sets[place])
        answers = Answers()
        flags = bytearray(len(row))
        for sentence, (case, text) in enumerate(zip(row, texts, strict=True)):
            if case is None or text is None or model not in case.predicted:
                answers.none()
                continue
            said, pairs, spurious = case.predicted[model][1], case.outcomes[model], case.spurious[model]
            flags[sentence] = flags_of(pairs, spurious) | self._since(key, model, case.parent)
            gold = case.attacked_spans
            form = form_of(said, before[sentence], gold, text)
            answers.add(form, said, gold, codes_after(pairs), spurious, (*case.mentions, *come(case)))
        self._answers(f"s{place}.m{number}", answers)
        self.columns.add(f"s{place}.m{number}.flags", flags)

    def _since(self, key: str, model: str, parent: str) -> int:
        wanted = key, model, parent
        found = Flag.NEWLY_FALLEN.value if wanted in self.since.newly_fallen else 0
        return found | (Flag.RECOVERED.value if wanted in self.since.recovered else 0)


def _labels(cases: Matrix) -> list[str]:
    """The labels of gold and predicted mentions, most frequent among the gold ones first."""
    gold = Counter(span.label for case in cases.originals for span in case.original_spans)
    seen = {id(spans): spans for row in cases.rows for case in row if case for spans in _lists(case)}
    others = {span.label for spans in seen.values() for span in spans}
    return sorted(gold.keys() | others, key=lambda label: (-gold[label], label))


def _lists(case: Case) -> Iterable[Said]:
    yield case.attacked_spans
    for before, after in case.predicted.values():
        yield before
        yield after
