"""From a data set to the lines of a CoNLL file: as it was laid out, or plainly where it comes from elsewhere.

Nothing is written that would read back as something else: what the format cannot hold is an OutputError.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import NamedTuple, NoReturn

from nerquake.core.dataset import Dataset
from nerquake.core.errors import OutputError
from nerquake.core.scheme import is_tag
from nerquake.core.sentence import NEW_CELL, Sentence
from nerquake.io.conll_fronts import Fronts
from nerquake.io.conll_lines import BLANKS, Separator, Shape, is_border
from nerquake.io.conll_scan import ConllFile
from nerquake.io.tags import written_scheme

Rest = tuple[str, ...]


class _Style(NamedTuple):
    """How token lines are written. `laid_out`: the cells come from a CoNLL file and were read from such lines."""

    shape: Shape
    gaps: tuple[str, ...]
    laid_out: bool


def write(dataset: Dataset, token: int, tag: int, sep: Separator) -> Iterator[str]:
    """The text of the file, one piece a sentence.

    Raises:
        OutputError: a token, label, cell or id that the format cannot hold; names the sentence.
    """
    file = dataset.layout if isinstance(dataset.layout, ConllFile) else None
    style = _style(dataset, file, token, tag, sep)
    rows = _Rows(style, sep)
    fronts = Fronts(style.shape, file is not None)
    scheme, _ = written_scheme(dataset)
    start = "".join(f"{line}\n" for line in file.front) if file else ""
    piece = "\n"
    for sentence in dataset.sentences:
        tags = scheme.encode(sentence.spans, len(sentence.tokens)) if sentence.spans else None
        piece = start + "\n".join([*fronts.lines(sentence), *rows.lines(sentence, tags)])
        # A token may begin with what would be taken for a byte order mark at the start of a file.
        yield "\ufeff" + piece if piece.startswith("\ufeff") else piece
        start = "\n"
    after = file.after if file else "\n"
    # A file of one line without an end would have its carriage returns taken for line ends.
    yield "\n" if not after and len(dataset) == 1 and "\r" in piece and "\n" not in piece else after


def _style(dataset: Dataset, file: ConllFile | None, token: int, tag: int, sep: Separator) -> _Style:
    layouts = (sentence.layout for sentence in dataset.sentences if sentence.layout is not None)
    gaps = next((layout.gaps[0] for layout in layouts if layout.gaps), ()) if file else ()
    if file and gaps:
        width, tabs = len(gaps) - 1, file.tabs
    else:
        width, tabs = 2 + max((len(s.columns[0]) for s in dataset.sentences if s.columns), default=0), True
    if sep != "auto":
        tabs = sep == "tab"
    token_at, tag_at = (at + width if at < 0 else at for at in (token, tag))
    if not (0 <= token_at < width and 0 <= tag_at < width and token_at != tag_at):
        raise OutputError(
            f"{dataset.name} has {width} columns, so the token cannot be column {token} and the tag column {tag};"
            " columns count from 0, or from the end from -1"
        )
    shape = Shape(tabs, width, token_at, tag_at)
    return _Style(shape, shape.gaps, bool(gaps))


class _Rows:
    """Writes token lines."""

    def __init__(self, style: _Style, sep: Separator) -> None:
        self.shape, self.plain, self.laid_out = style.shape, style.gaps, style.laid_out
        self.fixed = sep != "auto"
        self.low, self.high = sorted((self.shape.token, self.shape.tag))
        self.token_first = self.shape.token < self.shape.tag
        self.outer = self.shape.token == 0 and self.shape.tag == self.shape.width - 1
        self.separator = "\t" if self.shape.tabs else " "
        self.filler: Rest = (NEW_CELL,) * (self.shape.width - 2)
        self._fine: set[str] = set()
        self._fine_tags: set[str] = {"O"}
        self._fine_rests: set[Rest] = {self.filler}

    def lines(self, sentence: Sentence, tags: Sequence[str] | None) -> list[str]:
        """The token lines of one sentence; no tags: all O."""
        size = len(sentence.tokens)
        if tags is None:
            tags = ["O"] * size
        self._check(sentence, tags)
        layout = sentence.layout
        gaps = layout.gaps if self.laid_out and layout is not None else ()
        separator = self.separator
        if gaps and gaps.count(self.plain) != size:
            lines = list(map(self._line, sentence.tokens, tags, self._rests(sentence), gaps))
        elif self.shape.width == 2 and self.token_first:
            lines = [f"{token}{separator}{tag}" for token, tag in zip(sentence.tokens, tags, strict=True)]
        else:
            rests = self._rests(sentence)
            each = repeat(self.plain)
            lines = list(map(self._line, sentence.tokens, tags, rests, each))
        for line in lines:
            if line[0] in "#-":
                self._check_start(sentence, line)
        return lines

    def _rests(self, sentence: Sentence) -> Sequence[Rest]:
        if not sentence.columns:
            return [self.filler] * len(sentence.tokens)
        rests: Sequence[Rest] = sentence.columns
        if len(rests[0]) != len(self.filler):
            rests = [(*rest, *self.filler[len(rest) :]) for rest in rests]
        for rest in rests:
            if rest not in self._fine_rests:
                wrong = next((cell for cell in rest if not self._holds(cell, empty=self.shape.tabs)), None)
                if wrong is not None or len(rest) != len(self.filler):
                    _fail(sentence, f"the cell {wrong!r}", "CoNLL cells hold no line end or separator")
                self._fine_rests.add(rest)
        return rests

    def _line(self, token: str, tag: str, rest: Rest, gaps: tuple[str, ...]) -> str:
        if self.outer and gaps is self.plain:
            return self.separator.join((token, *rest, tag))
        cells = list(rest)
        cells.insert(self.low, token if self.token_first else tag)
        cells.insert(self.high, tag if self.token_first else token)
        if gaps == self.plain:
            return self.separator.join(cells)
        middle = gaps[1:-1]
        if any(("\t" in gap) != self.shape.tabs for gap in middle):
            # A line that stood out in its file. It keeps its look as long as its cells can still be told apart.
            parted = any(set(cell) & set(BLANKS) or not cell for cell in cells)
            if self.fixed or (parted and self.shape.tabs):
                return self.separator.join(cells)
        parts = [gaps[0]]
        for cell, gap in zip(cells, gaps[1:], strict=True):
            parts += (cell, gap)
        return "".join(parts)

    def _check(self, sentence: Sentence, tags: Sequence[str]) -> None:
        fine = self._fine
        for token in sentence.tokens:
            if token not in fine:
                if not self._holds(token, empty=False):
                    _fail(
                        sentence, f"the token {token!r}", "CoNLL tokens are not blank and hold no line end or separator"
                    )
                fine.add(token)
        for tag in tags:
            if tag not in self._fine_tags:
                if not (self._holds(tag, empty=False) and tag.strip(BLANKS) == tag and is_tag(tag)):
                    _fail(sentence, f"the tag {tag!r}", "its label would read back as another")
                self._fine_tags.add(tag)

    def _holds(self, cell: str, empty: bool) -> bool:
        """Whether a cell can be told from its neighbours."""
        if "\n" in cell or "\x00" in cell or "\t" in cell:
            return False
        if "\r" in cell and (not self.laid_out or cell.endswith("\r")):
            return False
        if not self.shape.tabs:
            return bool(cell) and " " not in cell and "\r" not in cell
        return empty or bool(cell.strip(BLANKS))

    def _check_start(self, sentence: Sentence, line: str) -> None:
        """Raise if a line that begins with `#` or `-` would be taken for a comment or a document border."""
        line = line.rpartition("\n")[2]  # comments that stand between tokens are kept in front of the next one
        if line.startswith("#"):
            found = self.shape.split(line)
            if not self.shape.is_token(found) or self.shape.is_comment(line, found, inside=True):
                _fail(sentence, f"the line {line!r}", "it would read back as a comment")
        elif is_border(line):
            _fail(sentence, f"the line {line!r}", "it would read back as the border of a document")


def _fail(sentence: Sentence, what: str, why: str) -> NoReturn:
    raise OutputError(
        f"sentence {sentence.id!r}: {what} cannot stand in a CoNLL file ({why});"
        " JSONL holds it: `nerquake convert FILE out.jsonl` first"
    )
