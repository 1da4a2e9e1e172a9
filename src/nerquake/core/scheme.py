"""The six tag schemes as transition tables: IO, IOB1, IOB2 (BIO), BIOES, BILOU, BMES.

A tag is `O`, or a prefix, a hyphen and a label; the prefix ends at the first hyphen (`B-creative-work`).
Reading a sequence is one rule for all schemes, that of the CoNLL evaluation script, which equals each scheme's own
reading wherever the sequence is well formed. What is well formed is the transition table's word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from nerquake.core.span import Span

OUTSIDE = "O"
Repair = Literal["conlleval", "discard", "none"]


class After(NamedTuple):
    """The prefixes that may follow a prefix: with the same label, with another label, and whether O may."""

    same: str
    other: str
    outside: bool


@dataclass(frozen=True, slots=True)
class Scheme:
    """A tag scheme.

    table     for each prefix, and for O (also the start and the end of a sentence), what may follow
    mention   pattern of the prefixes of one whole mention, used to tell ill-formed mentions from well-formed ones
    first, inside, last, single   the prefixes written for a mention's tokens
    """

    name: str
    table: tuple[tuple[str, After], ...]
    mention: str
    first: str
    inside: str
    last: str
    single: str

    @property
    def prefixes(self) -> frozenset[str]:
        """Its prefixes, without O."""
        return frozenset(prefix for prefix, _ in self.table if prefix != OUTSIDE)

    def allows(self, before: str, after: str) -> bool:
        """Whether tag `after` may follow tag `before`; O stands for both ends of the sentence too."""
        (prefix, label), (next_prefix, next_label) = split_tag(before), split_tag(after)
        row = dict(self.table).get(prefix)
        if row is None or (next_prefix != OUTSIDE and next_prefix not in self.prefixes):
            return False
        if next_prefix == OUTSIDE:
            return row.outside
        return next_prefix in (row.same if prefix != OUTSIDE and label == next_label else row.other)

    def encode(self, spans: Iterable[Span], size: int) -> list[str]:
        """The tags of `size` tokens. IO joins touching mentions of one label: see `holds`."""
        tags = [OUTSIDE] * size
        before: Span | None = None
        for span in spans:
            first, single = self.first, self.single
            if self.name == "iob1" and before and before.end == span.start and before.label == span.label:
                first = single = "B"
            if span.width == 1:
                tags[span.start] = f"{single}-{span.label}"
            else:
                tags[span.start] = f"{first}-{span.label}"
                for index in range(span.start + 1, span.end - 1):
                    tags[index] = f"{self.inside}-{span.label}"
                tags[span.end - 1] = f"{self.last}-{span.label}"
            before = span
        return tags

    def holds(self, spans: Sequence[Span]) -> bool:
        """Whether the scheme can tell these mentions apart: IO cannot hold touching mentions of one label."""
        if self.name != "io":
            return True
        return not any(a.end == b.start and a.label == b.label for a, b in pairwise(spans))

    def violations(self, tags: Sequence[str]) -> list[int]:
        """Positions of tags that may not stand where they stand; `len(tags)` when the sentence may not end there."""
        padded = [OUTSIDE, *tags, OUTSIDE]
        allows = _table_of(self)
        return [i for i in range(len(padded) - 1) if not allows(padded[i], padded[i + 1])]

    def decode(self, tags: Sequence[str], repair: Repair = "conlleval") -> tuple[Span, ...]:
        """The mentions of a tag sequence. `discard` leaves out ill-formed mentions, the others keep them.

        `none` is for callers that have checked `violations` themselves.
        """
        spans = chunks(tags)
        if repair != "discard" or not spans:
            return spans
        return tuple(span for span in spans if self._well_formed(tags, span))

    def _well_formed(self, tags: Sequence[str], span: Span) -> bool:
        prefixes = "".join(tag[0] for tag in tags[span.start : span.end])
        if re.fullmatch(self.mention, prefixes) is None:
            return False
        before = tags[span.start - 1] if span.start else OUTSIDE
        if self.name != "iob1":
            return True
        return _table_of(self)(before, tags[span.start])


def _rows(**rows: tuple[str, str, bool]) -> tuple[tuple[str, After], ...]:
    return tuple((prefix, After(*row)) for prefix, row in rows.items())


def _bordered(first: str, inside: str, last: str, single: str) -> tuple[tuple[str, After], ...]:
    """The table of a scheme that marks both ends of a mention."""
    fresh = first + single
    closed, open_ = After(fresh, fresh, True), After(inside + last, "", False)
    return ((OUTSIDE, closed), (first, open_), (inside, open_), (last, closed), (single, closed))


IO = Scheme("io", _rows(O=("", "I", True), I=("I", "I", True)), "I+", "I", "I", "I", "I")
IOB1 = Scheme("iob1", _rows(O=("", "I", True), B=("BI", "I", True), I=("BI", "I", True)), "[BI]I*", "I", "I", "I", "I")
IOB2 = Scheme("iob2", _rows(O=("", "B", True), B=("BI", "B", True), I=("BI", "B", True)), "BI*", "B", "I", "I", "B")
BIOES = Scheme("bioes", _bordered("B", "I", "E", "S"), "BI*E|S", "B", "I", "E", "S")
BILOU = Scheme("bilou", _bordered("B", "I", "L", "U"), "BI*L|U", "B", "I", "L", "U")
BMES = Scheme("bmes", _bordered("B", "M", "E", "S"), "BM*E|S", "B", "M", "E", "S")

SCHEMES: dict[str, Scheme] = {scheme.name: scheme for scheme in (IOB2, BIOES, BILOU, BMES, IOB1, IO)}
"""By name, in the order in which detection prefers them."""
ALIASES = {"bio": "iob2", "iobes": "bioes", "iob": "iob1", "bmeso": "bmes", "bieso": "bioes"}
PREFIXES = frozenset("BIOESLUM")


_SPLIT: dict[str, tuple[str, str]] = {OUTSIDE: (OUTSIDE, "")}


def split_tag(tag: str) -> tuple[str, str]:
    """Prefix and label of a tag, split at the first hyphen; ("", tag) for what is no tag."""
    found = _SPLIT.get(tag)
    if found is None:
        prefix, hyphen, label = tag.partition("-")
        known = hyphen and label and len(prefix) == 1 and prefix in PREFIXES and prefix != OUTSIDE
        found = (prefix, label) if known else ("", tag)
        if len(_SPLIT) < 100_000:
            _SPLIT[tag] = found
    return found


def is_tag(tag: str) -> bool:
    """Whether this is a tag of any of the schemes."""
    return split_tag(tag)[0] != ""


def _table_of(scheme: Scheme) -> Callable[[str, str], bool]:
    """`scheme.allows` with a memory, since a file has few different pairs of tags."""
    memory = _MEMORY.setdefault(scheme.name, {})

    def allows(before: str, after: str) -> bool:
        pair = (before, after)
        found = memory.get(pair)
        if found is None:
            found = scheme.allows(before, after)
            if len(memory) < 100_000:
                memory[pair] = found
        return found

    return allows


_MEMORY: dict[str, dict[tuple[str, str], bool]] = {}

_CLOSING, _OPENING = frozenset("ELSU"), frozenset("BSU")


def chunks(tags: Sequence[str]) -> tuple[Span, ...]:
    """The mentions of a tag sequence by the rule of the CoNLL evaluation script, for any scheme.

    A mention begins at B, S, U, and at I, M, E, L that follow O, a closed mention or another label.
    """
    spans: list[Span] = []
    start, open_label, closed = 0, "", True
    for index, tag in enumerate(tags):
        if tag == OUTSIDE:
            if not closed:
                spans.append(Span(start, index, open_label))
            closed = True
            continue
        prefix, label = split_tag(tag)
        if closed or prefix in _OPENING or label != open_label:
            if not closed:
                spans.append(Span(start, index, open_label))
            start, open_label = index, label
        closed = prefix in _CLOSING
        if closed:
            spans.append(Span(start, index + 1, label))
    if not closed:
        spans.append(Span(start, len(tags), open_label))
    return tuple(spans)


class Detection(NamedTuple):
    """The scheme that fits, and whether the tags are well formed under it."""

    scheme: Scheme
    well_formed: bool
    fits: tuple[str, ...]


def tag_pairs(sequences: Iterable[Sequence[str]]) -> dict[tuple[str, str], int]:
    """How often each tag follows each; O stands for both ends of a sentence."""
    counts: dict[tuple[str, str], int] = {}
    for tags in sequences:
        before = OUTSIDE
        for tag in (*tags, OUTSIDE):
            if tag != OUTSIDE or before != OUTSIDE:
                counts[before, tag] = counts.get((before, tag), 0) + 1
            before = tag
    return counts


def detect(sequences: Iterable[Sequence[str]]) -> Detection:
    """The scheme of a file: the first that allows every pair of tags, else the one with the fewest violations.

    Tags that are nothing but I- and O are IO (IOB1 reads them alike). No tags at all: IOB2.
    """
    return detect_pairs(tag_pairs(sequences))


def detect_pairs(pairs: dict[tuple[str, str], int]) -> Detection:
    """`detect` from counted pairs."""
    prefixes = {split_tag(tag)[0] for pair in pairs for tag in pair} - {OUTSIDE, ""}
    order = list(SCHEMES.values())
    if prefixes == {"I"}:
        order = [IO, *(scheme for scheme in order if scheme is not IO)]
    wrong = {scheme.name: _wrong(scheme, pairs) for scheme in order}
    best = min(order, key=lambda scheme: wrong[scheme.name])
    fits = tuple(scheme.name for scheme in order if not wrong[scheme.name])
    return Detection(best, wrong[best.name] == 0, fits)


def detect_predicted(sequences: Iterable[Sequence[str]], gold: Scheme) -> Scheme:
    """The scheme of a model's output: the one with the fewest violations, that of the gold file where it is a tie.

    Models break their scheme (an I- without a B-), so tags that look like IO or IOB1 are not taken for these, unless
    the gold file is in one of the two.
    """
    loose = (IO, IOB1)
    others = [scheme for scheme in SCHEMES.values() if scheme not in loose or gold in loose]
    pairs = tag_pairs(sequences)
    return min([gold, *others], key=lambda scheme: _wrong(scheme, pairs))


def _wrong(scheme: Scheme, pairs: dict[tuple[str, str], int]) -> int:
    """How many of the pairs the scheme does not allow."""
    return sum(count for pair, count in pairs.items() if not scheme.allows(*pair))
