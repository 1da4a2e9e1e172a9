"""Sizes and entity words of data sets (paper R, tables 3 and 4), and what an attack reached."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.sentence import Sentence
from nerquake.core.variant import NOT_SAMPLED, AttackedSet

ALL = "ALL"
Seen = Literal["same-type", "any-type"]
EntityWords = Mapping[str, frozenset[str]]


def sizes(dataset: Dataset) -> dict[str, Any]:
    """Sentences, tokens, mentions, and mentions by label."""
    mentions = dataset.mentions
    return {
        "sentences": len(dataset),
        "tokens": dataset.tokens,
        "mentions": mentions.total(),
        "per_type": dict(sorted(mentions.items())),
    }


def entity_words(sentences: Iterable[Sentence]) -> EntityWords:
    """Unique tokens inside mentions by label, case kept; `ALL` pools the labels."""
    words: dict[str, set[str]] = defaultdict(set)
    for sentence in sentences:
        for span in sentence.spans:
            words[span.label].update(sentence.mention(span))
    pooled = frozenset().union(*words.values())
    return {**{label: frozenset(found) for label, found in sorted(words.items())}, ALL: pooled}


def seen_words(words: EntityWords, train: EntityWords | None, seen: Seen = "same-type") -> dict[str, dict[str, Any]]:
    """How many of the entity words also stand in a training mention (paper R, table 4).

    seen   "same-type": in a training mention of the same label; "any-type": in one of any label

    Without training data `seen` and `seen_share` are None; a share of nothing is None.
    """
    rows: dict[str, dict[str, Any]] = {}
    for label, found in words.items():
        count = None
        if train is not None:
            known = train[ALL] if seen == "any-type" or label == ALL else train.get(label, frozenset())
            count = len(found & known)
        rows[label] = {
            "unique": len(found),
            "seen": count,
            "seen_share": None if count is None or not found else count / len(found),
        }
    return rows


class Reach(NamedTuple):
    """What an attack reached, in numbers; sentences that were not sampled do not count.

    mentions   of the original sentences
    sentences  of them
    changed    sentences that the attack changed
    """

    mentions: int
    attacked: int
    context_words: int
    sentences: int
    changed: int

    def to_json(self) -> dict[str, Any]:
        """`attack` of docs/formats.md (paper R, table 3); a share of nothing is None."""
        return {
            "mentions": self.mentions,
            "attacked": self.attacked,
            "attacked_share": self.attacked / self.mentions if self.mentions else None,
            "context_words": self.context_words,
            "sentences_attacked_share": self.changed / self.sentences if self.sentences else None,
        }


def reached(original: Dataset, attacked: AttackedSet) -> Reach:
    """Mentions and context words replaced, sentences changed."""
    drawn = [variant for variant in attacked.variants if variant.reason != NOT_SAMPLED]
    spans = {sentence.id: len(sentence.spans) for sentence in original}
    return Reach(
        mentions=sum(spans[variant.parent] for variant in drawn),
        attacked=sum(variant.replaced for variant in drawn if variant.kept),
        context_words=attacked.context_words,
        sentences=len(drawn),
        changed=sum(variant.status == "changed" for variant in drawn),
    )


def together(found: Iterable[Reach]) -> Reach:
    """What attacks reached in several files, added up."""
    return Reach(*map(sum, zip(*found, strict=True)))


def reach(original: Dataset, attacked: AttackedSet) -> dict[str, Any]:
    """What an attack reached in one data set, as JSON values."""
    return reached(original, attacked).to_json()


def pooled(datasets: Sequence[Dataset]) -> list[Sentence]:
    """All sentences of several data sets."""
    return [sentence for dataset in datasets for sentence in dataset]
