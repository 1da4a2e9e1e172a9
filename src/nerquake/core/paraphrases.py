"""What paraphrasers implement: candidates for another way to say a sentence.

A paraphraser proposes; `perturb/paraphrase.py` finds the mentions again, discards what lost one, and takes the most
different acceptable candidate. A paraphraser is a frozen dataclass: its fields are its options.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from nerquake.core.dataset import Dataset
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence

MOVED = 0.2
"""The share of pairs of words in another order (`inverted`) from which on a paraphrase has another structure."""


class Candidate(NamedTuple):
    """One other way to say a sentence.

    text        as running text, from a backend that does not know the data set's tokens; empty where `tokens` are given
    tokens      in the data set's tokenisation; empty where only the text is known
    origin      for each of `tokens` the token of the original that it is, None where it is new; empty where unknown
    rules       names of the rules, or of the model, that made it
    structural  whether more was done than words exchanged (contractions, number words, lexical alternations)
    """

    text: str = ""
    tokens: tuple[str, ...] = ()
    origin: tuple[int | None, ...] = ()
    rules: tuple[str, ...] = ()
    structural: bool = True


class Answer(NamedTuple):
    """What a paraphraser says of one sentence.

    candidates  in the backend's order of preference, the original itself left out
    reason      why there is none, in words that can be counted ("no rule applies", "refused", "timed out")
    """

    candidates: tuple[Candidate, ...] = ()
    reason: str = ""


class Paraphraser(Protocol):
    """Proposes other ways to say sentences.

    The answer for a sentence depends on nothing but the sentence, the options and its draws: not on the batch.
    """

    def lacks(self, language: str) -> str:
        """Why it cannot run for a language (two letters, empty where not known); empty where it can."""
        ...

    def paraphrase(self, sentences: Sequence[Sentence], draws: Draws) -> Sequence[Answer]:
        """One answer for each sentence, in order; `draws` have no sentence yet: use `draws.of(id)`.

        A backend may see labels (rules keep mentions whole, prompts name them), but gives no spans back.
        """
        ...

    def about(self) -> tuple[str, ...]:
        """Lines for the outputs: the model, its version, what it runs on."""
        ...

    def fingerprint(self) -> str:
        """A text that changes whenever its answers may change."""
        ...


@runtime_checkable
class Fitting(Protocol):
    """A paraphraser that takes something from the data set: its language, or whether a file is about it."""

    def fitted(self, corpus: Dataset, language: str) -> Paraphraser:
        """The paraphraser for a data set; loads no model.

        language   two letters, settled; an option of the paraphraser's own comes first

        Raises:
            UsageError, InputError: it does not fit.
        """
        ...


def inverted(places: Sequence[int]) -> float:
    """The share of pairs that are in falling order, Kendall's tau distance; 0 where there are less than two."""
    size = len(places)
    if size < 2:
        return 0.0
    seen: list[int] = []
    count = 0
    for place in places:
        count += len(seen) - bisect_left(seen, place)
        insort(seen, place)
    return count / (size * (size - 1) / 2)
