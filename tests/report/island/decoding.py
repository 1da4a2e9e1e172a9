"""An island read again in Python, as decode.js does it in the page."""

from __future__ import annotations

import base64
import binascii
import gzip
import json
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nerquake.core.errors import FormatError, Problem
from nerquake.core.results import Case
from nerquake.core.span import Span
from nerquake.core.variant import STATUSES
from nerquake.report.island.answers import AS_GOLD, EDITED, MOVED, NOTHING, SAME, STORED, UNANSWERED, WHOLE, Said
from nerquake.report.island.columns import Numbers, unpack
from nerquake.report.island.encode import ABSENT, NEW_TEXT, OLD_TEXT, OTHER, VERSION
from nerquake.report.island.flags import CODES, OUTCOMES
from nerquake.report.island.matrix import DOCUMENT
from nerquake.report.island.moves import edited, moved, places

ADVICE = "The file may have been cut short: copy it again, or write the report anew with nerquake report."


@dataclass(frozen=True, slots=True)
class Island:
    """What an island holds: its header, the cases, and the flags of each set and model by sentence."""

    header: Mapping[str, Any]
    cases: tuple[Case, ...]
    flags: Mapping[tuple[int, int], bytes]


def decode(text: str, name: str = "the sentence data") -> Island:
    """Read an island.

    Raises:
        FormatError: the text is damaged, or of a later version; says what is wrong.
    """
    try:
        data = gzip.decompress(base64.b64decode(text, validate=True))
        head, texts = struct.unpack_from("<II", data)
        header = json.loads(data[8 : 8 + head])
        if header.get("version") != VERSION:
            raise ValueError(f"the version is {header.get('version')!r}, expected {VERSION}")
        known = json.loads(data[8 + head : 8 + head + texts])
        reader = _Reader(header, known, unpack(data[8 + head + texts :], header["columns"]))
        cases = tuple(case for place in range(len(header["sets"])) for case in reader.cases(place))
    except (ValueError, KeyError, IndexError, EOFError, OSError, zlib.error, struct.error, binascii.Error) as error:
        raise FormatError(name, [Problem("bad-record", 0, f"it cannot be read: {error}")], ADVICE) from None
    return Island(header, cases, reader.flags())


class _Rows:
    """A column cut into rows by a column of counts."""

    def __init__(self, counts: Sequence[int], *columns: Sequence[Any]) -> None:
        self.borders = [0, *np.cumsum(np.asarray(counts, np.int64)).tolist()]
        self.columns = columns

    def __getitem__(self, row: int) -> list[Any]:
        start, end = self.borders[row], self.borders[row + 1]
        if len(self.columns) == 1:
            return list(self.columns[0][start:end])
        return list(zip(*(column[start:end] for column in self.columns), strict=True))


