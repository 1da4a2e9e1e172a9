"""From a data set to the bytes of a .spacy file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from nerquake.core.dataset import Dataset, FileLayout
from nerquake.core.errors import OutputError
from nerquake.core.sentence import NEW_CELL, Sentence
from nerquake.core.span import Span
from nerquake.io.borders import MARK, marked

ATTRIBUTES = ("TAG", "POS", "MORPH", "LEMMA")
PER_TOKEN: Mapping[str, Callable[[Any], str]] = {
    "TAG": lambda token: str(token.tag_),
    "POS": lambda token: str(token.pos_),
    "MORPH": lambda token: str(token.morph),
    "LEMMA": lambda token: str(token.lemma_),
}
_ARGUMENT = {"TAG": "tags", "POS": "pos", "MORPH": "morphs", "LEMMA": "lemmas"}
INNER = MARK + "front\n"
"""Begins the entry of Layout.before that holds the blank tokens in front of a sentence's first word."""
AFTER = MARK + "behind\n"
"""The same behind its last word."""


@dataclass(frozen=True, slots=True)
class DocBinFile(FileLayout):
    """The layout of a .spacy file: which attributes the columns hold."""

    attributes: tuple[str, ...] = ()


def is_layout(token: str) -> bool:
    """Whether a token is nothing but spaces, TABs and line ends, which spaCy keeps as tokens."""
    return not token.strip(" \t\r\n\v\f")


class _Piece(NamedTuple):
    """A token of a document; `at` is its position in the sentence, None for blank tokens."""

    text: str
    space: bool
    at: int | None


@dataclass(slots=True)
class _Doc:
    """A document in the making."""

    words: list[str] = field(default_factory=list)
    spaces: list[bool] = field(default_factory=list)
    starts: list[bool] = field(default_factory=list)
    ents: list[Span] = field(default_factory=list)
    columns: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, sentence: Sentence, pieces: Sequence[_Piece], rests: Sequence[tuple[str, ...]], width: int) -> None:
        """Append a sentence."""
        base = len(self.words)
        places = {piece.at: base + at for at, piece in enumerate(pieces) if piece.at is not None}
        self.words += [piece.text for piece in pieces]
        self.spaces += [piece.space for piece in pieces]
        self.starts += [at == 0 for at in range(len(pieces))]
        self.ents += [Span(places[span.start], places[span.end - 1] + 1, span.label) for span in sentence.spans]
        self.columns += [("",) * width if piece.at is None else rests[piece.at] for piece in pieces]


def write(dataset: Dataset, language: str) -> Iterator[bytes]:
    """The bytes of the file: sentences of one document in a row make one."""
    import spacy
    from spacy.tokens import DocBin

    attributes = dataset.layout.attributes if isinstance(dataset.layout, DocBinFile) else None
    vocab = spacy.blank(language).vocab
    held = DocBin(attrs=["ENT_IOB", "ENT_TYPE", "SENT_START", *ATTRIBUTES], store_user_data=True)
    numbered = enumerate(dataset.sentences)
    for _, group in groupby(numbered, key=lambda pair: pair[1].doc_id or pair[0]):
        held.add(_doc(vocab, [sentence for _, sentence in group], attributes))
    yield held.to_bytes()


def _doc(vocab: Any, sentences: Sequence[Sentence], attributes: tuple[str, ...] | None) -> Any:
    from spacy.tokens import Doc
    from spacy.tokens import Span as Entity

    names = attributes or ()
    made = _Doc()
    for sentence in sentences:
        _check(sentence)
        known = attributes is not None and bool(sentence.columns)
        rests = sentence.columns if known else ((NEW_CELL,) * len(names),) * len(sentence.tokens)
        cells = [tuple("" if cell == NEW_CELL else cell for cell in rest) for rest in rests]
        made.add(sentence, _pieces(sentence, laid_out=attributes is not None), cells, len(names))
    spaces = None if all(sentence.spaces is None for sentence in sentences) else made.spaces
    columns = {_ARGUMENT[name]: [cells[at] for cells in made.columns] for at, name in enumerate(names)}
    try:
        doc = Doc(vocab, words=made.words, spaces=spaces, sent_starts=made.starts, **columns)
        doc.set_ents([Entity(doc, span.start, span.end, label=span.label) for span in made.ents], default="outside")
    except ValueError as error:
        raise OutputError(f"sentence {sentences[0].id!r}: spaCy refuses it: {error}") from error
    told: dict[str, Any] = {"ids": [None if sentence.hashed else sentence.id for sentence in sentences]}
    if sentences[0].doc_id is not None:
        told["document"] = sentences[0].doc_id
    if "document" in told or any(told["ids"]):
        doc.user_data["nerquake"] = told
    return doc


def _pieces(sentence: Sentence, laid_out: bool) -> list[_Piece]:
    """The tokens with the blank tokens that stood among them."""
    layout = sentence.layout if laid_out else None
    before = layout.before if layout is not None else ()
    gaps = layout.gaps if layout is not None else ()
    pieces = _blanks(marked(before, INNER) or "")
    for at, token in enumerate(sentence.tokens):
        pieces += _blanks(gaps[at][0] if gaps else "")
        pieces.append(_Piece(token, sentence.spaces is None or sentence.spaces[at], at))
    return pieces + _blanks(marked(before, AFTER) or "")


def _blanks(text: str) -> list[_Piece]:
    parts = text.split("\x00") if text else []
    return [_Piece(part.removesuffix("\x01"), part.endswith("\x01"), None) for part in parts]


def _check(sentence: Sentence) -> None:
    for token in sentence.tokens:
        if is_layout(token):
            raise OutputError(
                f"sentence {sentence.id!r}: the token {token!r} is blank, which spaCy takes for layout, not for a word;"
                " JSONL holds it: --to jsonl"
            )
