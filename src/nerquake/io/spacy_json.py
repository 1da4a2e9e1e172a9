"""spaCy's training data as JSON: pairs of a text and its entities (v2 and v3), and documents of paragraphs (v2)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

from nerquake.core.dataset import Dataset
from nerquake.core.errors import OutputError
from nerquake.core.scheme import BILOU, is_tag
from nerquake.io.standoff import Book, TextRecord
from nerquake.io.standoff_file import StandoffRecords, whole_offsets
from nerquake.io.standoff_json import Element
from nerquake.io.standoff_place import Mention
from nerquake.io.standoff_tokens import BLANKS, Range, regex
from nerquake.io.standoff_write import Group
from nerquake.io.tags import ill_formed

_UNKNOWN = ("-", "?", "")
"""Tags of tokens that nobody annotated."""
_STARTS = "sent_starts"
_BY_TOKEN = ("tags", "pos", "morphs", "lemmas", "heads", "deps", _STARTS, "sentence_starts", "ner", "links", "spans",
             "chunks", "brackets")  # fmt: skip
"""Fields of a pair with one entry a token, or with the offsets of places in its text."""


@dataclass(frozen=True, slots=True)
class SpacyJson(StandoffRecords):
    """Reads and writes spaCy's training data: `[[text, {"entities": [[start, end, label]]}], ...]`.

    Also read: the older documents with paragraphs, sentences and tokens with BILUO tags (`ner`). Those with tokens that
    nobody annotated (`-`) are left out and counted. A document that changed is written with one paragraph. Where the
    tokeniser would find other tokens or sentences, the pair gets spaCy's own fields `words`, `spaces` and, for several
    sentences, `sent_starts`. Fields with one entry a token (tags, heads, ...) or with offsets (links, spans) are kept
    while the text stays as it is, and counted.
    """

    name: ClassVar[str] = "spacy-json"
    extension: ClassVar[str] = "json"
    array: ClassVar[bool] = True
    holds: ClassVar[frozenset[str]] = frozenset({"spaces"})
    keeps_ids: ClassVar[bool] = False

    def _parse(self, element: Element, book: Book) -> TextRecord | None:
        value, line = element.value, element.number
        if isinstance(value, dict) and "paragraphs" in value:
            return _document(element, book)
        if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict):
            return self._pair(element, value[0], value[1], book)
        hint = '["text", {"entities": [[0, 4, "PER"]]}] is expected, or a document with paragraphs'
        book.wrong("wrong-type", line, "this is no record of spaCy's training data", element.raw[:40], hint)
        return None

    def _pair(self, element: Element, text: str, told: Mapping[str, Any], book: Book) -> TextRecord | None:
        line = element.number
        if "entities" not in told:
            book.counts["record{s} without entities: left out, not annotated"] += 1
            return None
        sentences = None
        own = ["entities", "words", "spaces"]
        if "words" in told:
            words = told["words"]
            tokens = _found(text, words) if _are_texts(words) else None
            if tokens is None:
                book.wrong("bad-token", line, "words are not the words of the text, in its order", text[:40])
            else:
                sentences = _parted(text, tokens, told.get(_STARTS), line, book)
                own += [_STARTS] * (len(sentences or ()) > 1)
        rest = {k: v for k, v in told.items() if k not in own}
        _count_by_token([key for key in _BY_TOKEN if rest.get(key)], "records whose text does not change", book)
        return TextRecord(
            line, text, _entities(told["entities"], line, book), sentences=sentences, rest=rest,
            raw=element.raw, between=element.between,
        )  # fmt: skip

    def _render(self, group: Group, dataset: Dataset) -> Any:
        held = group.rest or {}
        if "paragraphs_of" in held:
            return {**held["paragraphs_of"], "paragraphs": [_paragraph(group)]}
        entities = [list(place[:3]) for place in group.counted(self.counting)]
        text, before = json.loads(group.raw) if group.raw else ("", {})
        stale = () if text == group.text else _BY_TOKEN
        if not all(one in entities for one in before.get("entities", ())):
            stale = (*stale, "links")
        told = {"entities": entities, **{key: value for key, value in held.items() if key not in stale}}
        found = [piece.tokens for piece in self.cut(group.text, dataset.language)]
        if "words" in before or found != list(group.tokens):
            words = _words(group)
            told |= {"words": [word.text for word in words], "spaces": [word.space for word in words]}
            if len(group.tokens) > 1:
                told[_STARTS] = [word.starts for word in words]
        return [group.text, told]


def _entities(given: Any, line: int, book: Book) -> tuple[Mention, ...]:
    if not isinstance(given, list):
        book.wrong("wrong-type", line, f"entities must be a list of [start, end, label], not {given!r}")
        return ()
    made = []
    for one in given:
        good = isinstance(one, list) and len(one) == 3 and whole_offsets(one[:2]) and isinstance(one[2], str) and one[2]
        if good:
            made.append(Mention(((one[0], one[1]),), one[2], name="entity"))
        else:
            book.wrong("wrong-type", line, f"entities: {one!r} is no [start, end, label]")
    return tuple(made)


def _count_by_token(fields: Sequence[str], kept: str, book: Book) -> None:
    """Say which fields a record loses that changes."""
    if fields:
        book.counts[f"{kept.partition('s ')[0]}{{s}} with {', '.join(fields)}: kept only in {kept}"] += 1


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) and one for one in value)


def _found(text: str, words: Sequence[str], at: int = 0) -> tuple[Range, ...] | None:
    """Where words stand in a text that holds nothing but them and what is no word; None where they do not."""
    found: list[Range] = []
    for word in words:
        start = at
        while not text.startswith(word, start):
            if start >= len(text) or regex(text[start]):
                return None
            start += 1
        at = start + len(word)
        found.append((start, at))
    return tuple(found)


class _Word(NamedTuple):
    """A word of a pair: whether a space follows it, and whether it begins a sentence."""

    text: str
    space: bool = False
    starts: bool = False


def _words(group: Group) -> list[_Word]:
    """The tokens, and what stands between them but for a single space as words of blanks, as spaCy has it."""
    made: list[_Word] = []
    at = 0
    for sentence, tokens in zip(group.sentences, group.tokens, strict=True):
        for index, (start, end) in enumerate(tokens):
            made += _blank(group.text[at:start])
            made.append(_Word(group.text[start:end], group.text[end : end + 1] == " ", index == 0))
            at = end + made[-1].space
            if not made[-1].text.strip(BLANKS):
                what = f"sentence {sentence.id!r}: the token {made[-1].text!r} is blank, which spaCy takes for spacing"
                raise OutputError(f"{what}: write it in another format, such as --to jsonl")
    made += _blank(group.text[at:])
    _first, *others = (at for at, word in enumerate(made) if word.starts)
    return [word._replace(starts=at == 0 or at in others) for at, word in enumerate(made)]


def _blank(gap: str) -> list[_Word]:
    return [_Word(gap)] if gap and not gap.strip(BLANKS) else []


def _parted(
    text: str, words: tuple[Range, ...], starts: Any, line: int, book: Book
) -> tuple[tuple[Range, ...], ...] | None:
    """The words that are no blanks, by sentence: one begins where `starts` says true or 1; None without any."""
    known = (True, False, None, -1)
    if starts is None:
        starts = [False] * len(words)
    elif not isinstance(starts, list) or len(starts) != len(words) or not all(one in known for one in starts):
        what = f"{_STARTS} must be a list of {len(words)} entries, one for each of the words: true or false"
        book.wrong("wrong-type", line, what)
        return None
    both = [(word, one) for word, one in zip(words, starts, strict=True) if text[slice(*word)].strip(BLANKS)]
    book.counts["word{s} of blanks only, which are spacing"] += len(words) - len(both)
    borders = [0, *(at for at, (_, one) in enumerate(both) if at and one == 1), len(both)]
    return tuple(tuple(word for word, _ in both[low:high]) for low, high in pairwise(borders)) if both else None


class _Sentence(NamedTuple):
    words: list[str]
    tags: list[str]


def _document(element: Element, book: Book) -> TextRecord | None:
    """A document with paragraphs; its text is theirs, one a line."""
    document, line = element.value, element.number
    text, sentences, mentions = "", [], []
    if not isinstance(document["paragraphs"], list):
        book.wrong("wrong-type", line, "paragraphs must be a list")
        return None
    known, partly = len(book.problems), False
    for number, paragraph in enumerate(document["paragraphs"], 1):
        where = f"paragraph {number}"
        found = _sentences(paragraph, where, line, book)
        if found is None:
            continue
        raw = paragraph.get("raw")
        raw = raw if isinstance(raw, str) else " ".join(word for one in found for word in one.words)
        start = len(text) + bool(text)
        text += ("\n" if text else "") + raw
        words = _found(text, [word for one in found for word in one.words], start)
        if words is None:
            book.wrong("bad-token", line, f"{where}: its tokens are not the words of its raw text", raw[:40])
            continue
        at = 0
        for one in found:
            places = words[at : at + len(one.words)]
            at += len(one.words)
            sentences.append(places)
            mentions += _labelled(one, places, where, line, book)
            partly = partly or any(tag in _UNKNOWN for tag in one.tags)
    if len(book.problems) > known:
        return None
    if partly:
        book.counts["document{s} left out: only partly annotated (ner is -)"] += 1
        return None
    _count_by_token(_others(document), "documents that do not change", book)
    key = document.get("id")
    rest = {"paragraphs_of": {k: v for k, v in document.items() if k != "paragraphs"}}
    return TextRecord(
        line, text, tuple(mentions), doc_id=None if key is None else str(key), sentences=tuple(sentences),
        rest=rest, raw=element.raw, between=element.between,
    )  # fmt: skip


def _others(document: Mapping[str, Any]) -> list[str]:
    """The fields of tokens that a sentence has no place for, sorted."""
    sentences = (one for paragraph in document["paragraphs"] for one in paragraph["sentences"])
    return sorted({key for one in sentences for token in one["tokens"] for key in token} - {"id", "orth", "ner"})


def _sentences(paragraph: Any, where: str, line: int, book: Book) -> list[_Sentence] | None:
    """The words and tags of a paragraph's sentences."""
    given = paragraph.get("sentences") if isinstance(paragraph, dict) else None
    if not isinstance(given, list):
        book.wrong("wrong-type", line, f"{where} has no list of sentences")
        return None
    made = []
    for one in given:
        tokens = one.get("tokens") if isinstance(one, dict) else None
        if not isinstance(tokens, list) or not all(isinstance(token, dict) for token in tokens):
            book.wrong("wrong-type", line, f"{where}: a sentence has no list of tokens")
            return None
        words = [token.get("orth") for token in tokens]
        tags = [token.get("ner", "-") for token in tokens]
        if not _are_texts(words) or not all(isinstance(tag, str) for tag in tags):
            book.wrong("wrong-type", line, f"{where}: each token has orth and ner, which are texts")
            return None
        made.append(_Sentence([str(word) for word in words], [str(tag) for tag in tags]))
    return made


