"""Where parses come from: a spaCy pipeline, a Stanza model, or a CoNLL-U file that was made elsewhere.

English rules read spaCy's English labels, German rules those of Universal Dependencies.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from nerquake.core.errors import InputError, MissingExtra, UsageError
from nerquake.core.sentence import Sentence
from nerquake.language.rewriting import conllu, stanza_parse
from nerquake.language.rewriting.conllu import Row
from nerquake.language.rewriting.parse import UNSEEN, parse, parser_of
from nerquake.language.rewriting.tree import Tree, Word
from nerquake.language.visible import NONE
from nerquake.models.quiet import digest_of
from nerquake.models.spacy import fingerprint_of, installed_for
from nerquake.models.stanza import StanzaModel, version

UNIVERSAL = frozenset({"de"})
"""Languages whose rules read Universal Dependencies; the others read spaCy's labels."""
NEEDED = {"nsubj", "obl", "obj"}
"""Relations that a parser in Universal Dependencies form has. spaCy's German pipelines have TIGER's: sb, mo, oa."""
HOW = "pipeline=conllu:FILE, parses made elsewhere, or pipeline=stanza:FOLDER, a folder with Stanza's models"


class ParseSource(Protocol):
    """Sentences of a data set as trees."""

    def trees(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        """A tree for each sentence, one word a token; None where it has no parse."""
        ...

    def about(self) -> str:
        """What parses, with its version."""
        ...

    def fingerprint(self) -> str:
        """A text that changes whenever a parse may change."""
        ...


@dataclass(frozen=True, slots=True)
class SpacyParse:
    """A spaCy pipeline with a parser, by name or folder."""

    pipeline: str
    language: str

    def trees(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        """Every sentence has one."""
        return list(parse(self._nlp(), sentences))

    def about(self) -> str:
        """The pipeline and spaCy's version."""
        meta = self._nlp().meta
        import spacy

        return f"{meta['lang']}_{meta['name']} {meta['version']} (spaCy {spacy.__version__})"

    def fingerprint(self) -> str:
        """A hash over the pipeline's files and spaCy's version."""
        return f"spacy {fingerprint_of(self._nlp())}"

    def _nlp(self) -> Any:
        _need_spacy()
        nlp = parser_of(self.pipeline)
        labels = set(nlp.get_pipe("parser").labels)
        if self.language in UNIVERSAL and not labels >= NEEDED:
            some = ", ".join(sorted(labels)[:5]) or "none"
            raise InputError(
                f"spacy:{self.pipeline} labels {some}, .. ; the rules for {self.language} read Universal Dependencies "
                f"(nsubj, obl, advcl, ..), which spaCy's own German pipelines do not give. Name {HOW}"
            )
        return nlp


@dataclass(frozen=True, slots=True)
class StanzaParse:
    """A folder with Stanza's models: part of speech, lemma, dependencies. Nothing is fetched."""

    folder: str
    language: str

    def trees(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        """Every sentence has one; blank tokens are roots of their own."""
        visible = [_visible(one) for one in sentences]
        shown = [[one.tokens[at] for at in places] for one, places in zip(sentences, visible, strict=True)]
        nlp = self._model().pipeline()
        made = iter(stanza_parse.parses(nlp, [words for words in shown if words]))
        return [
            tree_from(one, next(made) if places else (), places) for one, places in zip(sentences, visible, strict=True)
        ]

    def about(self) -> str:
        """The folder's language and Stanza's version."""
        self._model().pipeline()
        return f"the Stanza model for {self.language} (Stanza {version()})"

    def fingerprint(self) -> str:
        """A hash over the models and Stanza's version."""
        return f"stanza {self._model().fingerprint('depparse')}"

    def _model(self) -> StanzaModel:
        return stanza_parse.model_of(self.folder, self.language)


@dataclass(frozen=True, slots=True)
class ConlluParse:
    """A CoNLL-U file; a sentence is found by its tokens, blank ones left out."""

    file: str

    def trees(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        """None for a sentence that the file does not have."""
        known = conllu.read_parses(self.file)
        found: list[Tree | None] = []
        for one in sentences:
            places = _visible(one)
            rows = known.get(tuple(one.tokens[at] for at in places))
            found.append(None if rows is None else tree_from(one, rows, places))
        return found

    def about(self) -> str:
        """The file's name and how many sentences it holds."""
        return f"{Path(self.file).name}, which holds {len(conllu.read_parses(self.file)):,} sentences"

    def fingerprint(self) -> str:
        """A hash over the file."""
        conllu.read_parses(self.file)
        return f"conllu {digest_of(Path(self.file))}"


def source_of(pipeline: str, language: str) -> ParseSource:
    """The source that `pipeline=` names, by default one that is installed.

    Raises:
        UsageError: none is named and none installed, or it has other relations than the language's rules read.
        MissingExtra: it is a spaCy pipeline, and spaCy is not installed.
    """
    kind, colon, place = pipeline.partition(":")
    if colon and kind in ("stanza", "conllu"):
        if language not in UNIVERSAL:
            raise UsageError(
                f"pipeline={pipeline}: rules for {language} read the parse of a spaCy pipeline, such as "
                "en_core_web_sm; Stanza and CoNLL-U are for German"
            )
        if not place:
            raise UsageError(f"pipeline={pipeline}: a {'folder' if kind == 'stanza' else 'file'} is expected: {HOW}")
        return StanzaParse(place, language) if kind == "stanza" else ConlluParse(place)
    if language not in UNIVERSAL:
        _need_spacy()
    lack = lacks(pipeline, language)
    if lack:
        more = "" if language in UNIVERSAL else "; name an installed one or a folder: rules:pipeline=FOLDER"
        raise UsageError(f"paraphrase:rules: {lack}{more}")
    named = place if colon and kind == "spacy" else pipeline
    if language in UNIVERSAL:
        return SpacyParse(named, language) if named else StanzaParse(stanza_parse.downloaded(language), language)
    return SpacyParse(named or _installed(language), language)


def lacks(pipeline: str, language: str) -> str:
    """Why there are no parses for a language's rules; empty where there are."""
    if pipeline:
        return ""
    if language in UNIVERSAL:
        if stanza_parse.downloaded(language):
            return ""
        return (
            f"rules for {language} need parses in Universal Dependencies form, and no Stanza parser for {language} is "
            f"downloaded; name {HOW}"
        )
    if importlib.util.find_spec("spacy") is None:
        return "spaCy is not installed: pip install 'nerquake[spacy]'"
    return "" if _installed(language) else f"no spaCy pipeline with a parser is installed for {language}"


def _need_spacy() -> None:
    if importlib.util.find_spec("spacy") is None:
        raise MissingExtra("a parse by a spaCy pipeline", "spaCy", "spacy")


def _installed(language: str) -> str:
    """The smallest installed pipeline with a parser."""
    return next((one.name for one in installed_for(language) if "parser" in one.components), "")


def _visible(sentence: Sentence) -> list[int]:
    return [at for at, token in enumerate(sentence.tokens) if token.strip()]


def tree_from(sentence: Sentence, rows: Sequence[Row], places: Sequence[int]) -> Tree:
    """A sentence with the analysis of its visible tokens, which stand at `places`; blank ones are roots of their own.

    rows  one a visible token
    """
    words = [Word(at, text, "", NONE, "", UNSEEN, at) for at, text in enumerate(sentence.tokens)]
    for at, row in zip(places, rows, strict=True):
        words[at] = Word(
            at, sentence.tokens[at], row.lemma, row.pos, row.tag, row.dep, places[row.head], row.morph
        )  # fmt: skip
    spans = sentence.spans
    return Tree(tuple(words), tuple((one.start, one.end) for one in spans), tuple(one.label for one in spans))
