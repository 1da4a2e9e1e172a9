"""The rate at which a model is fine-tuned where no paper says one: tried on sentences that are held out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nerquake.core.sentence import Sentence
from nerquake.core.splits import seeded_part
from nerquake.train.recipe import Recipe

HELD_OUT = 0.2
PARTS = (1.0, 0.3, 0.1)
"""Times the rate at which the model was trained."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A rate, and the strict F1 on held-out sentences that each rate came to."""

    rate: float
    tried: Mapping[float, float]


def chosen_rate(recipes: Mapping[float, Recipe], sentences: Sequence[Sentence], seed: int) -> Choice:
    """Train on most of the sentences at each rate, and take the rate that is best on the rest; of equals the smaller.

    recipes    what is trained at each rate
    sentences  split by source
    """
    from nerquake.train.dev import strict_scores
    from nerquake.train.loop import Job, fit

    parts = seeded_part(sentences, HELD_OUT, seed)
    tried: dict[float, float] = {}
    for rate, recipe in recipes.items():
        network = recipe.network(parts.rest, labels(parts.rest), seed)
        fit(Job(network, parts.rest, recipe.schedule, seed))
        tried[rate] = strict_scores(network, parts.part).f1 or 0.0
    best = max(sorted(tried), key=lambda rate: tried[rate])
    return Choice(best, tried)


def labels(sentences: Sequence[Sentence]) -> list[str]:
    """The labels of the mentions, sorted."""
    return sorted({span.label for sentence in sentences for span in sentence.spans})
