"""spaCy's binary training files (.spacy, `DocBin`)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from nerquake.core.dataset import Dataset
from nerquake.core.errors import FormatError, Problem
from nerquake.core.protocols import ReadOptions
from nerquake.core.sentence import Layout
from nerquake.core.span import Span
from nerquake.io.assemble import Found, assemble
from nerquake.io.docbin_write import AFTER, ATTRIBUTES, INNER, PER_TOKEN, DocBinFile, is_layout, write
from nerquake.io.file_format import FileFormat
from nerquake.io.files import base_name, fingerprint
from nerquake.io.tags import Examined


@dataclass(frozen=True, slots=True)
class SpacyDocs(FileFormat):
    """Reads and writes spaCy's `.spacy` files. A document's sentences are sentences where the file marks them, else
    the document is one.

    Entities are mentions, and of the other annotation what stands in TAG, POS, MORPH and LEMMA is kept in columns;
    parses, span groups and categories are not, and that is noted. Tokens that are only blanks, which no other format
    can hold, are taken out of the sentences and put back in writing. A record is counted as a line: problems name the
    number of the document. Ids and documents stand in the documents' user data.

    language  code of the vocabulary that new documents get
    """

    language: str = "xx"

    name: ClassVar[str] = "docbin"
    extension: ClassVar[str] = "spacy"
    holds: ClassVar[frozenset[str]] = frozenset({"spaces", "documents"})

    def examine(self, name: str, data: bytes, options: ReadOptions) -> Examined:
        """What can be read of a file's bytes, and all that is wrong in them.

        Raises:
            FormatError: the file is no DocBin.
        """
        docs = _open(name, data, self.language)
        scan = _Scan(docs, _attributes(docs))
        scan.read()
        layout = DocBinFile(attributes=scan.attributes)
        language = options.language or ("" if self.language == "xx" else self.language)
        empty = Dataset(base_name(name), (), language, reader=self.spec, fingerprint=fingerprint(data), layout=layout)
        return assemble(name, replace(empty, notes=tuple(scan.notes())), scan.found, options, scan.problems)

    def lines(self, dataset: Dataset) -> Iterator[bytes]:
        """The file's bytes in one piece. Read and written again, a file keeps what the class says is kept."""
        return write(dataset, self.language)


def _open(name: str, data: bytes, language: str) -> list[Any]:
    """The documents of a file; raises FormatError for other files."""
    import spacy
    from spacy.tokens import DocBin

    try:
        held = DocBin().from_bytes(data)
        return list(held.get_docs(spacy.blank(language).vocab))
    except Exception as error:  # whatever decompressing and unpacking other bytes raises
        what = "this is no spaCy file (DocBin)" if data else "the file is empty"
        hint = f"{type(error).__name__}: {str(error)[:80]}; `nlp.to_disk` folders and .json files are other formats"
        raise FormatError(name, [Problem("binary-file", 0, what, hint=hint)]) from None


def _attributes(docs: list[Any]) -> tuple[str, ...]:
    """The attributes that any token has, in the order of the columns."""
    return tuple(name for name in ATTRIBUTES if any(doc.has_annotation(name) for doc in docs))


