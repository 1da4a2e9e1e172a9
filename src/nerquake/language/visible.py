"""Tokens that a library can see: blank ones are not shown to it, and have no part of speech."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

NONE = "X"
"""The Universal tag of what has no part of speech."""
UNIVERSAL = frozenset({
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM",
    "VERB", NONE,
})  # fmt: skip


def tag_visible(
    batch: Sequence[tuple[str, ...]], tag: Callable[[list[list[str]]], Iterable[Sequence[str]]]
) -> list[tuple[str, ...]]:
    """Tags by a library for the tokens of each sentence that are not blank; the others have none.

    Sentences without a visible token are not shown at all. What is no Universal tag counts as none.
    """
    visible = [[at for at, token in enumerate(tokens) if token.strip()] for tokens in batch]
    shown = [[tokens[at] for at in places] for tokens, places in zip(batch, visible, strict=True) if places]
    answers = iter(tag(shown) if shown else ())
    found: list[tuple[str, ...]] = []
    for tokens, places in zip(batch, visible, strict=True):
        tags = [NONE] * len(tokens)
        for at, answer in zip(places, next(answers) if places else (), strict=True):
            tags[at] = answer if answer in UNIVERSAL else NONE
        found.append(tuple(tags))
    return found
