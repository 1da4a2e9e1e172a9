"""Case: a text in small letters, in capitals, or with a capital on every word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nerquake.core.options import positional
from nerquake.core.protocols import Context, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.perturb.noise.words import NoiseOptions, propose_words

Form = Literal["lower", "upper", "title"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case(NoiseOptions):
    """Every word in lower case, in upper case, or with its first letter alone in upper case.

    By Unicode's full mapping, in which a word may grow: `Groß` becomes `GROSS`, `İzmir` `i̇zmir`. Tokens and mentions
    stay as they are. Scripts without case are left alone.

    form  lower, upper or title
    """

    form: Literal["lower", "upper", "title"] = positional("lower")

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """One edit for each word whose case changes."""
        return propose_words(sentence, self, draws, lambda word, _: cased(word, self.form), f"no word to {self.form}")


def cased(word: str, form: Form) -> str:
    """The word in that form."""
    return {"lower": word.lower, "upper": word.upper, "title": word.capitalize}[form]()
