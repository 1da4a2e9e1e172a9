"""What backends share that write running text: mentions as they stand in it, and which answers are candidates."""

from __future__ import annotations

from collections.abc import Iterable

from nerquake.core.sentence import Sentence

NO_WORD = "no word in it"
SAME = "the model repeats the sentence"
EMPTY = "the model says nothing"


def has_word(sentence: Sentence) -> bool:
    """Whether there is a letter or digit in it, so that there may be another way to say it."""
    return any(char.isalnum() for token in sentence.tokens for char in token)


def surface(sentence: Sentence, start: int, end: int) -> str:
    """Some of a sentence's tokens as they stand in its running text (`Sentence.text`)."""
    blanks = sentence.spaces or (True,) * len(sentence)
    inner = range(start, end - 1)
    return "".join(sentence.tokens[at] + " " * blanks[at] for at in inner) + sentence.tokens[end - 1]


def different(texts: Iterable[str], original: str) -> list[str]:
    """The texts that have anything in them and differ from the original by more than blanks, each once, in order."""
    same = _without_blanks(original)
    return [text for text in dict.fromkeys(texts) if text and _without_blanks(text) != same]


def _without_blanks(text: str) -> str:
    """Tokens and running text differ by blanks alone."""
    return "".join(text.split())
