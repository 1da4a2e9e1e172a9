"""Mentions by character offsets, brought to tokens: units, surfaces, words that are cut, and nesting."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from nerquake.core.errors import Problem
from nerquake.core.offsets import OffsetError, Offsets, Unit
from nerquake.core.protocols import Align, Flatten
from nerquake.core.span import Span
from nerquake.io.standoff_tokens import BLANKS, Range

Ends = Literal["exclusive", "inclusive"]
_FLAT = str.maketrans("\n\r\t", "   ")
EXPANDED, CONTRACTED, TRIMMED = "widened to whole words", "narrowed to whole words", "freed of blanks at their ends"
EMPTIED, DROPPED, CLOSED = "hold no whole word: left out", "nested or overlapping: left out", "discontinuous: made one"


class Mention(NamedTuple):
    """A mention as its file gives it.

    ranges    one range, or several where it is discontinuous; in the file's own unit and ends
    surface   its text by the file; None where the file does not hold it
    name      what the file calls it, for messages
    line      its line, 0 for that of its record
    score     a model's confidence
    exact     the ranges are of code points and half-open, whatever the file's own are
    """

    ranges: tuple[Range, ...]
    label: str
    surface: str | None = None
    name: str = ""
    line: int = 0
    score: float | None = None
    exact: bool = False

    def __str__(self) -> str:
        parts = " ".join(f"[{start}, {end}]" for start, end in self.ranges)
        return f"{self.name + ' ' if self.name else ''}{parts} {self.label}"


@dataclass(frozen=True, slots=True)
class Counting:
    """How a file counts characters: the unit, whether `end` is the last character's own, and how long CRLF is."""

    unit: Unit = "codepoint"
    ends: Ends = "exclusive"
    crlf_as_one: bool = False

    def of(self, text: str) -> Offsets:
        """The offsets of a text."""
        return Offsets(text, self.unit, self.crlf_as_one)


class Piece(NamedTuple):
    """One sentence of a text: its own stretch, and its tokens, all ranges of code points."""

    start: int
    end: int
    tokens: tuple[Range, ...]


class _Placed(NamedTuple):
    start: int
    end: int
    mention: Mention