class _Reader:
    """Puts cases together from columns."""

    def __init__(self, header: Mapping[str, Any], texts: Mapping[str, Any], columns: Mapping[str, Numbers]) -> None:
        self.header = header
        self.words: list[str] = texts["tokens"]
        self.strings: list[str] = texts["strings"]
        self.columns = {name: values.tolist() for name, values in columns.items()}
        self.models = [model["name"] for model in header["models"]]
        self.ids = [self.strings[number] for number in self.columns["id"]]
        tokens = self._rows("tokens", "")
        self.tokens = [tuple(self.words[word] for word in tokens[row]) for row in range(len(self.ids))]
        self.gold = self._spans("gold")
        self.meta, self.doc_ids = self._groups()
        before = [self._before(f"m{place}") for place in range(len(self.models))]
        self.said = [said for said, _ in before]
        self.met = [met for _, met in before]

    def flags(self) -> dict[tuple[int, int], bytes]:
        """The flags of each set and model."""
        pairs = [(place, model) for place in range(len(self.header["sets"])) for model in range(len(self.models))]
        return {(place, model): bytes(self.columns[f"s{place}.m{model}.flags"]) for place, model in pairs}

    def _rows(self, name: str, *fields: str) -> _Rows:
        columns = (self.columns[f"{name}.{field}" if field else name] for field in fields)
        return _Rows(self.columns[f"{name}.count"], *columns)

    def _spans(self, name: str) -> list[Said]:
        rows = self._rows(name, "start", "length", "label")
        labels = self.header["labels"]
        return [
            tuple(Span(start, start + length, labels[label]) for start, length, label in rows[row])
            for row in range(len(rows.borders) - 1)
        ]

    def _groups(self) -> tuple[list[dict[str, str]], list[str | None]]:
        meta: list[dict[str, str]] = [{} for _ in self.ids]
        documents: list[str | None] = [None] * len(self.ids)
        for place, name in enumerate(self.header["groups"]):
            for row, number in enumerate(self.columns[f"group{place}"]):
                if number and name == DOCUMENT:
                    documents[row] = self.strings[number - 1]
                elif number:
                    meta[row][name] = self.strings[number - 1]
        return meta, documents

    def _before(self, name: str) -> tuple[list[Said | None], list[list[int]]]:
        """A model's answers for the originals, and the outcomes of their mentions."""
        stored = iter(self._spans(name))
        said: list[Said | None] = []
        for row, form in enumerate(self.columns[f"{name}.form"]):
            said.append(None if form == UNANSWERED else self.gold[row] if form == AS_GOLD else next(stored))
        counts = [0 if answer is None else len(gold) for answer, gold in zip(said, self.gold, strict=True)]
        met = _Rows(counts, self.columns[f"{name}.met"])
        return said, [met[row] for row in range(len(counts))]

    def cases(self, place: int) -> Iterator[Case]:
        """The cases of a set, in the order of the sentences."""
        texts = _SetTexts(self, place)
        answers = [_SetAnswers(self, place, model, texts) for model in range(len(self.models))]
        for row, status in enumerate(self.columns[f"s{place}.status"]):
            if status == ABSENT:
                continue
            text = texts.made[row]
            told = {
                model: answer.of[row] for model, answer in zip(self.models, answers, strict=True) if row in answer.of
            }
            turns = {model: found[1] for model, found in told.items()}
            yield Case(
                set=self.header["sets"][place]["name"],
                parent=self.ids[row],
                id=texts.ids[row],
                original=self.tokens[row],
                attacked=text.tokens,
                original_spans=self.gold[row],
                attacked_spans=text.gold,
                edits=tuple(text.edits),
                mentions=text.mentions,
                predicted={
                    model: (before, told[model][0])
                    for model, said in zip(self.models, self.said, strict=True)
                    if model in told and (before := said[row]) is not None
                },
                fell={model: _turned(pairs, fell=True) for model, pairs in turns.items()},
                rose={model: _turned(pairs, fell=False) for model, pairs in turns.items()},
                meta=self.meta[row],
                source=texts.sources[row],
                status=STATUSES[status],
                reason=texts.reasons[row],
                doc_id=self.doc_ids[row],
                outcomes=turns,
                spurious={model: found[2] for model, found in told.items()},
            )


def _turned(pairs: Sequence[tuple[str, str]], *, fell: bool) -> tuple[int, ...]:
    wrong = ("type", "boundary", "missed")
    return tuple(
        place
        for place, (was, now) in enumerate(pairs)
        if (was == "right" and now in wrong if fell else was in wrong and now == "right")
    )


@dataclass(frozen=True, slots=True)
class _Text:
    """An attacked text."""

    tokens: tuple[str, ...]
    gold: Said
    mentions: tuple[int | None, ...]
    edits: Sequence[Mapping[str, Any]]


