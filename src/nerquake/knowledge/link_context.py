"""Words of a sentence that may tell two items with one name apart, and the forms in which a mention may be a name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from nerquake.core.linking import Mentioned
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.knowledge.text import folded

_UNSPACED = frozenset({"zh", "ja", "th", "lo", "km", "my"})
"""Languages that write no blanks between words: pairs of characters stand for words."""
_ARTICLES = {"en": ("the",), "de": ("der", "die", "das", "den", "dem", "des")}
_BEFORE = re.compile(r" (?=[,.;:!?)\]}%»”…]|['’][sS]\b)")
_BEHIND = re.compile(r"(?<=[(\[{«“„]) ")
_INSIDE = re.compile(r"(?<=\w) ([-–/&'’]) (?=\w)")
_ELIDED = re.compile(r"(?<=\w['’]) (?=\w)")
_POSSESSIVE = re.compile(r" ?['’][sS]$")


def mention_text(sentence: Sentence, span: Span) -> str:
    """A mention as it stands: with the file's own blanks where they are known, else with one between tokens."""
    if sentence.spaces is None:
        return sentence.surface(span)
    tokens = zip(sentence.tokens[span.start : span.end], sentence.spaces[span.start : span.end], strict=True)
    return "".join(token + (" " if space else "") for token, space in tokens).strip()


@lru_cache(maxsize=1 << 16)
def forms(text: str, language: str) -> tuple[str, ...]:
    """The forms in which a mention may be a name of an item, the likeliest first.

    As it stands; without blanks around its punctuation (`Washington , D.C.`); without an article in front or a
    possessive behind it; without any blanks in languages that write none, where tokens may be single characters.
    """
    if text.replace(" ", "").isalnum() and language not in _ARTICLES and language not in _UNSPACED:
        return (text,)
    tidy = _BEHIND.sub("", _BEFORE.sub("", text))
    found = [text, tidy, _ELIDED.sub("", _INSIDE.sub(r"\1", tidy))]
    found += [_POSSESSIVE.sub("", form) for form in found]
    first, _, rest = tidy.partition(" ")
    if rest and first.casefold() in _ARTICLES.get(language, ()):
        found.append(rest)
    if language in _UNSPACED:
        found.append(text.replace(" ", ""))
    return tuple(dict.fromkeys(filter(None, found)))


def bare(text: str) -> str:
    """A text as two forms of a mention are compared: folded, without blanks, as files part tokens differently."""
    return folded(text).replace(" ", "")


def context_words(mention: Mentioned) -> frozenset[str]:
    """The words of a mention's sentence outside the mention, stop words left out."""
    span = mention.sentence.spans[mention.index]
    tokens = mention.sentence.tokens
    return words((*tokens[: span.start], *tokens[span.end :]), mention.language)


def words(tokens: Iterable[str], language: str) -> frozenset[str]:
    """Words as they are compared, stop words left out."""
    if language in _UNSPACED:
        text = "".join(folded(token) for token in tokens).replace(" ", "")
        pairs = (text[at : at + 2] for at in range(len(text) - 1))
        return frozenset(pair for pair in pairs if all(map(_in_word, pair)))
    return frozenset(word for token in tokens for word in _split(token)) - stop_words(language)


@lru_cache(maxsize=1 << 16)
def _split(token: str) -> tuple[str, ...]:
    """A token's words: runs of letters, marks and digits of two characters or more."""
    text = folded(token)
    if not text.isalnum():
        text = "".join(char if _in_word(char) else " " for char in text)
    return tuple(word for word in text.split() if len(word) > 1)


def _in_word(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char)[0] == "M"


@lru_cache(maxsize=64)
def stop_words(language: str) -> frozenset[str]:
    """Words that say nothing of what a sentence is about; none for languages that the list does not have."""
    from stop_words import StopWordError, get_stop_words

    try:
        return frozenset(folded(word) for word in get_stop_words(language))
    except StopWordError:
        return frozenset()
