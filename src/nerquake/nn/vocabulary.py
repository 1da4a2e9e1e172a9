"""Words and their parts as numbers, made from training sentences alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from nerquake.core.errors import InputError

PADDING, UNKNOWN, FIRST = 0, 1, 2
"""What numbers 0 and 1 stand for in every table, and the number of its first item."""
CHARACTERS_READ = 48
"""Characters of a word that are read at most: half of them from its front, half from its end."""
AFFIX_COUNT = 2
"""How often a prefix, a suffix, a shape or a character must stand in the training data to have a number."""
PARTS = ("words", "characters", "prefixes", "suffixes", "shapes")


class WordNumbers(NamedTuple):
    """A word as numbers.

    word        its normal form
    affixes     prefix, suffix and shape
    characters  one at least, `CHARACTERS_READ` at most
    """

    word: int
    affixes: tuple[int, int, int]
    characters: tuple[int, ...]


class Parts(NamedTuple):
    """What of a word has a number of its own."""

    word: str
    prefix: str
    suffix: str
    shape: str
    characters: str


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What has a number: words in normal form, characters, and the beginnings, ends and shapes of words.

    Each is a table of different texts; the number of a text is its place plus `FIRST`.
    """

    words: tuple[str, ...]
    characters: tuple[str, ...]
    prefixes: tuple[str, ...]
    suffixes: tuple[str, ...]
    shapes: tuple[str, ...]
    _numbers: tuple[dict[str, int], ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        tables = [{text: at for at, text in enumerate(getattr(self, part), FIRST)} for part in PARTS]
        object.__setattr__(self, "_numbers", tuple(tables))
        twice = [part for part, table in zip(PARTS, tables, strict=True) if len(table) != len(getattr(self, part))]
        if twice:
            raise ValueError(f"{', '.join(twice)}: a text stands there twice")

    def numbers(self, word: str) -> WordNumbers:
        """A word as numbers, `UNKNOWN` for what has none. An empty word is one unknown character."""
        words, characters, *tables = self._numbers
        parts = parts_of(word)
        first, last, shape = (
            table.get(text, UNKNOWN)
            for table, text in zip(tables, (parts.prefix, parts.suffix, parts.shape), strict=True)
        )
        letters = tuple(characters.get(letter, UNKNOWN) for letter in parts.characters) or (UNKNOWN,)
        return WordNumbers(words.get(parts.word, UNKNOWN), (first, last, shape), letters)

    @property
    def sizes(self) -> dict[str, int]:
        """How many numbers each table takes, padding and unknown included."""
        return {part: len(getattr(self, part)) + FIRST for part in PARTS}

    def as_dict(self) -> dict[str, list[str]]:
        """As JSON holds it."""
        return {part: list(getattr(self, part)) for part in PARTS}


def vocabulary_of(sentences: Iterable[Sequence[str]], min_count: int = 1) -> Vocabulary:
    """The vocabulary of tokenised sentences: the frequent first, ties in the order of code points.

    min_count  how often a word, in normal form, must be there
    """
    tokens = Counter(token for sentence in sentences for token in sentence)
    counts: tuple[Counter[str], ...] = tuple(Counter() for _ in PARTS)
    words, characters, prefixes, suffixes, shapes = counts
    for token, number in tokens.items():
        parts = parts_of(token)
        words[parts.word] += number
        prefixes[parts.prefix] += number
        suffixes[parts.suffix] += number
        shapes[parts.shape] += number
        for letter in parts.characters:
            characters[letter] += number
    least = (min_count, *[AFFIX_COUNT] * (len(PARTS) - 1))
    return Vocabulary(*(_frequent(*pair) for pair in zip(counts, least, strict=True)))


def vocabulary_from(record: Any, where: str) -> Vocabulary:
    """The vocabulary that `as_dict` wrote.

    where  what messages call the file

    Raises:
        InputError: it is something else.
    """
    good = isinstance(record, Mapping) and all(
        isinstance(record.get(part), list) and all(isinstance(text, str) for text in record[part]) for part in PARTS
    )
    if not good:
        raise InputError(f"{where}: its vocabulary is damaged: expected lists of texts called {', '.join(PARTS)}")
    try:
        return Vocabulary(*(tuple(record[part]) for part in PARTS))
    except ValueError as error:
        raise InputError(f"{where}: its vocabulary is damaged: {error}") from None


def normal(word: str) -> str:
    """A word's normal form: lower case, every digit a 0."""
    return _zeros(word.lower())


def parts_of(word: str) -> Parts:
    """The parts of a word. Case is kept in all but the normal form; digits are 0 in all of them."""
    plain = _zeros(word)
    half = CHARACTERS_READ // 2
    read = plain if len(plain) <= CHARACTERS_READ else plain[:half] + plain[-half:]
    return Parts(normal(word), plain[:3], plain[-3:], shape_of(plain), read)


def shape_of(word: str) -> str:
    """The shape of a word, such as xXxxx00 of iPhone15: X for capitals, x for other letters, 0 for digits.

    Runs are cut to three. Marks on letters, as Devanagari has them, count as letters; other signs stay if ASCII.
    """
    signs = map(_sign, word[:CHARACTERS_READ])
    return "".join(sign * min(3, sum(1 for _ in run)) for sign, run in groupby(signs))


def _sign(letter: str) -> str:
    if letter.isalpha():
        return "X" if letter.isupper() or letter.istitle() else "x"
    if letter.isdigit():
        return "0"
    return letter if letter.isascii() else "x" if letter.isidentifier() or ("a" + letter).isidentifier() else "?"


def _zeros(text: str) -> str:
    if text.isalpha():
        return text
    return "".join("0" if letter.isdigit() else letter for letter in text)


def _frequent(counts: Counter[str], least: int) -> tuple[str, ...]:
    kept = [text for text, number in counts.items() if number >= least]
    return tuple(sorted(kept, key=lambda text: (-counts[text], text)))
