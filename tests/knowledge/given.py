"""A builder whose rows are written in a test, and dictionaries made from them in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from nerquake.knowledge.build import Choices, build_in_memory
from nerquake.knowledge.dictionary import Dictionary
from nerquake.knowledge.draft import Draft
from nerquake.knowledge.meta import Source

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Given:
    """Rows as the names of Draft's methods and their arguments."""

    rows: Sequence[Row]
    languages: tuple[str, ...] = ("de", "en", "hi")
    limit: int = 0

    def fill(self, draft: Draft) -> list[Source]:
        for method, *arguments in self.rows:
            if method == "alias":
                draft.name(*arguments, alias=True)
            else:
                getattr(draft, method)(*arguments)
        return [Source("given", languages=self.languages, limit_per_class=self.limit)]


@contextmanager
def made(rows: Sequence[Row], choices: Choices = Choices(), limit: int = 0) -> Iterator[Dictionary]:  # noqa: B008
    connection, meta = build_in_memory([Given(rows, limit=limit)], choices)
    try:
        yield Dictionary("test", connection, meta)
    finally:
        connection.close()


CITIES: list[Row] = [
    ("class_type", "Q515", "GPE", "test"),
    ("class_name", "Q515", "en", "city"),
    ("item", "Q64", 300),
    ("name", "Q64", "en", "Berlin"),
    ("name", "Q64", "hi", "बर्लिन"),
    ("alias", "Q64", "en", "Berlin, Germany"),
    ("member", "Q64", "Q515"),
    ("title", "Q64", "en", "Berlin"),
    ("item", "Q90", 400),
    ("name", "Q90", "mul", "Paris"),
    ("alias", "Q90", "de", "Stadt Paris"),
    ("member", "Q90", "Q515"),
    ("member", "Q90", "local:capital"),
    ("class_type", "local:capital", "GPE", "test"),
    ("title", "Q90", "en", "Paris, France"),
    ("name", "Q167646", "en", "Paris"),
    ("item", "Q167646", 20),
    ("member", "Q167646", "local:hero"),
    ("class_type", "local:hero", "PERSON", "test"),
    ("class_type", "local:empty", "LAW", "test"),
    ("person_name", "given", "en", "Anna"),
    ("person_name", "family", "en", "Lind"),
    ("person_name", "family", "mul", "नायर"),
]
