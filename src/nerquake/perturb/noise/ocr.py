"""OCR: what a scanner takes for something that looks alike."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from nerquake.core.errors import SpecError
from nerquake.core.protocols import Context, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.perturb.noise.clusters import clusters
from nerquake.perturb.noise.words import NoiseOptions, propose_words

_ALIKE = (
    "l1I|", "O0Q", "o0", "S5", "B8", "Z2", "G6", "g9q", "ec", "hb", "tf", "nu", "aoe", "vy", "EF", "CG", "UV", "ij",
    "ßB", "äa", "öo", "üu", "éeè",
    "बव", "भम", "घध", "पषय", "टठ", "ढठ", "डङ", "खर", "थय", "रस", "नत", "जञ",
)  # fmt: skip
"""Characters of one look, each of which may be read as another of its group."""
_SEVERAL = {
    "rn": "m", "m": "rn", "cl": "d", "d": "cl", "vv": "w", "w": "vv", "ii": "ü", "li": "h", "h": "li", "fi": "ﬁ",
    "nn": "m", "in": "m", "ri": "n", "IN": "M", "VV": "W",
}  # fmt: skip
"""Letters that run into one, and the reverse."""
READ_AS: dict[str, tuple[str, ...]] = {}
for _group in _ALIKE:
    for _one in _group:
        READ_AS[_one] = tuple(sorted({*READ_AS.get(_one, ()), *(other for other in _group if other != _one)}))
READ_AS["ﬁ"] = ("fi",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ocr(NoiseOptions):
    """Characters read as others that look alike: `rn` as `m`, `l` as `1`, `O` as `0`, `घ` as `ध`.

    A word counts as one that can be changed where it has a character with a look-alike. In Devanagari only the letter
    of a syllable is misread; its signs stay, so that it is still a syllable.

    errors  most misreadings in a word; the first is made at a drawn place, each further one with even chance
    """

    share: float = 0.2
    errors: int = 1

    def __post_init__(self) -> None:
        NoiseOptions.__post_init__(self)
        if self.errors < 1:
            raise SpecError(f"errors: expected 1 or more, got {self.errors}")

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """One edit for each word that is misread."""
        return propose_words(sentence, self, draws, self._misread, "no character that looks like another")

    def _misread(self, word: str, rng: Random) -> str:
        for _ in range(self.errors):
            word = _once(word, rng)
            if rng.random() < 0.5:
                break
        return word


def _once(word: str, rng: Random) -> str:
    parts = clusters(word)
    choices = [(at, 1, new) for at, part in enumerate(parts) for new in _readings(part)]
    choices += [
        (at, 2, _SEVERAL[pair]) for at in range(len(parts) - 1) if (pair := parts[at] + parts[at + 1]) in _SEVERAL
    ]
    if not choices:
        return word
    places = sorted({at for at, _, _ in choices})
    place = places[int(rng.random() * len(places))]
    at_place = [choice for choice in choices if choice[0] == place]
    at, width, new = at_place[int(rng.random() * len(at_place))]
    return "".join((*parts[:at], new, *parts[at + width :]))


def _readings(part: str) -> list[str]:
    """What a cluster may be read as."""
    found = [alike + part[1:] for alike in READ_AS.get(part[0], ())]
    if part in _SEVERAL:
        found.append(_SEVERAL[part])
    return [each for each in found if len(clusters(each)) == 1 or len(part) == 1]
