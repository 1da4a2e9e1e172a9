"""Prodigy's JSON Lines: a text, its tokens, and spans by characters and tokens; `answer` says what became of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Literal

from nerquake.core.dataset import Dataset
from nerquake.core.offsets import OffsetError, Offsets
from nerquake.io.standoff import Book, TextRecord
from nerquake.io.standoff_file import TOKENS, StandoffRecords, known_ids, record_id, text_of, whole_offsets, written_id
from nerquake.io.standoff_json import Element
from nerquake.io.standoff_place import Mention, in_codepoints, lines_of
from nerquake.io.standoff_tokens import BLANKS, Range, regex
from nerquake.io.standoff_write import Group

_HASHES = ("_input_hash", "_task_hash")
_OTHER_TASKS = ("options", "label", "cats", "accept", "image", "audio")


@dataclass(frozen=True, slots=True)
class Prodigy(StandoffRecords):
    """Reads and writes Prodigy's JSON Lines of named entities.

    Records whose answer is `accept`, or that have none, are taken. Rejected and ignored ones are left out and counted,
    since what is right in them is not known. So are accepted ones of a yes-or-no task (`_is_binary`): they speak of one
    span, and other mentions of the text may be unmarked. Tokens that are only blanks are spacing. Hashes are left out
    of records that changed, Prodigy makes them again; their relations, which are of tokens by number, go.

    partial      skip or keep records of yes-or-no tasks
    """

    partial: Literal["skip", "keep"] = "skip"

    name: ClassVar[str] = "prodigy"
    extension: ClassVar[str] = "jsonl"
    holds: ClassVar[frozenset[str]] = frozenset({"spaces", "meta"})
    names: ClassVar[frozenset[str]] = frozenset(
        {"_session_id", "_annotator_id", "_session", "annotator", "annotators", "annotator_id", "username", "versions"}
    )
    users_data: ClassVar[frozenset[str]] = frozenset({"meta"})

    def _parse(self, element: Element, book: Book) -> TextRecord | None:
        data, line = element.value, element.number
        if not self._is_taken(data, line, book):
            return None
        text = text_of(data, "text", line, book)
        if text is None:
            return None
        if "spans" not in data and any(key in data for key in _OTHER_TASKS):
            hint = "it is of text classification or another task"
            book.wrong("wrong-type", line, "the record has no spans", text[:40], hint)
            return None
        tokens = self._tokens(data, text, line, book)
        known = self.known_tokens(data, text, line, book)
        if known is None and tokens is not None:
            words = [token for token in tokens if text[slice(*token)].strip(BLANKS)]
            if len(words) < len(tokens):
                book.counts["token{s} of blanks only, which are spacing"] += len(tokens) - len(words)
            known = _by_line(text, words) if self.split == "lines" else (tuple(words),) if words else None
        book.counts["record{s} with relations, which are kept only in records that do not change"] += bool(
            data.get("relations")
        )
        meta = data.get("meta")
        pairs = meta.items() if isinstance(meta, dict) else ()
        return TextRecord(
            line, text, self._mentions(data, text, tokens, line, book), record_id(data, "id", line, book),
            meta=tuple((k, v) for k, v in pairs if isinstance(v, str)), sentences=known,
            ids=known_ids(data, line, book), raw=element.raw, between=element.between,
            rest={k: None if k in ("text", "tokens") else v for k, v in data.items() if k not in _HASHES},
        )  # fmt: skip

    def _is_taken(self, data: Mapping[str, Any], line: int, book: Book) -> bool:
        answer = data.get("answer") or "accept"
        if answer in ("reject", "ignore"):
            book.counts[f"record{{s}} left out: the answer is {answer}"] += 1
            return False
        if answer != "accept":
            book.wrong("wrong-type", line, f"answer must be accept, reject or ignore, not {answer!r}")
            return False
        if data.get("_is_binary") is True and self.partial == "skip":
            book.counts["record{s} left out: only partly annotated, by a yes-or-no task (partial=keep takes them)"] += 1
            return False
        return True

    def _tokens(self, data: Mapping[str, Any], text: str, line: int, book: Book) -> list[Range] | None:
        """The record's tokens, blank ones too, checked against its text; None where it has none."""
        given = data.get("tokens")
        if given is None:
            return None
        if not isinstance(given, list) or not all(_is_range(one) and isinstance(one.get("text"), str) for one in given):
            book.wrong("wrong-type", line, "tokens must be a list of objects with text, start and end")
            return None
        offsets = self.counting.of(text)
        found: list[Range] = []
        for index, one in enumerate(given):
            try:
                place = offsets.to_codepoint(one["start"]), offsets.to_codepoint(one["end"])
            except OffsetError as error:
                book.wrong("offset-outside", line, f"token {index}: {error}", one["text"])
                return None
            stands = text[slice(*place)]
            if stands != one["text"]:
                what = f"token {index}: the file says that {one['text']!r} stands there, but it is"
                book.wrong("surface-differs", line, what, stands)
                return None
            found.append(place)
        self._check_order(text, given, found, TOKENS not in data, line, book)
        return found

    @staticmethod
    def _check_order(
        text: str, given: Sequence[Mapping[str, Any]], found: Sequence[Range], gaps: bool, line: int, book: Book
    ) -> None:
        """Tokens in order, `ws` as the text says, and, with `gaps`, no words that no token holds."""
        for index, (one, following) in enumerate(pairwise(found)):
            gap = text[one[1] : following[0]]
            blank = gap != ""
            # a gap of a no-break space, a zero-width space or a line end: tools differ in whether it is a blank
            told = not blank or gap.startswith(" ")
            if following[0] < one[1]:
                book.wrong("bad-token", line, f"token {index + 1} begins before token {index} ends")
            elif gaps and regex(gap):
                what = f"no token holds {gap.strip()!r}, behind token {index}"
                book.wrong("bad-token", line, what)
            elif told and given[index].get("ws", blank) is not blank:
                stands = "a blank follows" if blank else "no blank follows"
                what = f"token {index} says ws: {given[index]['ws']!r}, but {stands}"
                book.wrong("surface-differs", line, what, given[index]["text"])

    def _mentions(
        self, data: Mapping[str, Any], text: str, tokens: list[Range] | None, line: int, book: Book
    ) -> tuple[Mention, ...]:
        given = data.get("spans")
        if given is None:
            return ()
        if not isinstance(given, list):
            book.wrong("wrong-type", line, f"spans must be a list, not {given!r}")
            return ()
        made, offsets = [], self.counting.of(text)
        for index, one in enumerate(given):
            label = one.get("label") if isinstance(one, dict) else None
            if not _is_range(one) or not isinstance(label, str) or not label:
                book.wrong("wrong-type", line, f"spans: {one!r} is no object with start, end and label")
                continue
            surface = one.get("text")
            mention = Mention(
                ((one["start"], one["end"]),), label, surface if isinstance(surface, str) else None, f"span {index}"
            )
            made.append(mention)
            self._check_span(one, mention, tokens, offsets, line, book)
        return tuple(made)

    def _check_span(
        self, one: Mapping[str, Any], mention: Mention, tokens: list[Range] | None, offsets: Offsets, line: int,
        book: Book,
    ) -> None:  # fmt: skip
        """Its tokens, of which the last one is named, must be those of its characters."""
        first, last = one.get("token_start"), one.get("token_end")
        if tokens is None or (first is None and last is None):
            return
        if not whole_offsets((first, last)) or not 0 <= int(first or 0) <= int(last or 0) < len(tokens):
            what = f"{mention}: token_start {first!r} and token_end {last!r} are not among its {len(tokens)} tokens"
            book.wrong("offset-outside", line, what)
            return
        by_tokens = tokens[int(first or 0)][0], tokens[int(last or 0)][1]
        try:
            (by_characters,) = in_codepoints(offsets, self.ends, mention.ranges)
        except OffsetError:
            return  # named when it is placed
        if by_tokens != by_characters:
            text = offsets.text
            what = f"{mention}: its tokens {first} to {last} are {text[slice(*by_tokens)]!r}, but its characters"
            book.wrong("surface-differs", line, what, text[slice(*by_characters)])

    def _render(self, group: Group, dataset: Dataset) -> Any:
        held = group.rest or {}
        key = written_id(group, held.get("id"))
        first = group.sentences[0]
        made = {"id": key, "text": "", **held}
        made |= {"id": key, "text": group.text, "tokens": self._written_tokens(group)}
        if key is None:
            del made["id"]
        made["spans"] = self._written_spans(group, held.get("spans") or [])
        if "relations" in made and not _holds_still(group, held.get("spans") or [], made["spans"]):
            made["relations"] = []
        if first.meta:
            made["meta"] = {**(made.get("meta") or {}), **dict(first.meta)}
        made.setdefault("answer", "accept")
        made.pop("token_offsets", None)
        made.pop("sentence_ids", None)
        extra = self.said(group, dataset, None if key is None else str(key))
        flat = [token for tokens in group.tokens for token in tokens]
        native = (tuple(flat),) if self.split == "record" else _by_line(group.text, flat)
        if native == group.tokens and not _are_odd(group.text, flat):
            extra.pop("token_offsets", None)
        return {**made, **extra}

    def _written_tokens(self, group: Group) -> list[dict[str, Any]]:
        offsets = self.counting.of(group.text)
        flat = [token for tokens in group.tokens for token in tokens]
        starts = {start for start, _ in flat}
        return [
            {
                "text": group.text[start:end],
                "start": offsets.from_codepoint(start),
                "end": offsets.from_codepoint(end),
                "id": index,
                "ws": end < len(group.text) and end not in starts and group.text[end] in BLANKS,
            }
            for index, (start, end) in enumerate(flat)
        ]

    def _written_spans(self, group: Group, before: Sequence[Any]) -> list[dict[str, Any]]:
        flat = [token for tokens in group.tokens for token in tokens]
        starts = {start: index for index, (start, _) in enumerate(flat)}
        ends = {end: index for index, (_, end) in enumerate(flat)}
        old = {(one.get("start"), one.get("end"), one.get("label")): one for one in before if isinstance(one, dict)}
        made = []
        for place, counted in zip(group.mentions, group.counted(self.counting), strict=True):
            fresh = {
                "start": counted.start,
                "end": counted.end,
                "token_start": starts[place.start],
                "token_end": ends[place.end],
                "label": place.label,
            }
            same = old.get((counted.start, counted.end, place.label), {})
            surface = {"text": group.text[place.start : place.end]} if "text" in same else {}
            made.append({**same, **fresh, **surface})
        return made


def _is_range(one: Any) -> bool:
    return isinstance(one, dict) and whole_offsets((one.get("start"), one.get("end")))


def _holds_still(group: Group, before: Sequence[Any], after: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the record's text is as it was, and each of its mentions is still there."""
    if not group.raw or json.loads(group.raw)["text"] != group.text:
        return False
    places = {(one["start"], one["end"], one["label"]) for one in after}
    return all((one["start"], one["end"], one["label"]) in places for one in before)


def _are_odd(text: str, tokens: Sequence[Range]) -> bool:
    """Whether a token is of blanks only, or words stand between tokens: reading would find other tokens."""
    gaps = [text[one[1] : following[0]] for one, following in pairwise(tokens)]
    return any(not text[slice(*token)].strip(BLANKS) for token in tokens) or any(map(regex, gaps))


def _by_line(text: str, tokens: Sequence[Range]) -> tuple[tuple[Range, ...], ...]:
    """The tokens by the line that they stand in; lines without one are left out."""
    lines = [tuple(token for token in tokens if low <= token[0] < high) for low, high in lines_of(text)]
    return tuple(line for line in lines if line)
