"""Parts of speech by a Stanza model, on sentences that are tokenised already, offline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from nerquake.core.errors import InputError
from nerquake.core.options import positional
from nerquake.language.visible import tag_visible
from nerquake.models.quiet import quiet
from nerquake.models.stanza import StanzaModel, cut, languages_there, version


@dataclass(frozen=True, slots=True)
class StanzaPos:
    """Universal parts of speech by a Stanza model: a folder as `stanza.download` makes it. Nothing is fetched.

    Tokens are taken as they are, without splitting or expanding them; blank ones have no part of speech.

    folder     the folder with resources.json
    language   as Stanza names it; by default the data set's
    package    which of the folder's models, by name
    batch      sentences that Stanza takes at a time; with more than 1 it is quicker, and the last digits of its sums
               depend on the other sentences, so that once in a great while a tag may
    device     where it runs; auto: a graphics processor where there is one
    """

    folder: str = positional()
    language: str = ""
    package: str = ""
    batch: int = 1
    device: Literal["auto", "cpu", "cuda"] = "auto"

    def __post_init__(self) -> None:
        if not self.folder:
            raise ValueError("it needs a folder: stanza:FOLDER,language=de")
        if self.batch < 1:
            raise ValueError(f"batch={self.batch}: at least 1 is expected")

    @property
    def tells_classes(self) -> bool:
        """Yes."""
        return True

    def for_language(self, code: str) -> StanzaPos:
        """The same, with a language where none is given."""
        return self if self.language else replace(self, language=code)

    def tag(self, batch: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """A Universal tag for each token."""
        nlp = self._model().pipeline()

        def tags(shown: list[list[str]]) -> list[list[str]]:
            with quiet("stanza"):
                return [[word.upos or "" for word in sentence.words] for sentence in nlp(cut(shown)).sentences]

        return tag_visible(batch, tags)

    def about(self) -> tuple[str, ...]:
        """The model, its language, and Stanza's version."""
        model = self._model()
        model.pipeline()
        named = f"{self.package} " if self.package else ""
        return (f"parts of speech: the Stanza model {named}for {model.language} (Stanza {version()})",)

    def fingerprint(self) -> str:
        """A hash over Stanza's version and the files that it reads, and whether sentences are taken together."""
        return f"stanza {self._model().fingerprint('alone' if self.batch == 1 else 'together')}"

    def _model(self) -> StanzaModel:
        packages = (self.package,) if self.package else ()
        return StanzaModel(self.folder, self._language(), "pos", packages, batch=self.batch, device=self.device,
                           option="language")  # fmt: skip

    def _language(self) -> str:
        """The language given, or the only one that the folder has.

        Raises:
            InputError: it has several, or is no folder.
        """
        folder = Path(self.folder)
        if folder.is_file():
            raise InputError(f"stanza:{self.folder} is a file; the folder that stanza.download made is expected")
        if self.language or not folder.exists():
            return self.language
        found = languages_there(folder, "pos")
        if len(found) == 1:
            return found[0]
        listed = f"which has taggers for {', '.join(found)}" if found else "which has no tagger"
        raise InputError(f"stanza:{self.folder} needs language=, the language of the data set, {listed}")
