"""Hypothesis strategies and small builders for mentions, sentences and predictions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from hypothesis import strategies as st

from nerquake.core.results import Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span

LABELS = ("A", "B", "C")


@st.composite
def flat_spans(draw: st.DrawFn, size: int = 12, labels: Sequence[str] = LABELS) -> tuple[Span, ...]:
    """Sorted mentions that do not overlap, touching ones included, inside `size` tokens."""
    borders = sorted(draw(st.sets(st.integers(0, size), max_size=size)))
    ranges = pairwise(borders)
    return tuple(Span(start, end, draw(st.sampled_from(labels))) for start, end in ranges if draw(st.integers(0, 3)))


def both_sides(size: int = 12) -> st.SearchStrategy[tuple[tuple[Span, ...], tuple[Span, ...]]]:
    """Gold and predicted mentions of one sentence."""
    return st.tuples(flat_spans(size), flat_spans(size))


def corpora(size: int = 8, sentences: int = 6) -> st.SearchStrategy[list[tuple[tuple[Span, ...], tuple[Span, ...]]]]:
    """Gold and predicted mentions of a few sentences."""
    return st.lists(both_sides(size), min_size=1, max_size=sentences)


def mentions(text: str) -> tuple[Span, ...]:
    """`"PER 1 3, LOC 4 5"` as mentions, in the order given."""
    return tuple(Span(int(s), int(e), label) for label, s, e in (part.split() for part in text.split(",") if part))


def sentences_of(golds: Iterable[Iterable[Span]], size: int = 20) -> list[Sentence]:
    """Sentences s0, s1, ... with these gold mentions."""
    return [Sentence(f"s{n}", ("w",) * size, tuple(gold)) for n, gold in enumerate(golds)]


def predictions_of(answers: Iterable[Iterable[Span]], tagger: str = "model", ids: Sequence[str] = ()) -> Predictions:
    """Predictions for s0, s1, ... or for these ids."""
    spans = tuple(tuple(answer) for answer in answers)
    keys = tuple(ids) or tuple(f"s{n}" for n in range(len(spans)))
    return Predictions(tagger, keys, spans, ((),) * len(spans))
