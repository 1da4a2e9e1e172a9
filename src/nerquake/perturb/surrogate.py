"""A surrogate: the recogniser that decides which of several candidate sentences an attack takes (paper R, 2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nerquake.core.dataset import Dataset
from nerquake.core.errors import PluginError, UsageError
from nerquake.core.labels import JoinedLabels, LabelRules
from nerquake.core.protocols import Fingerprinted, SetTagger, Tagger
from nerquake.core.sentence import Sentence
from nerquake.core.span import Span
from nerquake.core.spec import parse_spec, safe_name
from nerquake.core.tagging import Named, fitted, run_tagger
from nerquake.registry import TAGGERS


@dataclass(frozen=True, slots=True)
class Surrogate:
    """A recogniser whose misses count."""

    named: Named

    @classmethod
    def of(cls, text: str, corpus: Dataset | None = None) -> Surrogate:
        """The tagger that a specification describes, fitted to a data set where there is one.

        Raises:
            UsageError: there is none of this name, or it cannot be asked about sentences that are made on the way.
        """
        spec = parse_spec(text, TAGGERS.names())
        tagger = TAGGERS.build(spec)
        if isinstance(tagger, SetTagger):
            raise UsageError(f"surrogate={text}: predictions made elsewhere know no candidates; name a model")
        if not isinstance(tagger, Tagger):
            raise PluginError(f"{text}: a tagger has the methods labels() and predict(batch)")
        if corpus is not None:
            tagger = fitted(tagger, spec, corpus)
        return cls(Named(f"the surrogate {safe_name(text)}", text, tagger))

    def check(self, corpus: Dataset, rules: LabelRules) -> None:
        """See that it can run, and that the labels that it declares can be joined to those of the data set.

        Raises:
            UsageError, InputError: its files are missing or damaged, or its labels differ.
        """
        declared = self.named.tagger.labels()
        if declared is not None:
            JoinedLabels.of(rules, corpus.labels, self.named.name).check(declared)

    def missed(self, sentences: Sequence[Sentence], corpus: Dataset, rules: LabelRules) -> list[int]:
        """How many gold mentions of each sentence it does not find with exact borders and label, in one batch.

        Raises:
            LabelsDiffer: its labels cannot be joined to those of the data set.
        """
        if not sentences:
            return []
        join = JoinedLabels.of(rules, corpus.labels, self.named.name)
        answers = run_tagger(self.named, "its candidates", sentences, join, batch=len(sentences))
        return [
            len(_exact(sentence.spans).difference(_exact(found)))
            for sentence, found in zip(sentences, answers.spans, strict=True)
        ]

    def depends_on(self) -> str | None:
        """What its answers depend on; None where it cannot say."""
        tagger = self.named.tagger
        return tagger.fingerprint() if isinstance(tagger, Fingerprinted) else None


def _exact(spans: Sequence[Span]) -> set[tuple[int, int, str]]:
    return {(span.start, span.end, span.label) for span in spans}
