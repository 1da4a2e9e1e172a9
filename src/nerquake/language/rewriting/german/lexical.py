"""`zwei` and `2`; `in dem` and `im`."""

from __future__ import annotations

from collections.abc import Iterator

from nerquake.language.rewriting.tree import Rewriting, Rule, RuleKind, Tree, Word

WORDS = ("zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf")
DIGITS = {str(number): word for number, word in enumerate(WORDS, start=2)}
NUMBERS = {word: digit for digit, word in DIGITS.items()}
UNITS = frozenset({
    "%", "prozent", "euro", "dollar", "cent", "km", "m", "cm", "mm", "kg", "g", "t", "uhr", "grad", "punkt", "million",
    "milliarde", "kilometer", "meter", "zentimeter", "liter", "hektar", "watt", "volt", "tor", "€", "$",
})  # fmt: skip
"""Units beside which figures are the rule, by lemma."""
SHORT = {
    ("in", "dem"): "im", ("an", "dem"): "am", ("zu", "dem"): "zum", ("zu", "der"): "zur", ("von", "dem"): "vom",
    ("bei", "dem"): "beim",
}  # fmt: skip
LONG = {short: pair for pair, short in SHORT.items()}
POINTING_BACK = frozenset({"welche", "welcher", "welches", "welchen", "welchem", "der", "die", "das", "den", "dem"})


class NumberWords(Rule):
    """Figures as words and words as figures, where a number counts the noun behind it."""

    name = "number"
    kind: RuleKind = "lexical"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each number from two to twelve; not in dates, scores, sums of money or mentions."""
        for word in tree.words:
            new = DIGITS.get(word.text) or NUMBERS.get(word.text)
            if new is not None and word.dep == "nummod" and self._counts(tree, word):
                yield Rewriting(self.name, word.index, word.index + 1, (new,), self.kind)

    def _counts(self, tree: Tree, number: Word) -> bool:
        noun, at = tree.words[number.head], number.index
        if noun.pos != "NOUN" or not at < noun.index <= at + 2 or tree.children(at) or at == 0:
            return False
        if noun.lemma.lower() in UNITS or noun.morph.get("Number") == "Sing":
            return False
        if any(tree.mention_at(place) is not None for place in range(at, noun.index + 1)):
            return False
        if at > 1 and tree.words[at - 2].pos == "NUM":
            return False  # "drei von zehn Frauen"
        return tree.words[at - 1].pos in ("VERB", "AUX", "ADP", "DET", "PRON", "SCONJ", "CCONJ", "ADV") and (
            tree.words[at - 1].text.lower() not in ("bis", "oder", "und", "zwischen", "zu")
        )


class Contraction(Rule):
    """A preposition and the article behind it as one word."""

    name = "contraction"
    kind: RuleKind = "lexical"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each pair that belongs to the same noun, which no relative clause points out."""
        for word in tree.words[:-1]:
            article = tree.words[word.index + 1]
            short = SHORT.get((word.text, article.text))
            if short is None or word.dep != "case" or article.dep != "det" or word.head != article.head:
                continue
            if _in_mention(tree, word.index, article.index) or _is_pointed_out(tree, word.head):
                continue
            yield Rewriting(self.name, word.index, article.index + 1, (short,), self.kind)


class Expansion(Rule):
    """`im Haus , das ..` as `in dem Haus , das ..`: only before a relative clause, which points the noun out."""

    name = "expansion"
    kind: RuleKind = "lexical"

    def find(self, tree: Tree) -> Iterator[Rewriting]:
        """One for each contraction before a noun with a relative clause."""
        for word in tree.words:
            pair = LONG.get(word.text)
            if pair is None or word.dep != "case" or _in_mention(tree, word.index):
                continue
            if tree.words[word.head].pos == "NOUN" and _is_pointed_out(tree, word.head):
                yield Rewriting(self.name, word.index, word.index + 1, pair, self.kind)


def _in_mention(tree: Tree, *places: int) -> bool:
    return any(tree.mention_at(at) is not None for at in places)


def _is_pointed_out(tree: Tree, noun: int) -> bool:
    """Whether a relative clause says which one is meant."""
    for clause in tree.children(noun, "acl:relcl", "acl", "acl:rel"):
        opener = tree.words[min(tree.subtree(clause.index))]
        words = [opener, *tree.words[opener.index + 1 : opener.index + 3]]
        if any(word.pos == "PRON" and word.text.lower() in POINTING_BACK for word in words):
            return True
    return False
