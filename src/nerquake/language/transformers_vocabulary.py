"""A masked language model's vocabulary as text: which entries are words, which are parts of words or special."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from nerquake.core.fillers import FillKind

UNUSED = re.compile(r"\[unused[\w-]*\]|<unused\d+>|madeupword\d+", re.IGNORECASE)
"""Entries that were kept free, which tokenizers do not call special."""
BYTE = re.compile(r"<0x[0-9A-Fa-f]{2}>")
"""How vocabularies of text write single bytes."""
METASPACE = "\u2581"
WORD_END = "</w>"
Entry = tuple[str, FillKind]


class Vocabulary(NamedTuple):
    """What each entry is, by number."""

    texts: list[str]
    kinds: list[FillKind]


def vocabulary_of(tokenizer: Any, size: int) -> Vocabulary:
    """The entries of a tokenizer for a model with `size` of them; what the tokenizer does not have is special."""
    table: dict[str, int] = tokenizer.get_vocab()
    special = {*tokenizer.all_special_ids, *tokenizer.get_added_vocab().values()}
    read = _reader(tokenizer, table)
    texts, kinds = [""] * size, ["special"] * size
    for entry, number in table.items():
        if number >= size:
            continue
        if number in special or UNUSED.fullmatch(entry):
            texts[number] = entry
        else:
            texts[number], kinds[number] = read(entry)
    return Vocabulary(texts, kinds)  # type: ignore[arg-type]


def _reader(tokenizer: Any, table: Iterable[str]) -> Callable[[str], Entry]:
    """How this tokenizer writes words and pieces."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        return _slow_reader(tokenizer, table)
    model = type(backend.model).__name__
    parts = (part.__getstate__() for part in (backend.pre_tokenizer, backend.decoder) if part is not None)
    state = b" ".join(parts)
    if b'"ByteLevel"' in state:
        return _of_bytes
    if model == "Unigram" or b'"Metaspace"' in state:
        return _behind_blank
    if model == "WordPiece":
        return _continued(backend.model.continuing_subword_prefix)
    if suffix := getattr(backend.model, "end_of_word_suffix", None):
        return _ended(suffix)
    if prefix := getattr(backend.model, "continuing_subword_prefix", None):
        return _continued(prefix)
    return _whole if model == "WordLevel" else _by_looks(table)


def _slow_reader(tokenizer: Any, table: Iterable[str]) -> Callable[[str], Entry]:
    return _of_bytes if hasattr(tokenizer, "byte_decoder") else _by_looks(table)


def _by_looks(table: Iterable[str]) -> Callable[[str], Entry]:
    """Which marks the entries carry."""
    entries = list(table)
    marks: dict[Callable[[str], Entry], int] = {
        _behind_blank: sum(entry.startswith(METASPACE) for entry in entries),
        _continued("##"): sum(entry.startswith("##") for entry in entries),
        _continued("@@"): sum(entry.startswith("@@") for entry in entries),
        _ended(WORD_END): sum(entry.endswith(WORD_END) for entry in entries),
        _whole: 1,
    }
    return max(marks, key=lambda reader: marks[reader])


def _whole(entry: str) -> Entry:
    return entry, "word"


def _continued(prefix: str) -> Callable[[str], Entry]:
    """Pieces inside a word carry a mark."""

    def read(entry: str) -> Entry:
        inside = bool(prefix) and entry.startswith(prefix) and len(entry) > len(prefix)
        return (entry[len(prefix) :], "piece") if inside else (entry, "word")

    return read


def _ended(suffix: str) -> Callable[[str], Entry]:
    """The last piece of a word carries a mark."""

    def read(entry: str) -> Entry:
        return (entry.removesuffix(suffix), "word") if entry.endswith(suffix) else (entry, "piece")

    return read


def _behind_blank(entry: str) -> Entry:
    """The first piece of a word carries the mark of the blank before it."""
    if BYTE.fullmatch(entry):
        return entry, "piece"
    text = entry.replace(METASPACE, " ")
    return (text[1:], "word") if entry.startswith(METASPACE) else (text, "piece")


def _of_bytes(entry: str) -> Entry:
    """The same, where letters stand for bytes; some entries are no more than a part of a letter."""
    try:
        data = bytes(_BYTES[letter] for letter in entry)
        text = data.decode()
    except KeyError:
        return entry, "piece"
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace"), "piece"
    return (text[1:], "word") if text.startswith(" ") else (text, "piece")


def _letters_of_bytes() -> dict[str, int]:
    """The letter that byte-level tokenizers write for each byte: itself where it can be seen, else one of U+0100 on."""
    seen = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in seen]
    return {chr(byte): byte for byte in seen} | {chr(256 + at): byte for at, byte in enumerate(hidden)}


_BYTES = _letters_of_bytes()


def tells_capitals(tokenizer: Any) -> bool:
    """Whether a tokenizer keeps capital letters."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        return not getattr(tokenizer, "do_lower_case", False)
    return backend.normalizer is None or "A" in backend.normalizer.normalize_str("A")
