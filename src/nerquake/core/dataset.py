"""A labelled data set: sentences in file order, and what was said while reading them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from nerquake.core.scheme import Scheme
from nerquake.core.sentence import Sentence


@dataclass(frozen=True, slots=True)
class FileLayout:
    """How the file as a whole was laid out. Only `io` looks inside.

    after     the text behind the last sentence
    newline   the line end that the file used
    bom       whether it began with a byte order mark
    """

    after: str = ""
    newline: str = "\n"
    bom: bool = False


@dataclass(frozen=True, slots=True)
class Dataset:
    """Sentences with unique ids.

    name         the file's name, for outputs
    reader       the specification that reads the file again, such as `conll:token=0,tag=-1`
    scheme       the tag scheme read, None where the format has no tags
    fingerprint  SHA-256 of the file's bytes, or of the content where there is no file
    notes        what reading found and settled, in words: the scheme detected, marks removed, mentions repaired
    """

    name: str
    sentences: tuple[Sentence, ...]
    language: str = ""
    scheme: Scheme | None = None
    reader: str = ""
    fingerprint: str = ""
    notes: tuple[str, ...] = ()
    layout: FileLayout | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        repeated = [key for key, count in Counter(s.id for s in self.sentences).items() if count > 1]
        if repeated:
            raise ValueError(f"{self.name}: ids that stand more than once: {', '.join(repeated[:5])}")
        if not self.fingerprint:
            object.__setattr__(self, "fingerprint", content_fingerprint(self.sentences))

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[Sentence]:
        return iter(self.sentences)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of its mentions, sorted."""
        return tuple(sorted({span.label for sentence in self.sentences for span in sentence.spans}))

    @property
    def tokens(self) -> int:
        """Number of tokens."""
        return sum(map(len, self.sentences))

    @property
    def mentions(self) -> Counter[str]:
        """Number of mentions of each label."""
        return Counter(span.label for sentence in self.sentences for span in sentence.spans)

    def with_sentences(self, sentences: Sequence[Sentence], *notes: str) -> Dataset:
        """The same data set with other sentences and more notes; the fingerprint stays that of the source."""
        return replace(self, sentences=tuple(sentences), notes=self.notes + notes)


def content_fingerprint(sentences: Sequence[Sentence]) -> str:
    """SHA-256 over ids, tokens and spans."""
    digest = sha256()
    for sentence in sentences:
        spans = [(span.start, span.end, span.label) for span in sentence.spans]
        digest.update(repr((sentence.id, sentence.tokens, spans)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
