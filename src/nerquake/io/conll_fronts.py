"""The lines in front of a sentence in a CoNLL file: what parts it from the last one, document borders, comments."""

from __future__ import annotations

from collections.abc import Sequence

from nerquake.core.errors import OutputError
from nerquake.core.sentence import Sentence
from nerquake.io.conll_comments import (
    SOURCE_KEY,
    document_of,
    is_id_line,
    is_text_line,
    read_comments,
    spaces_of,
    with_id,
)  # fmt: skip
from nerquake.io.conll_lines import BLANKS, DOCSTART, Shape, is_border
from nerquake.io.conll_scan import BORDER, FIRST, JOINED, MARK, OTHER_TEXT, is_separator


class Fronts:
    """Gives the lines in front of each sentence, in the order of writing.

    laid_out   sentences come from a CoNLL file, so their own lines are written, brought up to date
    """

    def __init__(self, shape: Shape, laid_out: bool) -> None:
        self.shape, self.laid_out = shape, laid_out
        self._first = True
        self._doc_id: str | None = None

    def lines(self, sentence: Sentence) -> list[str]:
        """The lines in front of the next sentence."""
        layout = sentence.layout if self.laid_out else None
        if layout is None:
            lines = self._plain(sentence)
        elif layout.before == ("",) and sentence.hashed and not self._first:
            lines = [""]
        else:
            lines = self._kept(sentence, layout.before)
        self._first = False
        self._doc_id = sentence.doc_id
        return lines

    def _kept(self, sentence: Sentence, before: Sequence[str]) -> list[str]:
        marks = [entry for entry in before if entry.startswith(MARK)]
        lines = [entry for entry in before if not entry.startswith(MARK)]
        changed = sentence.doc_id != self._doc_id
        if not changed and sentence.doc_id is not None:
            lines = [line for line in lines if not is_border(line) and document_of(line) is None]
        if self._first and FIRST not in marks:
            while lines and not lines[0].strip(BLANKS):
                del lines[0]
        border = next((mark[len(BORDER) :] for mark in marks if mark.startswith(BORDER)), None)
        if changed and border is not None:
            at = next((i for i, line in enumerate(lines) if line.strip(BLANKS)), len(lines))
            lines[at:at] = border.split("\n")
        if not self._first and JOINED not in marks and not any(map(is_separator, lines)):
            lines.insert(0, "")
        if sentence.hashed:
            return self._with_text(sentence, lines, marks)
        return self._with_text(sentence, self._with_id(sentence, lines), marks)

    def _with_id(self, sentence: Sentence, lines: list[str]) -> list[str]:
        """The lines with the sentence's own id in the id line, which is added where there is none."""
        found = [index for index, line in enumerate(lines) if is_id_line(line)]
        if not found:
            return [*lines, _checked_id(sentence, f"# id {sentence.id}")]
        last = found[-1]
        if read_comments([lines[last]]).id != sentence.id:
            lines[last] = _checked_id(sentence, with_id(lines[last], sentence.id))
        return lines

    def _with_text(self, sentence: Sentence, lines: list[str], marks: Sequence[str]) -> list[str]:
        """The lines with the sentence's own text in the text line, if there is one that fitted its tokens."""
        if OTHER_TEXT in marks and sentence.source is None:
            return lines
        for index, line in enumerate(lines):
            if is_text_line(line) and read_comments([line]).text != sentence.text:
                lines[index] = f"# text = {sentence.text}"
        return lines

    def _plain(self, sentence: Sentence) -> list[str]:
        lines = [] if self._first else [""]
        if sentence.doc_id != self._doc_id:
            lines += self._plain_border(sentence)
        comments: list[str] = []
        if not sentence.hashed:
            fields = [f"{key}={value}" for key, value in sentence.meta]
            if sentence.source is not None:
                fields.append(f"{SOURCE_KEY}={sentence.source}")
            comments.append("\t".join([f"# id {sentence.id}", *fields]))
        else:
            comments += [f"# {key} = {value}" for key, value in sentence.meta]
        if sentence.spaces is not None:
            comments.append(f"# text = {sentence.text}")
        if comments:
            self._check(sentence, comments)
        return [*lines, *comments]

    def _plain_border(self, sentence: Sentence) -> list[str]:
        """A border line in the file's number of columns, or a comment where the document has a name."""
        if sentence.doc_id == sentence.id:
            return ["\t".join([DOCSTART, *["-X-"] * (self.shape.width - 2), "O"]), ""]
        line = f"# newdoc id = {sentence.doc_id or ''}"
        if document_of(line) != (sentence.doc_id or "", True) or "\n" in line:
            raise OutputError(
                f"sentence {sentence.id!r}: its document {sentence.doc_id!r} cannot stand in a CoNLL file"
            )
        return [line]

    def _check(self, sentence: Sentence, comments: Sequence[str]) -> None:
        """Raise unless the comment lines read back as what they were made from."""
        back = read_comments(comments)
        spaces = None if back.text is None else spaces_of(sentence.tokens, back.text)
        same = back.meta == sentence.meta and spaces == sentence.spaces
        if not sentence.hashed:
            same = same and (back.id, back.source) == (sentence.id, sentence.source)
        same = same and all(self._is_comment(line) for line in comments)
        if not same or any("\n" in line or "\x00" in line or "\r" in line for line in comments):
            raise OutputError(
                f"sentence {sentence.id!r}: its id, blanks or meta data {dict(sentence.meta)} cannot stand in"
                " comment lines of a CoNLL file; JSONL holds them: `nerquake convert FILE out.jsonl` first"
            )

    def _is_comment(self, line: str) -> bool:
        return self.shape.is_comment(line, self.shape.split(line), inside=False)


def _checked_id(sentence: Sentence, line: str) -> str:
    if read_comments([line]).id != sentence.id or "\n" in line or "\x00" in line:
        raise OutputError(f"sentence {sentence.id!r}: this id cannot stand in a comment line of a CoNLL file")
    return line