class Placer:
    """Brings the mentions of texts to tokens. Keeps every problem, and counts what `align` and `flatten` settle."""

    def __init__(self, counting: Counting, align: Align, flatten: Flatten) -> None:
        self.counting, self.align, self.flatten = counting, align, flatten
        self.counts: Counter[str] = Counter()
        self.problems: list[Problem] = []

    def place(self, text: str, pieces: Sequence[Piece], mentions: Sequence[Mention], line: int) -> list[list[Span]]:
        """For each piece its mentions as spans of its tokens.

        line   the record's, for mentions without a line of their own
        """
        offsets = self.counting.of(text)
        found: list[list[_Placed]] = [[] for _ in pieces]
        for given in mentions:
            mention = given._replace(line=given.line or line)
            ranges = self._ranges(text, offsets, mention, pieces)
            if ranges is None:
                continue
            for start, end in self._joined(text, mention, ranges):
                self._put(text, pieces, mention, (start, end), found)
        return [self._flat(text, piece, placed) for piece, placed in zip(pieces, found, strict=True)]

    def _wrong(self, code: str, mention: Mention, what: str, text: str = "", hint: str = "") -> None:
        self.problems.append(Problem(code, mention.line, f"{mention}: {what}", text, hint))

    def _ranges(self, text: str, offsets: Offsets, mention: Mention, pieces: Sequence[Piece]) -> list[Range] | None:
        """The mention's ranges in code points; None after a problem."""
        try:
            if mention.exact:
                ranges = in_codepoints(Offsets(text), "exclusive", mention.ranges)
            else:
                ranges = in_codepoints(offsets, self.counting.ends, mention.ranges)
        except OffsetError as error:
            code = "offset-outside" if error.outside else "cuts-character"
            self._wrong(code, mention, str(error), hint=self._hint(text, mention))
            return None
        surface = " ".join(text[start:end] for start, end in ranges)
        if not surface.strip(BLANKS) and not any(place in piece.tokens for piece in pieces for place in ranges):
            self._wrong("offset-outside", mention, "no word stands there", surface, self._hint(text, mention))
            return None
        if mention.surface is not None and mention.surface.translate(_FLAT) != surface.translate(_FLAT):
            what = f"the file says that {mention.surface!r} stands there, but it is"
            self._wrong("surface-differs", mention, what, surface, self._hint(text, mention))
            return None
        return ranges

    def _hint(self, text: str, mention: Mention) -> str:
        return "" if mention.exact else other_counting(text, mention, self.counting)

    def _joined(self, text: str, mention: Mention, ranges: list[Range]) -> Iterator[Range]:
        """One range. Parts with nothing but blanks between them are one; other discontinuous mentions are settled."""
        parts = [ranges[0]]
        for start, end in ranges[1:]:
            if parts[-1][1] <= start and not text[parts[-1][1] : start].strip(BLANKS):
                parts[-1] = (parts[-1][0], end)
            else:
                parts.append((start, end))
        if len(parts) == 1:
            yield parts[0]
        elif not self.flatten:
            shown = " ... ".join(text[start:end] for start, end in parts)
            hint = "--flatten outer takes the stretch from its first to its last part, longest and inner its longest"
            self._wrong("discontinuous", mention, "the mention is discontinuous", shown, hint)
        else:
            self.counts[CLOSED] += 1
            outer = (min(start for start, _ in parts), max(end for _, end in parts))
            yield outer if self.flatten == "outer" else max(parts, key=lambda part: part[1] - part[0])

    def _put(
        self, text: str, pieces: Sequence[Piece], mention: Mention, place: Range, found: list[list[_Placed]]
    ) -> None:
        start, end = place
        index = bisect_right(pieces, start, key=lambda piece: piece.start) - 1
        last = bisect_left(pieces, end, key=lambda piece: piece.start) - 1
        if index < 0 or index != last:
            hint = "with split=record a whole text is one sentence"
            self._wrong("crosses-line", mention, "the mention reaches over a line end", text[start:end], hint)
            return
        span = self._aligned(text, pieces[index].tokens, mention, place)
        if span is not None:
            found[index].append(_Placed(*span, mention))

    def _aligned(self, text: str, tokens: Sequence[Range], mention: Mention, place: Range) -> Range | None:
        """The range in tokens; None after a problem, or where `contract` leaves nothing."""
        start, end = place
        first = bisect_right(tokens, start, key=lambda token: token[1])
        last = bisect_left(tokens, end, key=lambda token: token[0])
        if first < last and tokens[first][0] == start and tokens[last - 1][1] == end:
            return first, last
        if self.align == "strict" or first >= last:
            self._cut(text, tokens[first:last], mention, place)
            return None
        cut_start, cut_end = tokens[first][0] < start, tokens[last - 1][1] > end
        if not cut_start and not cut_end:
            self.counts[TRIMMED] += 1
        elif self.align == "expand":
            self.counts[EXPANDED] += 1
        else:
            first, last = first + cut_start, last - cut_end
            self.counts[CONTRACTED if first < last else EMPTIED] += 1
        return (first, last) if first < last else None

    def _cut(self, text: str, tokens: Sequence[Range], mention: Mention, place: Range) -> None:
        start, end = place
        faults = []
        if tokens and tokens[0][0] < start:
            faults.append(f"begins inside the word {text[slice(*tokens[0])]!r}")
        if tokens and tokens[-1][1] > end:
            faults.append(f"ends inside the word {text[slice(*tokens[-1])]!r}")
        if not faults:
            faults.append("begins or ends with a blank")
        hint = self._hint(text, mention)
        widen = "--align expand takes whole words, contract those inside"
        hint = f"{hint}; or {widen}" if hint else f"{widen}; tokenizer= sets what a word is"
        self._wrong("cuts-token", mention, f"it {' and '.join(faults)}", text[start:end], hint)

    def _flat(self, text: str, piece: Piece, placed: list[_Placed]) -> list[Span]:
        kept = sorted(placed, key=lambda one: (one.start, -one.end))
        if self.flatten:
            kept = _chosen(kept, self.flatten)
            self.counts[DROPPED] += len(placed) - len(kept)
        before: _Placed | None = None
        for one in kept:
            if before is not None and one.start < before.end:
                self._overlap(text, piece, before, one)
            if before is None or one.end > before.end:
                before = one
        return [Span(one.start, one.end, one.mention.label, one.mention.score) for one in kept]

    def _overlap(self, text: str, piece: Piece, before: _Placed, one: _Placed) -> None:
        def shown(placed: _Placed) -> str:
            return text[piece.tokens[placed.start][0] : piece.tokens[placed.end - 1][1]]

        nested = one.end <= before.end
        what = f"it {'lies inside' if nested else 'overlaps'} {before.mention}, {shown(before)!r}"
        if (one.start, one.end) == (before.start, before.end):
            what = f"it covers the same words as {before.mention}"
        hint = "--flatten outer|inner|longest keeps one of them" if nested else "--flatten longest keeps one of them"
        self._wrong("nested" if nested else "overlapping", one.mention, what, shown(one), hint)


