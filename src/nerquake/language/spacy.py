"""Parts of speech by a spaCy pipeline, on sentences that are tokenised already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nerquake.core.errors import InputError
from nerquake.core.options import positional
from nerquake.language.visible import tag_visible
from nerquake.models.spacy import fingerprint_of, load_pipeline

UNNEEDED = ("ner", "beam_ner", "entity_linker", "entity_ruler", "span_ruler", "spancat", "lemmatizer",
            "trainable_lemmatizer", "senter", "sentencizer", "textcat", "textcat_multilabel")  # fmt: skip
"""Components that no part of speech is read from."""
TELLING = ("morphologizer", "attribute_ruler")
"""spaCy's own components that set the Universal part of speech."""


@dataclass(frozen=True, slots=True)
class SpacyPos:
    """Universal parts of speech by a spaCy pipeline. Tokens are taken as they are; blank ones have none.

    Its parser runs only where an attribute ruler makes parts of speech of finer tags, as in English: by the parse it
    tells `have` and `do` as auxiliaries from the verbs.

    pipeline   its name, or the folder where it was saved
    batch      sentences that spaCy takes at a time
    """

    pipeline: str = positional()
    batch: int = 128

    def __post_init__(self) -> None:
        if not self.pipeline:
            raise ValueError("it needs a pipeline: spacy:NAME or spacy:FOLDER")
        if self.batch < 1:
            raise ValueError(f"batch={self.batch}: at least 1 is expected")

    @property
    def tells_classes(self) -> bool:
        """Yes."""
        return True

    def tag(self, batch: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """A Universal tag for each token."""
        from spacy.tokens import Doc

        nlp = self._nlp()

        def tags(shown: list[list[str]]) -> list[list[str]]:
            docs = (Doc(nlp.vocab, words=words) for words in shown)
            return [[token.pos_ for token in doc] for doc in nlp.pipe(docs, batch_size=self.batch)]

        return tag_visible(batch, tags)

    def about(self) -> tuple[str, ...]:
        """The pipeline, and its version and spaCy's."""
        import spacy

        meta = self._nlp().meta
        version = " ".join(part for part in (self.pipeline, meta["version"]) if part)
        return (f"parts of speech: the spaCy pipeline {version} (spaCy {spacy.__version__})",)

    def fingerprint(self) -> str:
        """Versions of spaCy and of the pipeline, and a hash over its files."""
        return f"spacy {fingerprint_of(self._nlp())}"

    def _nlp(self) -> Any:
        nlp = load_pipeline(self.pipeline, UNNEEDED)
        factories = [nlp.get_pipe_meta(name).factory for name in nlp.pipe_names]
        if not any(name in TELLING for name in factories) and not _assigned(nlp):
            raise InputError(
                f"spacy:{self.pipeline} gives no parts of speech: it has neither a {' nor an '.join(TELLING)}; "
                f"its components: {', '.join(nlp.pipe_names) or 'none'}. A trained pipeline of the language does, "
                "and stopwords needs none"
            )
        if "morphologizer" in factories and "parser" in nlp.pipe_names:
            nlp.disable_pipe("parser")
        return nlp


def _assigned(nlp: Any) -> bool:
    """Whether a component of somebody else's says that it sets parts of speech."""
    return any("token.pos" in nlp.get_pipe_meta(name).assigns for name in nlp.pipe_names)
