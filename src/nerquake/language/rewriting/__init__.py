"""Rewriting sentences by rules over a parse: one small file a rule (`english/`, `german/`)."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module

from nerquake.language.rewriting.tree import Rule

LANGUAGES = {"en": "nerquake.language.rewriting.english", "de": "nerquake.language.rewriting.german"}
"""Languages with rules: a package whose `RULES` lists them."""


@lru_cache(maxsize=8)
def rules_of(language: str) -> tuple[Rule, ...]:
    """The rules of a language, none where there are none."""
    if language not in LANGUAGES:
        return ()
    rules: tuple[Rule, ...] = import_module(LANGUAGES[language]).RULES
    return rules
