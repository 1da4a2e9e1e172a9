"""Answers about changed text, mapped back to the tokens that were asked about.

Pipelines collapse blanks, drop zero-width characters, normalise Unicode and read "im" as "in dem"; language models
answer with text alone. What can be mapped back by its characters is; what cannot is said sentence by sentence, and
no mention is lost without a note.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from nerquake.core.protocols import Tagging
from nerquake.core.span import Span
from nerquake.taggers.fold import Folded, align, can_be_seen, fold_text, fold_tokens, is_word

TRUSTED = 0.5
"""A mention keeps its place if at least this share of its words' characters stands in the answer's text."""


class Found(NamedTuple):
    """A mention in the text of an answer: character offsets, half-open, in code points."""

    start: int
    end: int
    label: str
    score: float | None = None


class Name(NamedTuple):
    """A mention of which only the text is known."""

    text: str
    label: str


def place_tokens(tokens: Sequence[str], answered: Sequence[str], spans: Iterable[Span]) -> Tagging:
    """Spans over the tokens that came back, as spans over the tokens that were sent.

    A token that can be seen and did not come back is unseen, and so is one that cannot be seen where anything changed.
    """
    if tuple(tokens) == tuple(answered):
        return Tagging(tuple(sorted(spans)))
    starts, at = [], 0
    for token in answered:
        starts.append(at)
        at += len(token) + 1
    ends = [start + len(token) for start, token in zip(starts, answered, strict=True)]
    return place_ranges(
        tokens, " ".join(answered), [Found(starts[s.start], ends[s.end - 1], s.label, s.score) for s in spans]
    )


def place_ranges(tokens: Sequence[str], text: str, mentions: Iterable[Found]) -> Tagging:
    """Mentions in a text that a model made of the tokens, as spans over the tokens.

    Both are aligned by their characters. A mention takes the tokens whose letters and digits all stand in it; where
    it begins or ends inside a token, that token is left out and the tagging says so.
    """
    ours, theirs = fold_tokens(tokens), fold_text(text)
    sources = align(ours.text, theirs.text)
    equal = {s for at, s in enumerate(sources) if s is not None and ours.text[s] == theirs.text[at]}
    spans: list[Span] = []
    notes: list[str] = []
    for mention in sorted(mentions, key=lambda m: (m.start, -m.end)):
        what = _what(text[mention.start : mention.end], mention.label)
        inside = {at for at in range(len(sources)) if theirs.starts[at] >= mention.start
                  and theirs.ends[at] <= mention.end}  # fmt: skip
        cover = _cover(
            ours,
            {s for at, s in enumerate(sources) if s is not None and at in inside},
            {s for at, s in enumerate(sources) if s is not None and at not in inside},
        )
        if cover.end == cover.start or not _trusted(ours, cover, equal):
            part = f"is a part of {_quoted(tokens, cover.cut)}" if cover.cut else "does not stand in the sentence"
            notes.append(f"{what} {part}")
        elif spans and cover.start < spans[-1].end:
            notes.append(f"{what} overlaps another mention")
        else:
            notes += [f"{what} cuts {_quoted(tokens, cover.cut)}, which is left out of it"] if cover.cut else []
            spans.append(Span(cover.start, cover.end, mention.label, mention.score))
    return Tagging(tuple(spans), _unseen(tokens, ours, sources, text), notes=tuple(notes))


def place_names(tokens: Sequence[str], mentions: Iterable[Name]) -> Tagging:
    """Mentions of which only the text is known, as spans: left to right, each name at its next place.

    A mention is looked for behind the one before it, then in the whole sentence, and never twice at one place; first
    as written, then whatever its case. Only places that begin and end where tokens do count; where there is none,
    punctuation may be missing from the tokens at either end.
    """
    folded = fold_tokens(tokens, case=True), fold_tokens(tokens)
    spans: list[Span] = []
    notes: list[str] = []
    cursor = 0
    for mention in mentions:
        names = fold_text(mention.text, case=True).text, fold_text(mention.text).text
        places = [_places(*pair, whole) for whole in (True, False) for pair in zip(folded, names, strict=True)]
        place = next(filter(None, (_free(found, spans, cursor) for found in places)), None)
        if place is None:
            notes.append(_nowhere(mention, names[1], folded[1], taken=any(places)))
            continue
        spans.append(Span(place.start, place.end, mention.label))
        cursor = place.end
    return Tagging(tuple(sorted(spans)), notes=tuple(notes))


class _Cover(NamedTuple):
    """The tokens that a mention covers, from start to end, and those that it cuts. Nothing: start is end."""

    start: int
    end: int
    cut: tuple[int, ...] = ()


def _cover(folded: Folded, inside: Collection[int], outside: Collection[int]) -> _Cover:
    """What characters inside a mention cover, given those outside of it. Punctuation does not count as cut off."""
    touched = sorted({folded.starts[at] for at in inside})
    severed = {folded.starts[at] for at in outside if is_word(folded.text[at])}
    whole = [token for token in touched if token not in severed]
    cut = tuple(token for token in touched if token in severed)
    if cut and not any(folded.starts[at] in whole and is_word(folded.text[at]) for at in inside):
        whole = []  # the comma behind a word that was cut off is no mention
    return _Cover(whole[0], whole[-1] + 1, cut) if whole else _Cover(0, 0, cut)


def _places(folded: Folded, name: str, whole: bool) -> list[_Cover]:
    """The places at which a name stands, in order; with `whole` only those where no character of a token is missing."""
    found: list[_Cover] = []
    if not whole and not any(map(is_word, name)):
        return found
    at = folded.text.find(name) if name else -1
    while at >= 0:
        end = at + len(name)
        first, last = folded.starts[at], folded.starts[end - 1]
        low, high = bisect_left(folded.starts, first), bisect_right(folded.starts, last)
        rest = [*range(low, at), *range(end, high)]
        cover = _cover(folded, range(at, end), rest)
        if cover.end > cover.start and not cover.cut and not (whole and rest):
            found.append(cover)
        at = folded.text.find(name, at + 1)
    return found


def _free(places: Sequence[_Cover], spans: Sequence[Span], cursor: int) -> _Cover | None:
    """The next free place behind the cursor, else the first free one."""
    free = [place for place in places if not any(place.start < s.end and s.start < place.end for s in spans)]
    return next((place for place in free if place.start >= cursor), free[0] if free else None)


def _nowhere(mention: Name, name: str, folded: Folded, taken: bool) -> str:
    """Why a mention has no place."""
    what = _what(mention.text, mention.label)
    if not name:
        return f"{what} is no text"
    if taken:
        return f"{what} is named more often than it stands in the sentence, or overlaps another mention"
    where = "stands inside a longer token only" if name in folded.text else "does not stand in the sentence"
    return f"{what} {where}"


def _trusted(ours: Folded, cover: _Cover, equal: Collection[int]) -> bool:
    low, high = bisect_left(ours.starts, cover.start), bisect_left(ours.starts, cover.end)
    own = [at for at in range(low, high) if is_word(ours.text[at])]
    return not own or sum(at in equal for at in own) >= TRUSTED * len(own)


def _what(surface: str, label: str) -> str:
    return f"{surface!r} ({label})"


def _quoted(tokens: Sequence[str], indices: Sequence[int]) -> str:
    return " and ".join(repr(tokens[index]) for index in indices)


def _unseen(tokens: Sequence[str], ours: Folded, sources: Sequence[int | None], text: str) -> tuple[int, ...]:
    """Tokens of which nothing came back."""
    if text == " ".join(tokens):
        return ()
    seen = {ours.starts[source] for source in sources if source is not None}
    return tuple(index for index in range(len(tokens)) if index not in seen)


def what_differs(ours: Sequence[str], theirs: Sequence[str]) -> str:
    """What was done to tokens that came back changed, in words; empty where they say something else.

    The kinds, each over the whole sentence: Unicode normal form, characters that cannot be seen, blanks inside or
    between tokens, case; several of these together; words that were expanded or shortened.
    """
    one, other = " ".join(ours), " ".join(theirs)
    if unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other):
        forms = [next((f for f in ("NFC", "NFD") if unicodedata.is_normalized(f, t)), "mixed") for t in (one, other)]
        return f"the same text in another Unicode normal form ({forms[0]} in the set, {forms[1]} in the predictions)"
    if _no_blanks(one) == _no_blanks(other):
        return "the same characters with other blanks, or split into other tokens"
    if _seen(one) == _seen(other):
        return "the same but for characters that cannot be seen (zero-width, soft hyphen, variation selector)"
    if one.casefold() == other.casefold():
        return "the same but for case"
    if fold_text(one).text == fold_text(other).text:
        return "the same but for several of: normal form, blanks, characters that cannot be seen, case"
    if _expanded(ours, theirs):
        return "some words came back expanded or shortened, as when im is read as in dem"
    return ""


def _no_blanks(text: str) -> str:
    return "".join(text.split())


def _seen(text: str) -> str:
    return "".join(character for character in text if can_be_seen(character))


def _expanded(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether most words are the same in both, and the number of words is not."""
    shared = set(map(str.casefold, ours)) & set(map(str.casefold, theirs))
    return len(ours) != len(theirs) and 2 * len(shared) >= min(len(set(ours)), len(set(theirs)))
