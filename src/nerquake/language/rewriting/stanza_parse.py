"""Parses by a Stanza model, on sentences that are tokenised already, offline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nerquake.core.errors import InputError
from nerquake.language.rewriting.conllu import Row, morph_of
from nerquake.models.quiet import quiet
from nerquake.models.stanza import StanzaModel, cut, is_there, own_folder


def downloaded(language: str) -> str:
    """Stanza's own folder where all that a parser of a language reads was downloaded to it, else an empty text."""
    try:
        folder = own_folder()
    except Exception:  # Stanza is not installed, or broken
        return ""
    try:
        return str(folder) if is_there(folder, language, "depparse") else ""
    except InputError:  # nothing was downloaded, or what lies there is something else
        return ""


def model_of(folder: str, language: str) -> StanzaModel:
    """The parser of a language in a folder; a sentence's parse depends on no other sentence.

    Raises:
        InputError: it is a file.
    """
    if Path(folder).is_file():
        raise InputError(f"stanza:{folder} is a file; the folder that stanza.download made is expected")
    return StanzaModel(folder, language, "depparse", batch=1, option="language")


def parses(nlp: Any, batch: Sequence[Sequence[str]]) -> Iterator[tuple[Row, ...]]:
    """One analysis for each sentence, one row a token; no sentence is empty, no token blank."""
    if not batch:
        return
    with quiet("stanza"):
        made = nlp(cut(batch))
    for words, sentence in zip(batch, made.sentences, strict=True):
        yield tuple(_row(text, at, word) for at, (text, word) in enumerate(zip(words, sentence.words, strict=True)))


def _row(text: str, at: int, word: Any) -> Row:
    head = at if not word.head else word.head - 1
    return Row(text, word.lemma or "", word.upos or "", word.xpos or "", word.deprel or "", head, morph_of(word.feats))
