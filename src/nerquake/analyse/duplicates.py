"""Sentences that stand in two files, or twice in one: exactly, or nearly (`nerquake stats --train`).

Two sentences are *exact* duplicates where their tokens are equal, and *near* duplicates where, with case folded and
every digit read as 0, they share at least 0.8 of their tokens: tokens in common / tokens in either, each counted as
often as it stands there (Jaccard similarity of multisets; the order of tokens plays no part).

Near duplicates are found without comparing all with all, by prefix filtering (Bayardo et al. 2007, "Scaling up all
pairs similarity search"): with tokens sorted from rare to frequent, two sentences of sizes m and n can only reach a
similarity t if the first m - ceil(tm) + 1 tokens of one and the first n - ceil(tn) + 1 of the other have one in common.
Only rare tokens are looked up, and nothing that reaches the threshold is missed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from nerquake.core.sentence import Sentence

NEAR, OF = 4, 5
"""The similarity from which on two sentences are near duplicates, 0.8, in whole numbers: 4 of 5 tokens reach it."""
_DIGIT = re.compile(r"\d")
Kind = Literal["exact", "near"]
Bag = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A sentence and one that it repeats: the first equal one, else one that is near.

    similarity  1.0 for exact ones, and for those that differ in case, digits or order only
    """

    id: str
    of: str
    kind: Kind
    similarity: float

    def to_json(self) -> dict[str, Any]:
        """A pair of docs/formats.md."""
        return {"id": self.id, "of": self.of, "kind": self.kind, "similarity": self.similarity}


def duplicate_table(
    files: Mapping[str, Sequence[Sentence]], train: str, trained: Sequence[Sentence]
) -> list[dict[str, Any]]:
    """`duplicates` of docs/formats.md: each file with itself, with the files behind it, and with the training data.

    train    the training data's name
    trained  its sentences
    """
    everything = [*files.items(), (train, trained)]
    rows: list[dict[str, Any]] = []
    for at, (name, sentences) in enumerate(everything):
        for other, others in everything[at:]:
            within = other == name
            found = duplicates(sentences, None if within else others)
            kinds = Counter(one.kind for one in found)
            rows.append({
                "file": name,
                "of": other,
                "within": within,
                "sentences": len(sentences),
                "exact": kinds["exact"],
                "near": kinds["near"],
                "pairs": [one.to_json() for one in found],
            })  # fmt: skip
    return rows


def duplicates(sentences: Sequence[Sentence], others: Sequence[Sentence] | None = None) -> list[Duplicate]:
    """The sentences that repeat one of `others`, or without `others` an earlier one of their own; one entry each.

    So the first of several equal sentences in one file is no duplicate. A sentence that has an exact one is not looked
    up for near ones.
    """
    held = _Held(sentences if others is None else others, sentences)
    if others is None:
        return list(held.within())
    found = (held.find(sentence) for sentence in sentences)
    return [one for one in found if one is not None]


class _Held:
    """Sentences that others are looked up in.

    Sentences with equal tokens, or with equal ones once they are folded, are held once: under the first of them.
    """

    def __init__(self, held: Sequence[Sentence], asked: Sequence[Sentence]) -> None:
        self._sentences = held
        self._bags = _Bags([*held, *asked] if asked is not held else held)
        self._exact: dict[tuple[str, ...], str] = {}
        self._folded: dict[Bag, str] = {}
        self._first: dict[tuple[int, int], list[tuple[Bag, str]]] = defaultdict(list)
        if asked is not held:
            for sentence in held:
                self.add(sentence)

    def add(self, sentence: Sentence) -> None:
        """Hold one more."""
        self._exact.setdefault(sentence.tokens, sentence.id)
        bag = self._bags.of(sentence)
        if bag in self._folded:
            return
        self._folded[bag] = sentence.id
        for token in dict.fromkeys(bag[: _prefix(len(bag))]):
            self._first[token, len(bag)].append((bag, sentence.id))

    def within(self) -> Iterator[Duplicate]:
        """Each sentence looked up among those before it."""
        for sentence in self._sentences:
            found = self.find(sentence)
            if found is not None:
                yield found
            self.add(sentence)

    def find(self, sentence: Sentence) -> Duplicate | None:
        """One that this sentence repeats, None where there is none."""
        exact = self._exact.get(sentence.tokens)
        if exact is not None:
            return Duplicate(sentence.id, exact, "exact", 1.0)
        bag = self._bags.of(sentence)
        folded = self._folded.get(bag)
        if folded is not None:
            return Duplicate(sentence.id, folded, "near", 1.0)
        return self._near(sentence.id, bag)

    def _near(self, asked: str, bag: Bag) -> Duplicate | None:
        """The first found of those that are near; as good as any other, since one is enough to tell."""
        size = len(bag)
        plain = frozenset(bag)
        counts = Counter(bag) if len(plain) < size else None
        seen: set[str] = set()
        for token in dict.fromkeys(bag[: _prefix(size)]):
            for other in range(_least(size), size * OF // NEAR + 1):
                for candidate, found in self._first.get((token, other), ()):
                    if found in seen:
                        continue
                    seen.add(found)
                    shared = _shared(plain, counts, candidate)
                    if OF * shared >= NEAR * (size + other - shared):
                        return Duplicate(asked, found, "near", shared / (size + other - shared))
        return None


def _shared(plain: frozenset[int], counts: Counter[int] | None, other: Bag) -> int:
    """Tokens in common, as often as they stand in both."""
    unique = plain.intersection(other)
    if counts is None:
        return len(unique)
    return sum(min(counts[token], other.count(token)) for token in unique)


def _least(size: int) -> int:
    """How many tokens a sentence of this size has at least in common with one that is near."""
    return -(-NEAR * size // OF)


def _prefix(size: int) -> int:
    """How many of the rarest tokens have to be looked at."""
    return size - _least(size) + 1


class _Bags:
    """Sentences as their folded tokens, by number, sorted from rare to frequent."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self._fold: dict[str, str] = {}
        counts = Counter(self._folded(token) for sentence in sentences for token in sentence.tokens)
        order = sorted(counts, key=lambda token: (counts[token], token))
        self._numbers = {token: number for number, token in enumerate(order)}

    def of(self, sentence: Sentence) -> Bag:
        """A sentence's tokens."""
        return tuple(sorted(self._numbers[self._folded(token)] for token in sentence.tokens))

    def _folded(self, token: str) -> str:
        found = self._fold.get(token)
        if found is None:
            found = self._fold[token] = _DIGIT.sub("0", token.casefold())
        return found
