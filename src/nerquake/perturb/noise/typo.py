"""Typos: a wrong key, a letter left out, doubled, or in the wrong order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from nerquake.core.dataset import Dataset
from nerquake.core.errors import SpecError
from nerquake.core.language import language_of, normalise
from nerquake.core.protocols import Context, Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.perturb.noise.clusters import clusters, is_word
from nerquake.perturb.noise.keyboards import LAYOUTS, neighbours
from nerquake.perturb.noise.words import NoiseOptions, propose_words

Clusters = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Typo(NoiseOptions):
    """One slip of the fingers in each chosen word of enough characters.

    A character is a grapheme cluster, so no syllable, accent or emoji is cut: with `neighbour` the letter of a cluster
    gives way to one on a key beside it (QWERTY, QWERTZ, InScript), with `drop`, `double` and `transpose` whole clusters
    go, come twice, or change places.

    kinds     which slips; one is drawn for each word among those that can happen in it
    shortest  characters that a word must have
    language  whose keyboard; by default the data set's
    """

    share: float = 0.2
    kinds: tuple[str, ...] = ("neighbour", "drop", "double", "transpose")
    shortest: int = 4
    language: str = ""

    def __post_init__(self) -> None:
        NoiseOptions.__post_init__(self)
        unknown = [kind for kind in self.kinds if kind not in SLIPS]
        if unknown or not self.kinds:
            raise SpecError(f"kinds: expected some of {', '.join(SLIPS)}, got {', '.join(unknown) or 'none'}")
        if self.language and normalise(self.language) not in LAYOUTS:
            raise SpecError(f"language: expected one of {', '.join(LAYOUTS)}, whose keyboards are known")
        if self.shortest < 2:
            raise SpecError(f"shortest: a word needs 2 characters or more to have a typo, got {self.shortest}")

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        """Settle whose keyboard it is."""
        code, note = normalise(self.language), ""
        if not code:
            code, note = language_of(corpus)
        if not note and code not in LAYOUTS:
            note = f"no keyboard of {code} is known, keys are those of the English one ({', '.join(LAYOUTS)} are known)"
        return Prepared(code, (f"typo: {note}",) if note else ())

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """One edit for each word with a slip."""
        language: str = context.state
        return propose_words(
            sentence, self, draws, lambda word, rng: self._slipped(word, rng, language), "no word that is long enough"
        )

    def _slipped(self, word: str, rng: Random, language: str) -> str:
        parts = clusters(word)
        if len(parts) < self.shortest or not is_word(word):
            return word
        for kind in rng.sample(self.kinds, len(self.kinds)):
            for at in rng.sample(range(len(parts)), len(parts)):
                made = SLIPS[kind](parts, at, rng, language)
                if made != parts and clusters("".join(made)) == made:
                    return "".join(made)
        return word


def _neighbour(parts: Clusters, at: int, rng: Random, language: str) -> Clusters:
    """Another key, for one letter of a cluster; what leans on it stays."""
    places = [(place, keys) for place, letter in enumerate(parts[at]) if (keys := neighbours(letter, language))]
    if not places:
        return parts
    place, keys = places[int(rng.random() * len(places))]
    new = keys[int(rng.random() * len(keys))]
    return (*parts[:at], parts[at][:place] + new + parts[at][place + 1 :], *parts[at + 1 :])


def _drop(parts: Clusters, at: int, rng: Random, language: str) -> Clusters:
    return (*parts[:at], *parts[at + 1 :]) if at and is_word(parts[at]) else parts


def _double(parts: Clusters, at: int, rng: Random, language: str) -> Clusters:
    return (*parts[: at + 1], *parts[at:]) if is_word(parts[at]) else parts


def _transpose(parts: Clusters, at: int, rng: Random, language: str) -> Clusters:
    if at + 1 >= len(parts) or not (is_word(parts[at]) and is_word(parts[at + 1])):
        return parts
    return (*parts[:at], parts[at + 1], parts[at], *parts[at + 2 :])


SLIPS: dict[str, Callable[[Clusters, int, Random, str], Clusters]] = {
    "neighbour": _neighbour,
    "drop": _drop,
    "double": _double,
    "transpose": _transpose,
}
