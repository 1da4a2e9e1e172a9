"""spaCy pipelines on sentences that are tokenised already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from nerquake.core.errors import InputError, UnknownName
from nerquake.core.protocols import Tagging
from nerquake.core.span import Span
from nerquake.registry import positional
from nerquake.taggers.quiet import Version, version_of

UNNEEDED = ("parser", "tagger", "lemmatizer", "attribute_ruler", "morphologizer", "senter", "sentencizer", "textcat")
"""Components that no entity recogniser of spaCy's own reads from."""


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
        import spacy

        nlp = self._nlp()
        digest = sha256(f"{spacy.__version__} {nlp.meta['name']} {nlp.meta['version']}".encode())
        folder = getattr(nlp, "path", None)
        for file in sorted(Path(folder).rglob("*")) if folder else []:
            if file.is_file():
                digest.update(file.read_bytes())
        return digest.hexdigest()

    def _nlp(self) -> Any:
        folder = Path(self.pipeline)
        files = sorted(file for file in folder.rglob("*") if file.is_file()) if folder.is_dir() else []
        return _load(self.pipeline, version_of(*files))


def _tagging(doc: Any, seen: Sequence[int], size: int) -> Tagging:
    """A document's entities in offsets of the sentence it was made from."""
    spans = (Span(seen[ent.start], seen[ent.end - 1] + 1, ent.label_) for ent in doc.ents if ent.label_)
    unseen = () if len(seen) == size else tuple(sorted(set(range(size)) - set(seen)))
    return Tagging(tuple(spans), unseen)


@lru_cache(maxsize=4)
def _load(pipeline: str, version: Version) -> Any:
    import spacy
    from spacy.util import get_installed_models

    try:
        nlp = spacy.load(pipeline, exclude=list(UNNEEDED))
    except OSError as error:
        if Path(pipeline).exists():
            raise InputError(f"spacy:{pipeline} is there but cannot be loaded: {error}") from error
        installed = sorted(get_installed_models())
        hint = "A folder with a saved pipeline works too." if installed else "pip install a pipeline, or name a folder."
        raise UnknownName("installed spaCy pipeline", pipeline, installed, hint) from error
    if not any(name in nlp.pipe_names for name in ("ner", "beam_ner", "entity_ruler", "span_ruler")):
        raise InputError(f"spacy:{pipeline} has no entity component; its components: {', '.join(nlp.pipe_names)}")
    return nlp
