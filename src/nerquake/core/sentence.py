"""A tokenised sentence with its mentions. Tags are never stored, only spans."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256

from nerquake.core.span import Span

NEW_CELL = "_"
"""What stands in the other columns of a token that a perturbation put in."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a sentence stood in its file, so that it can be written back byte for byte. Only `io` looks inside.

    before  the lines in front of the sentence (empty lines, comments, document borders), without line ends
    gaps    for each token the blanks before, between and after the cells of its line; empty for other formats
    raw     the record as it stood, for formats of one record a line
    """

    before: tuple[str, ...] = ()
    gaps: tuple[tuple[str, ...], ...] = ()
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence.

    id        unique in its data set; from the file, else a hash of the tokens (`hashed`)
    spans     sorted, inside the sentence, not overlapping
    spaces    whether a blank follows each token; None where the file does not say
    columns   for each token the file's other cells, in the file's order
    meta      what the file says of the sentence as a whole, such as ("domain", "news")
    source    id of the sentence that this one was made from
    """

    id: str
    tokens: tuple[str, ...]
    spans: tuple[Span, ...] = ()
    spaces: tuple[bool, ...] | None = None
    doc_id: str | None = None
    columns: tuple[tuple[str, ...], ...] = ()
    meta: tuple[tuple[str, str], ...] = ()
    source: str | None = None
    hashed: bool = False
    layout: Layout | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        size = len(self.tokens)
        if not size:
            raise ValueError(f"sentence {self.id!r} has no tokens")
        for values, what in ((self.spaces, "spaces"), (self.columns or None, "columns")):
            if values is not None and len(values) != size:
                raise ValueError(f"sentence {self.id!r} has {size} tokens but {len(values)} {what}")
        if self.spans:
            check_spans(self.spans, size, self.id)

    def __len__(self) -> int:
        return len(self.tokens)

    def mention(self, span: Span) -> tuple[str, ...]:
        """The tokens of a span."""
        return self.tokens[span.start : span.end]

    def surface(self, span: Span) -> str:
        """The text of a span, tokens joined by blanks."""
        return " ".join(self.tokens[span.start : span.end])

    @property
    def text(self) -> str:
        """The sentence as text: by `spaces` where they are known, else tokens joined by blanks."""
        if self.spaces is None:
            return " ".join(self.tokens)
        return "".join(token + (" " if space else "") for token, space in zip(self.tokens, self.spaces, strict=True))

    def with_spans(self, spans: Iterable[Span]) -> Sentence:
        """The same sentence with other mentions, sorted."""
        return replace(self, spans=tuple(sorted(spans)))

    def stripped(self) -> Sentence:
        """The same sentence without its gold mentions and without the other columns that could tell them."""
        return Sentence(self.id, self.tokens, spaces=self.spaces, doc_id=self.doc_id, hashed=self.hashed)


def check_spans(spans: tuple[Span, ...], size: int, sentence_id: str) -> None:
    """Raise ValueError unless the spans are sorted, inside `size` tokens and do not overlap."""
    end = 0
    for span in spans:
        if span.start < end:
            raise ValueError(f"sentence {sentence_id!r}: span {span} overlaps the one before it, or is out of order")
        end = span.end
    if end > size:
        raise ValueError(f"sentence {sentence_id!r}: span {spans[-1]} reaches past its {size} tokens")


def token_hash(tokens: Iterable[str]) -> str:
    """The id of a sentence that has none: 12 hex digits of SHA-256 over the tokens joined by U+001F."""
    return sha256("\x1f".join(tokens).encode("utf-8", "surrogatepass")).hexdigest()[:12]


class TokenIds:
    """Gives out token hashes, with `.2`, `.3` for repeats, in the order of asking."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def next(self, tokens: Iterable[str]) -> str:
        """The id for the next sentence with these tokens."""
        base = token_hash(tokens)
        count = self._seen[base] = self._seen.get(base, 0) + 1
        return base if count == 1 else f"{base}.{count}"
