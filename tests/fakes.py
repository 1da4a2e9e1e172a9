"""Fakes for tests: taggers and perturbations that do one thing, and say what they were shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nerquake.core.dataset import Dataset
from nerquake.core.edits import Edit, Rewrite
from nerquake.core.protocols import Context, Prepared, Proposal, Tagging
from nerquake.core.seeds import Draws
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.variant import Level


@dataclass(frozen=True)
class ScriptedTagger:
    """Gives each token sequence the mentions written down for it, and remembers every batch."""

    answers: Mapping[tuple[str, ...], tuple[Span, ...]] = field(default_factory=dict)
    declared: frozenset[str] | None = None
    seen: list[Sequence[tuple[str, ...]]] = field(default_factory=list)

    def labels(self) -> frozenset[str] | None:
        return self.declared

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        self.seen.append(batch)
        return [Tagging(self.answers.get(tokens, ())) for tokens in batch]


def knows(*sentences: Sentence, declared: frozenset[str] | None = None) -> ScriptedTagger:
    """A tagger that is always right on these sentences, since it was told the answers beforehand."""
    return ScriptedTagger({sentence.tokens: sentence.spans for sentence in sentences}, declared)


@dataclass(frozen=True)
class ScriptedSets:
    """Predictions by set and sentence id, as made elsewhere; remembers the sentences that it was asked about."""

    answers: Mapping[str, Mapping[str, tuple[Span, ...]]]
    seen: list[Sentence] = field(default_factory=list)

    def labels(self) -> frozenset[str] | None:
        return None

    def expect(self, sets: Mapping[str, Sequence[Sentence]]) -> None:
        """Every set is there."""

    def predict_set(self, name: str, sentences: Sequence[Sentence]) -> list[Tagging]:
        self.seen.extend(sentences)
        return [Tagging(self.answers[name].get(sentence.id, ())) for sentence in sentences]


@dataclass(frozen=True)
class ScriptedPerturbation:
    """Proposes the edits or the rewrite written down for a sentence id."""

    edits: Mapping[str, tuple[Edit, ...]] = field(default_factory=dict)
    rewrites: Mapping[str, Rewrite] = field(default_factory=dict)
    level: Level = "both"

    def prepare(self, corpus: Dataset, draws: Draws) -> Prepared:
        return Prepared()

    def propose(self, sentence: Sentence, draws: Draws, context: Context) -> Proposal:
        found = self.edits.get(sentence.id, ())
        rewrite = self.rewrites.get(sentence.id)
        reason = "" if found or rewrite else "nothing is written down for it"
        return Proposal(found, rewrite, reason)
