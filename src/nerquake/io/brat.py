"""brat's standoff: a folder of documents, each a .txt file and an .ann file with the offsets of its mentions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import OutputError, Problem
from nerquake.core.offsets import OffsetError, Offsets
from nerquake.core.protocols import ReadOptions
from nerquake.io import brat_ann
from nerquake.io.brat_folder import ANN, TEXT, TOKENS, Files, Found, gather, write_folder
from nerquake.io.files import base_name
from nerquake.io.records import Record, dump, load_records
from nerquake.io.standoff import Book, Reading, Split, Standoff, TextRecord
from nerquake.io.standoff_marks import StandoffFile
from nerquake.io.standoff_tokens import Range
from nerquake.io.standoff_write import Group, groups_of
from nerquake.io.tags import Examined


@dataclass(frozen=True, slots=True)
class BratFile(StandoffFile):
    """The documents of a folder as they stood; `empty` names those without a word."""

    documents: Mapping[str, Files] | None = None
    empty: tuple[str, ...] = ()


class _Document(NamedTuple):
    """A document to write; `held`: its files, where it did not change."""

    name: str
    group: Group
    held: Files | None = None


@dataclass(frozen=True, slots=True)
class Brat(Standoff):
    """Reads and writes folders of brat documents, or one document by its .txt or .ann file.

    Each line of a text is a sentence. Text-bound annotations are mentions, checked against their own text; attributes,
    relations, events, normalisations and notes are counted, and kept only in documents that do not change. Texts
    without an .ann file are not annotated: left out and counted. Where the tokeniser would find other tokens, or
    sentences have ids, they are written to NAME.tokens.jsonl beside the document, which brat leaves alone.

    split        lines: each line of a text is a sentence; record: each text is
    """

    split: Split = "lines"

    name: ClassVar[str] = "brat"
    extension: ClassVar[str] = "brat"
    folders: ClassVar[bool] = True
    holds: ClassVar[frozenset[str]] = frozenset({"spaces", "documents"})

    def examine_path(self, path: str, options: ReadOptions) -> Examined:
        """What can be read of a folder or a document, and all that is wrong in it.

        Raises:
            InputError: there is no such path, or it is no file of brat's.
        """
        return self._examine(path, gather(path), options)

    def examine(self, name: str, data: bytes, options: ReadOptions) -> Examined:
        """The same by one of a document's files; the other one is read too, so `name` must be its path.

        Raises:
            InputError: as `examine_path`.
        """
        return self.examine_path(name, options)

    def _examine(self, path: str, found: Found, options: ReadOptions) -> Examined:
        reading = Reading(self, options)
        empty = []
        for files in found.files:
            words = reading.book.counts["document{s} without a word"]
            reading.take(partial(self._parse, files))
            if reading.book.counts["document{s} without a word"] > words:
                empty.append(files.name)
        for name in found.without_text:
            what = f"{name}{ANN}: {Path(name).name}{TEXT}, the text that it is about, is not there"
            reading.book.wrong("no-text", 0, what)
        reading.book.counts["text{s} without annotations (.ann): left out"] += len(found.without_ann)
        documents = {files.name: files for files in found.files}
        layout = BratFile(format=self.name, documents=documents, empty=tuple(empty))
        digest = sha256()
        for files in found.files:
            for part in (files.name.encode(), files.text, files.ann, files.tokens or b""):
                digest.update(len(part).to_bytes(8, "big") + part)
        name = base_name(str(Path(path).resolve()))
        made = Dataset(name, (), options.language, reader=self.spec, fingerprint=digest.hexdigest(), layout=layout)
        return reading.finish(path, made, "document")

    def _parse(self, files: Files, book: Book) -> TextRecord | None:
        known = len(book.problems)
        text = self._decoded(files.text, files.name + TEXT, book)
        ann = self._decoded(files.ann, files.name + ANN, book)
        mentions = brat_ann.parse(files.name + ANN, ann, book)
        ids, sentences = self._tokens(files, text, book)
        if len(book.problems) > known:
            return None
        if not mentions and sentences is None and not self.cut(text):
            book.counts["document{s} without a word"] += 1
            return None
        return TextRecord(0, text, mentions, doc_id=files.name, sentences=sentences, ids=ids, raw=files.name)

    def _decoded(self, data: bytes, name: str, book: Book) -> str:
        try:
            return data.decode(self.encoding)
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            hint = "if the files have another encoding, say it: --input brat:encoding=latin-1"
            what = f"{name}: byte 0x{data[error.start]:02X} is no {self.encoding} text"
            book.wrong("not-decodable", line, what, hint=hint)
            return ""

    @staticmethod
    def _tokens(files: Files, text: str, book: Book) -> tuple[tuple[str, ...], tuple[tuple[Range, ...], ...] | None]:
        """Ids and tokens from the file that nerquake writes beside a document."""
        if files.tokens is None:
            return (), None
        name, offsets = files.name + TOKENS, Offsets(text)
        ids: list[str] = []
        sentences: list[tuple[Range, ...]] = []
        for found in load_records(files.tokens.decode("utf-8", "replace").split("\n")):
            if isinstance(found, Problem):
                book.problems.append(replace(found, message=f"{name}: {found.message}"))
                continue
            try:
                sentences.append(_ranges(found, offsets))
            except (TypeError, ValueError, OffsetError) as error:
                what = f"{name}: tokens must be a list of [start, end] in the text ({error})"
                book.wrong("bad-token", found.number, what)
            if isinstance(found.data.get("id"), str):
                ids.append(found.data["id"])
        return tuple(ids), tuple(sentences) or None

    def lines(self, dataset: Dataset) -> Iterator[str]:
        """The documents one behind the other, for callers that want to look at them; `save` writes the folder.

        Raises:
            OutputError: a label or a name that brat cannot hold.
        """
        for name, text in self.files(dataset).items():
            yield f"==> {name} <==\n{text}"

    def save(self, dataset: Dataset, path: str) -> None:
        """Write a folder, whole or not at all.

        Raises:
            OutputError: as `lines`; or the path is no place for a folder of its own.
        """
        write_folder(path, self.files(dataset))

    def files(self, dataset: Dataset) -> dict[str, str]:
        """The text of each file by its name. Documents that did not change are as they stood.

        Raises:
            OutputError: a label or a name that brat cannot hold.
        """
        file = dataset.layout if isinstance(dataset.layout, BratFile) else None
        documents = (file.documents if file is not None else None) or {}
        made: dict[str, str] = {}
        for one in self._documents(dataset):
            made |= self._as_stood(one.held) if one.held else self._fresh(one.name, one.group, dataset)
        for name in file.empty if file is not None else ():
            made |= self._as_stood(documents[name])
        return made

    def moved(self, dataset: Dataset) -> int:
        """How many sentences stand at another place once the folder is read, document by document in order of names.

        Raises:
            OutputError: as `files`.
        """
        documents = self._documents(dataset)
        order = sorted(documents, key=lambda one: one.name)
        return sum(
            len(one.group.sentences) for one, there in zip(documents, order, strict=True) if one.name != there.name
        )

    def _documents(self, dataset: Dataset) -> list[_Document]:
        """The documents with their names. Numbers that make a name unique sort in the order of the documents."""
        file = dataset.layout if isinstance(dataset.layout, BratFile) else None
        known = (file.documents if file is not None else None) or {}
        found: list[_Document] = []
        for group in groups_of(dataset, by_document=True):
            held = known.get(group.raw)
            same = held is not None and self._says(group, dataset, held)
            found.append(_Document(group.raw, group, held) if same else _Document(_name(group, dataset), group))
        taken = {one.name for one in found if one.held} | set(file.empty if file is not None else ())
        asked = Counter(one.name for one in found)
        return [one if one.held else one._replace(name=_free(one.name, asked[one.name], taken)) for one in found]

    def _as_stood(self, files: Files) -> dict[str, str]:
        texts = {files.name + TEXT: files.text.decode(self.encoding), files.name + ANN: files.ann.decode(self.encoding)}
        return texts if files.tokens is None else {**texts, files.name + TOKENS: files.tokens.decode("utf-8")}

    def _says(self, group: Group, dataset: Dataset, files: Files) -> bool:
        """Whether a document as it stood still says what its sentences hold."""
        reading = Reading(self, ReadOptions(language=dataset.language))
        reading.take(partial(self._parse, files))
        told = [(s.tokens, s.spans, s.spaces, s.doc_id, s.hashed or s.id) for s in reading.sentences]
        return told == [(s.tokens, s.spans, s.spaces, s.doc_id, s.hashed or s.id) for s in group.sentences]

    def _fresh(self, name: str, group: Group, dataset: Dataset) -> dict[str, str]:
        text = group.text if group.text.endswith("\n") else group.text + "\n"
        ann = "".join(brat_ann.lines(group, group.counted(self.counting)))
        made = {name + TEXT: text, name + ANN: ann}
        pieces = [piece.tokens for piece in self.cut(text, dataset.language)]
        if pieces != list(group.tokens) or not all(sentence.hashed for sentence in group.sentences):
            rows = [
                {**({} if sentence.hashed else {"id": sentence.id}), "tokens": tokens}
                for sentence, tokens in zip(group.sentences, group.tokens, strict=True)
            ]
            made[name + TOKENS] = "".join(dump(row) + "\n" for row in rows)
        return made


def _ranges(found: Record, offsets: Offsets) -> tuple[Range, ...]:
    given: Any = found.data.get("tokens")
    made = tuple((offsets.to_codepoint(start), offsets.to_codepoint(end)) for start, end in given)
    if not made:
        raise ValueError("there are none")
    return made


def _name(group: Group, dataset: Dataset) -> str:
    """A document's name as a file's."""
    doc_id = group.sentences[0].doc_id
    name = doc_id if doc_id is not None else dataset.name.partition(".")[0] or "data"
    parts = [re.sub(r'[\x00-\x1f<>:"\\|?*]', "_", part) for part in name.split("/")]
    safe = [part if part.strip(". ") else "_" for part in parts if part] or ["_"]
    if any(len(part.encode()) > 200 for part in safe):
        raise OutputError(
            f"sentence {group.sentences[0].id!r}: the document's name {name[:40]!r}... is too long for a file"
        )
    return "/".join(safe)


def _free(name: str, count: int, taken: set[str]) -> str:
    """The name, with a number where a document of that name is there already; `count`: how many ask for it."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number:0{len(str(count))}}"
    taken.add(free)
    return free
