"""Strict scores of a network on labelled sentences."""

from __future__ import annotations

from collections.abc import Sequence

from nerquake.core.labels import JoinedLabels, LabelRules
from nerquake.core.results import Predictions
from nerquake.core.sentence import Sentence
from nerquake.core.spec import Spec
from nerquake.core.tagging import Named, run_tagger
from nerquake.core.variant import ORIGINAL
from nerquake.nn.network import Network
from nerquake.nn.tags import labels_of
from nerquake.registry import TAGGERS
from nerquake.score.count import count
from nerquake.score.metrics import rates, totals
from nerquake.train.loop import Scores

BATCH = 256


def predictions(network: Network, sentences: Sequence[Sentence], name: str = "the model") -> Predictions:
    """What a network finds in sentences; it sees tokens only."""
    answers = []
    for start in range(0, len(sentences), BATCH):
        answers += network.predict([sentence.tokens for sentence in sentences[start : start + BATCH]])
    return Predictions(
        tagger=name,
        ids=tuple(sentence.id for sentence in sentences),
        spans=tuple(answer.spans for answer in answers),
        unseen=tuple(answer.unseen for answer in answers),
        invalid=sum(answer.invalid for answer in answers),
    )


def strict_scores(network: Network, sentences: Sequence[Sentence]) -> Scores:
    """Strict micro precision, recall and F1."""
    found = rates(totals(count(sentences, predictions(network, sentences), ())), "strict")
    return Scores(found.precision, found.recall, found.f1)


def tagged_scores(tagger: Spec, sentences: Sequence[Sentence]) -> Scores:
    """The same of any tagger, run as an audit would run it."""
    join = JoinedLabels.of(LabelRules(unmapped="keep"), labels_of(sentences), str(tagger))
    found = run_tagger(Named(tagger.name, str(tagger), TAGGERS.build(tagger)), ORIGINAL, sentences, join)
    made = rates(totals(count(sentences, found, ())), "strict")
    return Scores(made.precision, made.recall, made.f1)
