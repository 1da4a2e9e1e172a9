"""Data sets and dictionaries for tests of linking."""

from __future__ import annotations

from collections.abc import Sequence

from tests.knowledge.given import Row

from nerquake.core.dataset import Dataset
from nerquake.core.linking import Mentioned
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.knowledge.linking import mentions_of

Marked = tuple[str, str]


def sentence(key: str, text: str, *mentions: Marked, **more: object) -> Sentence:
    """A sentence from a text with blanks between tokens, and its mentions as (tokens, label), in order."""
    tokens = tuple(text.split())
    spans, start = [], 0
    for words, label in mentions:
        wanted = tuple(words.split())
        start = next(at for at in range(start, len(tokens)) if tokens[at : at + len(wanted)] == wanted)
        spans.append(Span(start, start + len(wanted), label))
        start += len(wanted)
    return Sentence(key, tokens, tuple(spans), **more)  # type: ignore[arg-type]


def corpus(*sentences: Sentence, language: str = "en", name: str = "data.conll") -> Dataset:
    return Dataset(name, sentences, language=language)


def mentions(*sentences: Sentence, language: str = "en") -> list[Mentioned]:
    return mentions_of(corpus(*sentences, language=language))


def item(
    key: str, names: Sequence[str], class_id: str, sitelinks: int = 0, *, aliases: Sequence[str] = (),
    description: str = "", language: str = "en",
) -> list[Row]:  # fmt: skip
    """The rows of an item with a label in a language."""
    rows: list[Row] = [("item", key, sitelinks), ("member", key, class_id)]
    rows += [("name", key, language, name) for name in names]
    rows += [("alias", key, language, name) for name in aliases]
    return rows + ([("description", key, language, description)] if description else [])


CLASSES: list[Row] = [
    ("class_type", "Q515", "GPE", "test"), ("class_name", "Q515", "en", "city"),
    ("class_type", "Q4022", "LOC", "test"), ("class_name", "Q4022", "en", "river"),
    ("class_type", "Q5", "PERSON", "test"), ("class_name", "Q5", "en", "human"),
    ("class_type", "Q11424", "WORK_OF_ART", "test"), ("class_name", "Q11424", "en", "film"),
]  # fmt: skip
