"""Where names stand in tokens: those of one sentence, and all that a data set knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.sentence import Sentence

Tokens = tuple[str, ...]
Place = tuple[int, int]


class Found(NamedTuple):
    """A name in tokens, half-open."""

    start: int
    end: int
    name: Tokens


@dataclass(frozen=True, slots=True)
class Names:
    """Names by their first token, longest first, and the words that they are made of."""

    by_first: Mapping[str, tuple[Tokens, ...]]
    words: frozenset[str] = frozenset()

    @classmethod
    def of(cls, names: Iterable[Tokens]) -> Names:
        """An index of names; those without a token are left out."""
        by_first: dict[str, list[Tokens]] = {}
        for name in sorted(filter(None, set(names)), key=lambda name: (-len(name), name)):
            by_first.setdefault(name[0], []).append(name)
        words = frozenset(token for found in by_first.values() for name in found for token in name)
        return cls({first: tuple(found) for first, found in by_first.items()}, words)

    def found(self, tokens: Sequence[str], taken: Container[int] = ()) -> list[Found]:
        """The places of the names, from left to right, the longest at each place; no two overlap.

        taken   positions that no name may touch
        """
        places: list[Found] = []
        at = 0
        while at < len(tokens):
            for name in self.by_first.get(tokens[at], ()):
                end = at + len(name)
                if tuple(tokens[at:end]) == name and not any(place in taken for place in range(at, end)):
                    places.append(Found(at, end, name))
                    at = end - 1
                    break
            at += 1
        return places


def mentions_of(corpus: Dataset) -> Names:
    """The mentions of a data set that are written as names are."""
    return Names.of(
        name for sentence in corpus for span in sentence.spans if written_as_name(name := sentence.mention(span))
    )


def written_as_name(tokens: Tokens) -> bool:
    """Whether a text would be taken for a name wherever it stands: with a capital, or in a script without any."""
    return any(sign.isupper() or sign.istitle() or (sign.isalpha() and sign.lower() == sign.upper())
               for token in tokens for sign in token)  # fmt: skip


def inside_mentions(sentence: Sentence) -> frozenset[int]:
    """The positions that mentions hold."""
    return frozenset(at for span in sentence.spans for at in range(span.start, span.end))


def put_in(known: Names, old: Sequence[str], old_taken: Container[int], new: Sequence[str], taken: Container[int],
           origin: Sequence[int | None] = ()) -> bool:  # fmt: skip
    """Whether a known name stands in the new tokens, outside its mentions, more often than in the old ones.

    origin   for each new token the old one that it is: a name of tokens that stood side by side before is none that
             was put in, whatever its capitals
    """
    before = Counter(one.name for one in known.found(old, old_taken))
    for one in known.found(new, taken):
        if origin and _side_by_side(origin[one.start : one.end]):
            continue
        before[one.name] -= 1
        if before[one.name] < 0:
            return True
    return False


def grown(known: Names, old: Sequence[str], old_places: Sequence[Place], new: Sequence[str], places: Sequence[Place],
          origin: Sequence[int | None] = ()) -> bool:  # fmt: skip
    """Whether a mention stands inside a longer known name that the old tokens do not have: `New York` in `New York
    Times`.

    places   of the mentions in the new tokens, `old_places` in the old ones
    origin   as for `put_in`
    """
    before = Counter(one.name for one in _larger(known.found(old), old_places))
    for one in _larger(known.found(new), places):
        if origin and _side_by_side(origin[one.start : one.end]):
            continue
        before[one.name] -= 1
        if before[one.name] < 0:
            return True
    return False


def _larger(found: Iterable[Found], places: Sequence[Place]) -> list[Found]:
    """The names that touch a mention and reach beyond it."""
    return [
        one
        for one in found
        if any(
            one.start < end and start < one.end and not (start <= one.start and one.end <= end) for start, end in places
        )
    ]


def lengthened(known: Names, old: Sequence[str], new: Sequence[str], places: Sequence[Place],
               words: Container[str]) -> bool:  # fmt: skip
    """Whether a new word right beside a mention is one that names are made of: `Barack` before `Obama`.

    words   of the data set; the first word of a text is written with a capital anyway, so there one that is also
            written small says nothing
    """
    had = {token.casefold() for token in old}
    taken = {at for start, end in places for at in range(start, end)}
    beside = {at for start, end in places for at in (start - 1, end) if 0 <= at < len(new)} - taken
    return any(
        new[at] in known.words
        and len(new[at]) > 1
        and new[at][0].isupper()
        and new[at].casefold() not in had
        and (at > 0 or new[at].lower() not in words)
        for at in beside
    )


def _side_by_side(origin: Sequence[int | None]) -> bool:
    """Whether tokens followed each other in the original."""
    return all(a is not None and b == a + 1 for a, b in pairwise(origin)) and None not in origin