class _SetTexts:
    """The attacked texts of a set."""

    def __init__(self, reader: _Reader, place: int) -> None:
        self.reader = reader
        self.name = f"s{place}"
        columns, strings = reader.columns, reader.strings
        derived = f"~{reader.header['sets'][place]['name']}"
        self.reasons = [strings[number - 1] if number else "" for number in columns[f"{self.name}.reason"]]
        self.ids = [
            strings[number - 1] if number else parent + derived
            for number, parent in zip(columns[f"{self.name}.id"], reader.ids, strict=True)
        ]
        sources = reader._rows(f"{self.name}.source", "key", "value")
        self.sources = [{strings[key]: strings[value] for key, value in sources[row]} for row in range(len(reader.ids))]
        self.forms = columns[f"{self.name}.form"]
        self.made = list(self._texts())

    def _texts(self) -> Iterator[_Text]:
        reader, name = self.reader, self.name
        edits = self._edits()
        words, gold = reader._rows(f"{name}.whole", ""), reader._spans(f"{name}.whole.gold")
        whole = [row for row, form in enumerate(self.forms) if form == WHOLE]
        maps = _Rows([len(reader.gold[row]) for row in whole], reader.columns[f"{name}.whole.map"])
        number = {row: place for place, row in enumerate(whole)}
        for row, form in enumerate(self.forms):
            spans = reader.gold[row]
            if form == SAME:
                yield _Text(reader.tokens[row], spans, tuple(range(len(spans))), edits[row])
            elif form == EDITED:
                moves = moved(spans, places(edits[row]))
                if moves is None:
                    raise ValueError(f"edits cut a mention of {reader.ids[row]}")
                new = tuple(Span(*one) for one in moves)
                yield _Text(edited(reader.tokens[row], edits[row]), new, tuple(range(len(spans))), edits[row])
            elif form == WHOLE:
                place = number[row]
                tokens = tuple(reader.words[word] for word in words[place])
                mentions = tuple(new - 1 if new else None for new in maps[place])
                yield _Text(tokens, gold[place], mentions, edits[row])
            elif form == NOTHING:
                yield _Text((), (), (None,) * len(spans), edits[row])
            else:
                raise ValueError(f"there is no form {form} of a text")

    def _edits(self) -> list[list[Mapping[str, Any]]]:
        reader, name = self.reader, f"{self.name}.edit"
        rows = _Rows(reader.columns[f"{name}.count"], range(sum(reader.columns[f"{name}.count"])))
        new = reader._rows(f"{name}.new", "")
        sources = reader._rows(f"{name}.source", "key", "value")
        found: list[list[Mapping[str, Any]]] = []
        for row in range(len(reader.ids)):
            found.append([self._edit(row, number, new[number], sources[number]) for number in rows[row]])
        return found

    def _edit(self, row: int, number: int, words: Sequence[int], pairs: Sequence[tuple[int, int]]) -> dict[str, Any]:
        columns, strings = self.reader.columns, self.reader.strings
        start = columns[f"{self.name}.edit.start"][number]
        end = start + columns[f"{self.name}.edit.length"][number]
        old, new = list(self.reader.tokens[row][start:end]), [self.reader.words[word] for word in words]
        values = {OLD_TEXT: " ".join(old), NEW_TEXT: " ".join(new)}
        return {
            "start": start,
            "end": end,
            "old": old,
            "new": new,
            "kind": "context" if columns[f"{self.name}.edit.kind"][number] else "mention",
            "source": {strings[key]: values[v] if v in values else strings[v - OTHER] for key, v in pairs},
        }


class _SetAnswers:
    """A model's answers under a set.

    of   by sentence, where there is an answer: the mentions, the outcomes before and after, what is spurious
    """

    def __init__(self, reader: _Reader, place: int, model: int, texts: _SetTexts) -> None:
        name = f"s{place}.m{model}"
        forms = reader.columns[f"{name}.form"]
        stored = iter(reader._spans(name))
        spurious = reader._rows(f"{name}.spurious", "")
        met = iter(reader.columns[f"{name}.met"])
        come = reader.columns[f"s{place}.come"]
        self.of: dict[int, tuple[Said, tuple[tuple[str, str], ...], tuple[int, ...]]] = {}
        place_of_spurious = 0
        for row, form in enumerate(forms):
            if form == UNANSWERED:
                continue
            text, before = texts.made[row], reader.said[model][row]
            said = text.gold if form == AS_GOLD else next(stored) if form == STORED else None
            if form == MOVED and before is not None:
                moves = moved(before, places(text.edits))
                said = None if moves is None else tuple(Span(*one) for one in moves)
            if said is None:
                raise ValueError(f"there is no answer of the form {form} for {reader.ids[row]}")
            was = [*reader.met[model][row], *[CODES["gone"]] * come[row]]
            pairs = tuple((OUTCOMES[code], OUTCOMES[next(met)]) for code in was)
            extra: tuple[int, ...] = ()
            if form != AS_GOLD:
                extra = tuple(spurious[place_of_spurious])
                place_of_spurious += 1
            self.of[row] = said, pairs, extra
