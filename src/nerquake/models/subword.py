"""From sub-tokens to words and back: which words a model saw, in which windows, and the tags that they get.

Nothing here knows a model. A word is a token of the data; a piece is a sub-token of a model's tokenizer. Words without
a piece (zero-width characters, blanks, empty tokens) never reach the model: their tag is O, and they count as unseen.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from nerquake.core.errors import InputError
from nerquake.core.protocols import Tagging
from nerquake.core.scheme import OUTSIDE, Repair, Scheme, chunks


class Window(NamedTuple):
    """Words `[start, end)` of a sentence, which the model sees at once."""

    start: int
    end: int


def piece_counts(word_ids: Sequence[int | None], size: int) -> list[int]:
    """How many pieces each of `size` words has. `word_ids` names the word of each piece, None for special ones."""
    counts = [0] * size
    for word in word_ids:
        if word is not None:
            counts[word] += 1
    return counts


def plan_windows(counts: Sequence[int], room: int, overlap: int, *, several: bool = True) -> list[Window]:
    """The windows of a sentence whose words have `counts` pieces each.

    room      pieces that the model takes at once, 1 or more; a longer word is cut to it
    overlap   pieces, less than `room`, that two windows in a row share at most: whole words only
    several   False: only the first window, so that the words behind it are not seen

    A sentence that fits is one window; one without any piece has none.
    """
    if not any(counts):
        return []
    windows: list[Window] = []
    start = 0
    while True:
        end = _end(counts, start, room)
        windows.append(Window(start, end))
        if end == len(counts) or not several or not any(counts[end:]):
            return windows
        start = _next_start(counts, Window(start, end), room, overlap)


def _end(counts: Sequence[int], start: int, room: int) -> int:
    """The end of the longest window that begins at `start`; one word at least."""
    used, end = counts[start], start + 1
    while end < len(counts) and used + counts[end] <= room:
        used += counts[end]
        end += 1
    return end


def _next_start(counts: Sequence[int], before: Window, room: int, overlap: int) -> int:
    """Where the window after `before` begins, so that the word behind `before` fits into it."""
    spare = min(overlap, room - counts[before.end])
    start, shared = before.end, 0
    while start - 1 > before.start and shared + counts[start - 1] <= spare:
        start -= 1
        shared += counts[start]
    return start


def merge_windows(windows: Sequence[Window], tags: Sequence[Sequence[str]]) -> list[str]:
    """One tag sequence from the windows' own, without gaps between windows, from the first window's first word.

    Two windows hand over where neither sees a mention run across, as near the middle of what they share as possible:
    there both have context, and a mention at the border is whole in one of them. A mention that is longer than what
    they share is joined behind the later window's first word, which cannot tell that it continues something.
    """
    merged = list(tags[0])
    first = windows[0].start
    for (before, after), following in zip(pairwise(windows), tags[1:], strict=True):
        at = _hand_over(before, after, merged[before.start - first :], following)
        merged[at - first :] = following[at - after.start :]
    return merged


class Answered(NamedTuple):
    """A window's answer: the words that have a piece in it, as positions in the sentence, and the tag of each."""

    window: Window
    words: Sequence[int]
    tags: Sequence[str]


def tags_by_word(counts: Sequence[int], parts: Sequence[Answered]) -> list[str | None]:
    """The tag of each word of a sentence from its windows' answers; None for words that the model did not see.

    counts   pieces of each word
    """
    found: list[str | None] = [None] * len(counts)
    if len(parts) == 1:
        for word, tag in zip(parts[0].words, parts[0].tags, strict=True):
            found[word] = tag
        return found
    if not parts:
        return found
    parts = sorted(parts, key=lambda part: part.window)
    filled = []
    for part in parts:
        by_word = dict(zip(part.words, part.tags, strict=True))
        filled.append([by_word.get(word, OUTSIDE) for word in range(*part.window)])
    merged = merge_windows([part.window for part in parts], filled)
    for word, tag in enumerate(merged, start=parts[0].window.start):
        if counts[word]:
            found[word] = tag
    return found


def _hand_over(before: Window, after: Window, left: Sequence[str], right: Sequence[str]) -> int:
    """The first word whose tag is taken from the later window."""
    middle = (after.start + before.end) / 2
    crossed = _inside(left, before.start) | _inside(right, after.start)
    borders = sorted(range(after.start, before.end + 1), key=lambda at: (abs(at - middle), at))
    return next((at for at in borders if at not in crossed), min(after.start + 1, before.end))


def _inside(tags: Sequence[str], offset: int) -> set[int]:
    """The borders between two words of one mention."""
    return {offset + at for span in chunks(tags) for at in range(span.start + 1, span.end)}


def tagging_of(tags: Sequence[str | None], scheme: Scheme, repair: Repair = "conlleval") -> Tagging:
    """A tagger's answer from the tag of each word, None for words that the model did not see.

    Invalid transitions are those between the tags that the model gave: an O that stands for an unseen word breaks no
    rule of its own.

    Raises:
        InputError: `repair` is "none" and there are invalid transitions.
    """
    unseen = tuple(at for at, tag in enumerate(tags) if tag is None)
    given = [tag for tag in tags if tag is not None]
    if given.count(OUTSIDE) == len(given):
        return Tagging((), unseen)
    invalid = len(scheme.violations(given))
    if invalid and repair == "none":
        shown = " ".join(given[:30]) + (" …" if len(given) > 30 else "")
        raise InputError(
            f"ill-formed {scheme.name} tags, and repair is none: {shown} (--repair conlleval|discard reads them)"
        )
    filled = [tag or OUTSIDE for tag in tags] if unseen else given
    return Tagging(scheme.decode(filled, repair), unseen, invalid)
