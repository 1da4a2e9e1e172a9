"""`3 ships` becomes `three ships`, below ten; `three miles` becomes `3 miles`, up to twelve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerquake.language.rewriting.english.nominal import text_at
from nerquake.language.rewriting.english.words import TIMES
from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
DIGITS = {str(number): word for number, word in enumerate(WORDS, start=2) if number < 10}
NUMBERS = {word: str(number) for number, word in enumerate(WORDS, start=2)}
MEASURES = frozenset({
    "kilometre", "kilometer", "metre", "meter", "centimetre", "centimeter", "mile", "foot", "yard", "inch", "acre",
    "hectare", "tonne", "ton", "kilo", "kilogram", "gram", "pound", "litre", "liter", "gallon", "watt", "megawatt",
    "degree", "euro", "dollar",
})  # fmt: skip
"""Units, by lemma, that figures go with; other things are counted in words."""
LASTING = frozenset({"second", "minute", "hour", "day", "night", "week", "month", "year", "season", "decade", "time"})
"""Nouns for spans of time, by lemma, which are counted like things."""
BEFORE = frozenset({"VERB", "ADP", "DET", "AUX", "PRON", "SCONJ", "CCONJ"})
"""Parts of speech before a number that nothing else belongs to."""
UNITS = frozenset({
    "%", "percent", "pc", "km", "m", "cm", "mm", "kg", "g", "lb", "lbs", "ft", "mph", "kmh", "mb", "gb", "am", "pm",
    "a.m.", "p.m.", "point", "points", "million", "billion", "trillion", "degrees", "c", "f", "o'clock", "x", "inch",
    "inches", "gauge", "th", "st", "nd", "rd",
})  # fmt: skip
"""Units beside which figures are the rule."""


@dataclass(frozen=True, slots=True)
class NumberWords(Rule):
    """Figures as words where a small number counts the noun behind it, and words as figures before a unit."""

    name: str = "number"
    kind: RuleKind = "lexical"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each number from two to twelve; not in dates, times, scores, sums of money or mentions."""
        if len([word for word in tree.words if word.tag == "CD"]) > 1:
            return  # "four hours rather than one driver": they stay alike
        for word in tree.words:
            new = DIGITS.get(word.text) or NUMBERS.get(word.text)
            if new is not None and word.dep == "nummod" and self._counts(tree, word):
                yield Rewriting(self.name, word.index, word.index + 1, (new,), self.kind)

    def _counts(self, tree: Tree, number: Word) -> bool:
        noun, at = tree.words[number.head], number.index
        if number.text in NUMBERS and noun.lemma.lower() not in MEASURES:
            return False
        if noun.tag != "NNS" or not at < noun.index <= at + 3 or tree.children(at):
            return False
        if noun.lemma.lower() in TIMES - LASTING or text_at(tree, noun.index + 1) in {"-", "and", *UNITS}:
            return False
        here = tree.words[at : noun.index + 1]
        if any(tree.mention_at(one.index) is not None or one.text.lower() in UNITS for one in here):
            return False
        if any(one.pos not in ("ADJ", "NOUN") for one in here[1:-1]):
            return False
        if at == 0:
            return False
        before = tree.words[at - 1]
        return before.pos in BEFORE and before.text.lower() not in {"-", "to", "or", "and", "between"}
