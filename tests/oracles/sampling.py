"""Many random sentences at a time: the oracles are slow to call and fast to feed."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from tests.score.strategies import predictions_of, sentences_of

from nerquake.core.results import CountTable
from nerquake.core.span import Span
from nerquake.score.count import count

GOLD_LABELS = ("PER", "LOC", "creative-work", "ONLY_GOLD")
PREDICTED_LABELS = ("PER", "LOC", "creative-work", "ONLY_PREDICTED")


class Pairs(NamedTuple):
    """Gold and predicted mentions of a batch of sentences, and their numbers of tokens."""

    sizes: list[int]
    gold: list[tuple[Span, ...]]
    predicted: list[tuple[Span, ...]]

    def table(self) -> CountTable:
        return count(sentences_of(self.gold, max(self.sizes)), predictions_of(self.predicted))


def random_spans(random: Random, size: int, labels: tuple[str, ...]) -> tuple[Span, ...]:
    """Flat mentions, touching ones included."""
    spans: list[Span] = []
    at = random.randrange(4)
    while at < size and random.random() < 0.9:
        end = min(size, at + random.choice((1, 1, 2, 3, 5)))
        spans.append(Span(at, end, random.choice(labels)))
        at = end + random.choice((0, 0, 1, 3))
    return tuple(spans)


def disturbed(random: Random, gold: tuple[Span, ...], size: int, labels: tuple[str, ...]) -> tuple[Span, ...]:
    """What a fair model would say: most mentions right, some moved, renamed, lost or made up."""
    spans: list[Span] = []
    end = 0
    for span in gold:
        start, stop, label = span.start, span.end, span.label
        fault = random.random()
        if fault < 0.1:
            continue
        if fault < 0.2 or label not in labels:
            label = random.choice(labels)
        if 0.15 < fault < 0.3:
            start, stop = max(0, start - random.randrange(2)), min(size, stop + random.randrange(2))
        if max(start, end) < stop:
            spans.append(Span(max(start, end), stop, label))
            end = stop
    return tuple(spans)


def batch(seed: int, sentences: int = 40) -> Pairs:
    """A batch in which some labels occur on one side only."""
    random = Random(seed)
    gold_labels = tuple(random.sample(GOLD_LABELS, random.randint(1, 4)))
    predicted_labels = tuple(random.sample(PREDICTED_LABELS, random.randint(1, 4)))
    sizes = [random.randint(1, 14) for _ in range(sentences)]
    gold = [random_spans(random, size, gold_labels) for size in sizes]
    predicted = [
        disturbed(random, spans, size, predicted_labels)
        if random.random() < 0.6
        else random_spans(random, size, predicted_labels)
        for size, spans in zip(sizes, gold, strict=True)
    ]
    return Pairs(sizes, gold, predicted)


def random_tags(seed: int, prefixes: str, sentences: int = 60) -> list[list[str]]:
    """Tags in any order, well formed or not; runs of one label are common."""
    random = Random(seed)
    made = []
    for _ in range(sentences):
        tags: list[str] = []
        label = "PER"
        for _ in range(random.randint(1, 12)):
            label = label if random.random() < 0.7 else random.choice(("PER", "LOC", "creative-work"))
            tags.append("O" if random.random() < 0.25 else f"{random.choice(prefixes)}-{label}")
        made.append(tags)
    return made