@dataclass(slots=True)
class _Scan:
    """Makes sentences of documents."""

    docs: list[Any]
    attributes: tuple[str, ...]
    found: list[Found] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    blanks: int = 0
    lost: set[str] = field(default_factory=set)
    _ents: list[Any] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)
    _ends: list[int] = field(default_factory=list)

    def read(self) -> None:
        """Read all documents."""
        for number, doc in enumerate(self.docs, 1):
            told = doc.user_data.get("nerquake") or {}
            told = told if isinstance(told, dict) else {}
            self._losses(doc)
            self._ents = list(doc.ents)
            self._starts = [ent.start for ent in self._ents]
            self._ends = [ent.end for ent in self._ents]
            marked = doc.has_annotation("SENT_START")
            parts = list(doc.sents) if marked else ([doc[:]] if len(doc) else [])
            ids = told.get("ids") or ()
            name = told.get("document") or (str(number) if len(parts) > 1 else None)
            made = 0
            for at, part in enumerate(parts):
                key = ids[at] if at < len(ids) and isinstance(ids[at], str) else None
                made += self._sentence(number, doc, part, key, name)
            if not made and len(doc):
                what = "the document holds nothing but blanks"
                self.problems.append(Problem("empty-token", number, what, hint="take it out of the file"))

    def notes(self) -> list[str]:
        """What there is to say of the file."""
        notes = [f"documents: {len(self.docs)}"]
        if self.blanks:
            notes.append(f"tokens that are only blanks, kept beside the sentences: {self.blanks}")
        if self.lost:
            notes.append(f"not kept: {', '.join(sorted(self.lost))}")
        return notes

    def _losses(self, doc: Any) -> None:
        self.lost |= {"parses"} if doc.has_annotation("DEP") else set()
        self.lost |= {"categories"} if doc.cats else set()
        self.lost |= {f"span group {name!r}" for name in doc.spans}
        self.lost |= {"other user data"} if set(doc.user_data) - {"nerquake"} else set()
        self.lost |= {"links and ids of entities"} if any(ent.kb_id or ent.id for ent in doc.ents) else set()

    def _sentence(self, number: int, doc: Any, part: Any, key: str | None, name: str | None) -> bool:
        words = [token for token in part if not is_layout(token.text)]
        self.blanks += len(part) - len(words)
        if not words:
            return False
        spans = self._mentions(number, part, {token.i: at for at, token in enumerate(words)})
        if spans is None:
            return True
        marks, gaps = _blanks(part, words)
        unknown = doc.has_unknown_spaces
        self.found.append(
            Found(
                tokens=tuple(token.text for token in words),
                lines=[number] * len(words),
                spans=spans,
                id=key,
                doc_id=name,
                spaces=None if unknown else tuple(bool(token.whitespace_) for token in words),
                columns=tuple(tuple(PER_TOKEN[a](token) for a in self.attributes) for token in words)
                if self.attributes
                else (),
                layout=Layout(marks, gaps),
            )
        )
        return True

    def _mentions(self, number: int, part: Any, places: dict[int, int]) -> tuple[Span, ...] | None:
        """The entities of a sentence in its own tokens; None where one cannot be kept."""
        spans: list[Span] = []
        wrong = len(self.problems)
        cut = False
        for ent in self._entities(part):
            inside = [places[token.i] for token in ent if token.i in places]
            if ent.start < part.start:
                cut = True  # said where it begins
            elif ent.end > part.end:
                what = f"the entity {ent.text!r} reaches over the end of its sentence"
                self.problems.append(Problem("crosses-sentences", number, what, ent.text, "mend the sentence borders"))
            elif not ent.label_:
                self.problems.append(Problem("bad-tag", number, f"the entity {ent.text!r} has no label", ent.text))
            elif not inside:
                what = f"an entity {ent.label_} covers nothing but blanks"
                self.problems.append(Problem("empty-token", number, what, hint="take the entity out"))
            else:
                spans.append(Span(inside[0], inside[-1] + 1, ent.label_))
        return None if cut or len(self.problems) > wrong else tuple(sorted(spans))

    def _entities(self, part: Any) -> list[Any]:
        """The document's entities that share a token with this sentence; spaCy itself gives whole ones only."""
        first = bisect_right(self._ends, part.start)
        return self._ents[first : bisect_left(self._starts, part.end)]


def _blanks(part: Any, words: list[Any]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The blank tokens: those behind the last word and in front of the first as marks, others beside their word.

    Each is written with the blank behind it, where there is one, and they are parted by NUL.
    """
    held: list[list[str]] = [[]]
    for token in part:
        if is_layout(token.text):
            held[-1].append(f"{token.text}\x01" if token.whitespace_ else token.text)
        else:
            held.append([])
    texts = ["\x00".join(one) for one in held]
    marks = [INNER + texts[0]] if texts[0] else []
    if texts[-1]:
        marks.append(AFTER + texts[-1])
    inner = texts[1:-1]
    return tuple(marks), tuple(("",) if at == 0 else (inner[at - 1],) for at in range(len(words))) if any(inner) else ()