def _labelled(one: _Sentence, places: Sequence[Range], where: str, line: int, book: Book) -> list[Mention]:
    """A sentence's mentions; none after a problem, or where tokens are not annotated."""
    if any(tag in _UNKNOWN for tag in one.tags):
        return []
    bad = [(word, tag) for word, tag in zip(one.words, one.tags, strict=True) if not is_tag(tag)]
    for word, tag in bad:
        book.wrong("bad-tag", line, f"{where}: {tag!r} is no tag", word)
    if not bad:
        lines = [line] * len(one.tags)
        wrong = BILOU.violations(one.tags)
        book.problems.extend(ill_formed(BILOU, one.words, one.tags, lines, at, where) for at in wrong)
    spans = () if bad else BILOU.decode(one.tags, "none")
    return [
        Mention(((places[span.start][0], places[span.end - 1][1]),), span.label, name=f"{where}:", exact=True)
        for span in spans
    ]


def _paragraph(group: Group) -> dict[str, Any]:
    sentences = []
    number = 0
    for sentence in group.sentences:
        tags = BILOU.encode(sentence.spans, len(sentence))
        tokens = []
        for word, tag in zip(sentence.tokens, tags, strict=True):
            tokens.append({"id": number, "orth": word, "ner": tag})
            number += 1
        sentences.append({"tokens": tokens})
    return {"raw": group.text, "sentences": sentences}
