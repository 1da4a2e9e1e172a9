"""Which source of parts of speech: the one that is named, or one for the data set's language among those installed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from nerquake.core.dataset import Dataset
from nerquake.core.errors import InputError, SpecError, UnknownName
from nerquake.core.fillers import PosSource
from nerquake.core.language import language_of
from nerquake.core.spec import POSITIONAL, Spec, parse_spec
from nerquake.registry import PARTS_OF_SPEECH

AUTO = "auto"


@runtime_checkable
class ForLanguage(Protocol):
    """A source that has to know the language of the data set."""

    def for_language(self, code: str) -> PosSource:
        """The same source for a language; as it is where the user gave one. The code is empty where it is unknown."""
        ...


@dataclass(frozen=True, slots=True)
class Chosen:
    """A source, and how it was settled that it is this one."""

    source: PosSource
    why: tuple[str, ...]

    @property
    def tells_classes(self) -> bool:
        """As the source."""
        return self.source.tells_classes

    def tag(self, batch: Sequence[tuple[str, ...]]) -> Sequence[tuple[str, ...]]:
        """As the source."""
        return self.source.tag(batch)

    def about(self) -> tuple[str, ...]:
        """What the source says, and how it was settled that it is this one."""
        return (*self.source.about(), *self.why)

    def fingerprint(self) -> str:
        """The source's: its answers do not depend on why it was chosen."""
        return self.source.fingerprint()


class _Tried(NamedTuple):
    """A source that is there for a language, or None; and why it was taken, or why not."""

    spec: Spec | None
    why: str


def choose_pos(text: str, corpus: Dataset) -> PosSource:
    """The source of parts of speech that a specification names, for this data set.

    `auto` takes, of what is there for the data set's language: an installed spaCy pipeline, small ones first, else a
    model in the folder where Stanza keeps its own, else the list of stop words. It downloads nothing.

    Raises:
        UsageError: no source has this name, its library is not installed, or an option does not fit.
        PluginError: a third party's class is no source of parts of speech.
    """
    spec = parse_spec(text, (AUTO, *PARTS_OF_SPEECH.names()))
    language = language_of(corpus)
    why: list[str] = []
    automatic = spec.name == AUTO
    if automatic:
        if spec.params:
            raise SpecError(f"{text}: {AUTO} takes no options; name a source to give it some, such as stopwords:de")
        spec, reason = _best(language.code)
        why.append(f"parts of speech: chosen by {AUTO}: {reason}")
    named = _built(spec)
    source = named.for_language(language.code) if isinstance(named, ForLanguage) else named
    if language.note and (automatic or source != named):
        why.append(f"parts of speech: {language.note}")
    return Chosen(source, tuple(why)) if why else source


def _built(spec: Spec) -> PosSource:
    """The source with its options, checked to be one."""
    try:
        source: PosSource = PARTS_OF_SPEECH.build(spec)
    except UnknownName as error:
        if error.kind != PARTS_OF_SPEECH.kind:
            raise
        raise UnknownName(error.kind, error.name, (AUTO, *error.known), f"{AUTO} takes what is installed.") from error
    return source


def _best(code: str) -> tuple[Spec, str]:
    """What is there for a language, and why it is the best."""
    if not code:
        return Spec("stopwords"), "the language is not known"
    refused: list[str] = []
    for look in (_spacy, _stanza):
        tried = look(code)
        if tried.spec is not None:
            return tried.spec, "; ".join([*refused, tried.why])
        refused.append(tried.why)
    hint = "spacy:PIPELINE or stanza:FOLDER names one that lies elsewhere"
    return Spec("stopwords", ((POSITIONAL, code),)), "; ".join([*refused, hint])


def _spacy(code: str) -> _Tried:
    if not PARTS_OF_SPEECH.builtins["spacy"].available:
        return _Tried(None, "spaCy is not installed")
    from nerquake.models.spacy import installed_for

    try:
        found = [one.name for one in installed_for(code) if _tells(one.components)]
    except Exception as error:  # installed beside a library that it does not work with
        return _Tried(None, f"spaCy cannot be imported ({type(error).__name__})")
    if not found:
        return _Tried(None, f"no spaCy pipeline with parts of speech is installed for {code}")
    others = f"; there are also {', '.join(found[1:])}" if found[1:] else ""
    return _Tried(Spec("spacy", ((POSITIONAL, found[0]),)), f"a spaCy pipeline for {code} is installed{others}")


def _tells(components: Sequence[str]) -> bool:
    """Whether a trained pipeline with these components gives Universal parts of speech."""
    return "morphologizer" in components or {"tagger", "attribute_ruler"} <= set(components)


def _stanza(code: str) -> _Tried:
    if not PARTS_OF_SPEECH.builtins["stanza"].available:
        return _Tried(None, "Stanza is not installed")
    from nerquake.models.stanza import own_folder, packages_there

    try:
        folder = own_folder()
    except Exception as error:
        return _Tried(None, f"Stanza cannot be imported ({type(error).__name__})")
    try:
        found = packages_there(folder, code, "pos")
    except InputError:  # nothing was ever downloaded
        found = []
    if not found:
        return _Tried(None, f"no Stanza model with parts of speech is downloaded for {code}")
    params = ((POSITIONAL, str(folder)), ("language", code), ("package", found[0]))
    return _Tried(Spec("stanza", params), f"a Stanza model for {code} is downloaded")
