"""Nested mentions made flat by a rule that the user names; refused where none is named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nerquake.core.protocols import Flatten
from nerquake.core.span import Span


class Flat(NamedTuple):
    """The mentions that stay, sorted, and those that do not."""

    kept: tuple[Span, ...]
    dropped: tuple[Span, ...]


def flatten(spans: Sequence[Span], rule: Flatten) -> Flat:
    """Keep mentions that do not overlap, the first of each pair by the rule.

    spans   inner ones before those around them, as brackets close
    rule    "outer" and "longest": the wider first, and of two that begin and end together the outer; "inner": the
            narrower first; "" as "outer", for callers that report what is dropped
    """
    numbered = enumerate(spans)
    if rule == "inner":
        order = [span for _, span in sorted(numbered, key=lambda pair: (pair[1].width, pair[0]))]
    else:
        order = [span for _, span in sorted(numbered, key=lambda pair: (-pair[1].width, -pair[0]))]
    kept: list[Span] = []
    dropped: list[Span] = []
    for span in order:
        (dropped if any(span.overlaps(other) for other in kept) else kept).append(span)
    return Flat(tuple(sorted(kept)), tuple(sorted(dropped)))
