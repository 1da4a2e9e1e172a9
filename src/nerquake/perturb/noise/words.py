"""What attacks on single words have in common: which words they take, and proposing edits for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, EditKind, Source
from nerquake.core.errors import SpecError
from nerquake.core.protocols import Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.variant import Level

Where = Literal["all", "mentions", "context"]
NOT_CHOSEN = "no word chosen (share)"


class Place(NamedTuple):
    """A token that may be changed; its mention's index, None outside."""

    at: int
    mention: int | None

    @property
    def kind(self) -> EditKind:
        """What an edit of it is."""
        return "context" if self.mention is None else "mention"


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """What every attack on spelling has.

    share  how many of the places that could be changed are: a share up to 1. Each is drawn on its own
    """

    share: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise SpecError(f"share: expected a share above 0 and up to 1, got {self.share:g}")

    @property
    def level(self) -> Level:
        """Spelling."""
        return "surface"

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        """Nothing is taken from the data set."""
        return Prepared()

    def chooses(self, place: int, draws: Draws) -> bool:
        """Whether the place, a token's index, is drawn."""
        return self.share >= 1 or draws.share("word", place) < self.share


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseOptions(Noise):
    """The options of every attack on the spelling of words.

    where  all words, those of mentions alone, or those of the context alone
    share  how many of the words that could be changed are: a share up to 1. Each is drawn on its own
    """

    where: Where = "all"

    def places(self, sentence: Sentence) -> list[Place]:
        """The tokens in question."""
        inside = mention_of(sentence)
        return [
            Place(index, mention)
            for index, mention in enumerate(inside)
            if self.where == "all" or (mention is not None) == (self.where == "mentions")
        ]

    def chosen(self, places: Iterable[Place], draws: Draws) -> list[Place]:
        """Those that are drawn."""
        return [place for place in places if self.chooses(place.at, draws)]


def mention_of(sentence: Sentence) -> list[int | None]:
    """For each token the index of its mention, None outside."""
    found: list[int | None] = [None] * len(sentence.tokens)
    for index, span in enumerate(sentence.spans):
        found[span.start : span.end] = [index] * span.width
    return found


def propose_words(
    sentence: Sentence,
    options: NoiseOptions,
    draws: Draws,
    change: Callable[[str, Random], str],
    nothing: str,
) -> Proposal:
    """Edits that change single words, one token for one token.

    change   the word changed, or as it is where nothing in it can be; from a generator of the word's own
    nothing  the reason where no word can be changed
    """
    made: list[tuple[Place, str]] = []
    for place in options.places(sentence):
        old = sentence.tokens[place.at]
        new = change(old, draws.random("change", place.at))
        if new and new != old:
            made.append((place, new))
    wanted = set(options.chosen([place for place, _ in made], draws))
    edits = tuple(
        Edit(place.at, place.at + 1, (new,), place.kind, was(sentence, place.at, place.at + 1))
        for place, new in made
        if place in wanted
    )
    touched = {place.mention for place, _ in made} - {None}
    if not made:
        return Proposal(reason=nothing, applicable=False)
    return Proposal(edits, reason="" if edits else NOT_CHOSEN, attackable=len(touched))


def was(sentence: Sentence, start: int, end: int) -> Source:
    """What stood there, as provenance."""
    return (("was", " ".join(sentence.tokens[start:end])),)
