"""Mentions out of a model's reach: placeholders in their stead, which are put back when it has answered."""

from __future__ import annotations

import re
from typing import NamedTuple

from nerquake.core.sentence import Sentence
from nerquake.language.paraphrase_text import surface

NUMBER = "#"
"""Where a placeholder's number goes."""


class Shielded(NamedTuple):
    """A sentence as the model is shown it.

    text   with a placeholder for each mention
    form   of a placeholder, with `#` for its number
    texts  of the mentions by their numbers, as they stand in the running text
    taken  numbers of words of the sentence that look like placeholders
    """

    text: str
    form: str
    texts: dict[int, str]
    taken: frozenset[int] = frozenset()

    def restored(self, answer: str) -> str:
        """An answer with the mentions put back; as it is unless every placeholder stands in it, once, and no other.

        An answer that lost a placeholder has lost a mention: it is for the mapping to say so.
        """
        pattern = _placeholders(self.form)
        found = [number for match in pattern.finditer(answer) if (number := int(match["number"])) not in self.taken]
        if sorted(found) != sorted(self.texts):
            return answer
        return pattern.sub(lambda match: self.texts.get(int(match["number"]), match[0]), answer)


def _placeholders(form: str) -> re.Pattern[str]:
    """A placeholder as models write it: in any case, with or without blanks around the number."""
    before, after = (re.escape(part) for part in form.split(NUMBER))
    start = r"(?<!\w)" if form[0].isalnum() or form[0] == NUMBER else ""
    end = r"(?!\w)" if form[-1].isalnum() or form[-1] == NUMBER else ""
    first, last = f"{before} ?" if before else "", f" ?{after}" if after else ""
    return re.compile(rf"{start}{first}(?P<number>[0-9]{{1,6}}){last}{end}", re.IGNORECASE)


def shielded(sentence: Sentence, form: str) -> Shielded:
    """The sentence with a placeholder for each mention, numbered from 1, or from where no number stands in it yet."""
    taken = frozenset(int(match["number"]) for match in _placeholders(form).finditer(sentence.text))
    first = max(taken, default=0) + 1
    starts = {span.start: (number, span.end) for number, span in enumerate(sentence.spans, first)}
    blanks = sentence.spaces or (True,) * len(sentence)
    parts: list[str] = []
    texts: dict[int, str] = {}
    at = 0
    while at < len(sentence):
        number, end = starts.get(at, (0, at + 1))
        text = surface(sentence, at, end)
        if number:
            texts[number] = text
            text = form.replace(NUMBER, str(number))
        parts.append(text + " " * blanks[end - 1])
        at = end
    return Shielded("".join(parts).rstrip(" "), form, texts, taken)


def check_form(form: str) -> None:
    """See that a text is the form of a placeholder.

    Raises:
        ValueError: it has no place for the number, or blanks.
    """
    if form.count(NUMBER) != 1 or not form.replace(NUMBER, "") or any(char.isspace() for char in form):
        raise ValueError(
            f"shield={form}: expected a word with one # for the number, such as shield=ENT#, without blanks"
        )
    if any(char.isdecimal() for char in form):
        raise ValueError(f"shield={form}: digits beside the # would run together with the number")
