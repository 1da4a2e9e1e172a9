"""Letters: every letter of a mention becomes another one (paper R's Random Masking)."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from nerquake.core.dataset import Dataset
from nerquake.core.language import language_of, normalise
from nerquake.core.protocols import Context, Prepared, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.variant import Level
from nerquake.language.stopwords import stop_list
from nerquake.perturb.alphabets import stand_ins
from nerquake.perturb.base import Mention, MentionOptions, Replacement, propose_replacements

NO_LETTER = "no letter to change"


@dataclass(frozen=True, slots=True, kw_only=True)
class Letters(MentionOptions):
    """Every letter of a mention becomes a random other one of the same script and case.

    The case pattern, digits, punctuation, the number of tokens and their lengths stay. So do stop words inside a
    mention (`Bank of England`: `of`), unless it has no other word (`The Who`, `Microsoft`, which stop word lists
    hold), and unless an abbreviation only looks like one (`US`). Scripts with vowel signs stay well formed.

    stop_words   keep stop words
    language     whose stop words; by default the data set's
    """

    stop_words: bool = True
    language: str = ""

    @property
    def level(self) -> Level:
        """Mentions."""
        return "entity"

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        """Look up the language's stop words."""
        notes = self.notes_on(corpus)
        if not self.stop_words:
            return Prepared(frozenset(), tuple(notes))
        code, note = normalise(self.language), ""
        if not code:
            code, note = language_of(corpus)
        words = stop_list(code)
        if note:
            notes.append(f"letters: {note}")
        if not words:
            notes.append(f"letters: no list of stop words for {code or 'this language'}, so none are kept")
        return Prepared(words, tuple(notes))

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """Edits that replace the sentence's chosen mentions."""
        words: frozenset[str] = context.state

        def replace(mention: Mention) -> Replacement | None:
            tokens = _scramble(mention.tokens, words, draws.of("").random(*mention.unit))
            return None if tokens == mention.tokens else Replacement(tokens, (("was", mention.text),))

        return propose_replacements(sentence, self, draws, replace, NO_LETTER)


def _scramble(tokens: tuple[str, ...], stop_words: frozenset[str], rng: Random) -> tuple[str, ...]:
    """The tokens with their letters replaced, but for stop words beside another word."""
    shouted = len(tokens) > 1 and all(token.isupper() for token in tokens if any(map(str.isalpha, token)))
    kept = [_is_stop_word(token, stop_words, shouted) for token in tokens]
    if all(keep or not any(map(str.isalpha, token)) for keep, token in zip(kept, tokens, strict=True)):
        kept = [False] * len(tokens)
    return tuple(token if keep else _other_letters(token, rng) for token, keep in zip(tokens, kept, strict=True))


def _is_stop_word(token: str, stop_words: frozenset[str], shouted: bool) -> bool:
    """Whether it is one as written, with a capital, or in a mention all in capitals; `US` alone is not `us`."""
    return token in stop_words or (
        token.lower() in stop_words and (shouted or len(token) == 1 or not token[1:].isupper())
    )


def _other_letters(token: str, rng: Random) -> str:
    made: list[str] = []
    for index, character in enumerate(token):
        choices = stand_ins(character, token[index + 1 : index + 2])
        made.append(choices[int(rng.random() * len(choices))] if choices else character)
    return "".join(made)
