"""How far a paraphrase is from its original, and how good it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from typing import NamedTuple

from nerquake.core.edits import Source
from nerquake.core.fillers import MaskFiller
from nerquake.core.paraphrases import MOVED, Candidate, inverted
from nerquake.core.sentence import Sentence
from nerquake.language.perplexity import perplexity_ratios
from nerquake.language.sentence_encoder import SentenceEncoder
from nerquake.perturb.fills import is_word
from nerquake.perturb.paraphrase_mentions import Mapped

STRUCTURE, LEXICAL = "structure", "lexical"
Pairs = list[tuple[int, int]]
"""Words of the original and of the paraphrase that are the same one, by position, in the order of the original."""


class Difference(NamedTuple):
    """How a paraphrase differs.

    distance   of the order of words, 0 to 1: of all pairs of words that both sentences have, the share that stand the
               other way round (Kendall's tau distance)
    mentions   the same over the mentions alone
    wording    the share of words that are in one of the two only, 0 to 1 (Dice over the words, case apart)
    kind       structure or lexical
    """

    distance: float
    mentions: float
    wording: float
    kind: str

    @property
    def rank(self) -> tuple[float, ...]:
        """What the most different one has most of: structure, order of words, order of mentions, wording."""
        return (self.kind == STRUCTURE, round(self.distance, 9), round(self.mentions, 9), round(self.wording, 9))

    @property
    def none(self) -> bool:
        """Whether no word moved or changed: at most punctuation, blanks and capitals did."""
        return not self.distance and not self.wording


def difference(sentence: Sentence, mapped: Mapped, candidate: Candidate) -> Difference:
    """How a candidate whose mentions are found differs from the sentence.

    A backend that names its rules says itself whether they change the structure; of text alone it is measured: the
    distance is 0.2 or more, or mentions stand in another order.
    """
    distance = inverted([new for _, new in aligned(sentence, mapped)])
    mentions = inverted([start for start, _ in mapped.places])
    wording = reworded(sentence.tokens, mapped.tokens)
    measured = distance >= MOVED or mentions > 0
    structural = candidate.structural and (measured or (bool(candidate.origin) and bool(candidate.rules)))
    return Difference(distance, mentions, wording, STRUCTURE if structural else LEXICAL)


def aligned(sentence: Sentence, mapped: Mapped) -> Pairs:
    """The words that both sentences have.

    By origin where it is known. Otherwise mentions by their places, and other words by what they are: of those that
    stand several times first the ones beside a word that is aligned already, then the rest from left to right.
    Punctuation takes no part.
    """
    old, new = sentence.tokens, mapped.tokens
    if mapped.origin:
        found = {at: place for place, at in enumerate(mapped.origin) if at is not None}
    else:
        found = {}
        for span, (start, end) in zip(sentence.spans, mapped.places, strict=True):
            if span.width == end - start:
                found.update(zip(range(span.start, span.end), range(start, end), strict=True))
        inside = {at for span in sentence.spans for at in range(span.start, span.end)}
        taken = {at for start, end in mapped.places for at in range(start, end)}
        _align(_words(old, inside), _words(new, taken), found)
    return sorted((at, place) for at, place in found.items() if is_word(old[at]))


Words = dict[str, list[int]]
"""Positions by word."""


def _words(tokens: Sequence[str], without: Container[int]) -> Words:
    places: Words = {}
    for at, token in enumerate(tokens):
        if at not in without and is_word(token):
            places.setdefault(token.casefold(), []).append(at)
    return places


def _align(old: Words, new: Words, found: dict[int, int]) -> None:
    """Add the words of both to `found`, the old position to the new one."""
    shared = [word for word in old if word in new]
    for word in shared:
        if len(old[word]) == len(new[word]) == 1:
            found[old[word][0]] = new[word][0]
    rest = [word for word in shared if len(old[word]) > 1 or len(new[word]) > 1]
    for word in rest:
        for at in list(old[word]):
            beside = {found[side] - step for step in (1, -1) if (side := at + step) in found}
            place = next((place for place in new[word] if place in beside), None)
            if place is not None:
                _take(old[word], new[word], at, place, found)
    for word in rest:
        found.update(zip(old[word], new[word], strict=False))


def _take(old: list[int], new: list[int], at: int, place: int, found: dict[int, int]) -> None:
    found[at] = place
    old.remove(at)
    new.remove(place)


def reworded(old: Sequence[str], new: Sequence[str]) -> float:
    """The share of the words of both sentences that only one of them has; punctuation and case do not count."""
    before, after = (Counter(token.casefold() for token in tokens if is_word(token)) for tokens in (old, new))
    size = before.total() + after.total()
    return 1 - 2 * (before & after).total() / size if size else 0.0


class Quality(NamedTuple):
    """What was measured besides; None where nothing was installed or asked for.

    meaning   how close the meanings are, the cosine of a sentence encoder's vectors
    ratio     the pseudo-perplexity over that of the original
    """

    meaning: float | None = None
    ratio: float | None = None


class Judges(NamedTuple):
    """What measures quality, and what it asks for.

    min_meaning   the least cosine; None leaves paraphrases without a measure in
    max_ratio     the largest ratio; 0: no limit
    """

    encoder: SentenceEncoder | None = None
    filler: MaskFiller | None = None
    min_meaning: float = 0.0
    max_ratio: float = 0.0

    def quality(self, sentence: Sentence, mapped: Mapped) -> Quality:
        """A paraphrase's quality; asked for one sentence at a time, so that no other changes it."""
        meaning = ratio = None
        if self.encoder is not None:
            meaning = self.encoder.likeness(" ".join(sentence.tokens), " ".join(mapped.tokens))
        if self.filler is not None:
            pair = (sentence.id, sentence.tokens, mapped.tokens)
            (ratio,) = perplexity_ratios(self.filler, [pair], exact_near=self.max_ratio)
        return Quality(meaning, ratio)

    def means_the_same(self, quality: Quality) -> bool:
        """Whether the meaning is kept as far as is asked."""
        return quality.meaning is None or quality.meaning >= self.min_meaning

    def natural(self, quality: Quality) -> bool:
        """Whether the sentence is as natural as is asked."""
        return not self.max_ratio or quality.ratio is None or quality.ratio <= self.max_ratio


def source_of(candidate: Candidate, mapped: Mapped, made: Difference, quality: Quality, backend: str) -> Source:
    """What is written down of a paraphrase."""
    pairs = [("rules", "+".join(candidate.rules) or backend), ("kind", made.kind)]
    pairs += [("distance", f"{made.distance:.2f}"), ("mentions-moved", f"{made.mentions:.2f}")]
    pairs.append(("wording", f"{made.wording:.2f}"))
    if quality.meaning is not None:
        pairs.append(("meaning", f"{quality.meaning:.2f}"))
    if quality.ratio is not None:
        pairs.append(("perplexity-ratio", f"{quality.ratio:.2f}"))
    pairs += [("alias", f"{' '.join(old)} -> {' '.join(new)}") for old, new in mapped.aliases]
    return tuple(pairs)
