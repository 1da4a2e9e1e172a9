"""What a sentence keeps of the text it stood in, so that the text comes back character for character.

`Sentence.spaces` says whether anything stands between two tokens. Where that is not one blank, `Layout.gaps` holds it:
for each token its own text and what follows it inside the sentence; a gap counts only while its token still stands
there, so tokens that are put in get a single blank. What stands in front of the first token and behind the last, the
record's other fields and its place among the sentences of its record are one mark, an entry of `Layout.before`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from nerquake.core.dataset import FileLayout
from nerquake.core.sentence import Layout, Sentence
from nerquake.io.records import dump
from nerquake.io.standoff_place import Piece

_MARK = "\x00standoff"


@dataclass(frozen=True, slots=True)
class StandoffFile(FileLayout):
    """The layout of a file of texts with character offsets.

    format   the format that read it; other formats use the spacing of its sentences, but not their records
    start    the text in front of the first record
    style    how its JSON is written
    """

    format: str = ""
    start: str = ""
    style: Any = None


class Part(NamedTuple):
    """A sentence's place: the number of its record in the file, its own in the record, and how many there are."""

    record: int = 0
    place: int = 0
    of: int = 1


_ONLY = Part()


@dataclass(frozen=True, slots=True)
class Marks:
    """Spacing around a sentence, and what the record holds besides.

    lead, tail   text between the sentence's borders and its first and last token
    rest         the record without what the sentences say
    between      text between the record before and this one
    """

    lead: str = ""
    tail: str = ""
    part: Part = _ONLY
    rest: Any = None
    between: str = ""
    raw: str = field(default="", compare=False)
    gaps: tuple[str, ...] = ()


def layout_of(marks: Marks, tokens: Sequence[str]) -> Layout:
    """The marks as a sentence's layout."""
    entry = _MARK + dump(
        {"lead": marks.lead, "tail": marks.tail, "part": marks.part, "rest": marks.rest, "between": marks.between}
    )
    odd = any(gap not in ("", " ") for gap in marks.gaps)
    gaps = tuple(zip(tokens, marks.gaps, strict=True)) if odd else ()
    return Layout((entry,), gaps, marks.raw)


def marks_of(sentence: Sentence, layout: FileLayout | None) -> Marks:
    """A sentence's marks; where it has none, its spacing is that of `spaces`."""
    spaces = sentence.spaces if sentence.spaces is not None else (True,) * (len(sentence) - 1) + (False,)
    plain = [" " if space else "" for space in spaces]
    held = sentence.layout
    if held is None or not isinstance(layout, StandoffFile):
        return Marks(tail=plain[-1], gaps=(*plain[:-1], ""))
    entry = next((entry for entry in held.before if entry.startswith(_MARK)), None)
    if entry is None:
        return Marks(tail=plain[-1], gaps=(*plain[:-1], ""))
    data = json.loads(entry[len(_MARK) :])
    known = held.gaps or ((),) * len(sentence)
    gaps = [
        pair[1] if len(pair) == 2 and pair[0] == token and bool(pair[1]) == space else gap
        for token, pair, gap, space in zip(sentence.tokens, known, plain, spaces, strict=True)
    ]
    return Marks(
        data["lead"], data["tail"] or plain[-1], Part(*data["part"]), data["rest"], data["between"], held.raw,
        (*gaps[:-1], ""),
    )  # fmt: skip


def spacing(text: str, piece: Piece) -> tuple[tuple[str, ...], tuple[bool, ...], Marks]:
    """The tokens of a piece of text, whether anything follows each, and the marks that bring the text back.

    A single blank behind the last token is its space; anything else there is no space of the sentence, but kept.
    """
    tokens = tuple(text[start:end] for start, end in piece.tokens)
    ends = [end for _, end in piece.tokens]
    starts = [start for start, _ in piece.tokens[1:]]
    gaps = [text[end:start] for end, start in zip(ends, starts, strict=False)]
    lead, tail = text[piece.start : piece.tokens[0][0]], text[ends[-1] : piece.end]
    spaces = (*map(bool, gaps), tail == " ")
    return tokens, spaces, Marks(lead, "" if tail == " " else tail, gaps=(*gaps, ""))
