"""Leaving out the tokens that a library cannot take, and putting its answer back among all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from nerquake.core.protocols import Tagging
from nerquake.core.span import Span


class SeenTokens(NamedTuple):
    """The tokens of a sentence that a library is shown.

    tokens     those tokens
    positions  where each of them stands in the sentence
    size       tokens in the whole sentence
    """

    tokens: tuple[str, ...]
    positions: tuple[int, ...]
    size: int

    def restore(self, answer: Tagging) -> Tagging:
        """An answer about the tokens shown, about the whole sentence; tokens not shown are unseen."""
        if len(self.tokens) == self.size:
            return answer
        spans = tuple(
            Span(self.positions[s.start], self.positions[s.end - 1] + 1, s.label, s.score) for s in answer.spans
        )
        hidden = set(range(self.size)) - set(self.positions)
        unseen = sorted(hidden | {self.positions[at] for at in answer.unseen})
        return Tagging(spans, tuple(unseen), answer.invalid, answer.notes)


def seen_tokens(tokens: Sequence[str], visible: Callable[[str], object]) -> SeenTokens:
    """The tokens for which `visible` is true."""
    positions = tuple(index for index, token in enumerate(tokens) if visible(token))
    return SeenTokens(tuple(tokens[index] for index in positions), positions, len(tokens))
