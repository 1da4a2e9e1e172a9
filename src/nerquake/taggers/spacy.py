"""spaCy pipelines on sentences that are tokenised already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nerquake.core.errors import InputError
from nerquake.core.options import positional
from nerquake.core.protocols import Tagging
from nerquake.core.span import Span
from nerquake.models.spacy import fingerprint_of, load_pipeline

UNNEEDED = ("parser", "tagger", "lemmatizer", "attribute_ruler", "morphologizer", "senter", "sentencizer", "textcat")
"""Components that no entity recogniser of spaCy's own reads from."""
ENTITY_COMPONENTS = ("ner", "beam_ner", "entity_ruler", "span_ruler")


@dataclass(frozen=True, slots=True)
class SpacyTagger:
    """A spaCy pipeline, installed by name or saved in a folder. It cannot see empty tokens, which count as unseen.

    pipeline   its name or path
    batch      sentences that spaCy takes at a time
    """

    pipeline: str = positional()
    batch: int = 128

    def labels(self) -> frozenset[str] | None:
        """The labels of its entity components; None where a component does not say."""
        nlp = self._nlp()
        labels: set[str] = set()
        for name, component in nlp.pipeline:
            if name in ("ner", "beam_ner", "entity_ruler"):
                labels.update(getattr(component, "labels", ()))
            elif name not in ("tok2vec", "transformer"):
                return None
        return frozenset(labels)

    def predict(self, batch: Sequence[tuple[str, ...]]) -> list[Tagging]:
        """The entities that the pipeline sets on each sentence."""
        from spacy.tokens import Doc

        nlp = self._nlp()
        seen = [[index for index, token in enumerate(tokens) if token] for tokens in batch]
        docs = (
            Doc(nlp.vocab, words=[tokens[index] for index in indices])
            for tokens, indices in zip(batch, seen, strict=True)
        )
        tagged = nlp.pipe(docs, batch_size=self.batch)
        return [_tagging(doc, indices, len(tokens)) for doc, indices, tokens in zip(tagged, seen, batch, strict=True)]

    def fingerprint(self) -> str:
        """Versions of spaCy and of the pipeline, and a hash over its files."""
        return fingerprint_of(self._nlp())

    def _nlp(self) -> Any:
        nlp = load_pipeline(self.pipeline, UNNEEDED)
        if not any(name in nlp.pipe_names for name in ENTITY_COMPONENTS):
            listed = ", ".join(nlp.pipe_names)
            raise InputError(f"spacy:{self.pipeline} has no entity component; its components: {listed}")
        return nlp


def _tagging(doc: Any, seen: Sequence[int], size: int) -> Tagging:
    """A document's entities in offsets of the sentence it was made from."""
    spans = (Span(seen[ent.start], seen[ent.end - 1] + 1, ent.label_) for ent in doc.ents if ent.label_)
    unseen = () if len(seen) == size else tuple(sorted(set(range(size)) - set(seen)))
    return Tagging(tuple(spans), unseen)
