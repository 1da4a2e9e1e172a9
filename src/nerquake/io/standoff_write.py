"""Sentences as texts with character offsets again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import OutputError
from nerquake.core.sentence import Sentence
from nerquake.io.standoff_marks import Marks, marks_of
from nerquake.io.standoff_place import Counting
from nerquake.io.standoff_tokens import Range


class Place(NamedTuple):
    """A mention of a text, in code points, half-open."""

    start: int
    end: int
    label: str
    score: float | None = None


class Group(NamedTuple):
    """The sentences of one record, and their text.

    tokens   for each sentence its tokens as ranges of code points of the text
    marks    for each sentence what it keeps of the record that it came from
    """

    sentences: tuple[Sentence, ...]
    text: str
    mentions: tuple[Place, ...]
    tokens: tuple[tuple[Range, ...], ...]
    marks: tuple[Marks, ...]

    @property
    def raw(self) -> str:
        """The record as it stood, where all its sentences are here; empty where one is missing or changed."""
        first = self.marks[0]
        whole = [mark.part.place for mark in self.marks] == list(range(first.part.of))
        return first.raw if whole and all(_is_laid_out(sentence) for sentence in self.sentences) else ""

    @property
    def rest(self) -> Any:
        """What the record holds besides."""
        return next((mark.rest for mark in self.marks if mark.rest is not None), None)

    def foreign(self) -> Group:
        """The same without what the records of another format hold besides."""
        return self._replace(marks=tuple(replace(mark, rest=None, raw="") for mark in self.marks))

    def counted(self, counting: Counting) -> list[Place]:
        """The mentions in a file's own unit and ends."""
        offsets = counting.of(self.text)
        last = int(counting.ends == "inclusive")
        return [
            Place(offsets.from_codepoint(one.start), offsets.from_codepoint(one.end) - last, one.label, one.score)
            for one in self.mentions
        ]


def _is_laid_out(sentence: Sentence) -> bool:
    return sentence.layout is not None


def groups_of(dataset: Dataset, by_document: bool = False) -> Iterator[Group]:
    """The records of a data set: sentences that came from one record stay together, as do those of one document.

    by_document   sentences of other formats that follow each other in one document are one record, else each is one

    Raises:
        OutputError: a token is empty.
    """
    batch: list[Sentence] = []
    held: list[Marks] = []
    for sentence in dataset.sentences:
        if "" in sentence.tokens:
            raise OutputError(f"sentence {sentence.id!r} has an empty token, which no format can hold")
        marks = marks_of(sentence, dataset.layout)
        if batch and not _continues(batch[-1], held[-1], sentence, marks, by_document):
            yield _group(batch, held)
            batch, held = [], []
        batch.append(sentence)
        held.append(marks)
    if batch:
        yield _group(batch, held)


def _continues(before: Sentence, held: Marks, sentence: Sentence, marks: Marks, by_document: bool) -> bool:
    if held.part.of > 1 or marks.part.of > 1:
        same = held.part.record == marks.part.record and held.part.of == marks.part.of
        return same and held.part.place < marks.part.place
    return by_document and before.doc_id == sentence.doc_id


def _group(batch: Sequence[Sentence], held: Sequence[Marks]) -> Group:
    text, pieces, mentions = "", [], []
    for index, (sentence, marks) in enumerate(zip(batch, held, strict=True)):
        if index and not ("\n" in held[index - 1].tail or "\n" in marks.lead):
            text = text.removesuffix(" " if held[index - 1].tail == " " else "") + "\n"
        text += marks.lead
        tokens: list[Range] = []
        for token, gap in zip(sentence.tokens, marks.gaps, strict=True):
            tokens.append((len(text), len(text) + len(token)))
            text += token + gap
        text += marks.tail
        pieces.append(tuple(tokens))
        mentions += [Place(tokens[s.start][0], tokens[s.end - 1][1], s.label, s.score) for s in sentence.spans]
    return Group(tuple(batch), text, tuple(mentions), tuple(pieces), tuple(held))
