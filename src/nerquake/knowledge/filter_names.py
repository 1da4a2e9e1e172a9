"""Filters by names: those seen in data, those that are not ASCII, and those that a tagger knows without any context."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nerquake.core.dataset import Dataset
from nerquake.core.errors import PluginError, guarded
from nerquake.core.language import language_of
from nerquake.core.protocols import Tagger, Tagging
from nerquake.knowledge.filters import Condition, Drawn
from nerquake.knowledge.label_types import LabelTypes, shipped
from nerquake.knowledge.link_context import forms, mention_text
from nerquake.knowledge.text import key_of

BATCH = 256
_NOT_ASCII = r"regexp_matches(name, '[^\x00-\x7F]')"
Tokenise = Callable[[str], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Unseen:
    """Withholds names that are mentions in labelled data, of whatever type; case and blanks do not count.

    corpora  the data sets
    """

    corpora: tuple[Dataset, ...]

    @property
    def name(self) -> str:
        """With the names of the files."""
        return f"unseen: {', '.join(corpus.name for corpus in self.corpora)}"

    def condition(self, drawn: Drawn) -> Condition:
        """Names with the key of a mention, or of a form of it."""
        keys = {key_of(form) for corpus in self.corpora for form in _mention_forms(corpus)}
        return Condition(named("SELECT key FROM asked"), {"key": np.array(sorted(keys), np.uint64)})


def named(keys: str) -> str:
    """A condition: the name has one of the keys that a query gives."""
    return f"(id, name) IN (SELECT (id, name) FROM names WHERE key IN ({keys}))"


def _mention_forms(corpus: Dataset) -> Iterable[str]:
    language = language_of(corpus).code
    texts = {mention_text(sentence, span) for sentence in corpus for span in sentence.spans}
    return (form for text in texts for form in forms(text, language))


@dataclass(frozen=True, slots=True)
class Ascii:
    """Withholds names that are not ASCII alone, as the paper does; given and family names too."""

    name: str = "ascii"

    def condition(self, drawn: Drawn) -> Condition:
        """Names with another character."""
        return Condition(_NOT_ASCII, people=_NOT_ASCII)


@dataclass(frozen=True, slots=True)
class Easy:
    """Withholds names that a tagger gives the right type to when they are all that it sees.

    tagger    asked about every name as a sentence of its own
    called    the tagger in what the dictionary says
    tokenise  a name's tokens
    types     the name types of the tagger's labels
    progress  called with the number of names just tagged
    """

    tagger: Tagger
    called: str
    tokenise: Tokenise
    types: LabelTypes = field(default_factory=shipped)
    progress: Callable[[int], object] | None = None

    @property
    def name(self) -> str:
        """With the tagger."""
        return f"easy: {self.called}"

    def condition(self, drawn: Drawn) -> Condition:
        """Names whose every token is in one mention of a type that the name's class has."""
        wanted: dict[str, set[str]] = {}
        for name, type_ in drawn.names():
            wanted.setdefault(name, set()).add(type_)
        names = list(wanted)
        easy: list[tuple[str, str]] = []
        for start in range(0, len(names), BATCH):
            batch = names[start : start + BATCH]
            for name, found in zip(batch, self._types(batch), strict=True):
                easy += [(name, type_) for type_ in sorted(wanted[name] & found)]
            if self.progress is not None:
                self.progress(len(batch))
        return Condition(_EASY, {"name": _texts([name for name, _ in easy]), "type": _texts([one for _, one in easy])})

    def _types(self, names: Sequence[str]) -> list[set[str]]:
        """For each name the types that the tagger gives to the whole of it."""
        batch = [self.tokenise(name) for name in names]
        with guarded(f"{self.called}, tagging names from {names[0]!r}"):
            answers = list(self.tagger.predict(batch))
        if len(answers) != len(batch):
            raise PluginError(f"{self.called} gave {len(answers)} answers for {len(batch)} names")
        return [
            {type_ for label in _whole(answer, len(tokens)) for type_ in self.types.of(label)}
            for answer, tokens in zip(answers, batch, strict=True)
        ]


_EASY = """
    (class, type, lang, id) IN (
        SELECT (drawn.class, drawn.type, lang, id) FROM drawn
        JOIN class_type ON class_type.class = drawn.class AND drawn.type IN ('', class_type.type)
        JOIN asked ON asked.name = drawn.name AND asked.type = class_type.type)
"""


def _whole(answer: Tagging, size: int) -> list[str]:
    """The labels of mentions that are a whole sentence."""
    return [span.label for span in answer.spans if (span.start, span.end) == (0, size)]


def _texts(values: Sequence[str]) -> np.ndarray[Any, Any]:
    return np.array(values, np.object_)
