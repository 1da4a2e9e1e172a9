"""Diacritics: accents lost, written out, or stored in Unicode's other form."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Literal

from nerquake.core.options import positional
from nerquake.core.protocols import Context, Proposal
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.perturb.noise.words import NoiseOptions, propose_words

_FOLDED = {
    "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "oe", "å": "aa", "þ": "th", "ð": "d",
    "ł": "l", "đ": "d", "ı": "i",
}  # fmt: skip
_BARE = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "þ": "th", "ð": "d", "ł": "l", "đ": "d", "ı": "i", "ħ": "h"}
_ALPHABETS = ("LATIN", "GREEK", "CYRILLIC")
_MARKS = frozenset(map(chr, range(0x0300, 0x0370)))
"""Accents that no composed letter has, as a code point of their own."""
_NUKTA, _CANDRABINDU, _ANUSVARA = "\u093c", "\u0901", "\u0902"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diacritics(NoiseOptions):
    """Letters without their accents, or with them in another form.

    form   strip, fold or decompose:

    strip      letters alone: `Müller` as `Muller`, `Łódź` as `Lodz`; in Devanagari the nukta goes and the candrabindu
               becomes an anusvara, as is often written (vowel signs are no accents and stay)
    fold       written out where a language does so: `Mueller`, `Strasse`, `Aarhus`; other letters as with strip
    decompose  the same text in Unicode's other form: composed letters become letter and mark (NFD), and the reverse
               (NFC) where they are decomposed. Nothing changes for the eye
    """

    form: Literal["strip", "fold", "decompose"] = positional("strip")

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        """One edit for each word that changes."""
        change = _other_form if self.form == "decompose" else self._plain
        return propose_words(sentence, self, draws, change, "no letter with a diacritic")

    def _plain(self, word: str, _: Random) -> str:
        if word.isascii():
            return word
        table = _FOLDED if self.form == "fold" else _BARE
        composed = unicodedata.normalize("NFC", word)
        made = "".join(_replaced(letter, table) for letter in composed)
        return word if made == composed else made


def _other_form(word: str, _: Random) -> str:
    decomposed = unicodedata.normalize("NFD", word)
    return decomposed if decomposed != word else unicodedata.normalize("NFC", word)


def _replaced(letter: str, table: dict[str, str]) -> str:
    if letter.isascii():
        return letter
    small = letter.lower()
    if small in table:
        return _as_case_of(letter, table[small])
    return _stripped(letter)


def _as_case_of(letter: str, text: str) -> str:
    return text.capitalize() if letter != letter.lower() else text


@cache
def _stripped(letter: str) -> str:
    """The letter without marks; those of other alphabets stay."""
    if letter == _NUKTA:
        return ""
    if letter == _CANDRABINDU:
        return _ANUSVARA
    parts = unicodedata.normalize("NFD", letter)
    if len(parts) > 1 and parts[1] == _NUKTA:
        return parts[0]
    if letter in _MARKS:
        return ""
    if unicodedata.name(parts[0], "").partition(" ")[0] not in _ALPHABETS:
        return letter
    return "".join(part for part in parts if unicodedata.category(part) != "Mn")
