"""Where mentions stand after edits, by the rule of core/edits.py. decode.js does the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nerquake.core.span import Span

Place = tuple[int, int, int]
"""Start and end of an edit in the original, and by how many tokens the text grows there."""


def places(edits: Iterable[Mapping[str, Any]]) -> list[Place]:
    """The edits' places, in order."""
    return sorted((e["start"], e["end"], len(e["new"]) - (e["end"] - e["start"])) for e in edits)


def edited(tokens: Sequence[str], edits: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """The tokens after the edits."""
    made: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e["start"], e["end"])):
        made += tokens[at : edit["start"]]
        made += edit["new"]
        at = edit["end"]
    return (*made, *tokens[at:])


def moved(spans: Iterable[Span], edits: Sequence[Place]) -> list[tuple[int, int, str]] | None:
    """The same mentions after edits; None where an edit cuts the border of one, or leaves nothing of it."""
    found: list[tuple[int, int, str]] = []
    for span in spans:
        start, end = span.start, span.end
        for first, last, growth in edits:
            if last <= span.start:
                start += growth
                end += growth
            elif span.start <= first and last <= span.end and not first == last == span.end:
                end += growth
            elif first < span.end:
                return None
        if end <= start:
            return None
        found.append((start, end, span.label))
    return found