def in_codepoints(offsets: Offsets, ends: Ends, ranges: Sequence[Range]) -> list[Range]:
    """Ranges of code points, half-open.

    Raises:
        OffsetError: an offset is outside, inside a character, or the end does not lie behind the start.
    """
    made = []
    for start, end in ranges:
        if end < start or (end == start and ends == "exclusive"):
            raise OffsetError(f"the end {end} does not lie behind the start {start}", outside=True)
        first = offsets.to_codepoint(start)
        last = offsets.to_codepoint(end) if ends == "exclusive" else offsets.character_at(end) + 1
        made.append((first, last))
    return made


def other_counting(text: str, mention: Mention, counting: Counting) -> str:
    """Which other way of counting makes whole words of a mention, or where its text stands; empty where neither."""
    for unit in ("codepoint", "utf16", "byte"):
        for ends in ("exclusive", "inclusive"):
            for crlf in (False, True) if "\r\n" in text else (counting.crlf_as_one,):
                other = Counting(unit, ends, crlf)
                if other != counting and (surface := _fits(text, mention, other)):
                    changed = [f"offset_unit={unit}"] * (unit != counting.unit) + [f"ends={ends}"] * (
                        ends != counting.ends
                    )
                    changed += [f"crlf={'one' if crlf else 'two'}"] * (crlf != counting.crlf_as_one)
                    return f"with {','.join(changed)} it is {surface!r}"
    return _elsewhere(text, mention, counting)


def _elsewhere(text: str, mention: Mention, counting: Counting) -> str:
    """Where the text that the file says stands, nearest to where it says that."""
    surface = mention.surface
    if not surface or len(mention.ranges) > 1:
        return ""
    found, at = [], text.find(surface)
    while at >= 0:
        found.append(at)
        at = text.find(surface, at + 1)
    if not found:
        return ""
    offsets, last = counting.of(text), int(counting.ends == "inclusive")
    at = min(found, key=lambda one: abs(offsets.from_codepoint(one) - mention.ranges[0][0]))
    start, end = offsets.from_codepoint(at), offsets.from_codepoint(at + len(surface)) - last
    return f"{surface!r} stands at [{start}, {end}]"


def _fits(text: str, mention: Mention, counting: Counting) -> str:
    """The mention's text if it is what the file says, or, where the file says nothing, begins and ends with words."""
    try:
        ranges = in_codepoints(counting.of(text), counting.ends, mention.ranges)
    except OffsetError:
        return ""
    surface = " ".join(text[start:end] for start, end in ranges)
    if mention.surface is not None:
        return surface if surface.translate(_FLAT) == mention.surface.translate(_FLAT) else ""
    whole = all(_is_border(text, start) and _is_border(text, end) for start, end in ranges)
    return surface if whole and surface == surface.strip() else ""


def _is_border(text: str, at: int) -> bool:
    return at in (0, len(text)) or not (text[at - 1].isalnum() and text[at].isalnum())


def _chosen(placed: Sequence[_Placed], flatten: Flatten) -> list[_Placed]:
    """What stays of nested mentions. Of two that cover the same words, the first of the file."""
    if flatten == "longest":
        kept: list[_Placed] = []
        for one in sorted(placed, key=lambda one: one.start - one.end):
            if all(one.end <= other.start or other.end <= one.start for other in kept):
                kept.append(one)
        return sorted(kept)
    first: dict[Range, _Placed] = {}
    for one in placed:
        first.setdefault((one.start, one.end), one)
    ranges = list(first)
    if flatten == "outer":
        return [one for place, one in first.items() if not any(_holds(other, place) for other in ranges)]
    return [one for place, one in first.items() if not any(_holds(place, other) for other in ranges)]


def _holds(outer: Range, inner: Range) -> bool:
    return outer != inner and outer[0] <= inner[0] and inner[1] <= outer[1]


def lines_of(text: str) -> list[Range]:
    """The lines of a text, each with its line end."""
    starts = [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]
    return list(pairwise([*starts, len(text)])) if starts[-1] < len(text) else list(pairwise(starts))
