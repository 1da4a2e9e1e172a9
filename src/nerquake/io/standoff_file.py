"""Formats whose files are JSON records of a text and its mentions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from nerquake.core.dataset import Dataset
from nerquake.core.errors import Problem
from nerquake.core.offsets import OffsetError
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Sentence
from nerquake.io.files import base_name, decode, fingerprint
from nerquake.io.standoff import Book, Reading, Standoff, TextRecord
from nerquake.io.standoff_json import Element, Style, elements_of, style_of, without
from nerquake.io.standoff_marks import StandoffFile
from nerquake.io.standoff_tokens import Range
from nerquake.io.standoff_write import Group, groups_of
from nerquake.io.tags import Examined

TOKENS, IDS = "token_offsets", "sentence_ids"
"""Fields that nerquake adds where the tokeniser would find other tokens, or the format has no place for ids."""


@dataclass(frozen=True, slots=True)
class StandoffRecords(Standoff):
    """Reads and writes records. A format gives `_parse`, `_render` and the class variables."""

    array: ClassVar[bool] = False
    names: ClassVar[frozenset[str]] = frozenset()
    """Fields that tell who annotated; they are never written."""
    users_data: ClassVar[frozenset[str]] = frozenset()
    """Fields whose content is the user's own, whatever its names."""

    def _chosen(self, element: Element, book: Book) -> Any:
        """The record with the annotations of one annotator only, where the format holds several."""
        return element.value

    @abstractmethod
    def _parse(self, element: Element, book: Book) -> TextRecord | None:
        """What a record says; None where it is left out or has a problem, which `book` then says."""

    @abstractmethod
    def _render(self, group: Group, dataset: Dataset) -> Any:
        """The record of a group as a JSON value."""

    def examine(self, name: str, data: bytes, options: ReadOptions) -> Examined:
        """What can be read of a file's bytes, and all that is wrong in them.

        Raises:
            FormatError: the file is binary or empty.
        """
        decoded = decode(name, data, self.encoding, self.name)
        reading = Reading(self, options)
        reading.book.problems.extend(decoded.problems)
        broken = self.array and bool(decoded.problems)  # one undecodable line, and the array is no JSON
        file = elements_of(decoded, self.array)
        style: Style | None = None
        for found in () if broken else file.found:
            if isinstance(found, Problem):
                reading.book.problems.append(found)
                reading.faulty += 1
                continue
            if style is None:
                style = style_of(found.raw, found.value, decoded.text)
            reading.take(partial(self._parse, self._nameless(found, style, reading.book)))
        layout = StandoffFile(file.after, decoded.newline, decoded.bom, format=self.name, start=file.start, style=style)
        empty = Dataset(
            base_name(name), (), options.language, reader=self.spec, fingerprint=fingerprint(data),
            notes=decoded.notes, layout=layout,
        )  # fmt: skip
        return reading.finish(name, empty)

    def _nameless(self, element: Element, style: Style, book: Book) -> Element:
        """The record without the names of its annotators."""
        chosen = self._chosen(element, book)
        value, left = without(chosen, self.names, self.users_data)
        book.names.update(set(left))
        if value is element.value:
            return element
        return element._replace(value=value, raw=style.dump(value))

    def lines(self, dataset: Dataset) -> Iterator[str]:
        """The file's text in pieces; records that say the same as when they were read as they stood.

        Raises:
            OutputError: a token is empty.
        """
        held = dataset.layout
        file = held if isinstance(held, StandoffFile) and held.format == self.name else None
        style = file.style if file is not None and file.style is not None else Style()
        usual = self.array and (file is None or ("[" not in file.start and len(dataset) > 1))
        opening, closing = ("[\n", "\n]\n") if self.array else ("", "\n")
        comma = ",\n" + " " * style.base if self.array else "\n"
        yield opening if file is None or usual else file.start
        for index, found in enumerate(groups_of(dataset)):
            group = found if file is not None else found.foreign()
            between = group.marks[0].between if file is not None and not usual else ""
            fits = between.strip() == "," if self.array else "\n" in between
            yield (between if fits else comma) if index else ""
            same = file is not None and group.raw and self._says(group, dataset)
            yield group.raw if same else style.dump(self._render(group, dataset))
        yield closing if file is None or usual else file.after

    def _says(self, group: Group, dataset: Dataset) -> bool:
        """Whether a record as it stood still says what its sentences hold."""
        found = elements_of(decode("", group.raw.encode(), "utf-8", self.name), self.array).found
        reading = Reading(self, ReadOptions(language=dataset.language))
        for one in found:
            if isinstance(one, Element):
                reading.take(partial(self._parse, one))
        return [_told(s) for s in reading.sentences] == [_told(s) for s in group.sentences]

    def said(self, group: Group, dataset: Dataset, key: str | None) -> dict[str, Any]:
        """The fields that nerquake adds to a record: tokens that the tokeniser would not find, ids of its sentences.

        key   the id that the record itself has
        """
        extra: dict[str, Any] = {}
        pieces = self.cut(group.text, dataset.language)
        if [piece.tokens for piece in pieces] != list(group.tokens):
            offsets = self.counting.of(group.text)
            extra[TOKENS] = [
                [[offsets.from_codepoint(start), offsets.from_codepoint(end)] for start, end in tokens]
                for tokens in group.tokens
            ]
        several = len(group.sentences) > 1
        ids = [None if s.hashed else s.id for s in group.sentences]
        expected = [None if key is None else f"{key}.{i + 1}" if several else key for i in range(len(ids))]
        if ids != expected and None not in ids:
            extra[IDS] = ids
        return extra

    def known_tokens(
        self, data: Mapping[str, Any], text: str, line: int, book: Book
    ) -> tuple[tuple[Range, ...], ...] | None:
        """The tokens that `said` added, in code points; None where there are none."""
        given = data.get(TOKENS)
        if given is None:
            return None
        offsets = self.counting.of(text)
        try:
            return tuple(
                tuple((offsets.to_codepoint(_whole(start)), offsets.to_codepoint(_whole(end))) for start, end in tokens)
                for tokens in given
            )
        except OffsetError as error:
            book.wrong("bad-token", line, f"{TOKENS}: {error}")
        except (TypeError, ValueError):
            book.wrong("bad-token", line, f"{TOKENS} must hold, for each sentence, a list of [start, end] offsets")
        return None


