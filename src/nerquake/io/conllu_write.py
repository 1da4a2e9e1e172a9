"""From a data set to the lines of a CoNLL-U file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from nerquake.core.dataset import Dataset, FileLayout
from nerquake.core.errors import OutputError
from nerquake.core.scheme import Scheme, is_tag
from nerquake.core.sentence import NEW_CELL, Sentence
from nerquake.io.borders import Borders, is_blank, marked, with_own_id
from nerquake.io.conll_comments import document_of, is_text_line, read_comments
from nerquake.io.conllu_lines import (
    DEPREL,
    DEPS,
    EXTRA,
    FORM,
    HEAD,
    ID,
    MISC,
    NOTHING,
    OTHER_TEXT,
    WIDTH,
    WORDS,
    Renumbered,
    border_of,
    empty_node,
    items_of,
    misc_of,
    put_tag,
    range_of,
    text_of,
    with_space,
)  # fmt: skip
from nerquake.io.tags import written_scheme


@dataclass(frozen=True, slots=True)
class ConlluFile(FileLayout):
    """The layout of a CoNLL-U file."""


def write(dataset: Dataset, key: str) -> Iterator[str]:
    """The text of the file, one piece a sentence.

    Raises:
        OutputError: a token, label, document, id or comment that the format cannot hold; names the sentence.
    """
    laid_out = isinstance(dataset.layout, ConlluFile)
    scheme, _ = written_scheme(dataset)
    borders = Borders(border_of, "", laid_out)
    start = ""
    for sentence in dataset.sentences:
        rows = _Rows(sentence, scheme, key, laid_out)
        front = borders.front(sentence, _opening(sentence))
        front = with_own_id(sentence, front, "# sent_id = ")
        front = _texted(sentence, front, rows.text) if laid_out else [*front, *_fresh(sentence, rows.text)]
        yield start + "\n".join([*front, *rows.lines()])
        start = "\n"
    yield borders.behind(dataset.layout.after if laid_out and dataset.layout is not None else "\n\n")


def _opening(sentence: Sentence) -> list[str]:
    if sentence.doc_id is None:
        return []
    line = f"# newdoc id = {sentence.doc_id}"
    if document_of(line) != (sentence.doc_id, True) or "\n" in line:
        _fail(sentence, f"the document {sentence.doc_id!r}", "its name would read back as another")
    return [line]


def _texted(sentence: Sentence, front: list[str], text: str) -> list[str]:
    """The comment lines with the sentence's own text, where they told its text before."""
    before = sentence.layout.before if sentence.layout is not None else ()
    if OTHER_TEXT in before and sentence.source is None:
        return front
    return [f"# text = {text}" if is_text_line(line) and read_comments([line]).text != text else line for line in front]


def _fresh(sentence: Sentence, text: str) -> list[str]:
    """The text and what is known of a sentence from another format, as comments."""
    lines = [f"# {key} = {value}" for key, value in sentence.meta]
    if read_comments(lines).meta != sentence.meta or any("\n" in line for line in lines):
        _fail(sentence, f"what is known of it, {dict(sentence.meta)},", "comments would read back as something else")
    return [f"# text = {text}", *lines]


class _Rows:
    """The lines of one sentence's words, ranges and empty nodes."""

    def __init__(self, sentence: Sentence, scheme: Scheme, key: str, laid_out: bool) -> None:
        self.sentence, self.key = sentence, key
        size = len(sentence.tokens)
        layout = sentence.layout if laid_out else None
        known = laid_out and bool(sentence.columns) and len(sentence.columns[0]) == WIDTH - 1
        self.columns = sentence.columns if known else ((NEW_CELL,) * (WIDTH - 1),) * size
        self.slots = [gap[0] for gap in layout.gaps] if layout is not None and layout.gaps else [""] * size
        self.tags = scheme.encode(sentence.spans, size)
        before = layout.before if layout is not None else ()
        words = marked(before, WORDS) or "0"
        self.ids = Renumbered([cells[ID] for cells in self.columns], int(words))
        self._extras([entry[len(EXTRA) :] for entry in before if entry.startswith(EXTRA)])
        spaces = sentence.spaces or (True,) * size
        self.text = text_of(sentence.tokens, spaces, {at: (end, form) for at, (end, form, _) in self.whole.items()})
        self._check()

    def _extras(self, lines: Sequence[str]) -> None:
        """Sort the lines of multiword tokens and empty nodes that still stand."""
        self.whole: dict[int, tuple[int, str, str]] = {}
        self.nodes: dict[int, list[str]] = {}
        for line in lines:
            cells = line.split("\t")
            old_range, node = range_of(cells[ID]), empty_node(cells[ID])
            if old_range is not None and (span := self.ids.span(*old_range)) is not None:
                cells[ID] = f"{span[0]}-{span[1]}"
                self.whole[span[0] - 1] = (span[1], cells[FORM], "\t".join(cells))
            elif node is not None and (new := self.ids.node(*node)) is not None:
                cells[ID] = new
                if self.ids.changed:
                    cells[DEPS] = self.ids.graph(cells[DEPS])
                self.nodes.setdefault(int(new.partition(".")[0]), []).append("\t".join(cells))

    def lines(self) -> list[str]:
        """The lines in the order of the file."""
        made = list(self.nodes.get(0, ()))
        inside = 0
        for at, token in enumerate(self.sentence.tokens):
            if at in self.whole:
                inside, _, line = self.whole[at]
                made.append(line)
            made.append(self._line(at, token, whole=at < inside))
            made += self.nodes.get(at + 1, ())
        return made

    def _line(self, at: int, token: str, whole: bool) -> str:
        """A word's line. In a multiword token, not the words but the whole says whether a blank follows."""
        cells = [str(at + 1), token, *self.columns[at][1:]]
        if self.ids.changed:
            cells[HEAD] = self.ids.word(cells[HEAD])
            cells[DEPREL] = cells[DEPREL] if cells[HEAD] != NOTHING else NOTHING
            cells[DEPS] = self.ids.graph(cells[DEPS])
        items = items_of(cells[MISC])
        if not whole and self.sentence.spaces is not None:
            items = with_space(items, self.sentence.spaces[at])
        cells[MISC] = misc_of(put_tag(items, self.key, self.tags[at], self.slots[at]))
        return "\t".join(cells)

    def _check(self) -> None:
        for token in self.sentence.tokens:
            if is_blank(token) or any(letter in token for letter in "\t\n\x00") or token.endswith("\r"):
                _fail(self.sentence, f"the token {token!r}", "words are not blank and hold no TAB or line end")
        for span in self.sentence.spans:
            tag = f"B-{span.label}"
            if any(letter in tag for letter in "|\t\n\x00") or tag != tag.strip(" \t\r") or not is_tag(tag):
                _fail(self.sentence, f"the label {span.label!r}", "it would read back as another")


def _fail(sentence: Sentence, what: str, why: str) -> NoReturn:
    raise OutputError(
        f"sentence {sentence.id!r}: {what} cannot stand in a CoNLL-U file ({why}); JSONL holds it: --to jsonl"
    )
