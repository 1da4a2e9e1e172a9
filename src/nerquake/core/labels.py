"""Joining the labels of gold and predictions: `--labels`, `--map`, `--unmapped` (docs/commands.md).

Both sides are treated alike. A label is first renamed (`--map A=B`; an empty target drops it), then kept only if
`--labels` names it, before or after renaming. What the predictions then still have and the gold set does not is
settled by `--unmapped`: stop with both sets in the message, keep, or drop and count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from shlex import quote
from typing import Literal

from nerquake.core.alike import alike
from nerquake.core.dataset import Dataset
from nerquake.core.errors import LabelsDiffer, UsageError
from nerquake.core.span import Span

Unmapped = Literal["stop", "keep", "drop"]

LABEL_SETS: dict[str, tuple[str, ...]] = {
    "ontonotes-names": (
        "GPE", "ORG", "FAC", "LOC", "NORP", "LAW", "EVENT", "WORK_OF_ART", "PERSON", "PRODUCT", "LANGUAGE",
    ),
    "conll": ("PER", "LOC", "ORG", "MISC"),
    "wnut17": ("person", "location", "corporation", "product", "creative-work", "group"),
    "multiconer": ("PER", "LOC", "GRP", "CORP", "PROD", "CW"),
}  # fmt: skip
"""Named label sets for `--labels`. `ontonotes-names` are the eleven name types of paper R (table 2)."""


@dataclass(frozen=True, slots=True)
class LabelRules:
    """What becomes of a label.

    only      the labels to keep; empty: all
    renames   old label -> new label; an empty new label drops it
    unmapped  what to do with predicted labels that the gold set does not have
    """

    only: tuple[str, ...] = ()
    renames: tuple[tuple[str, str], ...] = ()
    unmapped: Unmapped = "stop"
    _targets: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._targets.update(self.renames)

    @classmethod
    def parse(cls, labels: str = "", renames: str = "", unmapped: Unmapped = "stop") -> LabelRules:
        """Read `--labels A,B` (or the names of label sets) and `--map A=B,C=`."""
        only: list[str] = []
        for item in filter(None, map(str.strip, labels.split(","))):
            only += LABEL_SETS.get(item, (item,))
        pairs: list[tuple[str, str]] = []
        for item in filter(None, map(str.strip, renames.split(","))):
            old, equals, new = map(str.strip, item.partition("="))
            if not equals or not old:
                raise UsageError(f"--map {renames}: {item!r} is not OLD=NEW (OLD= drops a label)")
            pairs.append((old, new))
        if len({old for old, _ in pairs}) != len(pairs):
            raise UsageError(f"--map {renames}: a label is mapped twice")
        return cls(tuple(dict.fromkeys(only)), tuple(pairs), unmapped)

    def target(self, label: str) -> str:
        """The label's new name, empty where it is dropped."""
        new = self._targets.get(label, label)
        if self.only and label not in self.only and new not in self.only:
            return ""
        return new

    def apply(self, spans: Iterable[Span], left_out: Counter[str]) -> tuple[Span, ...]:
        """The spans under their new labels; labels left out are counted."""
        kept: list[Span] = []
        for span in spans:
            new = self.target(span.label)
            if new == span.label:
                kept.append(span)
            elif new:
                kept.append(Span(span.start, span.end, new, span.score))
            else:
                left_out[span.label] += 1
        return tuple(kept)

    @property
    def idle(self) -> bool:
        """Whether it changes nothing."""
        return not self.only and not self.renames


@dataclass(frozen=True, slots=True)
class RelabelledGold:
    """A data set under its new labels, and how many mentions were left out, by old label."""

    dataset: Dataset
    left_out: Mapping[str, int]

    @property
    def notes(self) -> tuple[str, ...]:
        """What reading said, and what `--labels` and `--map` left out."""
        if not self.left_out:
            return self.dataset.notes
        counts = ", ".join(f"{count:,} {label}" for label, count in self.left_out.items())
        return (*self.dataset.notes, f"left out by --labels or --map: {counts}")


def relabel(dataset: Dataset, rules: LabelRules) -> RelabelledGold:
    """Apply the rules to gold.

    Raises:
        UsageError: the gold set has mentions, and the rules leave none of its labels.
    """
    present = set(dataset.labels)
    left_out: Counter[str] = Counter()
    if rules.idle:
        return RelabelledGold(dataset, left_out)
    if present and not any(rules.target(label) for label in present):
        raise UsageError(f"{dataset.name} has the labels {', '.join(sorted(present))}; --labels and --map leave none")
    sentences = [s if not s.spans else s.with_spans(rules.apply(s.spans, left_out)) for s in dataset.sentences]
    return RelabelledGold(dataset.with_sentences(sentences), dict(sorted(left_out.items())))


@dataclass(frozen=True, slots=True)
class JoinedLabels:
    """How predicted labels are joined to gold ones; counts what it leaves out by the label predicted.

    rules    the user's choices
    allowed  labels that the gold set has, or that `--labels` names
    who      the tagger or file, for messages
    """

    rules: LabelRules
    allowed: frozenset[str]
    who: str
    left_out: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, rules: LabelRules, gold: Collection[str], who: str) -> JoinedLabels:
        """For gold with these labels, already renamed."""
        return cls(rules, frozenset(gold) | {rules.target(label) for label in rules.only} - {""}, who)

    def check(self, labels: Iterable[str]) -> None:
        """Raise LabelsDiffer if one of these predicted labels cannot be joined. Gold without labels joins all."""
        if self.rules.unmapped != "stop" or not self.allowed:
            return
        labels = set(labels)
        stray = sorted(label for label in labels if self.rules.target(label) not in self.allowed | {""})
        if stray:
            raise LabelsDiffer(self._message(sorted(labels), stray))

    def apply(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        """The spans under the gold set's labels.

        Raises:
            LabelsDiffer: a label cannot be joined and `--unmapped` is `stop`.
        """
        self.check(span.label for span in spans)
        if self.rules.unmapped == "drop" and self.allowed:
            joined = [span for span in spans if self.rules.target(span.label) in self.allowed]
            self.left_out.update(span.label for span in spans if self.rules.target(span.label) not in self.allowed)
            spans = joined
        return self.rules.apply(spans, self.left_out)

    def _message(self, labels: Sequence[str], stray: Sequence[str]) -> str:
        gold = sorted(self.allowed)
        pairs = ",".join(f"{label}={alike(label, gold)}" for label in stray)
        return (
            f"{self.who} has labels that the gold set does not have: {', '.join(stray)}\n"
            f"  gold:      {', '.join(gold)}\n"
            f"  predicted: {', '.join(labels)}\n"
            f"Join them, for example (look before you paste):\n"
            f"  --map {quote(pairs)} --unmapped drop\n"
            f"--unmapped drop leaves such labels out and counts them, --unmapped keep scores them as they are."
        )