def known_ids(data: Mapping[str, Any], line: int, book: Book) -> tuple[str, ...]:
    """The ids of a record's sentences, where it says them."""
    given = data.get(IDS)
    if given is None:
        return ()
    if not isinstance(given, list) or not all(isinstance(one, str) and one for one in given):
        book.wrong("wrong-type", line, f"{IDS} must be a list of texts")
        return ()
    return tuple(given)


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _told(sentence: Sentence) -> tuple[object, ...]:
    key = None if sentence.hashed else sentence.id
    return key, sentence.tokens, sentence.spans, sentence.spaces, sentence.doc_id, sentence.meta


def record_id(data: Mapping[str, Any], key: str, line: int, book: Book) -> str | None:
    """A record's id as text; numbers are written out."""
    value = data.get(key)
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value:
        return value
    book.wrong("wrong-type", line, f"{key} must be a text or a whole number, not {value!r}")
    return None


def text_of(data: Mapping[str, Any], key: str, line: int, book: Book) -> str | None:
    """A record's text; None after a problem."""
    value = data.get(key)
    if isinstance(value, str):
        return value
    if key in data:
        book.wrong("wrong-type", line, f"{key} must be a text, not {value!r}")
    else:
        book.wrong("wrong-type", line, f"the record has no {key}; its fields are: {', '.join(data) or 'none'}")
    return None


def whole_offsets(values: Sequence[Any]) -> bool:
    """Whether all are whole numbers."""
    return all(type(value) is int for value in values)


def written_id(group: Group, given: Any) -> Any:
    """The id of a fresh record: as it was typed where it is the same, None where the sentence has none of its own."""
    first = group.sentences[0]
    if len(group.sentences) > 1:
        return given
    if first.hashed:
        return None
    return given if given is not None and str(given) == first.id else first.id


def first_list(data: Mapping[str, Any], keys: Iterable[str]) -> tuple[str, Any] | None:
    """The first of these fields that a record has."""
    return next(((key, data[key]) for key in keys if key in data), None)
