"""Whitespace: a blank too many, which parts a word, and a blank too few, which joins two."""

from __future__ import annotations

from dataclasses import dataclass

from nerquake.core.edits import Edit
from nerquake.core.errors import SpecError
from nerquake.core.protocols import Context, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.perturb.noise.clusters import clusters, is_word
from nerquake.perturb.noise.words import NOT_CHOSEN, NoiseOptions, Place, was

KINDS = ("split", "join")


@dataclass(frozen=True, slots=True, kw_only=True)
class Whitespace(NoiseOptions):
    """Words parted in two, and words run together.

    A word is parted between two grapheme clusters; both halves stay in the mention, if it is in one. Two words are
    joined where both stand in the same mention or both outside, so that no mention grows or ends early. Words joined
    are no longer there to be parted.

    kinds  split, join or both; where both can happen to a word one is drawn
    """

    share: float = 0.1
    kinds: tuple[str, ...] = KINDS

    def __post_init__(self) -> None:
        NoiseOptions.__post_init__(self)
        unknown = [kind for kind in self.kinds if kind not in KINDS]
        if unknown or not self.kinds:
            raise SpecError(f"kinds: expected some of {', '.join(KINDS)}, got {', '.join(unknown) or 'none'}")

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """Edits from left to right."""
        places = {place.at: place for place in self.places(sentence)}
        possible = {index: kinds for index in places if (kinds := self._kinds_at(sentence, index, places))}
        if not possible:
            return Proposal(reason="no word to part or to join", applicable=False)
        edits: list[Edit] = []
        for place in self.chosen([places[index] for index in possible], draws):
            if edits and edits[-1].end > place.at:
                continue
            kinds = possible[place.at]
            kind = kinds[int(draws.share("kind", place.at) * len(kinds))]
            edits.append(_split(sentence, place, draws) if kind == "split" else _joined(sentence, place))
        touched = {places[index].mention for index in possible} - {None}
        return Proposal(tuple(edits), reason="" if edits else NOT_CHOSEN, attackable=len(touched))

    def _kinds_at(self, sentence: Sentence, index: int, places: dict[int, Place]) -> tuple[str, ...]:
        word, after = sentence.tokens[index], places.get(index + 1)
        can = {
            "split": is_word(word) and len(clusters(word)) > 1,
            "join": after is not None
            and after.mention == places[index].mention
            and _can_join(word, sentence.tokens[index + 1]),
        }
        return tuple(kind for kind in self.kinds if can[kind])


def _can_join(first: str, second: str) -> bool:
    """Whether both are words, and run together no character melts into another."""
    together = clusters(first + second)
    return is_word(first) and is_word(second) and together == clusters(first) + clusters(second)


def _split(sentence: Sentence, place: Place, draws: Draws) -> Edit:
    parts = clusters(sentence.tokens[place.at])
    at = 1 + int(draws.share("at", place.at) * (len(parts) - 1))
    new = ("".join(parts[:at]), "".join(parts[at:]))
    return Edit(place.at, place.at + 1, new, place.kind, was(sentence, place.at, place.at + 1))


def _joined(sentence: Sentence, place: Place) -> Edit:
    start, end = place.at, place.at + 2
    return Edit(start, end, ("".join(sentence.tokens[start:end]),), place.kind, was(sentence, start, end))
