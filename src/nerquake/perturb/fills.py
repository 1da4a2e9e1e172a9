"""Which candidates of a masked language model may stand in a sentence, and why the others may not (case 7)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.fillers import Fill

SPECIAL = "special token"
EMPTY = "empty"
PIECE = "piece of a word"
SEVERAL = "more than one token"
PUNCTUATION = "punctuation"
SAME = "the word that stood there"
CAPITALISED = "capitalised where the word was not"
NAME = "a mention of the set or a listed name"
SCRIPT = "other script"
NOT_ASCII = "not ASCII"
BARE = "written without its vowel signs"
VOWEL_SIGNS = frozenset(
    [
        "DEVANAGARI",
        "BENGALI",
        "GURMUKHI",
        "GUJARATI",
        "ORIYA",
        "TAMIL",
        "TELUGU",
        "KANNADA",
        "MALAYALAM",
        "SINHALA",
        "THAI",
        "LAO",
        "MYANMAR",
        "KHMER",
        "TIBETAN",
    ]
)
"""Scripts in which a word without its marks is another word, or none: tokenizers that drop capitals drop marks too."""
_MARK = re.compile(r"\[[A-Z]+\d*\]|</?[a-z]+>|<\|.*\|>")
_PIECE = re.compile(r"##.|▁.|Ġ.")


class _Known(NamedTuple):
    """What a text is held against, looked up once: models propose the same words again and again.

    broken   the rule that it breaks wherever it stands, empty where it breaks none
    late     such a rule that comes after those that depend on the word that stood there
    """

    broken: str
    late: str
    folded: str
    capital: bool
    scripts: frozenset[str]


@dataclass(frozen=True, slots=True)
class FillRules:
    """What a candidate is held against, one rule after another; the first that it breaks is its reason.

    names   texts, case-folded, that no fill may equal: mentions of the data set, names of the user's list
    ascii   take fills in ASCII only (paper R's released code)
    marked  fills have their accents and vowel signs; False: the model's tokenizer drops them, as it drops capitals
    """

    names: Collection[str] = frozenset()
    ascii: bool = False
    marked: bool = True
    _known: dict[tuple[str, str], _Known] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(
        cls, corpus: Dataset, names: Collection[str] = (), *, ascii_only: bool = False, marked: bool = True
    ) -> FillRules:
        """The rules for a data set."""
        mentions = {s.mention(span)[0].casefold() for s in corpus for span in s.spans if span.width == 1}
        return cls(frozenset(mentions.union(name.casefold() for name in names)), ascii_only, marked)

    def reason(self, fill: Fill, old: str, beside: str) -> str:
        """Why a fill cannot stand where `old` stood; empty where it can.

        beside   the sentence's other words: they tell the script where `old` has no letters
        """
        entry = (fill.text, fill.kind)
        known = self._known.get(entry)
        if known is None:
            known = self._known[entry] = self._look(fill)
        if known.broken:
            return known.broken
        if known.folded == old.casefold() or (not self.marked and known.folded == _unmarked(old)):
            return SAME
        if known.capital and not has_capital(old):
            return CAPITALISED
        if known.late:
            return known.late
        return "" if known.scripts <= (scripts(old) or scripts(beside)) else SCRIPT

    def _look(self, fill: Fill) -> _Known:
        text = fill.text
        folded = text.casefold()
        bare = not self.marked and not scripts(text).isdisjoint(VOWEL_SIGNS)
        late = (
            NAME if folded in self.names else NOT_ASCII if self.ascii and not text.isascii() else BARE if bare else ""
        )
        return _Known(_broken(fill), late, folded, has_capital(text), scripts(text))


def _broken(fill: Fill) -> str:
    """The rule that a fill breaks wherever it stands."""
    text = fill.text
    for reason, broken in (
        (SPECIAL, fill.kind == "special" or _MARK.fullmatch(text)),
        (EMPTY, not text or text.isspace()),
        (PIECE, fill.kind == "piece" or _PIECE.match(text)),
        (SEVERAL, any(map(str.isspace, text))),
        (PUNCTUATION, not is_word(text)),
    ):
        if broken:
            return reason
    return ""


@lru_cache(maxsize=1 << 16)
def is_word(token: str) -> bool:
    """Whether a token can be masked or put in: it holds a letter or a digit."""
    return any(unicodedata.category(character)[0] in "LN" for character in token)


@lru_cache(maxsize=1 << 16)
def has_capital(text: str) -> bool:
    """Whether any letter is a capital."""
    return any(map(str.isupper, text))


@lru_cache(maxsize=1 << 16)
def _unmarked(text: str) -> str:
    """Case-folded, without accents: `cafe` for `Café`."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(c for c in parts if unicodedata.category(c) != "Mn")


@lru_cache(maxsize=1 << 16)
def scripts(text: str) -> frozenset[str]:
    """The scripts of a text's letters, by the first word of their Unicode names."""
    found = (unicodedata.name(c, "").partition(" ")[0] for c in text if c.isalpha())
    return frozenset(name for name in found if name not in ("MODIFIER", "FEMININE", "MASCULINE", "MICRO"))


def in_case_of(fill: str, old: str) -> str:
    """A fill of a model without capitals, written as the word that stood there was: `Gestern` for `Heute`, not
    `gestern`."""
    if len(old) > 1 and old.isupper():
        return fill.upper()
    return fill[:1].upper() + fill[1:] if old[:1].isupper() else fill
